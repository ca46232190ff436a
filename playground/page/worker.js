// Asks the engine away from the page: the chosen ladder first, then the others, until there is something newer to ask.

import { Engine } from './engine.js';

/** Steps that one ladder may take; on a machine of today a few seconds. */
const BUDGET = 50_000_000;

let engine;
let wanted;
let isBusy = false;

addEventListener('message', ({ data }) => {
  if (data.module) {
    engine = new Engine(data.module);
    postMessage({ ladders: engine.ladders });
  } else {
    wanted = data;
    if (!isBusy) work();
  }
});

async function work() {
  isBusy = true;
  while (wanted) {
    const asked = wanted;
    for (const ladder of order(asked.ladder)) {
      postMessage({ number: asked.number, ladder, ...explained(asked.texts, ladder) });
      // What came in meanwhile is seen between two turns.
      await new Promise((resolve) => setTimeout(resolve));
      if (wanted !== asked) break;
    }
    if (wanted === asked) wanted = undefined;
  }
  isBusy = false;
}

function order(first) {
  const names = engine.ladders.map(({ name }) => name);
  return names.includes(first) ? [first, ...names.filter((name) => name !== first)] : names;
}

function explained(texts, ladder) {
  const started = performance.now();
  try {
    const number = engine.ladders.findIndex(({ name }) => name === ladder);
    const answer = engine.explain(texts, number, BUDGET);
    if (answer.error) throw new Error(answer.error);
    return { explained: answer, took: performance.now() - started };
  } catch (error) {
    return { error: error.message };
  }
}

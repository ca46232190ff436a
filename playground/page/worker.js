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
  } else {
    wanted = data;
    if (!isBusy) work();
  }
});

async function work() {
  isBusy = true;
  while (wanted) {
    const asked = wanted;
    for (const ladder of order(asked)) {
      postMessage({ number: asked.number, ladder, ...engine.answer(asked.texts, ladder, BUDGET) });
      // What came in meanwhile is seen between two turns.
      await new Promise((resolve) => setTimeout(resolve));
      if (wanted !== asked) break;
    }
    if (wanted === asked) wanted = undefined;
  }
  isBusy = false;
}

/** Returns the ladders to ask: the chosen one first, unless its answer is known. */
function order({ ladder, isKnown }) {
  const others = engine.ladders.map(({ name }) => name).filter((name) => name !== ladder);
  return isKnown ? others : [ladder, ...others];
}

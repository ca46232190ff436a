// Begins the longest work before the rest of the page is loaded: compiles the engine, and has it decide the case of the
// address.
//
// A worker takes as long to start as everything else together, so the first decision is made here, within few steps: the
// page waits for it.

import { broken, fits, named, texts } from './case.js';
import { digest } from './digest.js';
import { Engine } from './engine.js';
import { Lines } from './lines.js';

/** Steps of the first decision, about a tenth of a second. The worker makes longer ones. */
const BUDGET = 1_000_000;

async function compile() {
  try {
    return await WebAssembly.compileStreaming(fetch('engine.wasm'));
  } catch {
    // Some servers do not know the media type.
    const response = await fetch('engine.wasm');
    if (!response.ok) throw new Error(`engine.wasm: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

export const compiled = compile();

export const listed = fetch('examples.json').then((response) => response.json());

/** The case that the address names when the page is opened. */
export const opened = listed.then((examples) => named(location.hash.slice(1), examples));

/** The ladders, and what the chosen one makes of that case; no answer where it takes longer. */
export const answered = answer();

async function answer() {
  const engine = new Engine(await compiled);
  const { ladders } = engine;
  const { what } = await opened;
  if (!fits(what.file) || broken(what) || !ladders.some(({ name }) => name === what.ladder)) return { ladders };
  const request = texts(what);
  const found = engine.answer(request, what.ladder, BUDGET);
  if (found.error || found.explained.answer.code === 'timeout') return { ladders };
  return { ladders, answer: { ladder: what.ladder, ...digest(found, { file: new Lines(request.file), old: what.old, given: what.new }) } };
}

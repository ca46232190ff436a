// Begins what takes longest before the rest of the page is there: the engine is compiled, and asked about the case that
// the address names.
//
// A worker takes as long to start as everything else together, so the first question is asked here. It may take a few
// steps only: the page waits for it.

import { broken, fits, named, texts } from './case.js';
import { digest } from './digest.js';
import { Engine } from './engine.js';
import { Lines } from './lines.js';

/** Steps that the first question may take; about a tenth of a second. What needs more is the worker's. */
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
  const asked = texts(what);
  const found = engine.answer(asked, what.ladder, BUDGET);
  if (found.error || found.explained.answer.code === 'timeout') return { ladders };
  return { ladders, answer: { ladder: what.ladder, ...digest(found, { file: new Lines(asked.file), old: what.old, given: what.new }) } };
}

// The package in browsers, workers and Deno.

import { load } from './load.js';

export { EditError } from './face.js';

const bytes = await fetch(new URL('./fuzzy_edit.wasm', import.meta.url)).then((response) => {
  if (!response.ok) throw new Error(`${response.url} cannot be loaded: ${response.status}`);
  return response.arrayBuffer();
});

export const { backend, ladders, replace, apply, locate, explain, compare, applyPatch, diff, Doc } = load(await WebAssembly.compile(bytes));

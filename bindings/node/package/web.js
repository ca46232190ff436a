// The package in browsers, workers and Deno.

import { face } from './face.js';
import { bindingOf } from './wasm.js';

export { EditError } from './face.js';

const bytes = await fetch(new URL('./fuzzy_edit.wasm', import.meta.url)).then((response) => {
  if (!response.ok) throw new Error(`${response.url} cannot be loaded: ${response.status}`);
  return response.arrayBuffer();
});
// Browsers allow a page to wait only for small modules.
const { module, instance } = await WebAssembly.instantiate(bytes, {});

export const { backend, ladders, replace, apply, locate, explain, compare, applyPatch, diff, Doc } = face(
  bindingOf(module, instance),
);

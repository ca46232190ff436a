// The package for browsers, workers and Deno.

import { face } from './face.js';
import { bindingOf } from './wasm.js';

export { EditError } from './face.js';

/**
 * Loads a module and returns its binding. It compiles asynchronously, because browsers allow a page only small modules
 * in a synchronous compilation.
 */
async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.url} cannot be loaded: ${response.status}`);
  const { module, instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
  return bindingOf(module, instance);
}

let patches;
let loading;

/** Loads the module of `applyPatch`. */
export function loadPatches() {
  loading ??= fetched(new URL('./fuzzy_edit_patch.wasm', import.meta.url)).then(
    (binding) => void (patches = binding),
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

function loadedPatches() {
  if (patches === undefined) throw new Error('applyPatch needs `await loadPatches()` before it');
  return patches;
}

export const { backend, ladders, replace, apply, locate, explain, compare, applyPatch, diff, Doc } = face(
  await fetched(new URL('./fuzzy_edit.wasm', import.meta.url)),
  loadedPatches,
);

// The package for Node and Bun, with WebAssembly.

import { readFileSync } from 'node:fs';

import { load } from './load.js';

export { EditError } from './face.js';

const read = (name) => readFileSync(new URL(name, import.meta.url));

export const { backend, ladders, replace, apply, locate, explain, compare, applyPatch, diff, Doc } = load(
  read('./fuzzy_edit.wasm'),
  () => read('./fuzzy_edit_patch.wasm'),
);

/** Does nothing: the first patch reads the module from the disk. */
export const loadPatches = async () => {};

// The package in Node and Bun: with Node's own module where there is one for the platform, else in WebAssembly.

import { readFileSync } from 'node:fs';

import { face } from './face.js';
import { load } from './load.js';
import { nativeBinding } from './native.js';

export { EditError } from './face.js';

const native = nativeBinding();
const read = (name) => readFileSync(new URL(name, import.meta.url));

export const { backend, ladders, replace, apply, locate, explain, compare, applyPatch, diff, Doc } = native
  ? face(native)
  : load(read('./fuzzy_edit.wasm'), () => read('./fuzzy_edit_patch.wasm'));

/** Does nothing: files are read when they are needed. */
export const loadPatches = async () => {};

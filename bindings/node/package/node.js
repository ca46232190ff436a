// The package for Node and Bun: with the native module if there is one for the platform, otherwise with WebAssembly.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { face, load } from 'fuzzy-edit-wasm/load';
import { nativeBinding } from './native.js';
import { opener } from './workspace.js';

export { EditError } from 'fuzzy-edit-wasm/load';

const native = nativeBinding();
const read = (name) => readFileSync(createRequire(import.meta.url).resolve(`fuzzy-edit-wasm/${name}`));

export const { backend, ladders, replace, apply, locate, explain, compare, applyPatch, diff, Doc } = native
  ? face(native)
  : load(read('fuzzy_edit.wasm'), () => read('fuzzy_edit_patch.wasm'));

/** Opens a directory. */
export const open = opener(native);

/** Does nothing: the first patch reads the module from the disk. */
export const loadPatches = async () => {};

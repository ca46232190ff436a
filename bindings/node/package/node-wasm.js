// The package in Node and Bun, in WebAssembly.

import { readFileSync } from 'node:fs';

import { load } from './load.js';

export { EditError } from './face.js';

export const { backend, ladders, replace, apply, locate, explain, compare, applyPatch, diff, Doc } = load(
  readFileSync(new URL('./fuzzy_edit.wasm', import.meta.url)),
);

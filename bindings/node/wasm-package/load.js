// The package over modules that the caller brings, for platforms that load WebAssembly in ways of their own.

import { EditError, face } from './face.js';
import { bindingOf } from './wasm.js';

/** `face` is for the package `fuzzy-edit`, which has another binding. */
export { EditError, face };

const bind = (module) => bindingOf(module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module));

/** Returns what the package offers. `bringPatches` is called for the module of patches when the first one is applied. */
export function load(module, bringPatches = undefined) {
  const binding = bind(module);
  if (bringPatches === undefined) return face(binding);
  let patches;
  return face(binding, () => (patches ??= bind(bringPatches())));
}

// The package with WebAssembly modules of the caller, for platforms that load WebAssembly in another way.

import { EditError, camel, face } from './face.js';
import { bindingOf } from './wasm.js';

/** `camel` and `face` are for the package `fuzzy-edit`, which also has a native binding. */
export { EditError, camel, face };

const bind = (module) => bindingOf(module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module));

/** Returns the functions of the package. The first patch calls `bringPatches` for the module of patches. */
export function load(module, bringPatches = undefined) {
  const binding = bind(module);
  if (bringPatches === undefined) return face(binding);
  let patches;
  return face(binding, () => (patches ??= bind(bringPatches())));
}

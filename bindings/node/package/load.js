// The package over a module that the caller brings, for platforms that load WebAssembly in ways of their own.

import { EditError, face } from './face.js';
import { bindingOf } from './wasm.js';

export { EditError };

/** Returns what the package offers. */
export const load = (module) =>
  face(bindingOf(module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module)));

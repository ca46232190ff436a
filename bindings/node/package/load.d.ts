import type * as api from './index.js';

export { EditError } from './index.js';

/** Returns what the package offers over `fuzzy_edit.wasm`, as bytes or compiled. */
export function load(
  module: WebAssembly.Module | BufferSource,
): Pick<typeof api, 'backend' | 'ladders' | 'replace' | 'apply' | 'locate' | 'explain' | 'compare' | 'applyPatch' | 'diff' | 'Doc'>;

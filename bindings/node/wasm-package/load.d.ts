import type * as api from './index.js';

export { EditError } from './index.js';

/**
 * Returns what the package offers over `fuzzy_edit.wasm`, as bytes or compiled. `bringPatches` is called for
 * `fuzzy_edit_patch.wasm` when the first patch is applied; without it, `applyPatch` throws. That module given as the
 * first does everything.
 */
export function load(
  module: WebAssembly.Module | BufferSource,
  bringPatches?: () => WebAssembly.Module | BufferSource,
): Pick<typeof api, 'backend' | 'ladders' | 'replace' | 'apply' | 'locate' | 'explain' | 'compare' | 'applyPatch' | 'diff' | 'Doc'>;

import type * as api from './index.js';

export { EditError } from './index.js';

/**
 * Returns the functions of the package with `fuzzy_edit.wasm` as the engine, as bytes or compiled. The first patch
 * calls `bringPatches` for `fuzzy_edit_patch.wasm`; without `bringPatches`, `applyPatch` throws. If `module` is
 * `fuzzy_edit_patch.wasm`, all functions work without `bringPatches`.
 */
export function load(
  module: WebAssembly.Module | BufferSource,
  bringPatches?: () => WebAssembly.Module | BufferSource,
): Pick<typeof api, 'backend' | 'ladders' | 'replace' | 'apply' | 'locate' | 'explain' | 'compare' | 'applyPatch' | 'diff' | 'Doc'>;

// The package for this platform, of which npm installs those whose system, processor and C library suit.

import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(import.meta.url);
const name = `fuzzy-edit-${process.platform}-${process.arch}`;

/** The packages that may be installed here. Some versions of npm take those for both C libraries. */
export const packages = process.platform === 'linux' ? [name, `${name}-musl`] : [name];

/** Returns what `take` makes of the first package that is installed and has what is wanted, or nothing. */
export function fromPlatform(take) {
  for (const candidate of packages) {
    try {
      return take(require, candidate);
    } catch (error) {
      // Missing for this platform, made for another C library, or not allowed to be loaded.
      if (!['MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED', 'ERR_DLOPEN_DISABLED'].includes(error.code)) throw error;
    }
  }
  return undefined;
}

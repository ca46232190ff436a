// Finds the optional package for this platform. npm installs only packages for this system, processor and C library.

import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(import.meta.url);
const name = `fuzzy-edit-${process.platform}-${process.arch}`;

/** The packages that may be installed. Some versions of npm install the packages for both C libraries. */
export const packages = process.platform === 'linux' ? [name, `${name}-musl`] : [name];

/** Returns the result of `take` for the first package for which it succeeds, or undefined. */
export function fromPlatform(take) {
  for (const candidate of packages) {
    try {
      return take(require, candidate);
    } catch (error) {
      // The package is missing, it is for another C library, or Node must not load it.
      if (!['MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED', 'ERR_DLOPEN_DISABLED'].includes(error.code)) throw error;
    }
  }
  return undefined;
}

// Node's own module as a binding, where this package has one for the platform.

import { createRequire } from 'node:module';
import process from 'node:process';

/** Returns the name of the module for this platform. */
export function nameOfNative() {
  const { platform, arch } = process;
  // A report without glibc's version is that of another C library.
  const isMusl = platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime;
  return `fuzzy_edit.${platform}-${arch}${isMusl ? '-musl' : ''}.node`;
}

/** Returns the binding, or nothing where there is none. */
export function nativeBinding() {
  let native;
  try {
    native = createRequire(import.meta.url)(`./native/${nameOfNative()}`);
  } catch (error) {
    // Missing for this platform, or made for another system than this one: there is WebAssembly.
    if (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_DLOPEN_FAILED') return undefined;
    throw error;
  }
  let scratch = Buffer.alloc(0);
  // What is asked last stays here until the next question; a text that is larger is not kept.
  let request = scratch;
  const KEPT = 8 << 20;
  return {
    backend: 'native',
    room(length) {
      if (length > KEPT) return (request = Buffer.allocUnsafeSlow(length));
      if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(Math.max(length, 2 * scratch.length));
      return (request = scratch);
    },
    answer: () => take(native.answer),
    open: () => take(native.open),
    ask: (number) => take((bytes) => native.ask(number, bytes)),
    close: native.close,
    kept: native.kept,
    ladders: native.ladders,
  };

  function take(ask) {
    const bytes = request;
    request = scratch;
    return ask(bytes);
  }
}

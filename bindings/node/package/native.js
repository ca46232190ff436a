// The binding for the native module.

import { fromPlatform } from './platform.js';

/** Returns the binding, or undefined if there is no module for the platform. */
export function nativeBinding() {
  const native = fromPlatform((require, name) => require(`${name}/fuzzy_edit.node`));
  if (native === undefined) return undefined;
  let scratch = Buffer.alloc(0);
  // The buffer is kept for the next request, but a larger one than `KEPT` bytes is not.
  let request = scratch;
  const KEPT = 8 << 20;
  return {
    backend: 'native',
    Files: native.Files,
    room(length) {
      if (length > KEPT) return (request = Buffer.allocUnsafeSlow(length));
      if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(Math.max(length, 2 * scratch.length));
      return (request = scratch);
    },
    // Faster than a `TextEncoder`, which needs a view of the buffer after the offset.
    putUtf8: (text, bytes, at) => bytes.write(text, at),
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

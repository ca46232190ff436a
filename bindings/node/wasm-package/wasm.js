// The binding for WebAssembly.

const decoder = new TextDecoder();

/**
 * Returns the binding for a compiled module. `instance` is its first instance, if the caller already has one. After a
 * failure a new instance replaces the old one, and documents are opened again.
 */
export function bindingOf(module, instance = new WebAssembly.Instance(module, {})) {
  let epoch = 0;
  let engine = instance.exports;

  const start = () => {
    engine = new WebAssembly.Instance(module, {}).exports;
  };

  /** Calls the engine. If it runs out of memory or stack, a new instance replaces it. */
  function call(name, ...values) {
    try {
      return engine[name](...values);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      epoch += 1;
      start();
      throw new Error(`the engine ran out of memory or stack (${error.message})`, { cause: error });
    }
  }

  const read = (length) => {
    if (length === 0) return '';
    const at = call('reply') >>> 0;
    return decoder.decode(new Uint8Array(engine.memory.buffer, at, length));
  };

  // The number of a document combines the number of its instance (high bits) and its number there (low 32 bits).
  const isOurs = (number) => Math.floor(number / 2 ** 32) === epoch;

  return {
    backend: 'wasm',
    room(length) {
      const at = call('room', length) >>> 0;
      // Not before `room`: when the memory grows, it gets a new buffer.
      return new Uint8Array(engine.memory.buffer, at, length);
    },
    answer: () => read(call('answer') >>> 0),
    open: () => epoch * 2 ** 32 + (call('open') >>> 0),
    ask: (number) => (isOurs(number) ? read(call('ask', number) >>> 0) : ''),
    close: (number) => isOurs(number) && call('close', number),
    kept: () => call('kept') >>> 0,
    ladders: () => read(call('ladders') >>> 0),
  };
}

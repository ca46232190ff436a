// The engine in WebAssembly as a binding.

const decoder = new TextDecoder();

/**
 * Returns the binding of a compiled module, and of its first instance where there is one. An instance that fails is
 * replaced: what it kept is brought again.
 */
export function bindingOf(module, instance = new WebAssembly.Instance(module, {})) {
  let epoch = 0;
  let engine = instance.exports;

  const start = () => {
    engine = new WebAssembly.Instance(module, {}).exports;
  };

  /** Calls the engine; where it runs out of memory or stack, its instance is given up. */
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

  // Numbers of documents are those of their instance, behind the instance's own number.
  const isOurs = (number) => Math.floor(number / 2 ** 32) === epoch;

  return {
    backend: 'wasm',
    room(length) {
      const at = call('room', length) >>> 0;
      // Asked for only now: memory that grew is another buffer.
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

// Begins what takes longest before the rest of the page is there: the engine is compiled, and a worker starts.

async function compile() {
  try {
    return await WebAssembly.compileStreaming(fetch('engine.wasm'));
  } catch {
    // Some servers do not know the media type.
    const response = await fetch('engine.wasm');
    if (!response.ok) throw new Error(`engine.wasm: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  }
}

export const compiled = compile();

export const listed = fetch('examples.json').then((response) => response.json());

/** Starts a worker, which asks for nothing until it is sent the engine. */
export const spawn = () => new Worker('worker.js', { type: 'module' });

export const first = spawn();

// The package in WebAssembly, wherever it runs.

export * from 'fuzzy-edit-wasm';

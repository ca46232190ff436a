// The package with WebAssembly on every platform.

export * from 'fuzzy-edit-wasm';

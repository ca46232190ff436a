// The package with WebAssembly modules of the caller.

export * from 'fuzzy-edit-wasm/load';

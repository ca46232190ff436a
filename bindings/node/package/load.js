// The package over modules that the caller brings.

export * from 'fuzzy-edit-wasm/load';

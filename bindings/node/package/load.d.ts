export * from 'fuzzy-edit-wasm/load';

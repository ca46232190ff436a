export * from 'fuzzy-edit-wasm';

// Uses both builds of the installed packages, with `require` and `import` and without other packages.

const assert = require('node:assert/strict');
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { brotliCompressSync } = require('node:zlib');

/** The maximum download size of the engine in WebAssembly, in bytes. */
const LARGEST = 415_000;

const TEXT = 'def total(cart):\n\treturn sum(cart)\n';
const EDITED = 'def total(cart):\n\treturn 0\n';

function use(api) {
  const { Doc, EditError, apply, applyPatch, compare, diff, explain, ladders, locate, replace } = api;
  assert.equal(replace(TEXT, '    return sum(cart)', '    return 0'), EDITED);
  assert.throws(() => replace(TEXT, 'return product(basket)', '0'), EditError);
  assert.equal(apply(TEXT, '    return sum(cart)', '    return 0').output, EDITED);
  assert.deepEqual(locate(TEXT, 'return  sum(cart)').places[0].lines, [2, 2]);
  assert.ok(explain(TEXT, 'return  sum(cart)').place);
  assert.equal(compare(TEXT, 'sum(cart)', '0').length, ladders().length);
  for (const { name } of ladders()) assert.ok(apply(TEXT, 'sum(cart)', '0', { ladder: name }).ok, name);
  const patch = 'a.py\n<<<<<<< SEARCH\n    return sum(cart)\n=======\n    return 0\n>>>>>>> REPLACE\n';
  assert.deepEqual(applyPatch({ 'a.py': TEXT }, patch).files, { 'a.py': EDITED });
  assert.match(diff('a.py', TEXT, EDITED), /^-\treturn sum\(cart\)\n\+\treturn 0$/m);
  const doc = new Doc(TEXT);
  assert.equal(doc.replace('    return sum(cart)', '    return 0'), EDITED);
  doc.free();
}

async function usePlugin() {
  const { default: plugin } = await import('opencode-fuzzy-edit');
  const { tool } = await plugin.server({}, { tool: true });
  const directory = mkdtempSync(join(tmpdir(), 'fuzzy-edit-'));
  const filePath = join(directory, 'a.py');
  writeFileSync(filePath, TEXT);
  const context = { directory, worktree: directory, ask: async () => {}, metadata: () => {} };
  await tool.edit.execute({ filePath, oldString: '    return sum(cart)', newString: '    return 0' }, context);
  assert.equal(readFileSync(filePath, 'utf8'), EDITED);
}

async function main() {
  const builds = { 'fuzzy-edit': 'native', 'fuzzy-edit/wasm': 'wasm' };
  for (const [name, backend] of Object.entries(builds)) {
    const imported = await import(name);
    const required = require(name);
    assert.deepEqual([imported.backend, required.backend], [backend, backend]);
    assert.equal(imported.replace, required.replace);
    use(imported);
    use(required);
  }
  const [wasm, patches] = ['fuzzy_edit', 'fuzzy_edit_patch'].map((name) =>
    readFileSync(require.resolve(`fuzzy-edit-wasm/${name}.wasm`)),
  );
  use((await import('fuzzy-edit/load')).load(wasm, () => patches));
  // A build without optimisation is large, and takes minutes to compress.
  if (process.env.SHIPPED) {
    const size = brotliCompressSync(wasm).length;
    console.log(`fuzzy_edit.wasm: ${wasm.length} bytes, ${size} compressed`);
    assert.ok(size < LARGEST, `fuzzy_edit.wasm has ${size} bytes compressed, ${LARGEST} are allowed`);
  }
  await usePlugin();
}

main();

// The package uses WebAssembly if Node must not load the native module, or if the caller imports `fuzzy-edit/wasm`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

const folder = realpathSync(process.cwd());
const packages = ['fuzzy-edit', 'fuzzy-edit-wasm'];
const root = (name) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

const USE = `
console.log(JSON.stringify({
  backend: api.backend,
  output: api.replace('let größe = 1;\\n', 'größe = 1', 'größe = 2'),
  files: api.applyPatch({ 'a.txt': 'one\\n' }, 'a.txt\\n<<<<<<< SEARCH\\none\\n=======\\ntwo\\n>>>>>>> REPLACE\\n').files,
}));
`;
const ANSWER = { output: 'let größe = 2;\n', files: { 'a.txt': 'two\n' } };
const IMPORT = `import * as api from 'fuzzy-edit';\nawait api.loadPatches();\n${USE}`;
const REQUIRE = `const api = require('fuzzy-edit');\n${USE}`;

/** Runs a script of this project in a program, and returns its output. */
function run(program, options, name, script) {
  const path = join(folder, name);
  writeFileSync(path, script);
  return JSON.parse(execFileSync(program, [...options, path], { cwd: folder, encoding: 'utf8' }));
}

/** The options of Node that forbid native modules. */
function forbidding() {
  const [permission] = ['--permission', '--experimental-permission'].filter((option) =>
    process.allowedNodeEnvironmentFlags.has(option));
  return [['--no-addons'], ['--no-warnings', permission, `--allow-fs-read=${folder}/*`]];
}

test('Node without its own modules edits in WebAssembly', () => {
  for (const options of forbidding()) {
    for (const [name, script] of [['use.mjs', IMPORT], ['use.cjs', REQUIRE]]) {
      assert.deepEqual(run(process.execPath, options, name, script), { backend: 'wasm', ...ANSWER }, `${options} ${name}`);
    }
  }
  assert.equal(run(process.execPath, [], 'use.mjs', IMPORT).backend, 'native');
});

test('Deno edits in WebAssembly, and needs no permission but to read', () => {
  const options = ['run', '--quiet', '--no-prompt', '--cached-only', `--allow-read=${folder}`];
  assert.deepEqual(run(process.env.DENO, options, 'use.mjs', IMPORT), { backend: 'wasm', ...ANSWER });
});

test('Bun edits texts and files with the native module', () => {
  for (const [name, script] of [['use.mjs', IMPORT], ['use.cjs', REQUIRE]]) {
    assert.deepEqual(run(process.env.BUN, [], name, script), { backend: 'native', ...ANSWER });
  }
  const files = `
import { open } from 'fuzzy-edit';
const files = open('.');
const { ok } = await files.apply({ path: 'edited.txt', old: 'one', new: 'two' });
console.log(JSON.stringify({ ok, text: await files.read('edited.txt'), undone: (await files.undo()).ok }));`;
  writeFileSync(join(folder, 'edited.txt'), 'one\n');
  assert.deepEqual(run(process.env.BUN, [], 'files.mjs', files), { ok: true, text: 'two\n', undone: true });
  assert.equal(readFileSync(join(folder, 'edited.txt'), 'utf8'), 'one\n');
});

test('Deno has a condition of its own, before the one of Node, which it has as well', () => {
  for (const name of packages) {
    const { exports } = JSON.parse(readFileSync(join(root(name), 'package.json'), 'utf8'));
    const conditions = Object.keys(exports['.'].import);
    assert.ok(conditions.includes('deno') && conditions.indexOf('deno') < conditions.indexOf('node'), name);
  }
});

test('exports name files that are in the package', () => {
  const files = (target) => (typeof target === 'string' ? [target] : Object.values(target).flatMap(files));
  for (const name of packages) {
    const { exports } = JSON.parse(readFileSync(join(root(name), 'package.json'), 'utf8'));
    for (const file of files(exports)) assert.ok(existsSync(join(root(name), file)), `${name} has no ${file}`);
  }
});

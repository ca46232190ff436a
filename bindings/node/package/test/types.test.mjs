// Strict TypeScript code compiles with the types of the package, and wrong code does not.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { test } from 'node:test';

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  noEmit: true,
  // No types of browsers or Node, except for the console.
  target: 'es2022',
  lib: ['es2022', 'esnext.disposable'],
  types: [],
};
const CONSOLE = 'declare const console: { log(...values: unknown[]): void };\n';

/** Compiles a text as a file of this name, and returns the output of the compiler. */
function compile(name, text, compilerOptions) {
  writeFileSync(name, text);
  writeFileSync('tsconfig.json', JSON.stringify({ compilerOptions: { ...STRICT, ...compilerOptions }, files: [name] }));
  return spawnSync(process.execPath, [compiler, '--project', 'tsconfig.json'], { encoding: 'utf8' }).stdout;
}

const code = CONSOLE + readFileSync('types.ts', 'utf8');

test('strict code compiles, and no near miss does', { timeout: 120_000 }, () => {
  for (const options of [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]) {
    assert.equal(compile('strict.mts', code, options), '');
  }
});

test('the compiler sees the code', { timeout: 120_000 }, () => {
  assert.match(compile('wrong.mts', `${code}\nconst wrong: number = kept;\n`, { module: 'nodenext' }), /^wrong\.mts.*TS2322/);
});

test('the types are those of `require` as well', { timeout: 120_000 }, () => {
  const common = `${CONSOLE}import { apply } from 'fuzzy-edit';\nimport edit = require('fuzzy-edit/wasm');
const answer = edit.apply('a', 'a', 'b');\nconsole.log(answer.ok ? answer.output.length : answer.message.length, apply);
// @ts-expect-error It is not known yet.\nconsole.log(answer.output.length);\n`;
  assert.equal(compile('common.cts', common, { module: 'nodenext' }), '');
});

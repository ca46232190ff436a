// The example of the README prints the output in its comment.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

test('the code of the README prints what it says', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('fuzzy-edit/package.json'));
  const [, code] = /\n```js\n(.*?)\n```\n/s.exec(readFileSync(join(folder, 'README.md'), 'utf8'));
  const [, said] = /; \/\/ '(.*)'$/m.exec(code);
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  assert.equal(JSON.stringify(printed.slice(0, -1)).slice(1, -1), said);
  assert.ok(code.trim().split('\n').length <= 3);
});

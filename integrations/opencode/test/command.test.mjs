// The plugin finds the command that npm installs with it.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

import plugin from 'opencode-fuzzy-edit';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('fuzzy-edit/package.json'));
const NAME = `fuzzy-edit-${process.platform}-${process.arch}`;

/** Answers every event with the same text. */
const COMMAND = '#!/bin/sh\nread -r event\necho \'{"updatedInput":{"newString":"repaired"}}\'\n';

test('without a command on the path, that of the npm package repairs', async () => {
  const client = { tui: { showToast: async () => undefined }, session: { get: async () => ({}) } };
  process.env.PATH = '/nowhere';
  await assert.rejects(plugin.server({ client, directory: '/' }, { command: 'fuzzy-edit' }), /fuzzy-edit does not run/);
  // The package of a debug build lacks the command. Node finds this package first.
  const folder = join(PACKAGE, 'node_modules', NAME);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'fuzzy-edit'), COMMAND, { mode: 0o755 });
  const hooks = await plugin.server({ client, directory: '/' });
  const args = { filePath: 'a.py', oldString: 'a', newString: 'b' };
  await hooks['tool.execute.before']({ tool: 'edit', sessionID: 's' }, { args });
  assert.deepEqual(args, { filePath: 'a.py', oldString: 'a', newString: 'repaired' });
});

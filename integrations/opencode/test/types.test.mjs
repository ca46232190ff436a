// The plugin compiles with the published types of opencode 1 and of plugins for opencode 2.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

const PLUGIN = dirname(createRequire(import.meta.url).resolve('opencode-fuzzy-edit'));

const TYPES = `
import type { PluginModule } from '@opencode-ai/plugin';
import type { Plugin } from '@opencode-ai/plugin/v2/promise';
import plugin from './index.js';

export const one: PluginModule = plugin;
export const two: Plugin = plugin;
`;

const OPTIONS = ['--noEmit', '--strict', '--noImplicitAny', 'false', '--useUnknownInCatchVariables', 'false', '--skipLibCheck'];
const SCRIPTS = ['--allowJs', '--checkJs', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];

test('the plugin has the types of opencode 1 and 2', { timeout: 300_000 }, () => {
  // The compiler does not check scripts in `node_modules`.
  const folder = join(process.cwd(), 'types');
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'index.js']) cpSync(join(PLUGIN, name), join(folder, name));
  // The types of opencode need another version of zod than the replacing tool.
  writeFileSync(join(folder, 'tool.d.ts'), 'export function editTool(options: { ladder?: string }): any;');
  writeFileSync(join(folder, 'types.ts'), TYPES);
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...OPTIONS, ...SCRIPTS, join(folder, 'types.ts')], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

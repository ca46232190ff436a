// The tools of `fuzzy-edit mcp` in the real Claude Code and Codex: a model of our own makes each kind of edit.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

import { claudeCode } from './hosts/claude-code.mjs';
import { codex } from './hosts/codex.mjs';
import { Model } from './model.mjs';
import { Place } from './place.mjs';

const CART = 'import os\n\nclass Cart:\n    def total(self):\n        return sum(self.prices)\n\n    def count(self):\n        return 0\n';

/** The arguments of each kind of edit without its path, and the file afterwards. */
const KINDS = {
  'an old text': [{ old_string: 'return  0', new_string: 'return len(self.prices)' }, ['return 0', 'return len(self.prices)']],
  'the ends of lines': [
    { first: '    def total(self):', last: '        return sum(self.prices)', new_string: '    total = 0' },
    ['    def total(self):\n        return sum(self.prices)', '    total = 0'],
  ],
  'a line above': [{ after: 'import os', new_string: 'import sys' }, ['import os\n', 'import os\nimport sys\n']],
  'a line below': [{ before: 'class Cart:', new_string: 'PRICES = []\n' }, ['class Cart:', 'PRICES = []\nclass Cart:']],
  'line numbers and a guard': [{ lines: [9, 10], first: '    def count(self):', new_string: '    count = 0' }, ['    def count(self):\n        return 0', '    count = 0']],
};

/** How each host starts the server, and how a model calls a tool of it. */
const HOSTS = [
  {
    host: claudeCode,
    connect: (place) => {
      place.write('.mcp.json', { mcpServers: { 'fuzzy-edit': { command: process.env.FUZZY_EDIT, args: ['mcp'] } } });
    },
    run: (place, prompt) => place.run([...claudeCode.program, '-p', prompt, '--mcp-config', '.mcp.json', '--allowedTools', 'mcp__fuzzy-edit']),
    call: (tool, args) => ({ name: `mcp__fuzzy-edit__${tool}`, arguments: args }),
  },
  {
    host: codex,
    connect: (place) => {
      const settings = join('.codex', 'config.toml');
      const server = `[mcp_servers.fuzzy-edit]\ncommand = ${JSON.stringify(process.env.FUZZY_EDIT)}\nargs = ["mcp"]\n`;
      place.append(settings, server, place.home);
    },
    run: (place, prompt) => codex.run(place, prompt),
    call: (tool, args) => codex.tool(`mcp__fuzzy_edit__${tool}`, args),
  },
];

for (const { host, connect, run, call } of HOSTS) {
  test(host.name, { timeout: 600_000 }, async (t) => {
    const place = new Place();
    const model = await Model.start(host.isAgent);
    try {
      await host.setUp(place, model);
      connect(place);
      for (const [kind, [edit, landed]] of Object.entries(KINDS)) {
        await t.test(kind, async () => {
          place.write('cart.py', CART);
          model.play([call('edit', { file_path: 'cart.py', ...edit })]);
          const { stdout, stderr } = await run(place, 'Change the cart.');
          assert.equal(model.sent, 1, stdout + stderr);
          assert.match(model.told[0] ?? '', /applied cart\.py/, stdout + stderr);
          assert.equal(place.read('cart.py'), CART.replace(...landed));
        });
      }
    } finally {
      await model.stop();
      place.remove();
    }
  });
}

// The packages of the hosts, each installed from its folder into a real host.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

import { claudeCode } from './hosts/claude-code.mjs';
import { gemini } from './hosts/gemini.mjs';
import { opencode } from './hosts/opencode.mjs';
import { Model } from './model.mjs';
import { OpencodeServer } from './opencode-server.mjs';
import { INTEGRATIONS, Place } from './place.mjs';

const REPOSITORY = dirname(INTEGRATIONS);

const CART = 'class Cart:\n\tdef count(self):\n\t\treturn len(self.items)\n';

/** An edit with blanks where the file has tabs, and the file with it. */
const WRONG = ['    def count(self):\n        return len(self.items)', '    def count(self):\n        return 7'];
const LANDED = CART.replace('len(self.items)', '7');

/** Gives a test a host in an empty home, and a model. */
async function within(host, work) {
  const place = new Place();
  const model = await Model.start(host.isAgent);
  try {
    await host.setUp(place, model);
    const path = place.write('cart.py', CART);
    await work({ place, model, path, edit: host.edit(path, ...WRONG, place) });
  } finally {
    await model.stop();
    place.remove();
  }
}

/** Returns the hosts of the turns that are over, each with the number of files that it changed. */
async function turns(place) {
  const { stdout } = await place.run([process.env.FUZZY_EDIT, 'turns', '--json']);
  return JSON.parse(stdout).turns.map(({ host, state, files }) => [host, state, files]);
}

/** Adds to the settings of opencode. */
function configure(place, settings) {
  const path = join(place.home, '.config/opencode/opencode.json');
  place.write('.config/opencode/opencode.json', { ...JSON.parse(readFileSync(path, 'utf8')), ...settings }, place.home);
}

const PLUGIN = join(INTEGRATIONS, 'opencode');
/** Appends a line, so that a file shows that it ran. */
const FORMATTER = { mark: { command: ['sh', '-c', 'echo "# formatted" >> "$0"', '$FILE'], extensions: ['.py'] } };

test("opencode's formatter runs after a repaired edit", async () => {
  await within(opencode, async ({ place, model, edit }) => {
    configure(place, { plugin: [PLUGIN], formatter: FORMATTER });
    model.play([edit]);
    const { stderr } = await opencode.run(place, 'Change the cart.');
    assert.equal(place.read('cart.py'), `${LANDED}# formatted\n`, stderr);
    assert.match(model.told[0], /^Edit applied successfully/);
    assert.deepEqual(await turns(place), [['opencode', 'done', 1]]);
  });
});

test('opencode says why the plugin cannot work, and makes edits without it', async () => {
  const wrong = {
    'there is no option turn;': { turn: true },
    'the option ladder needs the option tool': { ladder: 'full' },
    '/nowhere/fuzzy-edit does not run': { command: '/nowhere/fuzzy-edit' },
  };
  for (const [message, options] of Object.entries(wrong)) {
    await within(opencode, async ({ place, model, path }) => {
      configure(place, { plugin: [[PLUGIN, options]] });
      model.play([opencode.edit(path, '\t\treturn len(self.items)', '\t\treturn 7')]);
      const { stderr } = await opencode.run(place, 'Change the cart.');
      assert.ok(stderr.includes(`fuzzy-edit: ${message}`), stderr);
      assert.equal(place.read('cart.py'), LANDED, stderr);
    });
  }
});

/** Gives a test a server of opencode. */
async function withServer(place, work) {
  const server = await OpencodeServer.start(place);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

test('the permission prompt of opencode shows the repaired edit', async () => {
  await within(opencode, async ({ place, model, edit }) => {
    configure(place, { plugin: [PLUGIN], permission: { edit: 'ask' }, formatter: FORMATTER });
    await withServer(place, async (server) => {
      model.play([edit]);
      const { id } = await server.post('/session', {});
      await server.post(`/session/${id}/prompt_async`, { parts: [{ type: 'text', text: 'Change the cart.' }] });
      const prompt = await server.next('permission.asked');
      assert.equal(prompt.permission, 'edit');
      assert.match(prompt.metadata.diff, /^-\t\treturn len\(self\.items\)\n\+\t\treturn 7$/m);
      assert.equal(place.read('cart.py'), CART);
      await server.post(`/permission/${prompt.id}/reply`, { reply: 'once' });
      await server.next('session.idle');
      assert.equal(place.read('cart.py'), `${LANDED}# formatted\n`);
    });
  });
});

test('the window of opencode shows why the plugin cannot work', async () => {
  await within(opencode, async ({ place }) => {
    configure(place, { plugin: [[PLUGIN, { tool: true, turns: false }]] });
    await withServer(place, async (server) => {
      const { message, variant } = await server.next('tui.toast.show');
      assert.equal(variant, 'error');
      // Nothing is installed in the folder.
      assert.match(message, /^fuzzy-edit: .*'fuzzy-edit'/);
    });
  });
});

test('the marketplace of Claude Code has the plugin', async () => {
  await within(claudeCode, async ({ place, model, path, edit }) => {
    const claude = async (...args) => {
      const { code, stdout, stderr } = await place.run([...claudeCode.program, 'plugin', ...args]);
      assert.equal(code, 0, stdout + stderr);
      return stdout;
    };
    for (const folder of [REPOSITORY, join(INTEGRATIONS, 'claude-code')]) assert.match(await claude('validate', folder), /Validation passed/);
    await claude('marketplace', 'add', REPOSITORY);
    await claude('install', 'fuzzy-edit@fuzzy-edit');
    model.play([claudeCode.read(path), edit]);
    const { stderr } = await claudeCode.run(place, 'Change the cart.');
    assert.equal(place.read('cart.py'), LANDED, stderr);
    assert.deepEqual(await turns(place), [['claude-code', 'done', 1]]);
  });
});

for (const way of ['install', 'link']) {
  test(`the extension of Gemini CLI, by ${way}`, async () => {
    await within(gemini, async ({ place, model, edit }) => {
      const { code, stdout, stderr } = await place.run([...gemini.program, 'extensions', way, join(INTEGRATIONS, 'gemini'), '--consent']);
      assert.equal(code, 0, stdout + stderr);
      model.play([edit]);
      const run = await gemini.run(place, 'Change the cart.');
      assert.equal(place.read('cart.py'), LANDED, run.stderr);
      const { counts } = JSON.parse((await place.run([process.env.FUZZY_EDIT, 'hook', '--stats', '--json'])).stdout);
      // Gemini CLI has a fuzzy search of its own.
      assert.deepEqual(counts.map(({ host, repaired }) => [host, repaired]), [['gemini', 1]], run.stderr);
      assert.deepEqual(await turns(place), [['gemini', 'done', 1]]);
    });
  });
}

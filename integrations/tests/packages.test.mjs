// The packages of the hosts, each installed from its folder into a real host.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { opencode } from './hosts/opencode.mjs';
import { Model } from './model.mjs';
import { Place } from './place.mjs';

const INTEGRATIONS = fileURLToPath(new URL('..', import.meta.url));

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

/** Adds to the settings of opencode. */
function configure(place, settings) {
  const path = join(place.home, '.config/opencode/opencode.json');
  place.write('.config/opencode/opencode.json', { ...JSON.parse(readFileSync(path, 'utf8')), ...settings }, place.home);
}

const PLUGIN = join(INTEGRATIONS, 'opencode');
const FORMATTER = { mark: { command: ['sh', '-c', 'echo "# formatted" >> "$0"', '$FILE'], extensions: ['.py'] } };

test("opencode's formatter runs after a repaired edit", async () => {
  await within(opencode, async ({ place, model, edit }) => {
    configure(place, { plugin: [PLUGIN], formatter: FORMATTER });
    model.play([edit]);
    const { stderr } = await opencode.run(place, 'Change the cart.');
    assert.equal(place.read('cart.py'), `${LANDED}# formatted\n`, stderr);
    assert.match(model.told[0], /^Edit applied successfully/);
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

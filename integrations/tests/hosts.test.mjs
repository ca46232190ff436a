// The real hosts, each in an empty home, with a model of our own: what `fuzzy-edit init` makes of their edits.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

import { HOSTS } from './hosts/all.mjs';
import { Model } from './model.mjs';
import { Place } from './place.mjs';

const CART = 'class Cart:\n\tdef total(self):\n\t\tfor item in self.items:\n\t\t\tsum  +=  item.price\n\t\treturn sum\n\n\tdef count(self):\n\t\treturn len(self.items)\n\n\tdef names(self):\n\t\tprint("all names")\n\t\treturn [item.name for item in self.items]\n';

/** Edits as models send them: what is wrong, both texts, and the file afterwards. */
const WRONG = {
  indentation: ['    def count(self):\n        return len(self.items)', '    def count(self):\n        return 7', ['\t\treturn len(self.items)', '\t\treturn 7']],
  blanks: ['\t\t\tsum += item.price\n\t\treturn sum', '\t\t\tsum += item.cost\n\t\treturn sum', ['\t\t\tsum  +=  item.price', '\t\t\tsum  +=  item.cost']],
  quotes: ['\t\tprint(\u201call names\u201d)\n\t\treturn [item.name for item in self.items]', '\t\tprint(\u201cnames\u201d)\n\t\treturn [item.name for item in self.items]', ['"all names"', '"names"']],
};

const EXACT = ['\t\treturn len(self.items)', '\t\treturn 0'];
const REFUSED = ['\t\tself.stock.remove(article, amount)\n\t\tself.audit.write(article)', '\t\tpass'];

/** Keeps a word that the file lacks: without what the agent saw, somebody may have removed it. */
const BELOW = '\n\n\tdef names(self):\n\t\tprint("all names")\n\t\treturn [item.name for item in self.items]';
const MISREMEMBERED = [`\tdef count(self):\n\t\treturn len(self.items) or fallback${BELOW}`, `\tdef count(self):\n\t\treturn 9 or fallback${BELOW}`, ['\t\treturn len(self.items)', '\t\treturn 9 or fallback']];

/** Hosts whose reads are remembered. */
const VIEWING = new Set(['claude-code', 'gemini', 'opencode']);
/** Hosts whose agent is told what was taken back. */
const TOLD = new Set(['claude-code', 'codex', 'gemini', 'opencode']);
const REPAIRING = new Set(['claude-code', 'codex', 'gemini', 'opencode', 'cline', 'copilot']);
/** Hosts in which the model reads our text after a failure. */
const HELPING = new Set(['claude-code', 'cline', 'copilot', 'gemini', 'qwen']);
const WANTED = process.env.HOSTS?.split(',') ?? HOSTS.map(({ name }) => name);

/** Everything below a folder of settings, so that nothing of ours is left in it. */
const FOLDERS = { 'claude-code': '.claude/skills', cline: '.cline/hooks', copilot: '.copilot/hooks', opencode: '.config/opencode/plugin', codex: '.codex', gemini: '.gemini', qwen: '.qwen' };

for (const host of HOSTS.filter(({ name }) => WANTED.includes(name))) {
  test(host.name, { timeout: 600_000 }, async (t) => {
    const place = new Place();
    const model = await Model.start(host.isAgent);
    try {
      await host.setUp(place, model);
      const command = (...args) => place.run([process.env.FUZZY_EDIT, ...args]);
      const settings = join(place.home, FOLDERS[host.name]);
      const before = snapshot(settings);
      const init = await command('init', host.name, '--yes', '--json');
      assert.equal(init.code, 0, init.stderr);

      /** Lets the model send one edit, and returns the file and the words that the model read. */
      const edit = async ([old, replacement]) => {
        place.write('cart.py', CART);
        const path = join(place.project, 'cart.py');
        const read = host.read ? [host.read(path)] : [];
        model.play([...read, host.edit(path, old, replacement, place)]);
        const { stderr } = await host.run(place, 'Change the cart.');
        assert.equal(model.sent, read.length + 1, stderr);
        return { file: place.read('cart.py'), told: model.told.at(-1) ?? '' };
      };

      await t.test('an exact edit goes through', async () => {
        const { file, told } = await edit(EXACT);
        assert.equal(file, CART.replace(...EXACT), told);
      });
      for (const [kind, [old, replacement, landed]] of Object.entries(WRONG)) {
        await t.test(`an edit with wrong ${kind}`, async () => {
          const { file, told } = await edit([old, replacement]);
          // What a host does without a repair is its own affair.
          if (REPAIRING.has(host.name)) assert.equal(file, CART.replace(...landed), told);
        });
      }
      await t.test('an edit of a place that is not there stays refused', async () => {
        const { file, told } = await edit(REFUSED);
        assert.equal(file, CART);
        if (HELPING.has(host.name)) assert.match(told, /fuzzy-edit, not_found/);
      });
      if (VIEWING.has(host.name)) {
        await t.test('a wrong word in replaced text lands, because the file was read', async () => {
          const [old, replacement, landed] = MISREMEMBERED;
          const { file, told } = await edit([old, replacement]);
          assert.equal(file, CART.replace(...landed), told);
        });
      }
      await t.test('the edits are counted', async () => {
        const { counts } = JSON.parse((await command('hook', '--stats', '--json')).stdout);
        const ours = counts.filter(({ host: name }) => name === host.name);
        const sum = (name) => ours.reduce((all, count) => all + count[name], 0);
        if (REPAIRING.has(host.name)) assert.deepEqual([sum('exact'), sum('repaired'), sum('refused')], [1, VIEWING.has(host.name) ? 4 : 3, 1]);
      });
      if (VIEWING.has(host.name)) await seen(t, host, place, model);
      await t.test('a turn with a shell command is taken back', async () => {
        place.write('cart.py', CART);
        place.write('gone.txt', 'kept\n');
        // Cline does not wait for the hook of a begin, and a real model takes longer than ours.
        const wait = host.name === 'cline' ? 'sleep 2 && ' : '';
        if (TOLD.has(host.name)) {
          model.play([]);
          await host.run(place, 'Look around.');
        }
        model.play([host.shell(`${wait}rm gone.txt && echo new > made.txt && echo changed >> cart.py`)]);
        const { stderr } = await host.run(place, 'Clean the shop up.', TOLD.has(host.name));
        assert.equal(place.read('cart.py'), `${CART}changed\n`, stderr);
        const { turns } = JSON.parse((await command('turns', '--json')).stdout);
        const turn = turns.at(-1);
        assert.equal(turn.host, host.name);
        assert.equal(turn.state, 'done');
        // Cline does not tell it, and opencode quotes it.
        if (host.name !== 'cline') assert.match(turn.prompt, /^"?Clean the shop up\."?$/);
        assert.equal(turn.files, 3);
        const undone = await command('turns', 'revert', String(turn.number), '--yes', '--json');
        assert.equal(undone.code, 0, undone.stdout);
        assert.equal(place.read('cart.py'), CART);
        assert.equal(place.read('gone.txt'), 'kept\n');
        assert.throws(() => place.read('made.txt'), { code: 'ENOENT' });
        if (TOLD.has(host.name)) await told(host, place, model, turn.number, command);
      });
      if (TOLD.has(host.name)) {
        await t.test('all that a command deletes comes back, ignored and large files, too', async () => {
          const files = { f: 'tracked\n', u: 'untracked\n', '.env': 'SECRET=1\n', 'out/sub/a.o': 'made\n', 'big.bin': 'z'.repeat(12 << 20) };
          place.write('.gitignore', '.env\nout/\n');
          place.write('f', files.f);
          await place.shell('git init -q && git add f .gitignore && git -c user.name=n -c user.email=e@x commit -qm one', {});
          for (const [name, text] of Object.entries(files)) place.write(name, text);
          // Codex itself refuses `rm -f`.
          model.play([host.shell(`rm -r${host.name === 'codex' ? '' : 'f'} f u .env out/ big.bin`)]);
          const { stderr } = await host.run(place, 'Clean up.');
          for (const name of Object.keys(files)) assert.throws(() => place.read(name), { code: 'ENOENT' }, stderr);
          const { turns } = JSON.parse((await command('turns', '--json')).stdout);
          const undone = await command('turns', 'revert', String(turns.at(-1).number), '--yes', '--json');
          assert.equal(undone.code, 0, undone.stdout);
          for (const [name, text] of Object.entries(files)) assert.ok(place.read(name) === text, `${name}: ${undone.stdout}`);
        });
      }
      await t.test('nothing of ours is left after init --remove', async () => {
        const removed = await command('init', host.name, '--remove', '--yes');
        assert.equal(removed.code, 0, removed.stderr);
        assert.deepEqual(ours(snapshot(settings)), ours(before));
      });
    } finally {
      await host.tearDown?.(place);
      await model.stop();
      place.remove();
    }
  });
}

/** A turn was taken back: its agent is told with its next prompt, and the printed way back of its conversation works. */
async function told(host, place, model, number, command) {
  const said = async (what) => {
    await host.run(place, 'Go on.', true);
    // The conversation has all facts: each of them once.
    const facts = model.heard.match(/turn \d+ was (taken back by the user|brought back): "cart\.py", "gone\.txt", "made\.txt"/g) ?? [];
    assert.deepEqual(facts.map((fact) => fact.split(':')[0]), what.map((what) => `turn ${number} was ${what}`), model.heard.slice(-2000));
  };
  const back = 'taken back by the user';
  model.play([]);
  await said([back]);
  await said([back]);
  const undo = await command('undo', '--yes', '--json');
  assert.equal(undo.code, 0, undo.stdout + undo.stderr);
  await said([back, 'brought back']);
  const { stdout } = await command('turns', 'revert', String(number), '--yes', '--json');
  const [conversation] = JSON.parse(stdout).conversations;
  assert.equal(conversation.turn, number);
  assert.equal(typeof conversation.command, host.goBack ? 'string' : 'object', stdout);
  if (!host.goBack) return;
  await host.goBack(place, conversation.command);
  assert.match(model.heard, /Look around\./);
  assert.doesNotMatch(model.heard, /Clean the shop up\./);
}

/** The agent read a file, which another program may have changed since, or it writes a file that it did not read. */
async function seen(t, host, place, model) {
  const path = join(place.project, 'cart.py');
  const changed = (from, to) => place.write('cart.py', CART.replace(from, to));
  const scene = (what, steps, expected) =>
    t.test(what, async () => {
      place.write('cart.py', CART);
      model.play(steps);
      const { stderr } = await host.run(place, 'Change the cart.');
      assert.equal(model.sent, steps.length, stderr);
      expected(place.read('cart.py'), model.told);
    });
  const [old, replacement, [from, to]] = MISREMEMBERED;
  const edit = (change) => () => {
    change();
    return host.edit(path, old, replacement, place);
  };
  await scene(
    'a change elsewhere stays, and the edit lands',
    [host.read(path), edit(() => changed('sum  +=  item.price', 'sum += item.cost'))],
    (file, told) => assert.equal(file, CART.replace('sum  +=  item.price', 'sum += item.cost').replace(from, to), told.at(-1)),
  );
  await scene(
    'a change of the same line is a conflict, which is named',
    [host.read(path), edit(() => changed('return len(self.items)', 'return self.size'))],
    (file, told) => {
      assert.equal(file, CART.replace('return len(self.items)', 'return self.size'));
      assert.match(told.at(-1), /fuzzy-edit|changed|modified/);
    },
  );
  const whole = host.write(path, 'class Cart:\n\tpass\n');
  await scene('a whole file over one that was not read is stopped once', [whole, () => (place.first = place.read('cart.py')) && whole], (file, told) => {
    assert.equal(place.first, CART, told[0]);
    assert.match(told[0], /you have not read|has not been read/);
    assert.equal(file, 'class Cart:\n\tpass\n', told[1]);
  });
  const lazy = host.write(path, CART.replace(/\tdef total[^]*?return sum\n/, '\t# ... existing code ...\n'));
  await scene('a whole file with a comment for lines is refused', [host.read(path), lazy, lazy], (file, told) => {
    assert.equal(file, CART);
    for (const words of told.slice(1)) assert.match(words, /was not written/);
  });
}

/** Returns the names below a folder. */
function snapshot(folder) {
  try {
    return readdirSync(folder, { recursive: true }).sort();
  } catch {
    return [];
  }
}

const ours = (names) => names.filter((name) => /fuzzy-edit|hooks/i.test(name));

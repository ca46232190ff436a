// The plugin in the shape of opencode 2, whose types for tools and whose program npm does not have yet.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { INTEGRATIONS, Place } from './place.mjs';

const { default: plugin } = await import(pathToFileURL(join(INTEGRATIONS, 'opencode/index.js')));

const CART = 'class Cart:\n\tdef count(self):\n\t\treturn len(self.items)\n';

/** The error of a tool: the hook has to keep its class. */
class ToolError extends Error {
  constructor({ message, metadata }) {
    super(message);
    this.metadata = metadata;
  }
}

const place = new Place();
place.write('cart.py', CART);
after(() => place.remove());
// The counts of the command go there.
Object.assign(process.env, { HOME: place.home, XDG_STATE_HOME: place.env.XDG_STATE_HOME });

/** Returns the hooks of the plugin; `get` returns a session. */
async function hooksOf(get = async ({ sessionID }) => ({ id: sessionID, model: { id: 'm' }, location: { directory: place.project } })) {
  const hooks = {};
  const tool = { hook: async (name, callback) => void (hooks[name] = callback) };
  await plugin.setup({ options: { command: process.env.FUZZY_EDIT }, tool, session: { get } });
  return hooks;
}

const event = (oldString, newString, more) => ({ tool: 'edit', sessionID: 'ses_1', input: { path: 'cart.py', oldString, newString }, ...more });

test('a wrong edit is repaired, and its path is that of the session', async () => {
  const hooks = await hooksOf();
  const wrong = event('        return len(self.items)', '        return 7');
  await hooks['execute.before'](wrong);
  assert.deepEqual(wrong.input, { path: 'cart.py', oldString: '\t\treturn len(self.items)', newString: '\t\treturn 7' });
  const patch = { tool: 'patch', sessionID: 'ses_1', input: { patchText: '*** Begin Patch\n*** Update File: cart.py\n@@\n-        return len(self.items)\n+        return 7\n*** End Patch' } };
  await hooks['execute.before'](patch);
  assert.match(patch.input.patchText, /\n-\t\treturn len\(self\.items\)\n\+\t\treturn 7\n/);
});

test('other edits and other tools stay', async () => {
  const hooks = await hooksOf();
  for (const input of [event('return len(self.items)', 'return 7'), event('nothing.like(this)', 'pass'), { ...event('a', 'b'), tool: 'write' }, event(7, undefined)]) {
    const before = structuredClone(input);
    await hooks['execute.before'](input);
    assert.deepEqual(input, before);
  }
});

test('the error of an edit says what the file has', async () => {
  const hooks = await hooksOf();
  const error = new ToolError({ message: 'Could not find oldString in cart.py.', metadata: { kept: true } });
  const failed = event('\t\treturn total(self.item)', '\t\treturn 0', { status: 'error', error });
  await hooks['execute.after'](failed);
  assert.ok(failed.error instanceof ToolError);
  assert.deepEqual(failed.error.metadata, { kept: true });
  assert.match(failed.error.message, /^Could not find oldString in cart\.py\.\n\nfuzzy-edit, conflict: [^]*\+\t\treturn len\(self\.items\)/);
  const done = event('a', 'b', { status: 'completed', result: {} });
  await hooks['execute.after'](done);
  assert.deepEqual(done.result, {});
});

test('an edit of an unknown session stays', async () => {
  const hooks = await hooksOf(() => Promise.reject(new Error('unknown')));
  const wrong = event('        return len(self.items)', '        return 7');
  await hooks['execute.before'](wrong);
  assert.equal(wrong.input.newString, '        return 7');
});

test('a wrong option is an error at load', async () => {
  await assert.rejects(plugin.setup({ options: { tool: true } }), /for opencode 1/);
  await assert.rejects(plugin.setup({ options: { ladder: 'full' } }), /needs the option tool/);
  await assert.rejects(plugin.setup({ options: { lader: 'full' } }), /no option lader/);
  await assert.rejects(plugin.setup({ options: { command: '/nowhere/fuzzy-edit' } }), /\/nowhere\/fuzzy-edit does not run/);
});

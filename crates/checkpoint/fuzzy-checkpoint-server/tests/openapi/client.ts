// Uses the API with the types of its document: a session, two turns, a plan, a restore and its undo.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Restored = components['schemas']['RestoreOutcome'];

/** Returns the data of a successful response. */
function done<T>(answer: { data?: T; error?: unknown }): T {
  assert(answer.data !== undefined, JSON.stringify(answer.error));
  return answer.data;
}

/** Runs the client on a server and its empty repository. */
export async function play(baseUrl: string, worktree: string): Promise<void> {
  const api = createClient<paths>({ baseUrl });
  const file = join(worktree, 'greeting.txt');
  const session = done(await api.POST('/api/sessions', { body: { worktree, title: 'typed' } })).id;
  const { sessions } = done(await api.GET('/api/sessions', { params: { query: { limit: 1 } } }));
  assert.equal(sessions[0]?.title, 'typed');

  const checkpoints: string[] = [];
  for (const word of ['one', 'two']) {
    const params = { path: { session } };
    const turn = done(await api.POST('/api/sessions/{session}/turns', { params, body: { message: word } }));
    assert(turn.checkpoint_id, turn.uncheckpointed ?? 'no reason');
    checkpoints.push(turn.checkpoint_id);
    writeFileSync(file, `${word}\n`);
    const body = { turn: turn.id, role: 'assistant' as const, body: { did: [word] } };
    done(await api.POST('/api/sessions/{session}/messages', { params, body }));
    const end = { path: { session, turn: turn.id } };
    assert(done(await api.POST('/api/sessions/{session}/turns/{turn}/end', { params: end, body: { status: 'complete' } })).ended);
  }
  const taken = { params: { path: { session } }, body: { label: 'by hand' } };
  const { id } = done(await api.POST('/api/sessions/{session}/checkpoints', taken));
  const listed = done(await api.GET('/api/sessions/{session}/checkpoints', { params: { path: { session } } }));
  assert(listed.checkpoints.some((one) => one.id === id && one.label === 'by hand'));

  const [, second] = checkpoints;
  assert(second);
  const path = { session, checkpoint: second };
  const plan = done(await api.POST('/api/sessions/{session}/checkpoints/{checkpoint}/plan', { params: { path }, body: {} }));
  assert.deepEqual(plan.files.map((one) => [one.path, one.change]), [['greeting.txt', 'changed']]);
  const restore = { params: { path, header: { 'Idempotency-Key': 'a-key' } }, body: { trim: 'after' as const } };
  const first: Restored = done(await api.POST('/api/sessions/{session}/checkpoints/{checkpoint}/restore', restore));
  const again: Restored = done(await api.POST('/api/sessions/{session}/checkpoints/{checkpoint}/restore', restore));
  assert.equal(first.restore_id, again.restore_id);
  assert.equal(readFileSync(file, 'utf8'), 'one\n');
  const row = done(await api.GET('/api/restores/{restore}', { params: { path: { restore: first.restore_id } } }));
  const undo = { verb: 'undo' as const, restore: first.restore_id };
  done(await api.POST('/api/worktrees/{worktree}/turns/take-back', { params: { path: { worktree: row.worktree_id } }, body: undo }));
  assert.equal(readFileSync(file, 'utf8'), 'two\n');
  assert(existsSync(file));

  const nowhere = { params: { path: { session: '0'.repeat(26) } } };
  const { error, response } = await api.GET('/api/sessions/{session}', nowhere);
  assert.deepEqual([response.status, error?.code], [404, 'not_in_session']);
}

// Checks the server against its OpenAPI document, and uses it with a client generated from the document.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Stage, TURNS } from './support.mjs';

const { SCHEMATHESIS } = process.env;
const here = import.meta.dirname;
const stage = new Stage();

function run(program, ...args) {
  try {
    return execFileSync(program, args, { cwd: here, encoding: 'utf8' });
  } catch (error) {
    assert.fail(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
  }
}

before(() => stage.serve());
after(() => stage.end());

test('a client generated from the document compiles strictly and works', async () => {
  const bin = (name) => join(here, 'node_modules', '.bin', name);
  run(bin('openapi-typescript'), `${stage.base}/api/openapi.json`, '--output', 'api.d.ts');
  run(bin('tsc'), '--project', '.');
  const { play } = await import('./built/client.js');
  await play(stage.base, stage.repository);
});

test('every response conforms to the document', async () => {
  const session = await stage.session('conformance');
  await stage.agent(session, TURNS);
  const [first] = await stage.checkpoints(session);
  const { messages } = await stage.api('GET', `/sessions/${session}/messages`);
  const restored = await stage.api('POST', `/sessions/${session}/checkpoints/${first.id}/restore`, { trim: 'none' });
  const known = { session, checkpoint: first.id, turn: messages[0].id, message: messages[1].id, restore: restored.restore_id };
  const lines = Object.entries(known).map(([name, id]) => `"path.${name}" = "${id}"\n`);
  writeFileSync(join(here, 'schemathesis.toml'), `[parameters]\n${lines.join('')}`);
  const checks = [
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_schema_conformance',
    'negative_data_rejection',
    'unsupported_method',
  ];
  const output = run(
    SCHEMATHESIS,
    ...['run', `${stage.base}/api/openapi.json`, '--no-color', '--generation-deterministic', '--suppress-health-check', 'all'],
    ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '20', '--checks', checks.join(',')],
    // The event stream does not end.
    ...['--exclude-path-regex', '/events$', '--exclude-operation-id', 'deleteSession'],
  );
  const count = output.match(/(\d+) generated, (\d+) passed/);
  assert(count && Number(count[1]) > 500 && count[1] === count[2], output);
  console.log(count[0]);
});

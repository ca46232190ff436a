// A real opencode makes edits with the replacing tool of the plugin. A model server of this test requests them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const PLUGIN = pathToFileURL(createRequire(import.meta.url).resolve('opencode-fuzzy-edit')).href;
const FILE = 'fn main() {\n\tlet a = 1;\n\tstart(a);\n}\n';

/** Starts a model server that calls the edit tool with each of the arguments in turn, and records the answers. */
async function model(calls) {
  const told = { tools: [], results: [] };
  const rest = [...calls];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { messages, tools = [] } = JSON.parse(body);
    const edit = tools.find((tool) => tool.function.name === 'edit');
    if (edit) told.tools.push(edit.function);
    const last = messages.at(-1);
    if (edit && last.role === 'tool') told.results.push(last.content);
    const next = edit && rest.shift();
    const called = { index: 0, id: `call_${rest.length}`, type: 'function', function: { name: 'edit', arguments: JSON.stringify(next) } };
    const delta = next ? { role: 'assistant', tool_calls: [called] } : { role: 'assistant', content: 'done' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (chunk) =>
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...chunk })}\n\n`);
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    send({ choices: [{ index: 0, delta: {}, finish_reason: next ? 'tool_calls' : 'stop' }], usage });
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { told, server, url: `http://127.0.0.1:${server.address().port}/v1` };
}

/** Runs opencode in a new folder until the model ends its turn. */
async function run(edits, options = {}) {
  const project = mkdtempSync(join(tmpdir(), 'opencode-'));
  const path = join(project, 'main.rs');
  writeFileSync(path, FILE);
  const { told, server, url } = await model(edits.map((edit) => ({ filePath: path, ...edit })));
  const config = {
    model: 'local/m',
    small_model: 'local/m',
    autoupdate: false,
    share: 'disabled',
    plugin: [[PLUGIN, { tool: true, ...options }]],
    permission: { edit: 'allow' },
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        name: 'local',
        options: { baseURL: url, apiKey: 'none' },
        models: { m: { name: 'm', tool_call: true } },
      },
    },
  };
  writeFileSync(join(project, 'opencode.json'), JSON.stringify(config));
  const home = join(project, 'home');
  mkdirSync(home);
  const opencode = spawn(process.env.OPENCODE, ['run', 'Edit the file.', '--print-logs'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // opencode uses this variable instead of its working directory.
      PWD: project,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_STATE_HOME: join(home, 'state'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
  });
  let printed = '';
  opencode.stdout.on('data', (data) => (printed += data));
  opencode.stderr.on('data', (data) => (printed += data));
  const [code] = await once(opencode, 'close');
  server.close();
  assert.equal(code, 0, printed);
  return { text: readFileSync(path, 'utf8'), ...told, printed };
}

test("opencode's edit tool is ours, and carries an edit over to the file's tabs", { timeout: 300_000 }, async () => {
  const { text, tools, results, printed } = await run([
    { oldString: 'nowhere_at_all();', newString: 'x();' },
    { oldString: '\tlet a = 7;\n\tstart(a);', newString: '\tlet a = 8;\n\tstart(a);' },
    { oldString: '    let a = 1;\n    start(a);', newString: '    let a = 2;\n    start(a);' },
  ]);
  assert.ok(tools.length > 0, printed);
  assert.match(tools[0].description, /indentation/);
  assert.deepEqual(Object.keys(tools[0].parameters.properties), ['filePath', 'oldString', 'newString', 'replaceAll']);
  assert.match(results[0], /^the old text was not found[^]*\nRule: not-found$/);
  assert.match(results[1], /the old text `7`, the new text `8`/);
  assert.equal(results[2], 'Edit applied successfully. (the file indents with 1 tab, the old text with 4 spaces)');
  assert.equal(text, FILE.replace('1', '2'));
});

test('a ladder that does not exist is an error when opencode starts', { timeout: 300_000 }, async () => {
  const { tools, printed } = await run([{ oldString: 'let a = 1;', newString: 'let a = 2;' }], { ladder: 'fulll' });
  assert.match(printed, /failed to load plugin[^\n]*no ladder is named `fulll`; choose one of: [^\n]*adaptive/);
  assert.doesNotMatch(tools[0].description, /slips in indentation/);
});

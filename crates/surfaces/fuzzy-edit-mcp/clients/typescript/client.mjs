// Drives the server with the official TypeScript SDK: node client.mjs PATH_OF_FUZZY_EDIT
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const program = process.argv[2];
const text = 'first\nx = 1\n\nsecond\nx = 1\n';

/** Reads from the next step which line tells the last place apart, and extends the old text to it. */
function extended(file, failure) {
  const tellings = [...failure.next_step.matchAll(/line (\d+) `[^`]*` for line (\d+)/g)];
  const [, telling, place] = tellings.at(-1).map(Number);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(Math.min(telling, place) - 1, Math.max(telling, place)).join('\n');
}

async function drive(transport, root, isStructured) {
  const file = join(root, 'a.txt');
  writeFileSync(file, text);
  const client = new Client({ name: 'fuzzy-edit-client', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  for (const name of ['edit', 'multi_edit', 'preview_edit', 'locate']) assert(names.includes(name), name);

  // The SDK itself compares every answer with the tool's output schema, if there is one.
  const edit = (old_string, new_string) =>
    client.callTool({ name: 'edit', arguments: { file_path: 'a.txt', old_string, new_string } });
  const done = await edit('first', '1st');
  assert(!done.isError, JSON.stringify(done));
  assert.equal(done.content[0].text, 'applied a.txt 1');
  assert.equal(done.structuredContent?.status, isStructured ? 'applied' : undefined);

  const refused = await edit('x = 1', 'x = 2');
  assert(refused.isError);
  assert(refused.content[0].text.startsWith('ambiguous: '));
  const failure = refused.structuredContent;
  assert.equal(failure.code, 'ambiguous');
  assert.deepEqual(failure.ambiguous_at, [[2, 2], [5, 5]]);

  const old = extended(file, failure);
  const again = await edit(old, old.replace('x = 1', 'x = 2'));
  assert(!again.isError, JSON.stringify(again));
  assert.equal(readFileSync(file, 'utf8'), '1st\nx = 1\n\nsecond\nx = 2\n');
  await client.close();
  return names.length;
}

/** Starts the server and returns it with the transport that reaches it. */
async function overHttp(root) {
  const token = 'a-token-for-the-typescript-client';
  const env = { ...process.env, FUZZY_EDIT_MCP_TOKEN: token };
  const server = spawn(program, ['mcp', '--structured', '--root', root, '--http', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: server.stderr })) {
    const address = line.match(/listening at (\S+)/)?.[1];
    if (!address) continue;
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    return { server, transport: new StreamableHTTPClientTransport(new URL(address), { requestInit }) };
  }
  throw new Error('the server ended');
}

const root = mkdtempSync(join(tmpdir(), 'fuzzy-edit-client-'));
try {
  const stdio = new StdioClientTransport({ command: program, args: ['mcp', '--root', root] });
  console.log(`stdio: ${await drive(stdio, root, false)} tools, an edit, an ambiguous one and its next step`);
  const { server, transport } = await overHttp(root);
  try {
    console.log(`http: ${await drive(transport, root, true)} tools, an edit, an ambiguous one and its next step`);
  } finally {
    server.kill();
  }
} finally {
  rmSync(root, { recursive: true });
}

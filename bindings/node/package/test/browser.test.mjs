// The browser build in headless Chromium: static files as modules, with a content security policy without eval.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

const folder = dirname(createRequire(import.meta.url).resolve('fuzzy-edit-wasm/package.json'));
const { small } = JSON.parse(readFileSync(process.env.CASES, 'utf8'));

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>`;

/** Runs the edits on the page and in a worker, and records both results. */
const SCRIPT = `
import { apply, applyPatch, backend, loadPatches, replace, Doc } from '/fuzzy-edit-wasm/web.js';
const edits = await (await fetch('/edits.json')).json();
const outcomes = edits.map(({ text, needle, new: replacement }) => apply(text, needle, replacement).output ?? null);
const doc = new Doc('a = 1;\\n');
const worker = new Worker('/worker.js', { type: 'module' });
const inWorker = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
let refused;
try { replace('a', 'zz', 'b'); } catch (error) { refused = error.message; }
const patch = '<<<<<<< SEARCH\\na  = 1\\n=======\\na = 2\\n>>>>>>> REPLACE\\n';
const patched = () => applyPatch({ 'a.js': 'a = 1\\n' }, patch, { target: 'a.js' }).files['a.js'];
let early;
try { patched(); } catch (error) { early = error.message; }
await Promise.all([loadPatches(), loadPatches()]);
const answer = { backend, outcomes, doc: doc.replace('a', 'b'), inWorker, refused, early, patched: patched() };
await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
`;
const WORKER = `
import { replace } from '/fuzzy-edit-wasm/web.js';
postMessage(replace('a  b', 'a  b', 'c', false, { ladder: 'full' }));
`;

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

/** Serves the page and the package, and returns the results from the page. */
const serve = (answered) => async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const made = {
    '/': [PAGE, 'text/html'],
    '/page.js': [SCRIPT, TYPES['.js']],
    '/worker.js': [WORKER, TYPES['.js']],
    '/edits.json': [JSON.stringify(small), TYPES['.json']],
  };
  if (pathname === '/answer') {
    let answer = '';
    for await (const part of request) answer += part;
    response.end();
    return answered(answer);
  }
  let [body, type] = made[pathname] ?? [];
  if (pathname.startsWith('/fuzzy-edit-wasm/')) {
    body = readFileSync(join(folder, pathname.slice('/fuzzy-edit-wasm/'.length)));
    type = TYPES[extname(pathname)];
  }
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain', 'content-security-policy': POLICY });
  response.end(body);
};

test('the browser build makes the edits of the Rust suite', { timeout: 120_000 }, async () => {
  let answered;
  const sent = new Promise((resolve) => (answered = resolve));
  const server = createServer(serve(answered)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const options = ['--headless=new', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  options.push(`--user-data-dir=${profile}`, '--enable-logging=stderr');
  // Chromium's own sandbox refuses to run as root.
  if (process.getuid() === 0) options.push('--no-sandbox');
  const chromium = spawn('chromium', [...options, `http://127.0.0.1:${server.address().port}/`]);
  let printed = '';
  chromium.stderr.on('data', (data) => (printed += data));
  const closed = once(chromium, 'close');
  const patience = setTimeout(() => answered('{}'), 90_000);
  const answer = JSON.parse(await sent);
  clearTimeout(patience);
  chromium.kill();
  await closed;
  server.closeAllConnections();
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  assert.ok(answer.outcomes, printed);
  assert.deepEqual([answer.backend, answer.doc, answer.inWorker], ['wasm', 'b = 1;\n', 'c']);
  assert.match(answer.refused, /^Could not find oldString/);
  assert.deepEqual([answer.early, answer.patched], ['applyPatch needs `await loadPatches()` before it', 'a = 2\n']);
  assert.equal(answer.outcomes.length, small.length);
  small.forEach(({ name, text, lands }, number) => {
    const output = answer.outcomes[number];
    if (lands) assert.equal(output, lands.reduce((text, [old, made]) => text.replace(old, () => made), text), name);
    else assert.ok(output === text || output === null, name);
  });
});

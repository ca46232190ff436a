// A workspace: the tools of an agent, on files.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { EditError, open } from 'fuzzy-edit';

process.env.XDG_STATE_HOME = mkdtempSync(join(tmpdir(), 'state-'));
const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
const refused = (code) => (error) => error instanceof EditError && error.code === code && error.forModel.startsWith(code);

test('edits are written and undone', async () => {
  const root = folder();
  const content = (name = 'a.py') => readFileSync(join(root, name), 'utf8');
  writeFileSync(join(root, 'a.py'), 'def f():\r\n\treturn  1\r\n');
  const files = open(root);
  assert.equal(await files.read('a.py'), 'def f():\r\n\treturn  1\r\n');
  const edited = await files.apply({ path: 'a.py', old: '    return 1', new: '    return 2' });
  assert.deepEqual([edited.ok, edited.status, edited.edits[0].linesBefore], [true, 'applied', [2, 2]]);
  assert.match(edited.forModel, /^applied a\.py 2/);
  assert.equal(content(), 'def f():\r\n\treturn  2\r\n');
  const all = await files.multiEdit([
    { path: 'a.py', after: 'def f():', new: '\t"""One."""' },
    { path: 'a.py', first: 'def f():', last: '\treturn  2', copyTo: { path: 'b.py' } },
    { path: 'new/c.py', old: '', new: 'c = 1\n' },
  ]);
  assert.ok(all.ok, all.message);
  assert.match(content('b.py'), /One/);
  assert.equal((await files.patch('a.py\n<<<<<<< SEARCH\n    return 2\n=======\n    return 3\n>>>>>>> REPLACE\n')).ok, true);
  for (const batch of [1, 2, 3]) assert.equal((await files.undo()).status, 'undone', `${batch}`);
  assert.equal(content(), 'def f():\r\n\treturn  1\r\n');
  await assert.rejects(files.undo(), refused('missing'));
});

test('a line chooses between equal places, and notebooks are edited by cells', async () => {
  const root = folder();
  writeFileSync(join(root, 'a'), 'a = 1\nb = 2\na = 1\n');
  const files = open(root);
  assert.equal((await files.apply({ path: 'a', old: 'a = 1', new: 'a = 3', line: 3 })).ok, true);
  assert.equal(readFileSync(join(root, 'a'), 'utf8'), 'a = 1\nb = 2\na = 3\n');
  const cell = (id, source) => ({ cell_type: 'code', execution_count: null, id, metadata: {}, outputs: [], source: [source] });
  const notebook = { cells: [cell('x', 'a = 1'), cell('y', 'a = 1')], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  writeFileSync(join(root, 'n.ipynb'), JSON.stringify(notebook, undefined, 1));
  assert.equal((await files.apply({ path: 'n.ipynb', cell: 'y', old: 'a = 1', new: 'a = 2' })).ok, true);
  assert.equal(JSON.parse(readFileSync(join(root, 'n.ipynb'), 'utf8')).cells[1].source.join(''), 'a = 2');
});

test('a refusal is an answer, and a wrong call an error', async () => {
  const root = folder();
  writeFileSync(join(root, 'a'), 'port = 1\n');
  const files = open(root);
  const answer = await files.apply({ path: 'a', old: 'port = 2', new: 'port = 3' });
  assert.deepEqual([answer.ok, answer.code], [false, 'conflict']);
  assert.ok(answer.forModel.includes(answer.rule) && answer.nextStep);
  assert.equal((await files.apply({ path: '../a', old: 'a', new: 'b' })).code, 'outside_root');
  await assert.rejects(files.apply({ path: 'a', old: 'a', new: 'b', dryRun: true }), refused('bad_input'));
  await assert.rejects(files.read('none'), refused('missing'));
  await assert.rejects(files.patch('nothing'), refused('parse'));
  assert.throws(() => open(join(root, 'none')), refused('bad_input'));
  assert.throws(() => open(root, { ladder: 'none' }), refused('bad_input'));
  assert.throws(() => open(root, { root }), (error) => error.code === 'bad_input');
});

test('many edits at once lose nothing, and the event loop goes on', async () => {
  const root = folder();
  const files = open(root);
  const big = Array.from({ length: 40_000 }, (_, line) => `let value_${line} = compute(${line});`).join('\n');
  writeFileSync(join(root, 'big'), big);
  for (let number = 0; number < 64; number++) writeFileSync(join(root, `${number}`), `number = ${number}\n`);
  // The loop turns while the module searches: a call that blocked it would end before the first turn.
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const refusal = await files.apply({ path: 'big', old: 'let missing = nothing(1);\nlet other = none(2);', new: 'x' });
  clearInterval(timer);
  assert.deepEqual([refusal.ok, turns > 1], [false, true]);
  const edits = Array.from({ length: 64 }, (_, number) =>
    files.apply({ path: `${number}`, old: `number  = ${number}`, new: `number = ${number + 1}` }));
  assert.ok((await Promise.all(edits)).every((edit) => edit.ok));
  for (let number = 0; number < 64; number++) assert.equal(readFileSync(join(root, `${number}`), 'utf8'), `number = ${number + 1}\n`);

  // Calls of one workspace about one file keep their order.
  writeFileSync(join(root, 'one'), 'n = 0\n');
  const order = Array.from({ length: 50 }, (_, n) => files.apply({ path: 'one', old: `n = ${n}\n`, new: `n = ${n + 1}\n` }));
  assert.ok((await Promise.all(order)).every((edit) => edit.ok));
  assert.equal(readFileSync(join(root, 'one'), 'utf8'), 'n = 50\n');
});

test('eight workers edit one file', { timeout: 120_000 }, async () => {
  const root = folder();
  const lines = Array.from({ length: 200 }, (_, line) => `line ${line} is old\n`);
  writeFileSync(join(root, 'one'), lines.join(''));
  const code = `
    import { open } from 'fuzzy-edit';
    import { parentPort, workerData } from 'node:worker_threads';
    const files = open(workerData.root, { timeout: 60 });
    const edits = [];
    for (let line = workerData.from; line < 200; line += 8) {
      edits.push(files.apply({ path: 'one', old: 'line ' + line + ' is old\\n', new: 'line ' + line + ' is new\\n' }));
    }
    parentPort.postMessage((await Promise.all(edits)).filter((edit) => !edit.ok));
  `;
  writeFileSync('worker.mjs', code);
  const failed = await Promise.all(Array.from({ length: 8 }, (_, from) => new Promise((resolve, reject) => {
    const worker = new Worker('./worker.mjs', { workerData: { root, from } });
    worker.on('message', resolve).on('error', reject);
  })));
  assert.deepEqual(failed.flat(), []);
  assert.equal(readFileSync(join(root, 'one'), 'utf8'), lines.join('').replaceAll('old', 'new'));
});

test('without a native module, files cannot be opened', async () => {
  const wasm = await import('fuzzy-edit/wasm');
  assert.throws(() => wasm.open('.'), (error) => error instanceof EditError && error.code === 'bad_input');
});

test('the example answers as the one in Rust', { timeout: 120_000 }, () => {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', 'edit_tool.mts'];
  const compiled = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  assert.equal(compiled.status, 0, compiled.stdout);
  const programs = [process.env.EDIT_TOOL, `${process.execPath} ${join(process.cwd(), 'edit_tool.mjs')}`];
  execFileSync('python3', [process.env.COMPARE, process.env.HAND_WRITTEN, ...programs], { stdio: 'inherit' });
});

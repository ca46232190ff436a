// The API of one build. `FUZZY_EDIT` is the module to import; `CASES` is the file of edits, which the Rust tests use as
// well.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { test } from 'node:test';

const name = process.env.FUZZY_EDIT ?? 'fuzzy-edit';
const api = await import(name);
const { Doc, EditError, apply, applyPatch, backend, compare, diff, explain, ladders, locate, replace } = api;
const { small, strategies } = JSON.parse(readFileSync(process.env.CASES, 'utf8'));

const FILE = 'fn main() {\n\tlet a = 1; // 😀 é\n\tstart(a);\n}\n';

test('the build is the one that was asked for', () => {
  assert.equal(backend, process.env.BACKEND);
});

test('lines are named by their ends, or by a line beside new ones', () => {
  const start = '\tlet a = 1; // 😀 é';
  const answer = apply(FILE, { first: start, last: '\tstart(a);', new: '\tstart(1);' });
  assert.deepEqual([answer.ok, answer.output], [true, 'fn main() {\n\tstart(1);\n}\n']);
  assert.deepEqual(answer.splices, [{ start: 12, end: 42, text: '\tstart(1);' }]);
  assert.equal(apply(FILE, { after: start, new: '\tstop();' }).output, FILE.replace(start, `${start}\n\tstop();`));
  assert.equal(apply(FILE, { before: 'fn main() {', new: 'use a;\n' }).output, `use a;\n${FILE}`);
  const moved = apply(`\n\n${FILE}`, { first: 'fn main() {', lines: [1, 4], new: '' });
  assert.equal(moved.output, '\n\n');
  assert.deepEqual(locate(FILE, { first: start, last: '\tstart(a);' }).places[0].lines, [2, 3]);
  assert.equal(explain(FILE, { after: start }).answer.code, undefined);

  const twice = 'a\nend\nb\nend\n';
  const refused = apply(twice, { first: 'a', last: 'end', new: 'x' });
  assert.deepEqual([refused.ok, refused.code], [false, 'ambiguous']);
  assert.deepEqual(refused.ends, [{ lines: [1, 2], expectedLines: 2 }, { lines: [1, 4], expectedLines: 4 }]);
  assert.equal(apply(twice, { first: 'a', last: 'end', expectedLines: 4, new: 'x' }).output, 'x\n');
  const doc = new Doc(twice);
  assert.equal(doc.apply({ before: 'b', new: 'c' }, { ladder: 'conservative' }).output, 'a\nend\nc\nb\nend\n');
  doc.free();

  for (const edit of [{}, { first: 'a' }, { last: 'a' }, { first: 'a', after: 'b' }, { after: 'a', expectedLines: 2 }, { first: 'a', lines: [2, 1] }, { after: 'a', where: 'b' }]) {
    assert.throws(() => apply(twice, { ...edit, new: 'x' }), (error) => error instanceof EditError && error.code === 'bad_input');
  }
  assert.throws(() => apply(twice, { after: 'a' }), TypeError);
});

test('lines are moved and copied', () => {
  const lines = { first: 'fn g() {', last: '}' };
  const file = 'fn f() {\n    ä();\n}\n\nfn g() {\n    b();\n}\n';
  assert.equal(apply(file, { ...lines, moveTo: { before: 'fn f() {' } }).output, 'fn g() {\n    b();\n}\n\nfn f() {\n    ä();\n}\n');
  const copied = apply(file, { first: '    ä();', last: '    ä();', copyTo: { after: '    b();' } });
  assert.equal(copied.output, file.replace('    b();\n', '    b();\n    ä();\n'));
  assert.deepEqual(copied.splices.length, 1);
  assert.equal(apply(file, { ...lines, moveTo: { after: '    b();' } }).code, 'refused');
  for (const wrong of [{ moveTo: {} }, { moveTo: { after: 'a' }, new: 'x' }, { moveTo: { after: 'a', before: 'b' } }]) {
    assert.throws(() => apply(file, { ...lines, ...wrong }), (error) => error instanceof EditError && error.code === 'bad_input');
  }
});

test('the base decides between equal places', () => {
  const [base, content] = ['a\nä\nb\n', 'a\nä\nb\nä\n'];
  assert.equal(apply(content, 'ä', 'y').code, 'ambiguous');
  assert.equal(apply(content, 'ä', 'y', { base }).output, 'a\ny\nb\nä\n');
  const doc = new Doc(content);
  assert.deepEqual(doc.locate('ä', 'y', { base }).places[0].lines, [2, 2]);
  doc.free();
  assert.equal(apply(content, 'ä', 'y', { base: '\ud800' }).code, 'bad_input');
  assert.throws(() => apply(content, 'ä', 'y', { base: 1 }), TypeError);
});

// The engine distinguishes refusals that share one public code.
const CODES = { too_different: 'refused', uncertain: 'refused' };

/** Returns the whole file after changes; the old text of each occurs once. */
const changed = (text, changes) => changes.reduce((text, [old, made]) => text.replace(old, () => made), text);

test('every small edit ends as in the Rust suite', () => {
  let again = 0;
  assert.ok(small.length > 30);
  for (const { name, text, needle, new: replacement, lands, refused } of small) {
    const answer = apply(text, needle, replacement);
    if (lands) {
      assert.equal(answer.output, changed(text, lands), name);
      assert.equal(replace(text, needle, replacement), answer.output, name);
    } else if (refused === 'already_applied') {
      assert.deepEqual([answer.code, answer.output, replace(text, needle, replacement)], [refused, text, text], name);
      again += 1;
    } else {
      assert.deepEqual([answer.ok, answer.code], [false, CODES[refused] ?? refused], name);
      assert.ok(answer.message && answer.nextStep, name);
      assert.throws(() => replace(text, needle, replacement), (error) => error.code === answer.code, name);
    }
  }
  assert.ok(again > 0);
});

test('every strategy proposes what its cases say', () => {
  assert.ok(Object.keys(strategies).length > 20);
  for (const [strategy, cases] of Object.entries(strategies)) {
    for (const [name, { haystack, needle, spans }] of Object.entries(cases)) {
      if (needle === '') continue;
      const tried = explain(haystack, needle, { ladder: 'registered', fitEndings: false }).strategies;
      const { candidates } = tried.find((tried) => tried.strategy === strategy);
      assert.deepEqual(candidates.map(({ bytes }) => bytes), spans, `${strategy}: ${name}`);
      for (const { start, end, bytes } of candidates) {
        const text = Buffer.from(haystack).subarray(...bytes).toString();
        assert.equal(haystack.slice(start, end), text, `${strategy}: ${name}`);
      }
    }
  }
});

test('require and import are one', () => {
  if (name.startsWith('file:') || name.startsWith('/')) return;
  const required = createRequire(import.meta.url)(name);
  assert.equal(required.replace, replace);
  assert.equal(required.EditError, EditError);
});

test("replace has opencode's messages", () => {
  const says = (message, code, ...edit) =>
    assert.throws(() => replace(...edit), (error) => {
      assert.ok(error instanceof EditError && error instanceof Error);
      assert.match(error.message, message);
      assert.equal(error.code, code);
      return true;
    });
  for (const ladder of ['full', 'full-guarded', 'adaptive']) {
    says(/^No changes to apply: oldString and newString are identical\.$/, 'identical', 'a', '', '', false, { ladder });
    says(/^oldString cannot be empty/, 'empty_old', 'a', '', 'b', false, { ladder });
    says(/^Could not find oldString in the file\./, 'not_found', 'a', 'zzz', 'b', false, { ladder });
    says(/^Found multiple matches for oldString\./, 'ambiguous', 'ab();\nab();\n', 'ab();', 'b', false, { ladder });
  }
  says(/^Refusing replacement because the matched span is much larger/, 'refused',
    'a();\nb();\nc();\nd();\n', 'a();\\nb();\\nc();\\nd();', 'x', false, { ladder: 'full-guarded' });
});

test('replace is literal, replaces all, and takes its ladder', () => {
  assert.equal(replace('a b a', 'a', '$& $1', true), '$& $1 b $& $1');
  assert.equal(replace(FILE, '  let a = 1; // 😀 é', 'x', false, { ladder: 'full' }), 'fn main() {\nx\n\tstart(a);\n}\n');
  assert.equal(replace('a\r\nb\r\n', 'a\r\nb', 'c\nd', false, { ladder: 'full' }), 'c\nd\r\n');
  assert.throws(() => replace('a\r\nb\r\n', 'zz\nb', 'c', false, { ladder: 'fastest' }), /choose one of: conservative/);
});

test('onReport is told, and what it throws is thrown', () => {
  const reports = [];
  const onReport = (report) => reports.push(report);
  replace(FILE, 'let a = 1', 'let a = 2', false, { onReport });
  assert.throws(() => replace(FILE, 'let zzz = qqq(1)', 'x', false, { onReport }), (error) => error.report === reports[1]);
  assert.equal(reports[0].ok, true);
  assert.equal(reports[0].strategy, 'exact');
  assert.deepEqual(reports[0].splices, [{ start: 13, end: 22, text: 'let a = 2' }]);
  assert.equal(reports[1].ok, false);
  assert.ok(reports[1].nearest.diff.length > 0);
  const thrown = new Error('mine');
  for (let round = 0; round < 100; round++) {
    const bad = () => {
      // A nested call must not overwrite the answer of the outer call.
      assert.equal(replace('x y', 'x', 'z'), 'z y');
      throw thrown;
    };
    assert.throws(() => replace(FILE, 'let a = 1', 'let a = 2', false, { onReport: bad }), (error) => error === thrown);
  }
  assert.equal(replace(FILE, 'let a = 1', 'let a = 2'), FILE.replace('1', '2'));
});

test('apply fits line endings, says how sure it is, and proposes', () => {
  const answer = apply('a = 1\r\nb = 2\r\n', 'a = 1\nb = 2', 'a = 1\nb = 3');
  assert.equal(answer.output, 'a = 1\r\nb = 3\r\n');
  assert.ok(answer.confidence > 0.9);
  assert.equal(apply(FILE, 'let a = 1', 'x', { budget: 1, ladder: 'full' }).ok, true);
  assert.throws(() => apply(FILE, 'a', 'b', { minConfidence: Number.NaN }), /minConfidence/);
  assert.throws(() => apply(FILE, 'a', 'b', { budget: -1 }), /budget/);
  const unsure = apply(FILE, '  let a = 1; // 😀 é\n  start(a);', '  x();', { minConfidence: 1 });
  assert.deepEqual([unsure.ok, unsure.code, unsure.refusal], [false, 'refused', 'not_sure']);
});

test('a conflict tells what each text has and both results', () => {
  const [file, old] = ['host = "a"\nport = 9000\n', 'host = "a"\nport = 8080'];
  const answer = apply(file, old, old.replace('8080', '8081'));
  assert.deepEqual([answer.ok, answer.code, answer.refusal], [false, 'conflict', undefined]);
  assert.deepEqual(answer.conflicts, [{
    lines: [2, 2], file: '9000', old: '8080', new: '8081', keeping: 'port = 9000', taking: 'port = 8081',
  }]);
  assert.match(answer.nextStep, /^To take the new text/);
  const { proposal } = answer;
  assert.equal(apply(file, proposal.oldString, proposal.newString).output, file.replace('9000', '8081'));
  assert.equal(locate(file, old, old.replace('8080', '8081')).code, 'conflict');
  assert.throws(() => replace(file, old, old.replace('8080', '8081')), { code: 'conflict', message: /both differ/ });
});

test('a refusal names its rule', () => {
  const edit = ['host = "a"\nport = 9000\n', 'host = "a"\nport = 8080', 'host = "a"\nport = 8081'];
  for (const { rule } of [apply(...edit), locate(...edit), explain(...edit).answer]) assert.equal(rule, 'different-value');
  for (const onReport of [undefined, () => {}]) {
    assert.throws(() => replace(...edit, false, { onReport }), { code: 'conflict', rule: 'different-value' });
  }
  for (const answer of [apply('a', 'a', 'b'), apply(...edit, { ladder: 'conservative' })]) assert.equal(answer.rule ?? null, null);
  const patched = applyPatch({ 'a.txt': 'one\n' }, '--- a/a.txt\n+++ b/a.txt\n@@ @@\n-width of the frame\n+x\n');
  assert.deepEqual([patched.rule, patched.reports[0].rule], ['not-found', 'not-found']);
});

test('locate finds places of the JavaScript string', () => {
  const { places, occurrences } = locate(FILE, 'start(a)');
  assert.equal(FILE.slice(places[0].start, places[0].end), 'start(a)');
  assert.deepEqual([occurrences, places[0].lines], [1, [3, 3]]);
  assert.equal(locate(FILE, 'a', { replaceAll: true }).occurrences, 4);
  const missing = locate(FILE, 'nowhere');
  assert.deepEqual([missing.ok, missing.code, missing.places.length], [false, 'not_found', 0]);
});

test('explain shows strategies, sides, origins and weights', () => {
  const shown = explain(FILE, '    let a = 1; // 😀 é\n  start(a);', '    let a = 2; // 😀 é\n  start(a);');
  assert.equal(shown.answer.output, FILE.replace('1', '2'));
  assert.deepEqual(shown.strategies.map(({ strategy, verdict }) => [strategy, verdict]),
    [['exact', 'nothing'], ['alignment', 'taken']]);
  assert.deepEqual(shown.alignment.rows.map(({ old, file }) => [old[0].number, file[0].number]), [[1, 2], [2, 3]]);
  assert.deepEqual(shown.alignment.lands.map(({ origin }) => origin), ['new', 'file']);
  assert.ok(shown.weighed.probability > 0.9 && shown.weighed.features.length === 3);
  for (const { name, strategies } of ladders()) {
    const all = explain(FILE, 'start(a)', 'stop(a)', { ladder: name });
    assert.deepEqual(all.strategies.map(({ strategy }) => strategy), strategies);
    assert.ok(all.policy);
  }
});

test('ladders are compared', () => {
  const answers = compare('a  b\n', 'a b', 'c');
  assert.deepEqual(answers.map(({ ladder }) => ladder), ladders().map(({ name }) => name));
  assert.ok(answers.some(({ ok }) => ok) && answers.some(({ ok }) => !ok));
});

test('a lone surrogate is bad input, wherever it is', () => {
  for (const edit of [['a\ud800b', 'a', 'c'], ['ab', 'a\udc00', 'c'], ['ab', 'a', '\ud83d']]) {
    assert.equal(apply(...edit).code, 'bad_input');
    assert.equal(locate(...edit).code, 'bad_input');
    assert.equal(explain(...edit).answer.code, 'bad_input');
    assert.throws(() => replace(...edit), (error) => error instanceof EditError && error.code === 'bad_input');
  }
  assert.throws(() => new Doc('\ud800'), (error) => error.code === 'bad_input');
  const large = `${'x'.repeat(5_000_000)}é\ud800`;
  assert.throws(() => replace(large, 'a', 'b'), /lone surrogate at 5000001/);
});

test('an option that does not exist is named, with those that do', () => {
  const says = (name, known, call) =>
    assert.throws(call, (error) => {
      assert.ok(error instanceof EditError);
      assert.deepEqual([error.code, error.message], ['bad_input', `there is no option \`${name}\`; the options are: ${known}`]);
      return true;
    });
  const edit = 'ladder, minConfidence, budget, replaceAll, fitEndings, base';
  const doc = new Doc('a');
  for (const call of [apply, locate, explain]) says('replace_all', edit, () => call('a', 'a', 'b', { replace_all: true }));
  for (const call of [locate, explain]) says('ladders', edit, () => call('a', 'a', { ladders: ['full'] }));
  says('toString', edit, () => doc.apply('a', 'b', { toString: undefined }));
  says('replaceAll', 'ladder, minConfidence, budget, onReport', () => replace('a', 'a', 'b', false, { replaceAll: true }));
  says('ladder', 'ladders, minConfidence, budget, replaceAll, fitEndings, base', () => compare('a', 'a', 'b', { ladder: 'full' }));
  says('file', 'ladder, minConfidence, budget, target', () => applyPatch({}, '', { file: 'a' }));
  assert.equal(apply('a', 'a', 'b', { ladder: undefined, replaceAll: undefined }).output, 'b');
  // The options of `replace` follow `replaceAll`. In its place they would count as true and replace all occurrences.
  assert.throws(() => replace('a a', 'a', 'b', { ladder: 'full' }), /^TypeError: replaceAll has to be a boolean, not object$/);
  assert.throws(() => apply('a', 'a', 'b', true), /^TypeError: options has to be an object, not boolean$/);
  assert.throws(() => apply('a', 'a', 'b', { replaceAll: 'no' }), /^TypeError: replaceAll has to be a boolean, not string$/);
});

test('what is no text is a TypeError', () => {
  for (const edit of [[undefined, 'a', 'b'], ['a', null, 'b'], ['a', 'b', 7]]) {
    assert.throws(() => replace(...edit), TypeError);
    assert.throws(() => apply(...edit), TypeError);
  }
});

test('a text of 50 MB is answered', () => {
  const line = 'the quick brown fox 😀 jumps\n';
  const content = `${line.repeat(Math.ceil(50_000_000 / Buffer.byteLength(line)))}the end of it\n`;
  const output = replace(content, 'the end of it', 'the end');
  assert.equal(output.length, content.length - ' of it'.length);
  assert.ok(output.endsWith('jumps\nthe end\n'));
  assert.throws(() => replace(content, 'nowhere at all', 'x', false, { ladder: 'full' }), /Could not find/);
});

test('a document is asked often, and freed', () => {
  const doc = new Doc(FILE);
  for (let round = 0; round < 3; round++) {
    assert.equal(doc.replace('let a = 1', 'let a = 2'), FILE.replace('1', '2'));
    assert.equal(doc.apply('start(a)', 'stop(a)').output, FILE.replace('start', 'stop'));
    assert.equal(doc.locate('start(a)').occurrences, 1);
    assert.equal(doc.explain('start(a)').strategies.length, 2);
  }
  assert.equal(doc.content, FILE);
  doc.free();
  doc.free();
  assert.throws(() => doc.locate('a'), /freed/);
  if (Symbol.dispose) assert.equal(typeof doc[Symbol.dispose], 'function');
});

test('a patch is made whole or not at all', () => {
  const files = { 'a.txt': 'one\ntwo 😀\nthree\n', 'b.txt': 'gone\n', __proto__: null };
  const patch = [
    '--- a/a.txt', '+++ b/a.txt', '@@ -1,3 +1,3 @@', ' one', '-two 😀', '+2', ' three',
    '--- a/b.txt', '+++ /dev/null', '@@ -1 +0,0 @@', '-gone',
    '--- /dev/null', '+++ b/c.txt', '@@ -0,0 +1 @@', '+new', '',
  ].join('\n');
  const patched = applyPatch(files, patch);
  assert.equal(patched.ok, true, patched.message);
  assert.deepEqual(patched.files, { 'a.txt': 'one\n2\nthree\n', 'c.txt': 'new\n' });
  assert.deepEqual(patched.changed, ['a.txt', 'b.txt', 'c.txt']);

  const failing = applyPatch(files, patch.replace('-gone', '-another'));
  assert.equal(failing.ok, false);
  assert.deepEqual(failing.changed, []);
  assert.equal(failing.files['a.txt'], files['a.txt']);
  assert.ok(failing.code && failing.message && failing.nextStep);

  assert.equal(applyPatch(files, '<<<<<<< SEARCH\none\n').code, 'parse');
  assert.equal(applyPatch({ 'a.txt': '\ud800' }, patch).code, 'bad_input');
  const block = '<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n';
  assert.equal(applyPatch({ 'a.txt': 'one\n' }, block, { target: 'a.txt' }).files['a.txt'], '1\n');
});

test('a diff is unified', () => {
  assert.equal(diff('a.txt', 'one\ntwo\n', 'one\n2\n'), '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
  assert.equal(diff('a.txt', 'one\n', 'one\n'), '');
  assert.throws(() => diff('a.txt', '\ud800', ''), (error) => error.code === 'bad_input');
});

test('a module that is brought edits, and patches where it can or another is brought', async () => {
  const { load } = await import(name.replace(/\/wasm$/, '/load').replace(/^fuzzy-edit$/, 'fuzzy-edit/load'));
  const module = (file) => readFileSync(createRequire(import.meta.url).resolve(`fuzzy-edit-wasm/${file}.wasm`));
  const patch = 'a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n';
  const patched = (api) => api.applyPatch({ 'a.txt': 'one\n' }, patch).files;
  const alone = load(module('fuzzy_edit'));
  assert.equal(alone.replace('one', 'one', 'two'), 'two');
  assert.throws(() => patched(alone), /fuzzy_edit_patch\.wasm/);
  let brought = 0;
  const both = load(module('fuzzy_edit'), () => {
    brought += 1;
    return module('fuzzy_edit_patch');
  });
  assert.equal(both.replace('one', 'one', 'two'), 'two');
  assert.equal(brought, 0);
  for (const api of [both, both, load(module('fuzzy_edit_patch'))]) assert.deepEqual(patched(api), { 'a.txt': 'two\n' });
  assert.equal(brought, 1);
});

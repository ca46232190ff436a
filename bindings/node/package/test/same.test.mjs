// Both builds return the same answers, and so does a `Doc`: it keeps the whole text in the engine, which gets only the
// lines around most exact edits otherwise.

import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';

import * as native from 'fuzzy-edit';
import * as wasm from 'fuzzy-edit/wasm';

const SEED = Number(process.env.SEED ?? 1);
const CASES = Number(process.env.EDITS ?? 1_000);

/** Returns a generator of random numbers below a limit; the same seed gives the same numbers. */
function numbers(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const PARTS = ['a', 'b', 'ab', 'aba', 'x = 1', ' ', '  ', '\t', '\n', '\n', '\n', '\r\n', '\r', 'é', '漢字', 'ਊ', '😀', '}', '// ... rest unchanged', '…', '\u2028'];
const LONE = ['\ud83d', '\ude00'];

/** Returns a random text of a number of parts; in some texts, one part is a lone surrogate. */
function text(below, parts) {
  const all = Array.from({ length: below(parts + 1) }, () => PARTS[below(PARTS.length)]);
  if (below(60) === 0) all.splice(below(all.length + 1), 0, LONE[below(2)]);
  return all.join('');
}

/** Returns an edit. Its old text is usually a part of its file, may occur twice, and may split a word or character. */
function edit(below) {
  const middle = text(below, 40);
  const around = ['', text(below, 4), `${PARTS[below(PARTS.length)]}\n`.repeat(below(4) * 1_000)][below(3)];
  const from = below(middle.length + 1);
  const old = below(8) === 0 ? text(below, 3) : middle.slice(from, from + 1 + below(24));
  const file = `${around}${middle}${below(2) === 0 ? around : ''}`;
  const other = text(below, 6);
  const line = middle.slice(middle.lastIndexOf('\n', from) + 1).split('\n')[0];
  const news = [other, `${old}${other}`, `${other}${old}`, '', old.replace('a', 'é'), `${old}\n${other}`, line];
  return [file, old, news[below(news.length)]];
}

/** Returns the result or the error of a function. */
function outcome(call) {
  try {
    return call();
  } catch ({ name, message, code, rule, report }) {
    return { name, message, code, rule, report };
  }
}

/** Returns the answer of an edit about a text that the engine has as a whole. */
function whole({ Doc }, file, old, replacement, options) {
  const doc = new Doc(file);
  const answer = outcome(() => doc.apply(old, replacement, options));
  doc.free();
  return answer;
}

test('what is far away counts', () => {
  const many = (line, text) => `${line.repeat(1_000)}${text}\n${line.repeat(1_000)}`;
  for (const [file, old, replacement] of [
    // Line endings: near the place, and only outside the lines that are read for them.
    [many('é();\r\n', 'start();'), 'start();', 'start();\nstop();'],
    [`${'é();\r\n'.repeat(900)}${many('é();\n', 'start();')}`, 'start();', 'start();\nstop();'],
    // A distant line at column 0 shows that the new line belongs there, too.
    [`ünd x\n${many('    é();\n', '    start();')}`, 'start();', 'start();\nünd y'],
    [many('    é();\n', '    start();'), 'start();', 'start();\nstop();'],
    // A placeholder in the new text, with and without the same line in the file.
    [`// ... rest unchanged\n${many('é();\n', 'start();')}`, 'start();', '// ... rest unchanged'],
    [many('é();\n', 'start();\nand();'), 'start();\nand();', '// ... rest unchanged'],
    // A second occurrence, and an overlapping one.
    [`start();\n${many('é();\n', 'start();')}`, 'start();', 'stop();'],
    [many('é\n', 'xéyéyéx'), 'éyé', 'z'],
    // The file already contains the new text; the old text ends inside a word or inside a line.
    [many('é();\n', 'start();\nstop();'), 'start();', 'start();\nstop();'],
    [many('é();\n', 'timeout: 300'), 'timeout: 30', 'timeout: 60'],
    [many('é();\n', 'import os.path'), 'import os', 'import os\nimport re'],
    [many('é();\n', `[\n  start,${'\n'.repeat(2_000)}]`), '  start', '  start,\n  stop,'],
    // A very long line, and a place at either end.
    [`${'é'.repeat(20_000)}start();${'ü'.repeat(20_000)}`, 'start();', 'stop();'],
    [`start();\n${many('é\n', '')}`, 'start();', 'stop();'],
    [`${many('é\n', '')}start();`, 'start();', 'stop();'],
    // What the encoder writes for a lone surrogate may be in the text itself.
    [many('é\n', 'start(\ufffd);'), 'start(', 'stop('],
    [many('é\n', 'start();'), 'start();', 'start(\ufffd);'],
  ]) {
    for (const ladder of ['adaptive', 'full', 'full-guarded', 'conservative', 'registered']) {
      for (const fitEndings of [true, false]) {
        for (const replaceAll of [true, false]) {
          const options = { ladder, fitEndings, replaceAll };
          const answers = [native, wasm].map((api) => outcome(() => api.apply(file, old, replacement, options)));
          const expected = whole(native, file, old, replacement, options);
          assert.deepEqual(answers, [expected, expected], JSON.stringify([old, replacement, options]));
        }
      }
    }
  }
});

test('random edits have the same answers', () => {
  const below = numbers(SEED);
  const ladders = native.ladders().map(({ name }) => name);
  const seen = new Map();
  for (let round = 0; round < CASES; round++) {
    const [file, old, replacement] = edit(below);
    const ladder = below(2) === 0 ? 'adaptive' : ladders[below(ladders.length)];
    const replaceAll = below(6) === 0;
    const options = { ladder, replaceAll, fitEndings: below(2) === 0, minConfidence: below(4) === 0 ? 1 : 0 };
    const both = [native, wasm].map(({ apply, replace }) => [
      outcome(() => apply(file, old, replacement, options)),
      outcome(() => replace(file, old, replacement, replaceAll, { ladder })),
      outcome(() => {
        const reports = [];
        replace(file, old, replacement, replaceAll, { ladder, onReport: (report) => reports.push(report) });
        return reports;
      }),
    ]);
    assert.deepEqual(both[0], both[1], `seed ${SEED}, edit ${round}: ${JSON.stringify([file, old, replacement, options])}`);
    if (file.isWellFormed()) assert.deepEqual(whole(native, file, old, replacement, options), both[0][0]);
    const [{ ok, code = 'landed' }] = both[0];
    seen.set(code, (seen.get(code) ?? 0) + 1);
    if (ok) assert.equal(both[0][0].output, both[1][0].output);
  }
  for (const code of ['landed', 'ambiguous', 'not_found', 'already_applied', 'refused', 'bad_input']) {
    assert.ok(seen.get(code) > CASES / 300, `${code}: ${JSON.stringify([...seen])}`);
  }
});

test('a lone surrogate that the engine need not read stays', () => {
  const far = 'é\n'.repeat(20_000);
  for (const { replace } of [native, wasm]) assert.equal(replace(`start();\n${far}\ud800`, 'start', 'stop'), `stop();\n${far}\ud800`);
});

test('a lone surrogate is found in every text, and the first one is named', () => {
  const far = 'é\n'.repeat(20_000);
  for (const [file, old, replacement, message] of [
    [`${far}a`, 'a', '\ud800', /new text has a lone surrogate at 0/],
    [`${far}a`, 'a\udc00', '\ud800', /old text has a lone surrogate at 1/],
    [`a\ud800${far}`, 'a', 'b', /the text has a lone surrogate at 1/],
    [`a${far}\ud800`, 'b', 'c', /the text has a lone surrogate at 40001/],
    [`a${far}\udc00`, 'a\udc00', '\ud800', /the text has a lone surrogate at 40001/],
  ]) {
    for (const { apply, replace } of [native, wasm]) {
      const { ok, code, message: said } = apply(file, old, replacement);
      assert.deepEqual([ok, code], [false, 'bad_input']);
      assert.match(said, message);
      assert.throws(() => replace(file, old, replacement), message);
    }
  }
});

// Both builds return the same answers. The native module reads a text in UTF-16 and decides most exact edits from the
// lines around them; WebAssembly reads the complete text in UTF-8.

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
    const [{ ok, code = 'landed' }] = both[0];
    seen.set(code, (seen.get(code) ?? 0) + 1);
    if (ok) assert.equal(both[0][0].output, both[1][0].output);
  }
  for (const code of ['landed', 'ambiguous', 'not_found', 'already_applied', 'refused', 'bad_input']) {
    assert.ok(seen.get(code) > CASES / 300, `${code}: ${JSON.stringify([...seen])}`);
  }
});

test('a lone surrogate is found in every text, and the first one is named', () => {
  const far = 'é\n'.repeat(20_000);
  for (const [file, old, replacement, message] of [
    [`${far}a`, 'a', '\ud800', /new text has a lone surrogate at 0/],
    [`${far}a`, 'a\udc00', '\ud800', /old text has a lone surrogate at 1/],
    [`a${far}\ud800`, 'a', 'b', /the text has a lone surrogate at 40001/],
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

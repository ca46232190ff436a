// No memory leaks: repeated requests do not increase the memory, and the garbage collector frees documents.

import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

const { Doc, replace } = await import(process.env.FUZZY_EDIT ?? 'fuzzy-edit');

const MB = 1 << 20;
const content = (number) => `${number}\n${'let total = sum(count, 1);\n'.repeat(750)}`;

/** Returns the memory of the process in MB after garbage collection. */
async function used() {
  for (let round = 0; round < 4; round++) {
    globalThis.gc();
    await setImmediate();
  }
  return process.memoryUsage().rss / MB;
}

test('ten thousand documents that nobody frees are no leak', async () => {
  const ask = (number) => {
    const doc = new Doc(content(number));
    assert.equal(doc.locate(`${number}\n`).places[0].start, 0);
  };
  for (let number = 0; number < 2_000; number++) ask(number);
  const before = await used();
  for (let number = 0; number < 10_000; number++) ask(number);
  const after = await used();
  // 20 kB each: the copies in the engine would be 200 MB together, but it keeps at most 64 MB.
  assert.ok(after - before < 150, `${before.toFixed()} MB before, ${after.toFixed()} MB after`);
});

test('ten thousand documents that are all held answer, also those that were dropped', () => {
  const docs = Array.from({ length: 10_000 }, (_, number) => new Doc(content(number % 7) + number));
  for (const number of [0, 1, 9_999, 5_000, 0]) {
    const { places } = docs[number].locate(`;\n${number}`);
    assert.equal(places[0].end, docs[number].content.length);
  }
  // Opens all documents, so that the engine drops the first. The exact old text makes each request cheap.
  docs.forEach((doc, number) => doc.locate(`${number % 7}\n`));
  assert.equal(docs[0].locate(';\n0').ok, true);
  for (const doc of docs) doc.free();
});

test('edits, refusals and throwing reports leave nothing behind', async () => {
  const text = content(1);
  const onReport = () => {
    throw new Error('mine');
  };
  const edit = () => {
    replace(text, '1\n', '2\n');
    assert.throws(() => replace(text, 'nowhere', '2', false, { ladder: 'full' }));
    assert.throws(() => replace(text, '1\n', '2\n', false, { onReport }));
    assert.throws(() => replace(`${text}\ud800`, 'nowhere', '2'));
  };
  for (let round = 0; round < 200; round++) edit();
  const before = await used();
  for (let round = 0; round < 2_500; round++) edit();
  const after = await used();
  // A leak of one text per round would be 50 MB.
  assert.ok(after - before < 40, `${before.toFixed()} MB before, ${after.toFixed()} MB after`);
});

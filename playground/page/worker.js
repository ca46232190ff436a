// Runs the engine away from the page: the chosen ladder first, then the others, until a newer question comes.
//
// It alone has the text of a large file. The page gets digests of answers, and a part of the file.

import { digest } from './digest.js';
import { spliced } from './diff.js';
import { Engine } from './engine.js';
import { Lines, cut } from './lines.js';

/** Steps that one ladder may take; on a machine of today a few seconds. */
const BUDGET = 50_000_000;

/** Lines and letters of a large file that the page shows at once. */
const PART = 400;
const LETTERS = 60_000;

/** Milliseconds between two reports of how much is read. */
const OFTEN = 100;

let engine;
let wanted;
let isBusy = false;

/** Short requests, which are done between two ladders. */
const errands = [];

/** The last large file: its number and its lines. */
let held = {};

addEventListener('message', ({ data }) => {
  if (data.module) {
    engine = new Engine(data.module);
    return;
  }
  if (data.number === undefined) errands.push(data);
  else wanted = data;
  if (!isBusy) work();
});

async function work() {
  isBusy = true;
  while (wanted || errands.length > 0) {
    await runErrands();
    if (wanted) await ask(wanted);
  }
  isBusy = false;
}

async function runErrands() {
  while (errands.length > 0) {
    const { read, part, result } = errands.shift();
    if (read) await open(read);
    else if (part && part.key === held.key) postMessage({ key: held.key, part: partOf(held.file, part.lines) });
    else if (result) await write(result);
  }
}

/** Answers a question; a newer one ends it. */
async function ask(question) {
  const { number, texts } = question;
  try {
    const file = await linesOf(texts.file);
    for (const ladder of order(question)) {
      const found = engine.answer({ ...texts, file: file.text }, ladder, BUDGET);
      const answer = digest(found, { file, old: texts.old, given: texts.new });
      if (file === held.file && ladder === question.ladder) answer.part = { key: held.key, ...partOf(file, nearest(answer)) };
      postMessage({ number, ladder, ...answer });
      // Messages arrive between two turns of the loop.
      await new Promise((resolve) => setTimeout(resolve));
      await runErrands();
      if (wanted !== question) return;
    }
  } catch (error) {
    for (const ladder of order(question)) postMessage({ number, ladder, error: error instanceof Unread ? `the file ${error.message}` : error.message });
  }
  if (wanted === question) wanted = undefined;
}

/** Returns the ladders to ask: the chosen one first, unless its answer is known. */
function order({ ladder, isKnown }) {
  const others = engine.ladders.map(({ name }) => name).filter((name) => name !== ladder);
  return isKnown ? others : [ladder, ...others];
}

/** Writes the text as a ladder's edit leaves it. */
async function write({ id, ladder, texts }) {
  try {
    const file = await linesOf(texts.file);
    const { explained } = engine.answer({ ...texts, file: file.text }, ladder, BUDGET);
    postMessage({ id, blob: new Blob([spliced(file.text, explained.answer.splices, texts.new)], { type: 'text/plain' }) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
}

// ---- Large files ----

/** Returns the lines of a file, which a large one is read for unless it was the last. */
async function linesOf(file) {
  if (typeof file === 'string') return new Lines(file);
  if (file.key !== held.key) await hold(file);
  return held.file;
}

/** Reads a large file; the one before is kept where it cannot be. */
async function open(file) {
  try {
    if (file.key !== held.key) await hold(file);
  } catch (error) {
    postMessage({ key: file.key, refused: error.message });
  }
}

/** A file that is no text, or is not there any more. */
class Unread extends Error {}

async function hold({ key, blob }) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts = [];
  let [read, said] = [0, performance.now()];
  try {
    for (const reader = blob.stream().getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(decoder.decode(value, { stream: true }));
      read += value.length;
      if (performance.now() - said > OFTEN) {
        said = performance.now();
        postMessage({ key, read, size: blob.size });
      }
    }
    parts.push(decoder.decode());
  } catch (error) {
    throw new Unread(error instanceof TypeError ? 'is not text in UTF-8' : `cannot be read (${error.message})`, { cause: error });
  }
  held = { key, file: new Lines(parts.join('')) };
  postMessage({ key, facts: facts(held.file, blob.size), part: partOf(held.file, [1, 1]) });
}

function facts({ text, count }, size) {
  let crlf = 0;
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) crlf++;
  const breaks = count - (text === '' || text.endsWith('\n') ? 0 : 1);
  return { lines: count, size, endings: crlf === 0 ? 'lf' : crlf === breaks ? 'crlf' : 'mixed' };
}

/** Returns the lines around some as the page shows them: which is the first, their text, and how many the file has. */
function partOf(file, [first, last]) {
  const middle = Math.floor((first + Math.min(last, first + PART)) / 2);
  const from = Math.max(0, Math.min(middle - 1 - PART / 2, file.count - PART));
  const lines = [];
  let letters = 0;
  for (let index = from; index < Math.min(from + PART, file.count); index++) {
    const line = cut(file.line(index));
    letters += line.length + 1;
    lines.push(line);
  }
  // Where lines are long there are fewer, those around the middle.
  let [start, end] = [0, lines.length];
  while (letters > LETTERS && end - start > 1) {
    const isEarly = middle - 1 - (from + start) > from + end - 1 - (middle - 1);
    letters -= lines[isEarly ? start++ : --end].length + 1;
  }
  return { first: from + start + 1, text: lines.slice(start, end).join('\n'), lines: end - start, all: file.count };
}

/** Returns the lines that an answer is about; the first one where it is about none. */
function nearest({ explained }) {
  const failure = explained?.answer.failure;
  return explained?.place?.lines ?? failure?.nearest?.lines ?? failure?.ambiguous_at?.[0] ?? [1, 1];
}

// How two texts differ, for display only: the engine decides where an edit lands.

/** Cells of the largest table that is filled; larger differences are one block. */
const CELLS = 4_000_000;

/** Pairs equal items in order, as many as possible: `[[left, right], …]`. */
export function common(left, right, equal = (a, b) => a === b) {
  let from = 0;
  while (from < left.length && from < right.length && equal(left[from], right[from])) from++;
  let suffix = 0;
  while (suffix < left.length - from && suffix < right.length - from && equal(left.at(-1 - suffix), right.at(-1 - suffix))) suffix++;
  const pairs = Array.from({ length: from }, (_, at) => [at, at]);
  pairs.push(...middle(left.slice(from, left.length - suffix), right.slice(from, right.length - suffix), equal).map(([a, b]) => [a + from, b + from]));
  for (let at = suffix; at > 0; at--) pairs.push([left.length - at, right.length - at]);
  return pairs;
}

function middle(left, right, equal) {
  if (left.length === 0 || right.length === 0 || left.length * right.length > CELLS) return [];
  const width = right.length + 1;
  const table = new Uint32Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a--) {
    for (let b = right.length - 1; b >= 0; b--) {
      const at = a * width + b;
      table[at] = equal(left[a], right[b]) ? table[at + width + 1] + 1 : Math.max(table[at + width], table[at + 1]);
    }
  }
  const pairs = [];
  for (let a = 0, b = 0; a < left.length && b < right.length; ) {
    const at = a * width + b;
    if (equal(left[a], right[b])) pairs.push([a++, b++]);
    else if (table[at + width] >= table[at + 1]) a++;
    else b++;
  }
  return pairs;
}

/** Whether a text has only blanks and invisible signs. */
export const isBlank = (text) => /^[\s\u200b-\u200f\u2060\ufeff\u00ad]+$/u.test(text);

/** Words, runs of one kind of blank, and single signs. */
export const tokens = (line) => line.match(/[\p{L}\p{N}_]+|\t+| +|[^\p{L}\p{N}_]/gu) ?? [];

/** Marks the tokens of a line that another one has, too: `[[token, isShared], …]`. */
export function shared(line, other) {
  const [ours, theirs] = [tokens(line), tokens(other)];
  const both = new Set(common(ours, theirs).map(([at]) => at));
  return ours.map((token, at) => [token, both.has(at)]);
}

/** Lays two lists of lines beside each other, equal ones paired: `[{left, right}, …]`, each an index or undefined. */
export function beside(left, right, equal) {
  const rows = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...common(left, right, equal), [left.length, right.length]]) {
    while (a < nextA) rows.push({ left: a++ });
    while (b < nextB) rows.push({ right: b++ });
    if (nextA < left.length) rows.push({ left: a++, right: b++ });
  }
  return rows;
}

/** Returns the lines of a text without what ends them. */
export function linesOf(text) {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns the text as the splices leave it; one without a text takes the new text as it was given. */
export function spliced(text, splices, given) {
  const parts = [];
  let rest = 0;
  for (const { start, end, text: put } of splices) {
    parts.push(text.slice(rest, start), put ?? given);
    rest = end;
  }
  parts.push(text.slice(rest));
  return parts.join('');
}

/** Context: lines around a change, and pairs around one that differs. */
export const AROUND = 3;

/** Whether a text has whole lines only. */
const isWhole = (text) => text === '' || text.endsWith('\n');

/** Returns how far into its line the first difference of two texts is. */
export function differsAt(left, right) {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at - (left.lastIndexOf('\n', at - 1) + 1);
}

/**
 * Returns the fate of each line: `{kind: 'same' | 'gone' | 'put', text, before, after, splice, from}`, numbers from 1.
 * `from` is where the texts begin to differ, if that is far into a line. Lines far from every splice are `{folded}`, the
 * number of lines left out.
 *
 * Only the lines that a splice touches are compared, however long the file is.
 */
export function changes(lines, splices, given) {
  const rows = [];
  let [line, after] = [0, 1];
  /** Adds unchanged lines up to an index; the end of the file has nothing to be near to. */
  const same = (to, suffix = AROUND) => {
    const before = rows.length > 0 ? AROUND : 0;
    const folded = to - line - before - suffix;
    const put = (upTo) => {
      while (line < upTo) rows.push({ kind: 'same', text: lines.line(line), before: ++line, after: after++ });
    };
    // One line takes no more room than the row that says that it is left out.
    if (folded > 1) {
      put(line + before);
      rows.push({ folded });
      line += folded;
      after += folded;
    }
    put(to);
  };
  for (let at = 0; at < splices.length; ) {
    // Splices in one line change it together.
    const first = lines.at(splices[at].start);
    const block = { from: lines.start(first), to: at };
    let last;
    do {
      const { start, end } = splices[block.to];
      const index = lines.at(end);
      last = end > start && lines.start(index) === end && isWhole(splices[block.to].text ?? given) ? index - 1 : index;
      block.to++;
    } while (block.to < splices.length && lines.at(splices[block.to].start) <= last);
    same(first);
    const end = lines.start(last + 1);
    const inside = splices.slice(at, block.to).map((splice) => ({ ...splice, start: splice.start - block.from, end: splice.end - block.from }));
    const gone = lines.text.slice(block.from, end);
    const put = spliced(gone, inside, given);
    const [left, right] = [gone === '' ? [] : linesOf(gone), put === '' ? [] : linesOf(put)];
    const from = differsAt(gone, put);
    for (const { left: a, right: b } of beside(left, right)) {
      const row = { splice: at, from };
      if (a !== undefined && b !== undefined) Object.assign(row, { kind: 'same', text: right[b], before: ++line, after: after++ });
      else if (a !== undefined) Object.assign(row, { kind: 'gone', text: left[a], before: ++line });
      else Object.assign(row, { kind: 'put', text: right[b], after: after++ });
      rows.push(row);
    }
    at = block.to;
  }
  same(lines.count, 0);
  return rows;
}

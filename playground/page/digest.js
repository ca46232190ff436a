// Reduces an engine's answer to what the page displays, so that a large text never crosses to the page.

import { AROUND, beside, changes, differsAt, isBlank, linesOf, shared, spliced } from './diff.js';
import { LONG, cut } from './lines.js';

/** Rows and letters of a view at most, so that the page stays quick. */
const ROWS = 500;
const LETTERS = 100_000;

/** Candidates of a strategy, and conflicts, that are listed. */
const LISTED = 10;

/** Rows that a ladder's own result has beside those of others. */
const BESIDE = 12;

/**
 * Returns the displayed part of an answer; `file` are the lines of the searched text.
 *
 * - `explained`: the engine's answer, without texts of the file.
 * - `isEmpty`: whether there is no old text yet, and so no answer.
 * - `places`: how many stretches are replaced.
 * - `output`: a word for the text that the edit leaves; equal texts have equal ones.
 * - `result`, `landed`, `pairs`, `beside`: the rows of views, where there are any.
 */
export function digest({ explained, error, took }, { file, old, given }) {
  if (error) return { error, took };
  const { answer, alignment, place } = explained;
  const { splices } = answer;
  const views = {};
  if (answer.ok && splices.length > 0) Object.assign(views, written(file, splices, given, alignment?.lands ?? []));
  if (!answer.ok && alignment?.lands.length) views.landed = landed(alignment.lands, file, linesOf(given));
  const at = place?.lines ?? answer.failure?.nearest?.lines;
  const rows = alignment ? alignment.rows : at && paired(linesOf(old), file.slice(at[0] - 1, at[1]), at[0]);
  if (rows) views.pairs = { ...pairs(rows), isAligned: alignment !== null };
  return {
    took,
    explained: slim(explained),
    isEmpty: old === '' && !answer.ok,
    places: splices.length,
    output: answer.ok ? word(spliced(file.text, splices, given)) : undefined,
    ...views,
  };
}

/** Leaves out the parts that no view has, and shortens long ones. */
function slim({ ladder, policy, answer, place, strategies, weighed, alignment }) {
  const { ok, code, strategy, confidence, rule, failure, proposal } = answer;
  return {
    ladder, policy, place,
    undone: alignment?.undone ?? [],
    weighed: weighed && { ...weighed, text: undefined },
    answer: { ok, code, strategy, confidence, rule, failure: failure && shortened({ ...failure, proposal: failure.proposal ?? proposal }) },
    strategies: strategies.map(({ candidates, more, ...tried }) => ({
      ...tried,
      candidates: candidates.slice(0, LISTED),
      others: Math.max(0, candidates.length - LISTED) + (more ? 1 : 0),
      more,
    })),
  };
}

function shortened({ message, next_step, ambiguous_at: places, count, conflicts, proposal, nearest }) {
  return {
    message: cut(message), next_step, count,
    // One that is larger than a view goes into no field, either.
    proposal: proposal && proposal.old_string.length + proposal.new_string.length <= LETTERS ? proposal : undefined,
    ambiguous_at: places?.slice(0, LISTED),
    conflicts: conflicts?.slice(0, LISTED).map(({ lines, keeping, taking }) => ({ lines, keeping: few(keeping), taking: few(taking) })),
    nearest: nearest && { lines: nearest.lines, diff: nearest.diff && few(nearest.diff) },
  };
}

/** Leaves the first lines of a text, and of each its beginning. */
const few = (text) => limited(text.split('\n').map((text) => ({ text: cut(text) }))).map(({ text, folded }) => (folded ? '⋯' : text)).join('\n');

/** Leaves so many rows as a view shows; the last one says if there are more. */
function limited(rows) {
  let letters = 0;
  const enough = rows.findIndex(({ text, old, file }, at) => {
    for (const each of [text, old?.text, file?.text]) letters += Math.min(each?.length ?? 0, LONG);
    return at >= ROWS || letters > LETTERS;
  });
  return enough < 0 ? rows : [...rows.slice(0, enough), { folded: 'more' }];
}

/** Makes a word of 53 bits for a text; two texts that differ have the same one by an accident only. */
function word(text) {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return `${text.length}:${(low >>> 0).toString(36)}:${(high >>> 0).toString(36)}`;
}

// ---- Result ----

/** Returns the rows of the result, and the few of them for the comparison of ladders. */
function written(file, splices, given, lands) {
  const rows = changes(file, splices, given);
  const changed = rows.filter(({ kind }) => kind === 'put' || kind === 'gone');
  const put = changed.filter(({ kind }) => kind === 'put').length;
  // Only visible rows need an origin.
  const seen = limited(rows);
  attribute(seen, rows, lands, file, linesOf(given));
  return {
    result: { rows: seen.map(({ kind, text, before, after, from, origin, parts, folded }) => ({ kind, text: text && cut(text, from), before, after, origin, parts, folded })), put, gone: changed.length - put },
    beside: { rows: changed.slice(0, BESIDE).map(({ kind, text, from }) => ({ kind, text: cut(text, from) })), more: Math.max(0, changed.length - BESIDE) },
  };
}

/** Returns the lines that would land. */
function landed(lands, file, given) {
  return limited(lands.map((line) => ({ ...line, text: bare(line.text) }))).map((line) => {
    if (line.folded) return line;
    const from = differsAt(line.text, ofLine(file, line.file_line));
    return { text: cut(line.text, from), file_line: line.file_line, ...origin({ ...line, from }, file, given) };
  });
}

/** A line without the first half of what ends lines in some files. */
const bare = (line) => line.replace(/\r$/, '');

const ofLine = (lines, number) => (number ? (Array.isArray(lines) ? lines[number - 1] : lines.line(number - 1)) ?? '' : '');

/** Adds the origin of each line of a splice: the engine's, else the text that has the line. */
function attribute(seen, rows, lands, file, given) {
  const all = rows.filter(({ kind, splice }) => splice !== undefined && kind !== 'gone');
  const isKnown = lands.length === all.length && all.every(({ text }, at) => text === bare(lands[at].text));
  const firstGone = new Map();
  for (const { kind, splice, before } of rows) {
    if (kind === 'gone' && !firstGone.has(splice)) firstGone.set(splice, before);
  }
  const written = seen.filter(({ kind, splice }) => splice !== undefined && kind !== 'gone');
  for (const [at, row] of written.entries()) {
    const line = isKnown ? lands[at] : guessed(row, firstGone.get(row.splice), given);
    Object.assign(row, origin({ ...line, text: row.text, from: row.from }, file, given));
  }
}

/** Finds the origin of a line if the engine gives none: under ladders that paste the new text unchanged. */
function guessed(row, gone, given) {
  if (row.kind === 'same') return { origin: 'file', file_line: row.before };
  const at = given.findIndex((line) => squeezed(line) === squeezed(row.text));
  if (at >= 0) return { origin: 'new', file_line: null, new_line: at + 1 };
  // It begins or ends inside a line, so that the file's line is around it.
  return { origin: 'merged', file_line: gone ?? null, new_line: null };
}

const squeezed = (text) => text.replace(/\s+/gu, '');

/** Marks the origin of each token of a line. */
function origin({ text, from, origin: kind, file_line: ours, new_line: theirs }, file, given) {
  if (kind === 'file') return { origin: kind };
  const visible = cut(text, from);
  const inFile = shared(visible, cut(ofLine(file, ours), from));
  const inNew = theirs ? shared(visible, cut(ofLine(given, theirs), from)) : undefined;
  const parts = inFile.map(([token, isInFile], at) => {
    const isInNew = inNew ? inNew[at][1] : kind === 'new' || !isInFile;
    return [token, isInFile === isInNew ? '' : isInFile ? 'of-file' : ours ? 'of-new' : ''];
  });
  return { origin: kind, parts: joined(parts) };
}

/** Joins neighbours of one kind; marked blanks stay alone. */
function joined(parts) {
  const all = [];
  for (const [text, kind] of parts) {
    const last = all.at(-1);
    if (last && last[1] === kind && (kind === '' || (!isBlank(text) && !isBlank(last[0])))) last[0] += text;
    else all.push([text, kind]);
  }
  return all;
}

// ---- Side by side ----

/** Returns the rows of the old text beside the file, and which lines of the file they are. */
function pairs(rows) {
  const isEqual = (row) => row.old.length === 1 && row.file.length === 1 && row.old[0].text === row.file[0].text;
  const numbers = rows.flatMap((row) => row.file.map(({ number }) => number));
  const blanks = indentation(rows.flatMap((row) => [...row.old, ...row.file]).map(({ text }) => text));
  const side = (line, other) => {
    if (!line) return undefined;
    const [text, against] = [line, other].map((each) => each?.text.slice(blanks));
    const from = against === undefined ? 0 : differsAt(text, against);
    return { number: line.number, text: cut(text, from), parts: marked(cut(text, from), against === undefined ? undefined : cut(against, from)) };
  };
  const seen = limited(folded(rows, isEqual).flatMap(split));
  return {
    rows: seen.map((row) => (row.folded ? row : { ...row, old: side(row.old, row.file), file: side(row.file, row.old) })),
    lines: numbers.length ? [numbers[0], numbers.at(-1)] : undefined,
  };
}

/** How many blanks all lines begin with: displayed, they would only take room. */
function indentation(all) {
  const full = all.filter((text) => /\S/.test(text));
  let blanks = /^[ \t]*/.exec(full[0] ?? '')[0];
  for (const text of full) while (!text.startsWith(blanks)) blanks = blanks.slice(0, -1);
  return blanks.length;
}

/** Pairs the old text with a place line by line if the engine does not; `from` is the number of its first line. */
function paired(ours, theirs, from) {
  const rows = beside(ours, theirs, (a, b) => squeezed(a) === squeezed(b));
  const numbered = (all, index, first) => (index === undefined ? [] : [{ number: index + first, text: all[index] }]);
  const made = [];
  for (const { left, right } of rows) {
    // A line that only the old text has, and then one that only the file has, are two versions of one line.
    const alone = made.findIndex((row, index) => index >= made.length - 50 && row.file.length === 0 && row.old.length === 1);
    if (left === undefined && alone >= 0 && made.slice(alone).every((row) => row.file.length === 0 || row.joined)) {
      Object.assign(made[alone], { file: numbered(theirs, right, from), joined: true });
    } else {
      made.push({ old: numbered(ours, left, 1), file: numbered(theirs, right, from), similarity: null });
    }
  }
  return made;
}

/** Leaves out what is far from any row of interest. */
function folded(rows, isDull) {
  const keep = new Uint8Array(rows.length);
  let any = false;
  rows.forEach((row, at) => {
    if (isDull(row)) return;
    any = true;
    keep.fill(1, Math.max(0, at - AROUND), at + AROUND + 1);
  });
  if (!any) keep.fill(1, 0, 2 * AROUND);
  const seen = [];
  for (let at = 0; at < rows.length; ) {
    if (keep[at]) {
      seen.push(rows[at++]);
      continue;
    }
    const from = at;
    while (at < rows.length && !keep[at]) at++;
    // One line takes no more room than what says that it is left out.
    if (at - from === 1) seen.push(rows[from]);
    else seen.push({ folded: at - from });
  }
  return seen;
}

/** Gives each pair as many rows as its longer side has lines. */
function split(row) {
  if (row.folded) return [row];
  const sign = row.file.length === 0 ? '−' : row.old.length === 0 ? '+'
    : row.old.length === 1 && row.file.length === 1 && row.old[0].text === row.file[0].text ? '=' : '~';
  return Array.from({ length: Math.max(row.old.length, row.file.length) }, (_, at) => ({
    sign,
    old: row.old[at],
    file: row.file[at],
    ...(at === 0 && row.old.length > 0 ? { evidence: row.evidence, similarity: row.similarity ?? undefined } : {}),
  }));
}

function marked(text, other) {
  return other === undefined || text === other ? [[text, '']] : joined(shared(text, other).map(([token, isShared]) => [token, isShared ? '' : 'differs']));
}

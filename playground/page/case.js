// A case: a file, an old text, a new text and options; and the case of an address.

import { countLines } from './lines.js';

export const DEFAULT = 'adaptive';

/** Letters and lines of a text that a field holds: a browser lays all of it out anew at every key. */
export const LETTERS = 200_000;
export const LINES = 10_000;

/** Bytes of a file. A file too large for a field is a `Blob` that only the worker reads; the page has a part of it. */
export const LARGEST = 16 << 20;

/** Whether a field holds a text. */
export const fits = (text) => text.length <= LETTERS && countLines(text) <= LINES;

/** A file too large for a field: its content, its name, and its number in the worker. */
export class LargeFile {
  static #last = 0;

  /** How many bytes the worker has read, and whether that was all of them. */
  read = 0;
  isRead = false;

  constructor(blob, name) {
    Object.assign(this, { blob, name, key: ++LargeFile.#last });
  }

  /** Makes one of a text, of which no task of the page turns more than this many letters into bytes. */
  static async of(text, name, piece = 1 << 18) {
    const parts = [];
    for (let at = 0; at < text.length; ) {
      // Half a character would become another one.
      const end = at + piece - (/[\ud800-\udbff]/.test(text.charAt(at + piece - 1)) ? 1 : 0);
      parts.push(new Blob([text.slice(at, end)]));
      at = end;
      await new Promise((resolve) => setTimeout(resolve));
    }
    return new LargeFile(new Blob(parts), name);
  }
}

/** Returns the cells of a notebook of format 4, each with its source as an edit sees it; nothing for another text. */
export function cellsOf(text) {
  if (!/^\s*\{[^]*"nbformat"/.test(text)) return undefined;
  try {
    const { nbformat, cells } = JSON.parse(text);
    const named = cells.map(({ cell_type: type, id, source }, at) => ({
      name: `${at + 1}: ${type}${id === undefined ? '' : `, ${id}`}`, source: [source].flat().join(''),
    }));
    return nbformat === 4 && named.length > 0 ? named : undefined;
  } catch {
    return undefined;
  }
}

/** The ways to say where: the names of the fields, and what the old text is then. */
export const WHERE = {
  whole: { name: 'old text', old: 'Old text', says: 'quoted by the model' },
  first: { name: 'first and last line', old: 'First lines', says: 'of the replaced ones', numbers: 'expected lines' },
  lines: { name: 'line numbers', old: 'First lines', says: 'the guard of the numbers', numbers: 'lines' },
  after: { name: 'below a line', old: 'Line above', says: 'the new lines follow it' },
  before: { name: 'above a line', old: 'Line below', says: 'the new lines precede it' },
};

/** An edit that quotes all of its old text. */
export const WHOLE = Object.freeze({ where: 'whole', last: '', numbers: '' });

/** Returns the case of an example. */
export function ofExample({ file, old, new: replacement, all = false, ladder = DEFAULT, endings = 'lf' }) {
  const [text, needle, given] = [file, old, replacement].map((lines) => lines.join('\n'));
  return { file: text, old: needle, new: given, all, ladder, endings, place: WHOLE };
}

/** Returns the texts for the engine: the file with its own line ends. */
export function texts({ file, old, new: replacement, all, endings, place }) {
  const isLarge = file instanceof LargeFile;
  return { file: !isLarge && endings === 'crlf' ? file.replaceAll('\n', '\r\n') : file, old, new: replacement, all, place };
}

/** Returns the numbers of a field: one, or the first and the last with a hyphen between them. */
function numbersOf({ where, numbers }) {
  const [, from, to = from] = /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(numbers) ?? [];
  return where === 'lines' ? { from, to } : { expected: from };
}

/** Returns the quote that names the lines, as the engine reads it; none for a whole old text. */
export function quoted(old, place = WHOLE) {
  const { where } = place;
  if (where === 'whole') return undefined;
  const isRange = where === 'first' || where === 'lines';
  const { expected = '', from = '', to = '' } = isRange ? numbersOf(place) : {};
  const last = isRange ? place.last : '';
  const [length, lastLength] = [old, last].map((text) => new TextEncoder().encode(text).length);
  return `${[isRange ? 'first' : where, expected, from, to, length, lastLength, ''].join('\0')}\0${old}${last}`;
}

const NAMES = { file: 'file', old: 'old text', new: 'new text' };

/** Says which text the engine cannot be given, if there is one, and why. */
export function broken(what) {
  for (const [key, name] of Object.entries(NAMES)) {
    // A large file is read as UTF-8, which has no such half.
    if (typeof what[key] === 'string' && !what[key].isWellFormed()) return `the ${name} has half a character (a lone surrogate), which cannot be in a file`;
    if (key !== 'file' && !fits(what[key])) return tooLarge(key, what[key]);
  }
  const { where, last, numbers } = what.place;
  if (!last.isWellFormed()) return 'the last line has half a character (a lone surrogate), which cannot be in a file';
  const { from, to, expected } = numbersOf(what.place);
  if (where === 'lines' && !(from >= 1 && Number(from) <= Number(to))) return 'the numbers of the first and the last line are missing, such as 12-30';
  if (where === 'first' && numbers.trim() !== '' && !(expected >= 1)) return 'the expected lines are no number';
  return undefined;
}

/** Says that a text is too large for its field. */
export const tooLarge = (key, text) =>
  `the ${NAMES[key]} has ${text.length.toLocaleString('en')} letters; the limit is ${LETTERS.toLocaleString('en')} letters and ${LINES.toLocaleString('en')} lines`;

/** Finds the case of the part of an address after `#`: `{what, example, complaint}`; an example if it names none. */
export async function named(fragment, examples) {
  const [, name] = /^example=(.*)$/.exec(fragment) ?? [];
  const instead = (complaint) => ({ what: ofExample(examples[0]), example: examples[0], complaint });
  if (fragment === '') return instead();
  if (name !== undefined) {
    const example = examples.find(({ id }) => id === name);
    return example ? { what: ofExample(example), example } : instead(`There is no example called ${name}; this is another one.`);
  }
  // Most visits have no link that holds a case.
  const { BadLink, decode } = await import('./link.js');
  try {
    const { file, old, new: replacement, ...others } = await decode(fragment, Object.keys(WHERE));
    // A field has no other line ends than this.
    const [text, needle, given] = [file, old, replacement].map((each) => each.replace(/\r\n?/g, '\n'));
    return { what: { file: text, old: needle, new: given, ...others } };
  } catch (error) {
    return instead(error instanceof BadLink ? `${error.message} This is an example instead.` : error.message);
  }
}

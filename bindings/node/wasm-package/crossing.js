// Writes requests for the engine: a header of numbers, then the texts in UTF-8.

const HEADER = 32;

/** Up to this many bytes, a request gets a buffer of its maximum size; the texts of a larger one are measured first. */
const ROOMY = 8 << 20;

export const REPLACE = 0;
export const APPLY = 1;
export const LOCATE = 2;
export const EXPLAIN = 3;
export const PATCH = 4;
export const DIFF = 5;

const REPLACE_ALL = 1;
const FIT_ENDINGS = 2;
const HAS_NEW = 4;
const EXCERPT = 8;
const NAMED = 16;
const BASED = 32;

/** The names of the texts in errors. */
const TEXTS = ['text', 'old text', 'new text'];

const encoder = new TextEncoder();

/** The error of a text that is not valid Unicode. */
export class LoneSurrogate extends Error {
  constructor(name, text) {
    super(`the ${name} has a lone surrogate at ${text.search(/\p{Surrogate}/u)}`);
  }
}

/** Throws if a text has a lone surrogate. `written` is the length of its encoded bytes. */
function check(name, text, written) {
  // If there are as many bytes as code units, the text is ASCII. Otherwise the encoder replaced lone surrogates by
  // U+FFFD.
  if (written === text.length || text.isWellFormed()) return;
  throw new LoneSurrogate(name, text);
}

/** Writes a request to the buffer of the binding. For a kept document, `content` is empty. */
export function write(binding, request, content) {
  const { old, replacement = '' } = request;
  const most = 3 * (content.length + old.length + replacement.length);
  const texts = [content, old, replacement];
  const bytes = most <= ROOMY ? writeInto(binding, texts, most) : writeMeasured(binding, texts);
  // The engine refuses an excerpt with a U+FFFD, so only a whole text has to be checked.
  if (!(request.flags & EXCERPT)) texts.forEach((text, i) => check(TEXTS[i], text, lengths[i]));
  const view = viewOf(bytes);
  view.setUint8(0, request.what);
  view.setUint8(1, request.flags);
  view.setUint8(2, request.ladder);
  view.setUint32(4, lengths[0], true);
  view.setUint32(8, lengths[1], true);
  view.setUint32(12, lengths[2], true);
  view.setFloat64(16, request.minConfidence, true);
  view.setUint32(24, request.budget % 2 ** 32, true);
  view.setUint32(28, Math.floor(request.budget / 2 ** 32), true);
}

/** The engine limits the size of a result, in bytes. For a text that may exceed it, it needs the whole text. */
const LARGEST = 512 << 20;

/** How far on either side of a place the engine reads, in addition to twice the bytes of the new text: 64 bytes. */
const NEAR = 64;

/** The least distance that it reads if there is a `\r`. */
const NEAR_RETURNS = 6_064;

/**
 * Sends the lines around the only exact occurrence of the old text, which mostly decide the edit of a long text, and
 * returns the answer; `''` if the engine needs the whole text. To convert a text that is not Latin-1 takes longer than
 * to search it.
 */
export function askExcerpt(binding, request, content) {
  const { old, replacement, budget, flags } = request;
  if (replacement === undefined || old === '' || budget !== 0 || flags & (REPLACE_ALL | NAMED | BASED)) return '';
  if (3 * (content.length + old.length + replacement.length) > LARGEST) return '';
  const at = content.indexOf(old);
  if (at < 0 || content.indexOf(old, at + 1) >= 0) return '';
  const around = (margin) => {
    const from = at < margin ? 0 : content.lastIndexOf('\n', at - margin) + 1;
    const end = content.indexOf('\n', at + old.length + margin);
    return [from, end < 0 ? content.length : end + 1];
  };
  const near = NEAR + 2 * mostBytes(replacement);
  let [from, to] = around(Math.max(near, NEAR_RETURNS));
  if (!content.slice(from, to).includes('\r')) [from, to] = around(near);
  const lines = content.slice(from, to);
  if (lines.length === content.length) return '';
  const excerpt = { ...request, flags: flags | EXCERPT, budget: 2 * from + (to === content.length ? 1 : 0) };
  write(binding, excerpt, lines);
  return binding.answer();
}

/** Returns the size of a text in UTF-8, or up to twice as much. Faster than to encode it. */
function mostBytes(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) bytes += 2;
  return bytes;
}

/** Returns the flags of a request. */
export const flagsOf = (replaceAll, fitEndings, hasNew, isNamed, hasBase) =>
  (replaceAll ? REPLACE_ALL : 0) |
  (fitEndings ? FIT_ENDINGS : 0) |
  (hasNew ? HAS_NEW : 0) |
  (isNamed ? NAMED : 0) |
  (hasBase ? BASED : 0);

/** Returns an old text with the base of its edit before it, as the engine reads both. */
export function based(base, old) {
  const { length } = encoder.encode(base);
  check('base', base, length);
  return `${length}\0${base}${old}`;
}

/** The quote that names the lines of an edit, as the engine reads it. */
export class Quote {
  constructor({ kind, first, last, expectedLines, lines: [from, to], transfer = '', anchor = '' }) {
    const number = (value) => value ?? '';
    const [length, lastLength] = [first, last].map((text) => encoder.encode(text).length);
    const parts = [kind, number(expectedLines), number(from), number(to), length, lastLength, transfer];
    this.text = `${parts.join('\0')}\0${first}${last}${anchor}`;
  }
}

/** The lengths in bytes of the three texts of the last request. */
const lengths = [0, 0, 0];

/** The view of the last header. It is reused, because a binding usually returns the same buffer again. */
let header;

function viewOf(bytes) {
  if (header?.buffer !== bytes.buffer || header.byteOffset !== bytes.byteOffset) {
    header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  }
  return header;
}

/** Writes the texts to a buffer of their maximum size. */
function writeInto(binding, texts, most) {
  const bytes = binding.room(HEADER + most);
  let at = HEADER;
  texts.forEach((text, i) => {
    lengths[i] = text === '' ? 0 : (binding.putUtf8?.(text, bytes, at) ?? encoder.encodeInto(text, bytes.subarray(at)).written);
    at += lengths[i];
  });
  return bytes;
}

/** Writes the texts to a buffer of their exact size. */
function writeMeasured(binding, texts) {
  const encoded = texts.map((text) => encoder.encode(text));
  const bytes = binding.room(encoded.reduce((sum, { length }) => sum + length, HEADER));
  let at = HEADER;
  encoded.forEach((text, i) => {
    bytes.set(text, at);
    lengths[i] = text.length;
    at += text.length;
  });
  return bytes;
}

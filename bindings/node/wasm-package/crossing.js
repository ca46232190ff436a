// Writes requests for the engine: a header of numbers, then the texts in UTF-8. The first text may be in UTF-16, the
// encoding of JavaScript strings: if it has characters outside Latin-1, that takes a fraction of the time.

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
const UTF_16 = 8;
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

/** Returns a text in UTF-8. */
function encoded(name, text) {
  const bytes = encoder.encode(text);
  check(name, text, bytes.length);
  return bytes;
}

/**
 * Throws if a text has a lone surrogate. `written` is the length of its encoded bytes. If the text `before` it in the
 * request has one as well, the error names that text.
 */
function check(name, text, written, before = '') {
  // If there are as many bytes as code units, the text is ASCII. Otherwise the encoder replaced lone surrogates by
  // U+FFFD.
  if (written === text.length || text.isWellFormed()) return;
  wellFormed(before);
  throw new LoneSurrogate(name, text);
}

/** Throws if the content has a lone surrogate. */
export function wellFormed(content) {
  if (!content.isWellFormed()) throw new LoneSurrogate(TEXTS[0], content);
}

/**
 * Writes a request to the buffer of the binding. For a kept document, `content` is empty. With `asItIs`, and if the
 * binding supports it, `content` is written in UTF-16; the engine then checks it for lone surrogates.
 */
export function write(binding, request, content, asItIs = false) {
  const { old, replacement = '' } = request;
  const edit = 3 * (old.length + replacement.length);
  const utf16 = asItIs && binding.putUtf16 !== undefined && edit <= ROOMY;
  const most = edit + (utf16 ? 2 : 3) * content.length;
  const bytes =
    utf16 || most <= ROOMY ? writeInto(binding, request, content, most, utf16) : writeMeasured(binding, request, content);
  const view = viewOf(bytes);
  view.setUint8(0, request.what);
  view.setUint8(1, request.flags | (utf16 ? UTF_16 : 0));
  view.setUint8(2, request.ladder);
  view.setUint32(4, lengths[0], true);
  view.setUint32(8, lengths[1], true);
  view.setUint32(12, lengths[2], true);
  view.setFloat64(16, request.minConfidence, true);
  view.setUint32(24, request.budget % 2 ** 32, true);
  view.setUint32(28, Math.floor(request.budget / 2 ** 32), true);
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
  return `${encoded('base', base).length}\0${base}${old}`;
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
function writeInto(binding, { old, replacement = '' }, content, most, utf16) {
  const bytes = binding.room(HEADER + most);
  let at = HEADER;
  at += lengths[0] = utf16 ? binding.putUtf16(content, bytes, at) : encodeInto(binding, TEXTS[0], content, bytes, at);
  at += lengths[1] = encodeInto(binding, TEXTS[1], old, bytes, at, content);
  lengths[2] = encodeInto(binding, TEXTS[2], replacement, bytes, at, content);
  return bytes;
}

function encodeInto(binding, name, text, bytes, at, before = '') {
  if (text === '') return 0;
  const written = binding.putUtf8?.(text, bytes, at) ?? encoder.encodeInto(text, bytes.subarray(at)).written;
  check(name, text, written, before);
  return written;
}

/** Writes the texts to a buffer of their exact size. */
function writeMeasured(binding, { old, replacement = '' }, content) {
  const texts = [content, old, replacement].map((text, i) => encoded(TEXTS[i], text));
  const bytes = binding.room(texts.reduce((sum, { length }) => sum + length, HEADER));
  let at = HEADER;
  texts.forEach((text, i) => {
    bytes.set(text, at);
    lengths[i] = text.length;
    at += text.length;
  });
  return bytes;
}

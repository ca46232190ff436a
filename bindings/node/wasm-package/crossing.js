// How a request crosses: a header of numbers, then the texts in UTF-8.

const HEADER = 32;

/** Bytes up to which room is made for the longest that a text can become, rather than measuring it first. */
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

/** What the texts are called in errors. */
const TEXTS = ['text', 'old text', 'new text'];

const encoder = new TextEncoder();

/** A text that no UTF-8 can hold. */
export class LoneSurrogate extends Error {
  constructor(name, text) {
    super(`the ${name} has a lone surrogate at ${text.search(/\p{Surrogate}/u)}`);
  }
}

/** Returns the bytes of a text. */
function encoded(name, text) {
  const bytes = encoder.encode(text);
  check(name, text, bytes.length);
  return bytes;
}

/** Throws if a text of which so many bytes were made has a lone surrogate. */
function check(name, text, written) {
  // With as many bytes as units it is ASCII. Otherwise the encoder has put U+FFFD wherever it had no character.
  if (written !== text.length && !text.isWellFormed()) throw new LoneSurrogate(name, text);
}

/** Writes a request where the binding makes room for one; of a document that is kept, `content` is empty. */
export function write(binding, request, content) {
  const { old, replacement = '' } = request;
  const units = content.length + old.length + replacement.length;
  const bytes =
    3 * units <= ROOMY ? writeInto(binding, request, content, units) : writeMeasured(binding, request, content);
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
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

/** Returns the flags of a request. */
export const flagsOf = (replaceAll, fitEndings, hasNew) =>
  (replaceAll ? REPLACE_ALL : 0) | (fitEndings ? FIT_ENDINGS : 0) | (hasNew ? HAS_NEW : 0);

/** Bytes of the texts that were written last. */
const lengths = [0, 0, 0];

/** Writes the texts into room for the longest that they can become. */
function writeInto(binding, { old, replacement = '' }, content, units) {
  const bytes = binding.room(HEADER + 3 * units);
  let at = HEADER;
  at += lengths[0] = encodeInto(TEXTS[0], content, bytes, at);
  at += lengths[1] = encodeInto(TEXTS[1], old, bytes, at);
  lengths[2] = encodeInto(TEXTS[2], replacement, bytes, at);
  return bytes;
}

function encodeInto(name, text, bytes, at) {
  if (text === '') return 0;
  const { written } = encoder.encodeInto(text, bytes.subarray(at));
  check(name, text, written);
  return written;
}

/** Writes texts into no more room than they take. */
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

// How a request crosses: a header of numbers, then the texts in UTF-8.

const HEADER = 32;

/** Bytes up to which room is made for the longest that a text can become, rather than measuring it first. */
const ROOMY = 8 << 20;

export const REPLACE = 0;
export const APPLY = 1;
export const LOCATE = 2;
export const EXPLAIN = 3;

const REPLACE_ALL = 1;
const FIT_ENDINGS = 2;
const HAS_NEW = 4;

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

/** Writes a request where the binding makes room for one. */
export function write(binding, { what, ladder, content, old, replacement, replaceAll, fitEndings, minConfidence, budget }) {
  const texts = [content, old, replacement ?? ''];
  const units = content.length + old.length + texts[2].length;
  const names = ['text', 'old text', 'new text'];
  const lengths = [0, 0, 0];
  let bytes;
  if (3 * units <= ROOMY) {
    bytes = binding.room(HEADER + 3 * units);
    let at = HEADER;
    for (let i = 0; i < 3; i++) {
      if (texts[i] === '') continue;
      const { written } = encoder.encodeInto(texts[i], at === 0 ? bytes : bytes.subarray(at));
      check(names[i], texts[i], written);
      lengths[i] = written;
      at += written;
    }
  } else {
    const all = texts.map((text, i) => encoded(names[i], text));
    bytes = binding.room(all.reduce((sum, { length }) => sum + length, HEADER));
    let at = HEADER;
    for (let i = 0; i < 3; i++) {
      bytes.set(all[i], at);
      lengths[i] = all[i].length;
      at += all[i].length;
    }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  view.setUint8(0, what);
  view.setUint8(1, (replaceAll ? REPLACE_ALL : 0) | (fitEndings ? FIT_ENDINGS : 0) | (replacement === undefined ? 0 : HAS_NEW));
  view.setUint8(2, ladder);
  lengths.forEach((length, i) => view.setUint32(4 + 4 * i, length, true));
  view.setFloat64(16, minConfidence, true);
  view.setUint32(24, budget % 2 ** 32, true);
  view.setUint32(28, Math.floor(budget / 2 ** 32), true);
}

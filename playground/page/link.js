// A link that holds a whole case after the `#`: a version, then compressed bytes in letters that need no escaping.
//
// Version 1 is the JSON of a case in zlib's format, whose checksum detects a damaged link. Version 2 also has the way in
// which the edit says where, if that is not a whole old text.

const VERSIONS = ['1', '2'];

/** Letters of a link that are still read: an issue takes no longer ones. */
export const LONGEST = 60_000;

/** Bytes that a case may unfold to. */
const LARGEST = 8 << 20;

/** A link that cannot be read, and why. */
export class BadLink extends Error {}

/** Writes a case as the part of an address after its `#`. */
export async function encode({ file, old, new: replacement, all, ladder, endings, place }) {
  const { where, last, numbers } = place;
  const others = where === 'whole' ? [] : [[where, last, numbers]];
  const json = JSON.stringify([file, old, replacement, all ? 1 : 0, ladder, endings, ...others]);
  const bytes = new Uint8Array(await collect(through(new TextEncoder().encode(json), new CompressionStream('deflate'))));
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `${VERSIONS[others.length]}.${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** Reads what `encode` wrote; `ways` are those in which an edit can say where. */
export async function decode(fragment, ways) {
  if (fragment.length > LONGEST) {
    throw new BadLink(`This link has ${fragment.length.toLocaleString('en')} letters; more than ${LONGEST.toLocaleString('en')} are not read.`);
  }
  const [, version, letters] = /^(\d+)\.([\w-]*)$/.exec(fragment) ?? [];
  if (version === undefined) throw new BadLink('This link is damaged: it has letters that links do not have.');
  if (!VERSIONS.includes(version)) throw new BadLink(`This link has version ${version}, and this page reads versions up to ${VERSIONS.at(-1)}. A newer page may read it.`);
  let parts;
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    const json = await collect(through(bytes, new DecompressionStream('deflate')));
    parts = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json));
  } catch (error) {
    if (error instanceof BadLink) throw error;
    throw new BadLink('This link is damaged: a part of it is missing or was changed.');
  }
  const [file, old, replacement, all, ladder, endings, way = ['whole', '', '']] = Array.isArray(parts) ? parts : [];
  const [where, last, numbers] = Array.isArray(way) ? way : [];
  const texts = [file, old, replacement, ladder, last, numbers];
  const isKnown = ['lf', 'crlf'].includes(endings) && ways.includes(where);
  if (!texts.every((text) => typeof text === 'string') || !isKnown) {
    throw new BadLink('This link is damaged: it does not hold a case.');
  }
  return { file, old, new: replacement, all: all === 1, ladder, endings, place: { where, last, numbers } };
}

const through = (bytes, transform) => new Blob([bytes]).stream().pipeThrough(transform);

/** Reads a stream to its end; one that never seems to end is given up. */
async function collect(stream) {
  const parts = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    length += value.length;
    if (length > LARGEST) {
      await reader.cancel();
      throw new BadLink(`This link unfolds to more than ${LARGEST >> 20} MB.`);
    }
    parts.push(value);
  }
}

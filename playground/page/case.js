// A case: a file, an old and a new text, and how they are asked about; and which one an address names.

export const DEFAULT = 'adaptive';

/** Returns the case of an example. */
export function ofExample({ file, old, new: replacement, all = false, ladder = DEFAULT, endings = 'lf' }) {
  const [text, needle, given] = [file, old, replacement].map((lines) => lines.join('\n'));
  return { file: text, old: needle, new: given, all, ladder, endings };
}

/** Returns the texts as the engine is asked: with the file's own line ends. */
export function texts({ file, old, new: replacement, all, endings }) {
  return { file: endings === 'crlf' ? file.replaceAll('\n', '\r\n') : file, old, new: replacement, all };
}

/** Says which text the engine cannot be given, if there is one, and why. */
export function broken(what) {
  const [, name] = Object.entries({ file: 'file', old: 'old text', new: 'new text' }).find(([key]) => !what[key].isWellFormed()) ?? [];
  return name && `the ${name} holds half of a character (a lone surrogate), which no file can`;
}

/** Finds what the part of an address behind `#` names: `{what, example, complaint}`; an example where it names nothing. */
export async function named(fragment, examples) {
  const [, name] = /^example=(.*)$/.exec(fragment) ?? [];
  const instead = (complaint) => ({ what: ofExample(examples[0]), example: examples[0], complaint });
  if (fragment === '') return instead();
  if (name !== undefined) {
    const example = examples.find(({ id }) => id === name);
    return example ? { what: ofExample(example), example } : instead(`There is no example called ${name}; this is another one.`);
  }
  // Most who open the page follow no link that holds a case.
  const { BadLink, decode } = await import('./link.js');
  try {
    const { file, old, new: replacement, ...others } = await decode(fragment);
    // A field has no other line ends than this.
    const [text, needle, given] = [file, old, replacement].map((each) => each.replace(/\r\n?/g, '\n'));
    return { what: { file: text, old: needle, new: given, ...others } };
  } catch (error) {
    return instead(error instanceof BadLink ? `${error.message} This is an example instead.` : error.message);
  }
}

// The colours of a program's words. The files `syntax-*.js` are those of the package @speed-highlight/core, unchanged.

import { detectLanguage } from './syntax-detect.js';
import { tokenizeWith } from './syntax-tokenize.js';

/** Letters of a text that has colours at most: its words are found anew at every key. */
const LARGEST = 50_000;

/** The languages that have a file of words. */
export const NAMES = ['bash', 'c', 'css', 'docker', 'go', 'html', 'java', 'js', 'json', 'make', 'md', 'py', 'rs', 'sql', 'toml', 'ts', 'xml', 'yaml'];

/** Languages within another one, other than those whose words keep the colour of what they are in. */
const WITHIN = { html: ['css', 'js'], make: ['bash'], ts: ['js'] };

/** The words that have a colour; others have that of the text. */
const KINDS = { kwd: 'word', bool: 'word', str: 'string', cmnt: 'comment', num: 'digits' };

/** Ends of file names, other than the names of languages. */
const ENDS = {
  sh: 'bash', h: 'c', cc: 'c', cpp: 'c', hpp: 'c', cs: 'c', scss: 'css', vue: 'html', svelte: 'html', kt: 'java', mjs: 'js', cjs: 'js', jsx: 'js',
  tsx: 'ts', yml: 'yaml', svg: 'xml', dockerfile: 'docker', makefile: 'make', mk: 'make',
};

const grammars = {};

/** Returns the language of a file by its name, else by its text; nothing if neither says it. */
export function guess(text, file = '') {
  const end = file.toLowerCase().split('.').at(-1);
  const name = ENDS[end] ?? (NAMES.includes(end) ? end : /^\s*[[{]\s*["\]}[{]/.test(text) ? 'json' : detectLanguage(text.slice(0, LARGEST)));
  return NAMES.includes(name) ? name : '';
}

/** Loads what a language needs. */
export async function load(name) {
  await Promise.all([name, ...(WITHIN[name] ?? [])].filter(Boolean).map(async (each) => {
    grammars[each] ??= (await import(`./syntax-${each}.js`)).default;
  }));
}

/** Returns the words of each line, `[text, kind]`; nothing for a text without colours. */
export function words(text, name) {
  if (!name || text.length > LARGEST) return undefined;
  const lines = [[]];
  tokenizeWith(text, name, (token, type) => {
    for (const [at, part] of token.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (part) lines.at(-1).push([part, KINDS[type]]);
    }
  }, { languages: grammars });
  return lines;
}

// Writes a case as a command for a shell, and as a test of the engine.

/** Writes a text for a shell as the format of `printf`, which preserves every character. */
const shell = (text) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll("'", "'\\''").replace(/\r/g, '\\r').replace(/\0/g, '\\000')}'`;

/** Returns the options that say where the edit is made; `old.txt` has the quote, and `last.txt` the last line. */
function options({ where, last, numbers }) {
  const isRange = where === 'first' || where === 'lines';
  return [
    where === 'lines' ? `--lines ${numbers.replaceAll(/\s/g, '')}` : '',
    where === 'first' && numbers.trim() !== '' ? `--expected-lines ${numbers.trim()}` : '',
    `--${{ whole: 'old', lines: 'first' }[where] ?? where} @old.txt`,
    isRange && last !== '' ? '--last @last.txt' : '',
  ].filter((option) => option !== '').join(' ');
}

/** Returns commands that write the texts to files and make the edit, without changing the file. */
export function command({ file, old, new: replacement, all, place, ladder }) {
  const texts = { 'file.txt': file, 'old.txt': old, 'new.txt': replacement };
  const where = options(place);
  if (where.includes('last.txt')) texts['last.txt'] = place.last;
  const written = Object.entries(texts).map(([name, text]) => `printf ${shell(text)} > ${name}`);
  const edit = `fuzzy-edit apply file.txt ${where} --new @new.txt --ladder ${ladder}${all ? ' --all' : ''} --dry-run --diff`;
  return `${[...written, edit].join('\n')}\n`;
}

/** Writes a text as a string of TOML. */
function toml(text) {
  // A literal string begins after its first line break, and has no control characters.
  if (!text.includes("'''") && !text.endsWith("'") && !/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return `'''\n${text}'''`;
  return JSON.stringify(text).replace(/\x7f/g, '\\u007F');
}

/** Returns the case in the form of `cases.toml`: an edit that a rule refuses, or one that lands. */
export function testCase({ file, old, new: replacement, all }, { name, ok }) {
  const lines = [
    ok ? '[[lands]]' : '[[refused]]', `name = ${JSON.stringify(name)}`,
    `file = ${toml(file)}`, `needle = ${toml(old)}`, `new = ${toml(replacement)}`,
  ];
  if (all) lines.push('replace_all = true');
  return `${lines.join('\n')}\n`;
}

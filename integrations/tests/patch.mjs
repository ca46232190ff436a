// Edits as a patch in the form of `apply_patch`.

/** Returns the patch that makes edits of one file: the lines that both texts of an edit share are its context. */
export function patchOf(path, edits) {
  const hunks = edits.map(([old, replacement]) => ['@@', ...hunk(lines(old), lines(replacement))]);
  return ['*** Begin Patch', `*** Update File: ${path}`, ...hunks.flat(), '*** End Patch'].join('\n');
}

const lines = (text) => text.replace(/\n$/, '').split('\n');

function hunk(old, replacement) {
  const least = Math.min(old.length, replacement.length);
  let start = 0;
  while (start < least && old[start] === replacement[start]) start += 1;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === replacement.at(-1 - end)) end += 1;
  return [
    ...old.slice(0, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...replacement.slice(start, replacement.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end).map((line) => ` ${line}`),
  ];
}

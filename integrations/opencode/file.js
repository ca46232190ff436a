// Reads and writes files so that nobody's text is lost.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MARK = '\ufeff';

/** What is being done to each path, so that two edits of one file take turns. */
const running = new Map();

/** Runs `work` when nothing else is done to the path any more. */
export async function exclusively(path, work) {
  const mine = (running.get(path) ?? Promise.resolve()).then(work, work);
  const done = mine.catch(() => undefined);
  running.set(path, done);
  try {
    return await mine;
  } finally {
    if (running.get(path) === done) running.delete(path);
  }
}

/** Returns a file's text, its bytes and whether it has a byte order mark; nothing if there is no file. */
export async function read(path) {
  let bytes;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'EISDIR') throw new Error(`Path is a directory, not a file: ${path}`);
    throw error;
  }
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not UTF-8`);
  }
  const mark = text.startsWith(MARK) ? MARK : '';
  return { bytes, mark, text: text.slice(mark.length) };
}

/**
 * Writes a new text in the place of a file that was read; of nothing, where a file is to be made.
 *
 * The whole text is on the disk before it takes the old one's place, and a file that somebody else wrote meanwhile stays.
 */
export async function write(path, file, text) {
  if (!file) {
    await mkdir(dirname(path), { recursive: true });
    const made = await open(path, 'wx');
    await made.writeFile(text).finally(() => made.close());
    return;
  }
  const real = await realpath(path);
  const { mode } = await stat(real);
  const beside = join(dirname(real), `.${randomUUID()}.fuzzy-edit`);
  try {
    const made = await open(beside, 'wx', mode & 0o7777);
    try {
      await made.chmod(mode & 0o7777);
      await made.writeFile(file.mark + text);
      await made.sync();
    } finally {
      await made.close();
    }
    if (!file.bytes.equals(await readFile(real))) throw new Error(`${path} was changed meanwhile. Read it again.`);
    await rename(beside, real);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

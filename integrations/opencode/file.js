// Reads and writes files without the loss of concurrent saves.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MARK = '\ufeff';

/** The running work on each path, so that edits of the same file run one after the other. */
const running = new Map();

/** Runs `work` after all earlier work on the path. */
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

/** Returns the text, the bytes and the byte order mark of a file (empty if it has none); undefined if there is no file. */
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
 * Replaces the text of a file that was read; without `file`, creates it.
 *
 * The complete text is on the disk before it replaces the file. A file that another program saved meanwhile is not
 * replaced.
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

// An edit tool that replaces opencode's own. It is an option, because opencode's formatter does not run after it.

import { isAbsolute, join, relative, resolve } from 'node:path';

import { apply, diff as unified } from 'fuzzy-edit';
import { z } from 'zod';

import { exclusively, read, write } from './file.js';

const DESCRIPTION = `Replaces text in a file.

- Give in oldString the text as it is in the file, as you read it, without line numbers. Copy it exactly where you can; slips in indentation, blanks, quotes or single words are mended where the place is certain.
- newString takes the file's own indentation and line endings; what it keeps of oldString stays as the file has it.
- An edit that may mean several places, or none for certain, is refused with the lines that come nearest. If a proposal is shown and is what you mean, send it.
- Set replaceAll to change every occurrence of oldString.
- An empty oldString writes a file that does not exist yet or is empty.`;

/** Returns the tool. Fails if the ladder does not exist. */
export function editTool({ ladder }) {
  apply('', 'old', 'new', { ladder });
  return {
    description: DESCRIPTION,
    args: {
      filePath: z.string().describe('The absolute path to the file to modify'),
      oldString: z.string().describe('The text to replace'),
      newString: z.string().describe('The text to replace it with (must be different from oldString)'),
      replaceAll: z.boolean().optional().describe('Replace all occurrences of oldString (default false)'),
    },
    execute: (args, context) => edit(args, context, ladder),
  };
}

/** Makes one edit of a file, after the user has permitted it. */
async function edit({ filePath, oldString, newString, replaceAll = false }, context, ladder) {
  const path = isAbsolute(filePath) ? filePath : resolve(context.directory, filePath);
  const title = relative(context.worktree, path);
  await askOutside(path, context);
  return exclusively(path, async () => {
    const file = await read(path);
    if (oldString === '' && file !== undefined && file.text !== '') {
      throw new Error('oldString is empty, but the file exists. Give the text to replace.');
    }
    if (file === undefined && oldString !== '') throw new Error(`File ${path} not found`);
    const before = file?.text ?? '';
    const answer = file
      ? apply(before, oldString, newString, { ladder, replaceAll })
      : { ok: true, output: newString };
    if (!answer.ok) throw new Error(explained(answer));
    const diff = unified(title, before, answer.output);
    const metadata = { filepath: path, diff };
    await context.ask({ permission: 'edit', patterns: [title], always: ['*'], metadata });
    if (answer.output !== before || !file) await write(path, file, answer.output);
    context.metadata({ title, metadata: { diff } });
    return { title, metadata: { diff, confidence: answer.confidence }, output: told(answer) };
  });
}

/** Asks for permission to edit a file outside the project. */
async function askOutside(path, context) {
  const isWithin = (folder) => {
    const way = relative(folder, path);
    return way !== '' && !way.startsWith('..') && !isAbsolute(way);
  };
  // Without a repository, the worktree is the whole disk.
  if (isWithin(context.directory) || (context.worktree !== '/' && isWithin(context.worktree))) return;
  const parentDir = join(path, '..');
  const patterns = [join(parentDir, '*')];
  await context.ask({ permission: 'external_directory', patterns, always: patterns, metadata: { filepath: path, parentDir } });
}

function told({ code, note }) {
  if (code === 'already_applied') return 'Nothing to do: newString is already there.';
  return `Edit applied successfully.${note ? ` (${note})` : ''}`;
}

/** Returns the message of a refusal, with the details for a better edit. */
function explained({ message, nextStep, nearest, conflicts = [], proposal, rule }) {
  const parts = [`${message}. ${nextStep}`];
  if (nearest?.diff) parts.push(`oldString (-) beside lines ${nearest.lines.join('-')} of the file (+):\n${nearest.diff}`);
  for (const { lines, keeping, taking } of conflicts) {
    const where = lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines.join('-')}`;
    parts.push(`Keeping what the file has on ${where}:\n${keeping || '(no line)'}`);
    parts.push(`Taking what newString has for ${where}:\n${taking || '(no line)'}`);
  }
  if (proposal) parts.push(`Proposal: ${JSON.stringify(proposal)}`);
  if (rule) parts.push(`Rule: ${rule}`);
  return parts.join('\n\n');
}

// A plugin of opencode: edits whose old text was copied badly are repaired before opencode's own tool runs. The command
// decides, not the plugin: its answers are the same in every host.

import { execFile } from 'node:child_process';

const COMMAND = 'fuzzy-edit';

/** The longest that the command may take, in milliseconds: longer than its own limits. */
const LIMIT = 10_000;

/** Returns the arguments that a tool should have; nothing if they are best as they are. */
const repair = (event) =>
  new Promise((resolve) => {
    const child = execFile(COMMAND, ['hook', 'opencode', 'repair'], { timeout: LIMIT }, (error, stdout) => {
      // An edit is never held back because of us.
      resolve(error || !stdout ? undefined : JSON.parse(stdout).updatedInput);
    });
    child.stdin.on('error', () => undefined).end(JSON.stringify(event));
  });

export const FuzzyEdit = async ({ directory }) => {
  const models = new Map();
  return {
    'chat.params': async ({ sessionID, model }) => void models.set(sessionID, model.id),
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      if (tool !== 'edit' && tool !== 'apply_patch') return;
      const event = { cwd: directory, session_id: sessionID, model: models.get(sessionID), tool_name: tool, tool_input: args };
      // opencode goes on with the same object.
      Object.assign(args, await repair(event));
    },
  };
};

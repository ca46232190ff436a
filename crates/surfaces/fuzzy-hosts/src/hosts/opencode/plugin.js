// A plugin of opencode: edits whose old text was copied badly are repaired before opencode's own tool runs, and each turn
// gets a checkpoint. The command decides, not the plugin: its answers are the same in every host.

import { execFile } from 'node:child_process';

const COMMAND = 'fuzzy-edit';

const REPAIR = true;
const TURNS = true;

/** The longest that the command may take, in milliseconds: longer than its own limits. */
const LIMIT = 10_000;

/** Tells the command of an event, and returns its answer; nothing if it has none. */
const ask = (name, event) =>
  new Promise((resolve) => {
    const child = execFile(COMMAND, ['hook', 'opencode', name], { timeout: LIMIT }, (error, stdout) => {
      // Nothing is ever held back because of us.
      resolve(error || !stdout ? undefined : JSON.parse(stdout));
    });
    child.stdin.on('error', () => undefined).end(JSON.stringify(event));
  });

export const FuzzyEdit = async ({ client, directory }) => {
  const models = new Map();
  const inner = new Map();
  /** Returns whether a session belongs to a tool of another one, whose turn it is a part of. */
  const isInner = async (id) => {
    if (!inner.has(id)) {
      const { data } = await client.session.get({ path: { id } }).catch(() => ({}));
      inner.set(id, Boolean(data?.parentID));
    }
    return inner.get(id);
  };
  const repairs = {
    'chat.params': async ({ sessionID, model }) => void models.set(sessionID, model.id),
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      if (tool !== 'edit' && tool !== 'apply_patch') return;
      const event = { cwd: directory, session_id: sessionID, model: models.get(sessionID), tool_name: tool, tool_input: args };
      // opencode goes on with the same object.
      Object.assign(args, (await ask('repair', event))?.updatedInput);
    },
  };
  const turns = {
    'chat.message': async ({ sessionID }, { parts }) => {
      if (await isInner(sessionID)) return;
      const prompt = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic).map(({ text }) => text).join('\n');
      await ask('turn-begin', { cwd: directory, session_id: sessionID, prompt });
    },
    event: async ({ event: { type, properties } }) => {
      if (type !== 'session.idle' || (await isInner(properties.sessionID))) return;
      await ask('turn-end', { cwd: directory, session_id: properties.sessionID });
    },
  };
  return { ...(REPAIR ? repairs : {}), ...(TURNS ? turns : {}) };
};

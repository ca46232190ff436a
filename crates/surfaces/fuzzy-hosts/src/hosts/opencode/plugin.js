// A plugin of opencode: edits whose old text was copied badly are repaired before opencode's own tool runs, and every turn
// gets a checkpoint. The command decides, not the plugin: its answers are the same in every host.

import { execFile, execFileSync } from 'node:child_process';

const OPTIONS = { command: 'fuzzy-edit', repair: true, turns: true };

/** The longest that the command may take, in milliseconds: longer than its own limits. */
const LIMIT = 10_000;

/** Returns the standard output of a hook, and nothing if it fails: an edit is never held back because of us. */
const hook = (command, event, json) =>
  new Promise((resolve) => {
    const child = execFile(command, ['hook', 'opencode', event], { timeout: LIMIT }, (error, stdout) => resolve(error ? '' : stdout));
    child.stdin.on('error', () => undefined).end(JSON.stringify(json));
  });

export const FuzzyEdit = async ({ directory }, options = {}) => {
  const { command, repair, turns } = { ...OPTIONS, ...options };
  const hooks = {};
  if (repair) {
    const models = new Map();
    hooks['chat.params'] = async ({ sessionID, model }) => void models.set(sessionID, model.id);
    hooks['tool.execute.before'] = async ({ tool, sessionID }, { args }) => {
      if (tool !== 'edit' && tool !== 'apply_patch') return;
      const event = { cwd: directory, session_id: sessionID, model: models.get(sessionID), tool_name: tool, tool_input: args };
      const answer = await hook(command, 'repair', event);
      // opencode goes on with the same object.
      if (answer) Object.assign(args, JSON.parse(answer).updatedInput);
    };
  }
  if (turns) {
    // Sessions of subagents are a part of the turn that started them.
    const inner = new Set();
    hooks['chat.message'] = async ({ sessionID }, { parts }) => {
      const prompt = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic).map(({ text }) => text);
      if (!inner.has(sessionID)) await hook(command, 'turn-begin', { cwd: directory, session_id: sessionID, prompt: prompt.join('\n') });
    };
    hooks.event = async ({ event: { type, properties } }) => {
      if (type === 'session.created' && properties.info.parentID) inner.add(properties.info.id);
      if (type !== 'session.idle' || inner.has(properties.sessionID)) return;
      // opencode may exit while a hook still waits, so this blocks. The next turn closes one that did not end.
      try {
        const input = JSON.stringify({ cwd: directory, session_id: properties.sessionID });
        execFileSync(command, ['hook', 'opencode', 'turn-end'], { input, timeout: LIMIT, stdio: ['pipe', 'ignore', 'ignore'] });
      } catch {}
    };
  }
  return hooks;
};

// A plugin of opencode: edits whose old text was copied badly are repaired before opencode's own tool runs, so that its
// formatter, permissions, events and diagnostics stay. The command decides, not the plugin: its answers are the same in
// every host. `fuzzy-edit init opencode` writes this file alone.
//
//   { "plugin": ["opencode-fuzzy-edit"] }                                              repairs edits
//   { "plugin": [["opencode-fuzzy-edit", { "command": "/opt/fuzzy-edit" }]] }          with this command
//   { "plugin": [["opencode-fuzzy-edit", { "tool": true, "ladder": "full" }]] }        replaces the edit tool

import { execFile } from 'node:child_process';

const COMMAND = 'fuzzy-edit';

/** The longest that the command may take, in milliseconds: longer than its own limits. */
const LIMIT = 10_000;

/** The tools that edit files: of opencode 1, and of opencode 2. */
const EDITS = new Set(['edit', 'apply_patch', 'patch']);

/** Runs the command, and returns its output. */
const run = (command, args, input = '') =>
  new Promise((resolve, reject) => {
    const child = execFile(command, args, { timeout: LIMIT }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin?.on('error', () => undefined).end(input);
  });

/** Returns the answer of the command to an event; an empty one if it has none. An edit is never held back because of us. */
async function ask(command, name, event) {
  try {
    return JSON.parse((await run(command, ['hook', 'opencode', name], JSON.stringify(event))) || '{}');
  } catch {
    return {};
  }
}

/**
 * Returns the options. Fails if one is wrong, or if the command does not run.
 *
 * @param {{ command?: string, tool?: boolean, ladder?: string }} [options]
 */
async function checked({ command = COMMAND, tool = false, ladder, ...others } = {}) {
  const [unknown] = Object.keys(others);
  if (unknown) throw new Error(`there is no option ${unknown}; the options are command, tool and ladder`);
  if (ladder !== undefined && !tool) throw new Error('the option ladder needs the option tool');
  // The replacing tool does without the command.
  if (!tool) {
    await run(command, ['--version']).catch(({ message }) => {
      throw new Error(`${command} does not run: ${message}`);
    });
  }
  return { command, tool, ladder };
}

/**
 * The plugin of opencode 1.
 *
 * @type {import('@opencode-ai/plugin').Plugin}
 */
const server = async ({ client, directory }, options) => {
  try {
    const { command, tool, ladder } = await checked(options);
    if (tool) return { tool: { edit: (await import('./tool.js')).editTool({ ladder }) } };
    const models = new Map();
    return {
      'chat.params': async ({ sessionID, model }) => void models.set(sessionID, model.id),
      'tool.execute.before': async ({ tool, sessionID }, { args }) => {
        if (!EDITS.has(tool)) return;
        const event = { cwd: directory, session_id: sessionID, model: models.get(sessionID), tool_name: tool, tool_input: args };
        // opencode goes on with the same object.
        Object.assign(args, (await ask(command, 'repair', event)).updatedInput);
      },
    };
  } catch (error) {
    error.message = `fuzzy-edit: ${error.message}`;
    // opencode only logs why a plugin failed. It answers when this function has ended.
    client.tui.showToast({ body: { message: error.message, variant: 'error' } }).catch(() => undefined);
    throw error;
  }
};

/**
 * The plugin of opencode 2, which shows why a plugin failed.
 *
 * @param {any} context The types of opencode 1 have this shape without its tools.
 */
const setup = async ({ options, session, tool }) => {
  if (options.tool) throw new Error('the option tool is for opencode 1');
  const { command } = await checked(options);
  const eventOf = async ({ tool, sessionID, input, error }) => {
    // One server has sessions in several directories.
    const { location, model } = await session.get({ sessionID }).catch(() => ({}));
    return { cwd: location?.directory, session_id: sessionID, model: model?.id, tool_name: tool, tool_input: input, error: error?.message };
  };
  await tool.hook('execute.before', async (event) => {
    if (!EDITS.has(event.tool)) return;
    event.input = (await ask(command, 'repair', await eventOf(event))).updatedInput ?? event.input;
  });
  await tool.hook('execute.after', async (event) => {
    if (!EDITS.has(event.tool) || event.status !== 'error') return;
    const { context } = await ask(command, 'failed', await eventOf(event));
    if (context) event.error = new event.error.constructor({ ...event.error, message: `${event.error.message}\n\n${context}` });
  });
};

export default { id: 'opencode-fuzzy-edit', server, setup };

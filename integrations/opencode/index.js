// A plugin of opencode. It repairs edits with an inexact old text before opencode's own tool runs, so that formatter,
// permissions, events and diagnostics work as usual, and records a checkpoint for each turn. The command decides, not the
// plugin, so its answers are the same in every host. `fuzzy-edit init opencode` writes only this file.
//
//   { "plugin": ["opencode-fuzzy-edit"] }                                              repairs edits, records turns
//   { "plugin": [["opencode-fuzzy-edit", { "turns": false }]] }                        only repairs edits
//   { "plugin": [["opencode-fuzzy-edit", { "command": "/opt/fuzzy-edit" }]] }          uses this command
//   { "plugin": [["opencode-fuzzy-edit", { "tool": true, "ladder": "full" }]] }        replaces the edit tool

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';

const COMMAND = "fuzzy-edit";

/** Whether edits are repaired and turns recorded by default. */
const REPAIR = true;
const TURNS = true;

/** The longest run of the command, in milliseconds. It exceeds the command's own limits. */
const LIMIT = 10_000;

/** The tools that edit files, in opencode 1 and opencode 2. */
const EDITS = new Set(['edit', 'apply_patch', 'patch']);

/** Runs the command, and returns its output. */
const run = (command, args, input = '') =>
  new Promise((resolve, reject) => {
    const child = execFile(command, args, { timeout: LIMIT }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin?.on('error', () => undefined).end(input);
  });

/** Returns the paths of the command in the npm package `fuzzy-edit`, a dependency of this package. */
function installed() {
  const platform = `fuzzy-edit-${process.platform}-${process.arch}`;
  const file = `fuzzy-edit${process.platform === 'win32' ? '.exe' : ''}`;
  return [platform, `${platform}-musl`].flatMap((name) => {
    try {
      const { resolve } = createRequire(createRequire(import.meta.url).resolve('fuzzy-edit/package.json'));
      return [resolve(`${name}/${file}`)];
    } catch {
      // The package is not installed, or it is for another system.
      return [];
    }
  });
}

/** Returns the first command that runs: the given one, or by default the one on the path or in the npm package. */
async function found(given) {
  const failures = [];
  for (const program of given === undefined ? [COMMAND, ...installed()] : [given]) {
    try {
      await run(program, ['--version']);
      return program;
    } catch ({ message }) {
      failures.push(`${program} does not run: ${message}`);
    }
  }
  throw new Error(failures.join('; '));
}

/** Returns the answer of the command to an event. After an error it is empty, so that the host continues as usual. */
async function call(command, name, event) {
  try {
    return JSON.parse((await run(command, ['hook', 'opencode', ...name.split(' ')], JSON.stringify(event))) || '{}');
  } catch {
    return {};
  }
}

/**
 * Returns the options. Fails if one is wrong, or if the command does not run.
 *
 * @param {{ command?: string, repair?: boolean, turns?: boolean, tool?: boolean, ladder?: string }} [options]
 */
async function checked({ command, tool = false, repair = REPAIR && !tool, turns = TURNS && !tool, ladder, ...others } = {}) {
  const [unknown] = Object.keys(others);
  if (unknown) throw new Error(`there is no option ${unknown}; the options are command, repair, turns, tool and ladder`);
  if (ladder !== undefined && !tool) throw new Error('the option ladder needs the option tool');
  // The replacing tool does not need the command.
  if (repair || turns) command = await found(command);
  return { command, repair, turns, tool, ladder };
}

/**
 * Returns the hooks that repair edits, and those that record turns and the calls of tools in them: one call of the command
 * before a tool does both.
 *
 * @returns {import('@opencode-ai/plugin').Hooks}
 */
function hooks(command, client, directory, { repair, turns }) {
  const [models, parents] = [new Map(), new Map()];
  /** Returns the session whose turn a session belongs to: a tool of that session started this one. */
  const root = async (id) => {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id } }).catch(() => ({ data: undefined }));
      parents.set(id, data?.parentID);
    }
    const parent = parents.get(id);
    return parent ? root(parent) : id;
  };
  const isInner = async (id) => (await root(id)) !== id;
  const send = (name, id, event = {}) => call(command, name, { cwd: directory, session_id: id, ...event });
  const before = turns ? 'tool-before' : 'repair';
  const tools = {
    'chat.params': async ({ sessionID, model }) => void models.set(sessionID, model.id),
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      if (!turns && !EDITS.has(tool)) return;
      const event = { agent_id: sessionID, model: models.get(sessionID), tool_name: tool, tool_input: args };
      const name = repair ? before : `${before} --only-record`;
      const { updatedInput, deny } = await send(name, turns ? await root(sessionID) : sessionID, event);
      // The model then gets this text as the error of its call.
      if (deny) throw new Error(deny);
      // opencode then uses the same object.
      Object.assign(args, updatedInput);
    },
  };
  if (!turns) return tools;
  return {
    ...tools,
    'tool.execute.after': async ({ tool, sessionID, args }, output) => {
      const event = { agent_id: sessionID, tool_name: tool, tool_input: args };
      // The lines that the agent was shown.
      if (tool === 'read') event.tool_response = { display: output?.metadata?.display };
      await send(repair ? 'tool-after' : 'tool-after --only-record', await root(sessionID), event);
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      if (await isInner(sessionID)) return;
      const prompt = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : []));
      const { context } = await send('turn-begin', sessionID, { prompt: prompt.join('\n'), turn_id: message?.id });
      // The model reads it after the prompt; opencode sorts parts by their ids.
      const last = parts.at(-1);
      if (context && last) parts.push({ id: `${last.id}0`, sessionID, messageID: message.id, type: 'text', text: context, synthetic: true });
    },
    event: async ({ event: { type, properties } }) => {
      if (type === 'session.compacted' && repair) await send('session-begin', await root(properties.sessionID));
      if (type === 'session.idle' && !(await isInner(properties.sessionID))) await send('turn-end', properties.sessionID);
    },
  };
}

/**
 * The plugin of opencode 1.
 *
 * @type {import('@opencode-ai/plugin').Plugin}
 */
const server = async ({ client, directory }, options) => {
  try {
    const { command, repair, turns, tool, ladder } = await checked(options);
    return {
      ...(tool ? { tool: { edit: (await import('./tool.js')).editTool({ ladder }) } } : {}),
      ...(repair || turns ? hooks(command, client, directory, { repair, turns }) : {}),
    };
  } catch (error) {
    error.message = `fuzzy-edit: ${error.message}`;
    // opencode only logs the error of a plugin. It answers requests after this function has ended.
    client.tui.showToast({ body: { message: error.message, variant: 'error' } }).catch(() => undefined);
    throw error;
  }
};

/**
 * The plugin of opencode 2, which displays the error of a plugin. It records no turns.
 *
 * @param {any} context The types of opencode 1 have this shape without its tools.
 */
const setup = async ({ options, session, tool }) => {
  if (options.tool) throw new Error('the option tool is for opencode 1');
  const { command, repair } = await checked(options);
  if (!repair) return;
  const eventOf = async ({ tool, sessionID, input, error }) => {
    // One server can have sessions in several directories.
    const { location, model } = await session.get({ sessionID }).catch(() => ({}));
    return { cwd: location?.directory, session_id: sessionID, model: model?.id, tool_name: tool, tool_input: input, error: error?.message };
  };
  await tool.hook('execute.before', async (event) => {
    if (!EDITS.has(event.tool)) return;
    event.input = (await call(command, 'repair', await eventOf(event))).updatedInput ?? event.input;
  });
  await tool.hook('execute.after', async (event) => {
    if (!EDITS.has(event.tool) || event.status !== 'error') return;
    const { context } = await call(command, 'failed', await eventOf(event));
    if (context) event.error = new event.error.constructor({ ...event.error, message: `${event.error.message}\n\n${context}` });
  });
};

export default { id: 'opencode-fuzzy-edit', server, setup };

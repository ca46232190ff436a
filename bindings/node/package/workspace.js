// The files of a directory, for the tools of an agent. Only the native module reads and writes files.

import { EditError, camel } from 'fuzzy-edit-wasm/load';

/** The options of `open`, and of each method. */
const OPEN = ['encoding', 'ladder', 'minConfidence', 'timeout', 'maxBytes'];
const PATCH = ['file', 'reverse', 'strip', 'dryRun'];

/** Returns `open` for the native module, or one that throws without it. */
export function opener(native) {
  return (root, options = {}) => {
    if (native === undefined) throw new EditError('this platform has no native module, which reads and writes files', 'bad_input');
    const settings = JSON.stringify({ root, ...snake(known(options, OPEN)) });
    let files;
    try {
      files = new native.Files(settings);
    } catch (error) {
      throw failed(JSON.parse(error.message));
    }
    return new Workspace(files);
  };
}

/** The methods of an agent's edit tool. Calls about one file run in the order in which they were made. */
class Workspace {
  #files;
  #last = new Map();
  #all = Promise.resolve();

  constructor(files) {
    this.#files = files;
  }

  async read(path) {
    return (await this.#call([path], { tool: 'read', path })).text;
  }

  apply(edit, options = {}) {
    return this.#edit(snake(edit), options);
  }

  multiEdit(edits, options = {}) {
    return this.#edit(edits.map(snake), options);
  }

  /** Carries out an edit, or a list of edits. */
  async #edit(edits, options) {
    const list = [edits].flat();
    const paths = list.flatMap((edit) => [edit.path, edit.move_to?.path, edit.copy_to?.path]).filter((path) => path !== undefined);
    return reported(await this.#call(paths, { tool: 'edits', edits, ...snake(known(options, ['dryRun'])) }));
  }

  async patch(patch, options = {}) {
    return reported(await this.#call(undefined, { tool: 'patch', patch, ...snake(known(options, PATCH)) }));
  }

  async undo(batch, options = {}) {
    const answer = await this.#call(undefined, { tool: 'undo', batch, ...snake(known(options, ['dryRun'])) });
    return { ok: true, ...answer };
  }

  /** Waits for earlier calls about these files, or about all, then asks the module. */
  async #call(paths, request) {
    const before = paths === undefined ? [this.#all, ...this.#last.values()] : [this.#all, ...paths.map((path) => this.#last.get(path))];
    const asked = Promise.all(before).then(() => this.#files.call(JSON.stringify(request)));
    const done = asked.then(() => {}, () => {});
    if (paths === undefined) {
      this.#all = done;
      this.#last.clear();
    } else {
      for (const path of paths) this.#last.set(path, done);
      void done.then(() => {
        for (const path of paths) if (this.#last.get(path) === done) this.#last.delete(path);
      });
    }
    const answer = JSON.parse(await asked);
    if (answer.answer.status === 'failed' && answer.answer.edits === undefined) throw failed(answer);
    return { ...camel(answer.answer), forModel: answer.for_model };
  }
}

/** Returns the answer to edits. */
const reported = (answer) => ({ ok: answer.status !== 'failed', ...answer });

/** Returns the error of a call that could not be tried. */
function failed({ answer, for_model: forModel }) {
  const error = new EditError(answer.message, answer.code, answer.rule ?? undefined);
  return Object.assign(error, { nextStep: answer.next_step, forModel });
}

/** Returns the options; throws if one is unknown. */
function known(options, names) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new EditError(`there is no option \`${name}\`; the options are: ${names.join(', ')}`, 'bad_input');
  }
  return options;
}

/** Converts keys from camel case to snake case; values are texts, numbers and new places. */
function snake(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), snake(inner)]));
}

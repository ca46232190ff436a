// What the package offers, over a binding: Node's own module or WebAssembly.

import { APPLY, DIFF, EXPLAIN, LOCATE, LoneSurrogate, PATCH, REPLACE, flagsOf, wellFormed, write } from './crossing.js';

const MESSAGES = {
  identical: 'No changes to apply: oldString and newString are identical.',
  empty_needle:
    'oldString cannot be empty when editing an existing file. Provide the exact text to replace, or use write for an ' +
    'intentional full-file replacement.',
  not_found:
    'Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.',
  ambiguous:
    'Found multiple matches for oldString. Provide more surrounding context to make the match unique.',
  much_larger:
    'Refusing replacement because the matched span is much larger than oldString. Re-read the file and provide the full ' +
    'exact oldString for the intended replacement.',
};

/** Messages for what opencode never says. */
const OWN_MESSAGES = {
  conflict:
    'The file and newString both differ from oldString in the same place. Read the file again and say which of them is ' +
    'meant: copy oldString from the file exactly.',
  guess: 'Found the place of oldString, but fitting newString to it would be a guess. Copy oldString from the file exactly.',
  not_sure: 'Found a place for oldString, but with less confidence than was asked for. Copy oldString from the file exactly.',
  too_costly: 'Too much of the file is nearly oldString. Provide a shorter or more specific oldString.',
  timeout: 'The search took more steps than it may. Provide a shorter or more specific oldString.',
  too_large: 'The new text would be too large.',
};

/** The options of each function, with the kind of each. */
const LIMITS = { minConfidence: 'number', budget: 'number' };
const SEARCH = { ladder: 'string', ...LIMITS };
const MEANT = { replaceAll: 'boolean', fitEndings: 'boolean' };
const EDIT_OPTIONS = { ...SEARCH, ...MEANT };
const COMPARE_OPTIONS = { ladders: 'array', ...LIMITS, ...MEANT };
const REPLACE_OPTIONS = { ...SEARCH, onReport: 'function' };
const PATCH_OPTIONS = { ...SEARCH, target: 'string' };

/** An edit that was not made. */
export class EditError extends Error {
  constructor(message, code, rule, report) {
    super(message);
    this.code = code;
    this.rule = rule;
    this.report = report;
  }

  get name() {
    return 'EditError';
  }
}

/**
 * Returns everything that the package offers, over a binding. `patches` returns the one that carries out patches, where
 * that is another.
 */
export function face(binding, patches = () => binding) {
  let ladders;
  const numbers = new Map();
  const all = () => (ladders ??= JSON.parse(binding.ladders()));

  function numberOf(name) {
    if (numbers.size === 0) all().forEach((ladder, number) => numbers.set(ladder.name, number));
    const number = numbers.get(name);
    if (number !== undefined) return number;
    throw bad(`no ladder is named \`${name}\`; choose one of: ${[...numbers.keys()].join(', ')}`);
  }

  /** Puts one question, about a text or a document, and returns the answer. */
  function ask(what, subject, old, replacement, replaceAll, fitEndings, options) {
    text('oldString', old);
    if (replacement !== undefined) text('newString', replacement);
    const { ladder = 'adaptive', minConfidence = 0, budget = 0 } = options;
    if (!(minConfidence >= 0 && minConfidence <= 1)) throw bad(`minConfidence ${minConfidence} is not between 0 and 1`);
    if (!Number.isSafeInteger(budget) || budget < 0) throw bad(`budget ${budget} is no number of steps`);
    const flags = flagsOf(replaceAll, fitEndings, replacement !== undefined);
    const answer = JSON.parse(subject.put({ what, flags, ladder: numberOf(ladder), old, replacement, minConfidence, budget }));
    if (answer.error !== undefined) {
      wellFormed(subject.content);
      throw new Error(answer.error);
    }
    return answer;
  }

  /** Puts a question whose options say everything else; line endings are fitted unless they say otherwise. */
  const askBy = (what, subject, old, replacement, options) =>
    ask(what, subject, old, replacement, options.replaceAll ?? false, options.fitEndings ?? true, options);

  /** A text that is asked about once. */
  const once = (content, engine = binding) => ({
    content,
    put(request) {
      write(engine, request, content, request.what === REPLACE || request.what === APPLY);
      return engine.answer();
    },
  });

  function replace(subject, old, replacement, replaceAll = false, options = {}) {
    is('replaceAll', replaceAll, 'boolean');
    const { onReport } = checked(options, REPLACE_OPTIONS);
    text('newString', replacement);
    let answer;
    try {
      answer = ask(onReport ? APPLY : REPLACE, subject, old, replacement, replaceAll, false, options);
    } catch (error) {
      throw error instanceof LoneSurrogate ? bad(error.message) : error;
    }
    const report = onReport && told(answer, subject.content, replacement);
    onReport?.(report);
    if (!answer.ok) throw new EditError(message(answer), answer.code, answer.rule, report);
    return report ? report.output : spliced(subject.content, answer.splices, replacement);
  }

  const apply = (subject, old, replacement, options = {}) => {
    checked(options, EDIT_OPTIONS);
    text('newString', replacement);
    try {
      const answer = askBy(APPLY, subject, old, replacement, options);
      return told(answer, subject.content, replacement);
    } catch (error) {
      return refused(error);
    }
  };

  const locate = (subject, old, replacement, options = {}) => {
    checked(options, EDIT_OPTIONS);
    try {
      const answer = askBy(LOCATE, subject, old, replacement, options);
      return flat(answer);
    } catch (error) {
      return refused(error);
    }
  };

  const explain = (subject, old, replacement, options = {}) => {
    checked(options, EDIT_OPTIONS);
    try {
      const { answer, ...rest } = askBy(EXPLAIN, subject, old, replacement, options);
      const explained = { ...camel(rest), answer: told(answer, subject.content, replacement ?? '') };
      for (const line of explained.alignment?.lands ?? []) line.origin = line.origin.toLowerCase();
      return explained;
    } catch (error) {
      const answer = refused(error);
      const { ladder = 'adaptive' } = options;
      const { policy } = all()[numberOf(ladder)];
      return { ladder, policy, answer, place: null, strategies: [], alignment: null, weighed: null, spent: 0 };
    }
  };

  const compare = (subject, old, replacement, options = {}) => {
    const { ladders: names = all().map(({ name }) => name), ...others } = checked(options, COMPARE_OPTIONS);
    return names.map((ladder) => ({ ladder, ...apply(subject, old, replacement, { ...others, ladder }) }));
  };

  function applyPatch(files, patch, options = {}) {
    text('patch', patch);
    is('files', files, 'object');
    const { target = '' } = checked(options, PATCH_OPTIONS);
    const encoder = new TextEncoder();
    const entries = Object.entries(files);
    const lengths = entries.map(([path, content]) => `${path}\0${encoder.encode(text(path, content)).length}\0`);
    const subject = once(entries.map(([, content]) => content).join(''), patches());
    let answer;
    try {
      answer = ask(PATCH, subject, `${target}\0${lengths.join('')}`, patch, false, true, options);
    } catch (error) {
      const { code, message, nextStep } = refused(error);
      return { ok: false, code, message, nextStep, reports: [], changed: [], files };
    }
    const { ok, reports, changes, failure = reports.find((report) => report.status === 'failed') } = answer;
    const all = new Map(entries);
    for (const { path, text } of changes) {
      if (text === null) all.delete(path);
      else all.set(path, text);
    }
    return {
      ok,
      ...(failure && { code: failure.code, rule: failure.rule, message: failure.message, nextStep: failure.next_step }),
      reports: camel(reports),
      changed: changes.map(({ path }) => path),
      // Defined rather than assigned: a file may be called `__proto__`.
      files: Object.fromEntries(all),
    };
  }

  function diff(path, before, after) {
    try {
      return ask(DIFF, once(text('before', before)), text('path', path), text('after', after), false, false, {}).diff;
    } catch (error) {
      throw error instanceof LoneSurrogate ? bad(error.message) : error;
    }
  }

  /** Numbers of documents whose owner is gone. */
  const forgotten = new FinalizationRegistry((held) => held.close());

  /** A document that the engine keeps, under a number that changes when it has to be brought again. */
  class Held {
    number = 0;

    put(request, content) {
      if (this.number !== 0) {
        write(binding, request, '');
        const answer = binding.ask(this.number);
        if (answer !== '') return answer;
      }
      write(binding, request, content);
      this.number = binding.open();
      write(binding, request, '');
      return binding.ask(this.number);
    }

    close() {
      if (this.number !== 0) binding.close(this.number);
      this.number = 0;
    }
  }

  class Doc {
    #held = new Held();
    #content;

    constructor(content) {
      this.#content = text('content', content);
      // Told now rather than at the first question, as for everything else that is no text.
      if (!content.isWellFormed()) throw bad(new LoneSurrogate('text', content).message);
      forgotten.register(this, this.#held, this);
    }

    get content() {
      return this.#content;
    }

    #subject() {
      const content = this.#content;
      if (content === undefined) throw new Error('the document was freed');
      return { content, put: (request) => this.#held.put(request, content) };
    }

    replace(old, replacement, replaceAll, options) {
      return replace(this.#subject(), old, replacement, replaceAll, options);
    }

    apply(old, replacement, options) {
      return apply(this.#subject(), old, replacement, options);
    }

    locate(old, replacement, options) {
      return locate(this.#subject(), old, ...optional(replacement, options));
    }

    explain(old, replacement, options) {
      return explain(this.#subject(), old, ...optional(replacement, options));
    }

    compare(old, replacement, options) {
      return compare(this.#subject(), old, replacement, options);
    }

    free() {
      forgotten.unregister(this);
      this.#held.close();
      this.#content = undefined;
    }
  }
  // Not every platform has it yet.
  if (Symbol.dispose) Object.defineProperty(Doc.prototype, Symbol.dispose, { value: Doc.prototype.free });

  const of = (content) => once(text('content', content));
  return {
    backend: binding.backend,
    ladders: () => structuredClone(all()),
    replace: (content, old, replacement, replaceAll, options) =>
      replace(of(content), old, replacement, replaceAll, options),
    apply: (content, old, replacement, options) => apply(of(content), old, replacement, options),
    locate: (content, old, replacement, options) => locate(of(content), old, ...optional(replacement, options)),
    explain: (content, old, replacement, options) => explain(of(content), old, ...optional(replacement, options)),
    compare(content, old, replacement, options) {
      const doc = new Doc(content);
      try {
        return doc.compare(old, replacement, options);
      } finally {
        doc.free();
      }
    },
    applyPatch,
    diff,
    Doc,
  };
}

/** Returns what kind of value it is, for messages. */
const kind = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Throws unless a value is of a kind. */
function is(name, value, wanted) {
  const given = kind(value);
  if (given !== wanted) throw new TypeError(`${name} has to be ${wanted === 'object' || wanted === 'array' ? 'an' : 'a'} ${wanted}, not ${given}`);
}

/** Returns a text as it is; throws if it is none. */
function text(name, value) {
  is(name, value, 'string');
  return value;
}

/** Returns options as they are; throws if one is not known, or of another kind. */
function checked(options, known) {
  is('options', options, 'object');
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw bad(`there is no option \`${name}\`; the options are: ${Object.keys(known).join(', ')}`);
    if (options[name] !== undefined) is(name, options[name], known[name]);
  }
  return options;
}

const bad = (why) => new EditError(why, 'bad_input');

/** Returns the new text and the options, where the new text may be left out. */
function optional(replacement, options) {
  return typeof replacement === 'object' && replacement !== null ? [undefined, replacement] : [replacement, options];
}

/** Puts every stretch in its place; a stretch without a text is the new text as it was given. */
function spliced(content, splices, replacement) {
  if (splices.length === 1) {
    const [{ start, end, text }] = splices;
    return content.slice(0, start) + (text ?? replacement) + content.slice(end);
  }
  const parts = [];
  let rest = 0;
  for (const { start, end, text } of splices) {
    parts.push(content.slice(rest, start), text ?? replacement);
    rest = end;
  }
  parts.push(content.slice(rest));
  return parts.join('');
}

/** Tells what became of an edit, with the new text where there is one. */
function told(answer, content, replacement) {
  const { splices, ...rest } = answer;
  const report = flat(rest);
  report.splices = splices.map(({ start, end, text }) => ({ start, end, text: text ?? replacement }));
  if (answer.ok) report.output = spliced(content, splices, replacement);
  return report;
}

/** Lifts what is known of a failure to the answer itself. */
function flat({ failure, ...answer }) {
  if (failure === undefined) return camel(answer);
  const { status: _, file_path: _path, cause: _cause, repeats: _repeats, ...known } = failure;
  return camel({ ...answer, ...known, proposal: known.proposal ?? answer.proposal });
}

/** Returns the answer to what no engine has to see. */
function refused(error) {
  if (!(error instanceof LoneSurrogate)) throw error;
  const nextStep = 'Give texts that are valid Unicode.';
  return { ok: false, code: 'bad_input', message: error.message, nextStep, splices: [], places: [], occurrences: 0 };
}

/** Returns opencode's message for a failure, where opencode has one. */
function message({ code, refusal, failure }) {
  if (code !== 'refused') return MESSAGES[code] ?? OWN_MESSAGES[code] ?? failure?.message ?? code;
  if (refusal === 'unlike') return MESSAGES.not_found;
  return MESSAGES[refusal] ?? OWN_MESSAGES[refusal] ?? MESSAGES.not_found;
}

/** Writes every key as JavaScript does. */
function camel(value) {
  if (Array.isArray(value)) return value.map(camel);
  if (value === null || typeof value !== 'object') return value;
  const named = {};
  for (const [key, inner] of Object.entries(value)) {
    named[key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())] = camel(inner);
  }
  return named;
}

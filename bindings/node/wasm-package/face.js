// The public functions of the package. A binding, native or WebAssembly, runs the engine.

import {
  APPLY, DIFF, EXPLAIN, LOCATE, LoneSurrogate, PATCH, Quote, REPLACE, askExcerpt, based, flagsOf, write,
} from './crossing.js';

const MESSAGES = {
  identical: 'No changes to apply: oldString and newString are identical.',
  empty_old:
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

/** Messages for failures that opencode does not have. */
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

/** The options of each function, with their types. */
const LIMITS = { minConfidence: 'number', budget: 'number' };
const SEARCH = { ladder: 'string', ...LIMITS };
const MEANT = { replaceAll: 'boolean', fitEndings: 'boolean', base: 'string' };
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

/** Returns the public functions of the package for a binding. `patches` returns the binding that applies patches. */
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

  /** Sends a request about a text or a document, and returns the answer. */
  function ask(what, subject, old, replacement, replaceAll, fitEndings, options) {
    const isNamed = old instanceof Quote;
    if (isNamed) old = old.text;
    text('oldString', old);
    if (replacement !== undefined) text('newString', replacement);
    const { ladder = 'adaptive', minConfidence = 0, budget = 0, base } = options;
    if (!(minConfidence >= 0 && minConfidence <= 1)) throw bad(`minConfidence ${minConfidence} is not between 0 and 1`);
    if (!Number.isSafeInteger(budget) || budget < 0) throw bad(`budget ${budget} is no number of steps`);
    const flags = flagsOf(replaceAll, fitEndings, replacement !== undefined, isNamed, base !== undefined);
    if (base !== undefined) old = based(base, old);
    const answer = JSON.parse(subject.put({ what, flags, ladder: numberOf(ladder), old, replacement, minConfidence, budget }));
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  /** Sends a request with the flags of its options. By default the new text gets the line endings of the content. */
  const askBy = (what, subject, old, replacement, options) =>
    ask(what, subject, old, replacement, options.replaceAll ?? false, options.fitEndings ?? true, options);

  /** Returns the subject of a single request about a text. */
  const once = (content, engine = binding) => ({
    content,
    put(request) {
      const answer = request.what === REPLACE || request.what === APPLY ? askExcerpt(engine, request, content) : '';
      if (answer !== '') return answer;
      write(engine, request, content);
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
      return { ...camel(rest), answer: told(answer, subject.content, replacement ?? '') };
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
      // Not by assignment, because a file may have the name `__proto__`.
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

  /** Closes documents after their `Doc` was garbage-collected. */
  const forgotten = new FinalizationRegistry((held) => held.close());

  /** A document in the engine. Its number changes if the engine dropped it and it is opened again. */
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
      // Checked here and not in the first request, like other invalid values.
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
      return apply(this.#subject(), ...placed(old, replacement, options));
    }

    locate(old, replacement, options) {
      return locate(this.#subject(), ...searched(old, replacement, options));
    }

    explain(old, replacement, options) {
      return explain(this.#subject(), ...searched(old, replacement, options));
    }

    compare(old, replacement, options) {
      return compare(this.#subject(), ...placed(old, replacement, options));
    }

    free() {
      forgotten.unregister(this);
      this.#held.close();
      this.#content = undefined;
    }
  }
  // Some platforms do not have it yet.
  if (Symbol.dispose) Object.defineProperty(Doc.prototype, Symbol.dispose, { value: Doc.prototype.free });

  const of = (content) => once(text('content', content));
  return {
    backend: binding.backend,
    ladders: () => structuredClone(all()),
    replace: (content, old, replacement, replaceAll, options) =>
      replace(of(content), old, replacement, replaceAll, options),
    apply: (content, old, replacement, options) => apply(of(content), ...placed(old, replacement, options)),
    locate: (content, old, replacement, options) => locate(of(content), ...searched(old, replacement, options)),
    explain: (content, old, replacement, options) => explain(of(content), ...searched(old, replacement, options)),
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

/** Returns the type of a value for messages. */
const kind = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Throws if a value has not the wanted type. */
function is(name, value, wanted) {
  const given = kind(value);
  if (given !== wanted) throw new TypeError(`${name} has to be ${wanted === 'object' || wanted === 'array' ? 'an' : 'a'} ${wanted}, not ${given}`);
}

/** Returns a string unchanged; throws if the value is not a string. */
function text(name, value) {
  is(name, value, 'string');
  return value;
}

/** Returns the options unchanged; throws if one is unknown or has the wrong type. */
function checked(options, known) {
  is('options', options, 'object');
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw bad(`there is no option \`${name}\`; the options are: ${Object.keys(known).join(', ')}`);
    if (options[name] !== undefined) is(name, options[name], known[name]);
  }
  return options;
}

const bad = (why) => new EditError(why, 'bad_input');

/** The parts of an edit that names lines, with their types. */
const PLACE = {
  first: 'string', last: 'string', expectedLines: 'number', after: 'string', before: 'string', lines: 'array', new: 'string',
  moveTo: 'object', copyTo: 'object',
};

/** The parts of a new place, with their types. */
const NEW_PLACE = { after: 'string', before: 'string' };

const isNamed = (old) => typeof old === 'object' && old !== null && !(old instanceof Quote);

/** Returns the old text, the new text and the options; the old text may be an edit that names lines. */
function placed(old, replacement, options) {
  if (!isNamed(old)) return [old, replacement, options];
  // Moved lines have no new text.
  return [quoteOf(old), old.moveTo || old.copyTo ? '' : old.new, replacement];
}

/** Returns the same for a function whose new text is optional. */
function searched(old, replacement, options) {
  const hasNone = !isNamed(old) && typeof replacement === 'object' && replacement !== null;
  return hasNone ? [old, undefined, replacement] : placed(old, replacement, options);
}

/** Returns the quote that names the lines of an edit; throws if that is not exactly one way. */
function quoteOf(edit) {
  const { first, last, expectedLines, after, before, lines, moveTo, copyTo, new: text } = checked(edit, PLACE);
  const ways = Object.entries({ first: first ?? last ?? lines, after, before }).filter(([, value]) => value !== undefined);
  if (ways.length !== 1) throw bad('say where in exactly one way: `first` and `last`, `after`, `before`, or `lines` with `first`');
  const [[kind]] = ways;
  if (kind === 'first') {
    if (first === undefined) throw bad('`first` is missing: quote the first line of the range, too');
    if (last === undefined && lines === undefined) throw bad('`last` is missing: quote the last line of the range, too');
  } else if (expectedLines !== undefined) {
    throw bad('only a range has `expectedLines`');
  }
  const numbers = [...(lines ?? []), ...(expectedLines === undefined ? [] : [expectedLines])];
  const isRange = lines === undefined || (lines.length === 2 && lines[0] <= lines[1]);
  if (!isRange || !numbers.every((number) => Number.isSafeInteger(number) && number > 0)) {
    throw bad('`lines` are the numbers of the first and the last line, and `expectedLines` is a number of lines');
  }
  const quote = { kind, first: first ?? after ?? before, last: last ?? '', expectedLines, lines: lines ?? [] };
  if (moveTo === undefined && copyTo === undefined) return new Quote(quote);
  const { after: below, before: above } = checked(moveTo ?? copyTo, NEW_PLACE);
  if ((moveTo && copyTo) || kind !== 'first' || text || (below === undefined) === (above === undefined)) {
    throw bad('`moveTo` or `copyTo` needs `first` and `last`, no `new`, and either `after` or `before`');
  }
  const transfer = `${moveTo ? 'move' : 'copy'} ${below === undefined ? 'before' : 'after'}`;
  return new Quote({ ...quote, transfer, anchor: below ?? above });
}

/** Applies the splices to the content. A splice without a text inserts the new text of the request. */
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

/** Returns the public answer to an edit, with the complete text after the edit if it was made. */
function told(answer, content, replacement) {
  const { splices, ...rest } = answer;
  const report = flat(rest);
  report.splices = splices.map(({ start, end, text }) => ({ start, end, text: text ?? replacement }));
  if (answer.ok) report.output = spliced(content, splices, replacement);
  return report;
}

/** Moves the properties of the failure to the answer itself. */
function flat({ failure, ...answer }) {
  if (failure === undefined) return camel(answer);
  const { status: _, file_path: _path, cause: _cause, repeats: _repeats, ...known } = failure;
  return camel({ ...answer, ...known, proposal: known.proposal ?? answer.proposal });
}

/** Returns the answer to a text with a lone surrogate; throws other errors again. */
function refused(error) {
  if (!(error instanceof LoneSurrogate)) throw error;
  const nextStep = 'Give texts that are valid Unicode.';
  return { ok: false, code: 'bad_input', message: error.message, nextStep, splices: [], places: [], occurrences: 0 };
}

/** Returns the message of a failure: opencode's, if opencode has one. */
function message({ code, refusal, failure }) {
  if (code !== 'refused') return MESSAGES[code] ?? OWN_MESSAGES[code] ?? failure?.message ?? code;
  if (refusal === 'unlike') return MESSAGES.not_found;
  return MESSAGES[refusal] ?? OWN_MESSAGES[refusal] ?? MESSAGES.not_found;
}

/** Converts all keys from snake case to camel case. */
export function camel(value) {
  if (Array.isArray(value)) return value.map(camel);
  if (value === null || typeof value !== 'object') return value;
  const named = {};
  for (const [key, inner] of Object.entries(value)) {
    named[key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())] = camel(inner);
  }
  return named;
}

/// <reference lib="esnext.disposable" />
/**
 * Text edits with an inexact old text. All offsets are offsets in JavaScript strings (UTF-16 code units), except
 * `Place.bytes`; line numbers start at 1, and ranges of lines include the last line.
 */

/**
 * A ladder is a list of search strategies and a rule that decides between their matches. `adaptive` is the most
 * accurate; `full` decides as earlier versions of opencode, `full-guarded` as current ones.
 */
export type LadderName =
  | 'adaptive'
  | 'conservative'
  | 'opencode'
  | 'full'
  | 'full-guarded'
  | 'boocode'
  | 'reference'
  | 'registered';

/** The kind of a refusal or an error. */
export type Code =
  | 'not_found'
  | 'ambiguous'
  | 'refused'
  | 'conflict'
  | 'placeholder'
  | 'identical'
  | 'empty_old'
  | 'too_large'
  | 'timeout'
  | 'bad_input'
  | (string & {});

/** Options of a search. An unknown option causes an `EditError` with the code `bad_input`. */
export interface SearchOptions {
  /** The ladder that decides. Default: `adaptive`. */
  ladder?: LadderName;
  /** The minimum confidence of an edit, 0 to 1; edits below it are refused. Default: 0. */
  minConfidence?: number;
  /**
   * The maximum number of steps of the search. It is no time limit, so the answer is the same on every machine. 0, the
   * default, is the usual limit.
   */
  budget?: number;
}

/** Options of an edit of one text. */
export interface EditOptions extends SearchOptions {
  /** Whether to replace all occurrences; otherwise there must be exactly one match. Default: false. */
  replaceAll?: boolean;
  /** Whether the new text gets the line endings of the content. Default: true. */
  fitEndings?: boolean;
  /**
   * The content when the edit was written, if it is known. Where the content lacks the old text, or has it several times,
   * the ladder `adaptive` takes the place that it had there. Without a new text it is ignored.
   */
  base?: string;
}

/** The ends of the lines to replace, instead of an old text with all of them. */
export interface RangeEdit {
  /** The first line, or as many as make it unique. */
  first: string;
  /** The last line, or more of them if it occurs before the end. It may be missing beside `lines`. */
  last?: string;
  /** The number of lines from `first` to `last`, if `last` occurs several times. */
  expectedLines?: number;
  /** The numbers of the first and the last line, counted from 1; `first` finds lines that have moved. */
  lines?: [number, number];
  /** The new lines; an empty text deletes the old ones. */
  new: string;
}

/** New lines below a line. */
export interface InsertionAfter {
  after: string;
  new: string;
}

/** New lines above a line. */
export interface InsertionBefore {
  before: string;
  new: string;
}

/** A place beside a line: below it or above it. */
export type NewPlace = { after: string } | { before: string };

/** Lines that are moved or copied; they get the indentation of their new place. */
export type LineTransfer = Omit<RangeEdit, 'new'> & ({ moveTo: NewPlace } | { copyTo: NewPlace });

/** An edit that names lines by their ends, or by a line beside new ones. */
export type NamedEdit = RangeEdit | InsertionAfter | InsertionBefore | LineTransfer;

/** The place of such an edit, with or without its new text. */
export type NamedPlace =
  | (Omit<RangeEdit, 'new'> & { new?: string })
  | (Omit<InsertionAfter, 'new'> & { new?: string })
  | (Omit<InsertionBefore, 'new'> & { new?: string });

/** Options of `replace`, which never changes the line endings of the new text. */
export interface ReplaceOptions extends SearchOptions {
  /** Receives the answer of `apply` before `replace` returns or throws. `replace` also throws its exceptions. */
  onReport?: (report: Answer) => void;
}

/** A range of the text and its replacement. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** A range of the text. */
export interface Place {
  start: number;
  end: number;
  /** The first and the last line. */
  lines: [number, number];
  /** The start and the end as byte offsets of the text in UTF-8. */
  bytes: [number, number];
}

/** The complete arguments of an edit that can be applied. */
export interface Proposal {
  oldString: string;
  newString: string;
}

/** Lines in which the file and the new text both differ from the old text. Long texts are cut and end with `…`. */
export interface Conflict {
  /** The first and the last line. */
  lines: [number, number];
  /** The differing part of each text: file, old text and new text. */
  file: string;
  old: string;
  new: string;
  /** The lines if the file's text is correct. */
  keeping: string;
  /** The lines if the new text is correct. */
  taking: string;
}

/** The lines of the file that are most similar to the old text. */
export interface Nearest {
  /** The first and the last line. */
  lines: [number, number];
  /** The share of the old text that these lines contain, 0 to 1. */
  similarity: number;
  /** The diff from the old text (`-`) to these lines (`+`). */
  diff: string;
}

/** An edit that was not made, with the reason and the next step. */
export interface Refused {
  ok: false;
  /** Always absent. */
  output?: undefined;
  code: Code;
  /** The reason. */
  message: string;
  /** The next step for the author of the edit, in one sentence. */
  nextStep: string;
  /** The rule that refuses the edit, if any, such as `different-value`. */
  rule?: string | null;
  /** The ranges that an edit from `first` to `last` may mean; `expectedLines` chooses one. */
  ends?: { lines: [number, number]; expectedLines: number }[];
  /** Why the match was not edited, if the code is `refused`. */
  refusal?: 'much_larger' | 'unlike' | 'guess' | 'not_sure' | 'too_costly' | 'other';
  nearest?: Nearest | null;
  /** The first five conflicts, if the code is `conflict`. */
  conflicts?: Conflict[];
  /** The old lines that a placeholder in the new text would delete, if the code is `placeholder`. */
  lost?: string;
  /** The lines of the first hundred possible matches. */
  ambiguousAt?: [number, number][];
  /** The number of possible matches. */
  count?: number;
  /** The edit that was probably intended. Check it before you send it. */
  proposal?: Proposal | null;
  /** The strategies that found no match. */
  tried?: string[];
  /** Always empty. */
  splices: Splice[];
}

/** An edit that was made. */
export interface Landed {
  ok: true;
  /** The new text. */
  output: string;
  code?: undefined;
  message?: undefined;
  nextStep?: undefined;
  /** The strategy that found the match. */
  strategy: string;
  /** The similarity of the old text and the match by this strategy's measure, 0 to 1. */
  similarity: number;
  /** The confidence that this is the intended place, 0 to 1. */
  confidence: number;
  /** The replacements, in the order of the text. */
  splices: Splice[];
  /** A remark for the caller, if the old text did not match exactly. */
  note?: string;
}

/** An edit that the text already contains, so that nothing is changed. */
export interface AlreadyApplied {
  ok: true;
  /** The unchanged text. */
  output: string;
  code: 'already_applied';
  message: string;
  nextStep: string;
  strategy?: undefined;
  similarity?: undefined;
  confidence?: undefined;
  /** Always empty. */
  splices: Splice[];
  note?: undefined;
}

/**
 * The result of an edit. If `ok` is true, `output` is the text after the edit; otherwise `message` and `nextStep` give
 * the reason and the next step.
 */
export type Answer = Landed | AlreadyApplied | Refused;

/** The places that an edit would replace. */
export interface Found {
  ok: true;
  /** `already_applied` if the text already contains the edit; the place is then that of the new text. */
  code?: 'already_applied';
  message?: string;
  nextStep?: string;
  /** The strategy that finds the match; null if the code is `already_applied`. */
  strategy: string | null;
  similarity: number | null;
  confidence: number | null;
  /** The number of places that the edit would replace. */
  occurrences: number;
  /** The first hundred places. */
  places: Place[];
  note?: string;
}

/** The reason why an edit would be refused. */
export interface NotFound extends Omit<Refused, 'output' | 'splices'> {
  strategy?: null;
  similarity?: null;
  confidence?: null;
  occurrences: 0;
  /** Always empty. */
  places: Place[];
  note?: undefined;
}

/** The result of `locate`. */
export type Located = Found | NotFound;

/** The candidates of one strategy, and the decision about them. */
export interface Tried {
  strategy: string;
  verdict: 'nothing' | 'taken' | 'ended' | 'not_unique' | 'passed_over' | 'not_reached';
  why: string;
  candidates: (Place & { similarity: number })[];
  /** Whether there are more than a hundred candidates. */
  more: boolean;
}

/** A line and its number in its text. */
export interface NumberedLine {
  number: number;
  text: string;
}

/** The result of `explain`: how the ladder decided. */
export interface Explained {
  ladder: LadderName;
  /** The rule that decides between the candidates of the strategies. */
  policy: string;
  answer: Answer;
  /** The match. */
  place: Place | null;
  /** The strategies in the order of their attempts. */
  strategies: Tried[];
  /** The alignment of the old text with the file; null if the ladder does not align them. */
  alignment: {
    /** Slips that were removed from the old text before the search, such as line numbers. */
    undone: string[];
    /** Lines of the old text and the aligned lines of the file; either side may be empty. */
    rows: { old: NumberedLine[]; file: NumberedLine[]; evidence: number; similarity: number | null }[];
    /** The lines of the replacement, each with its origin. They are also there for a refused edit. */
    lands: { text: string; origin: 'file' | 'new' | 'merged'; fileLine: number | null; newLine: number | null }[];
  } | null;
  /** The probability of the place; null if the ladder does not compute it. */
  weighed: {
    place: Place;
    /** The replacement of this place. */
    text: string;
    probability: number;
    /** The least probability that is accepted. */
    accepted: number;
    /** The log-odds of a perfect match. */
    perfect: number;
    features: { name: string; meaning: string; value: number; adds: number }[];
    /** The differences between edit and file that the landing repairs, each with its measured share of right texts. */
    repairs: { name: string; right: number }[];
    /** The reason for a refusal that does not depend on the probability. */
    ruledOut: string | null;
  } | null;
  /** The number of steps of the search; `budget` limits it. */
  spent: number;
}

/** The error of an edit that `replace` did not make, or of an invalid request. */
export class EditError extends Error {
  private constructor();
  readonly name: 'EditError';
  readonly code: Code;
  /** The rule that refuses the edit, if any. */
  readonly rule?: string;
  /** The report that `onReport` received. */
  readonly report?: Refused;
  /** The advice on the next step, and the text for a model, if a call of a workspace could not be tried. */
  readonly nextStep?: string;
  readonly forModel?: string;
}

/** The kind of the engine: a native module of Node or WebAssembly. */
export const backend: 'native' | 'wasm';

/** Returns all ladders. */
export function ladders(): { name: LadderName; policy: string; strategies: string[] }[];

/**
 * Replaces `oldString` and returns the new text, with the signature of opencode's function of the same name. The new
 * text is literal: `$` has no special meaning.
 *
 * @throws {EditError} if the edit is refused, with opencode's message if opencode has one for this case.
 */
export function replace(
  content: string,
  oldString: string,
  newString: string,
  replaceAll?: boolean,
  options?: ReplaceOptions,
): string;

/**
 * Applies an edit to a text. A refused edit is an answer with `ok: false`, the reason and the next step.
 *
 * @throws {EditError} if an option or a ladder is unknown or out of range.
 * @throws {TypeError} if an argument has the wrong type.
 *
 * @example
 * const answer = apply(file, oldString, newString);
 * if (answer.ok) write(answer.output);
 * else console.log(`${answer.message}. ${answer.nextStep}`);
 */
export function apply(content: string, oldString: string, newString: string, options?: EditOptions): Answer;
export function apply(content: string, edit: NamedEdit, options?: EditOptions): Answer;

/** Returns the places that an edit would replace. Without a new text they depend on the old text alone. */
export function locate(content: string, oldString: string, newString?: string, options?: EditOptions): Located;
export function locate(content: string, oldString: string, options?: EditOptions): Located;
export function locate(content: string, place: NamedPlace, options?: EditOptions): Located;

/** Returns the candidates of each strategy, and the reason why each was accepted or rejected. */
export function explain(content: string, oldString: string, newString?: string, options?: EditOptions): Explained;
export function explain(content: string, oldString: string, options?: EditOptions): Explained;
export function explain(content: string, place: NamedPlace, options?: EditOptions): Explained;

/** Applies an edit with several ladders, by default with all. */
export function compare(
  content: string,
  oldString: string,
  newString: string,
  options?: Omit<EditOptions, 'ladder'> & { ladders?: LadderName[] },
): ({ ladder: LadderName } & Answer)[];

/** The result of one operation of a patch. It has the keys of the command's JSON reports, in camel case. */
export interface PatchReport {
  status: 'applied' | 'already_applied' | 'not_written' | 'failed';
  filePath: string | null;
  code?: Code;
  message?: string;
  nextStep?: string;
  diff?: string;
  /** The rule that refuses the edit, if any, such as `different-value`. */
  rule?: string | null;
  [known: string]: unknown;
}

/** The common properties of both results of a patch. */
interface PatchAnswer {
  /** The result of each operation, in order. */
  reports: PatchReport[];
  /** The paths of the changed files; empty if the patch was refused. */
  changed: string[];
  /** All files after the patch. */
  files: Record<string, string>;
}

/** A patch that was applied completely. */
export interface PatchLanded extends PatchAnswer {
  ok: true;
  code?: undefined;
  rule?: undefined;
  message?: undefined;
  nextStep?: undefined;
}

/** A refused patch, with its first failure. No file is changed. */
export interface PatchRefused extends PatchAnswer {
  ok: false;
  code: Code;
  /** The rule that refuses the edit, if any, such as `different-value`. */
  rule?: string | null;
  message: string;
  nextStep: string;
}

/** The result of a patch, which is applied completely or not at all. */
export type Patched = PatchLanded | PatchRefused;

/**
 * Loads the module of `applyPatch`, which is separate in browsers, workers and Deno. On other platforms the promise
 * resolves at once.
 */
export function loadPatches(): Promise<void>;

/**
 * Applies a patch (a diff, SEARCH/REPLACE blocks or an envelope) to files in memory, completely or not at all.
 * `target` is the file of blocks without a file name. In browsers, workers and Deno, call `await loadPatches()` before.
 */
export function applyPatch(
  files: Record<string, string>,
  patch: string,
  options?: SearchOptions & { target?: string },
): Patched;

/** Returns the unified diff from `before` to `after`; empty if they are equal. */
export function diff(path: string, before: string, after: string): string;

/**
 * A text for many edits and searches. The engine receives it once, not with each call. `free`, `using` or the garbage
 * collector frees it.
 */
export class Doc {
  constructor(content: string);
  /** The text; undefined after `free`. */
  readonly content: string | undefined;
  replace(oldString: string, newString: string, replaceAll?: boolean, options?: ReplaceOptions): string;
  apply(oldString: string, newString: string, options?: EditOptions): Answer;
  apply(edit: NamedEdit, options?: EditOptions): Answer;
  locate(oldString: string, newString?: string, options?: EditOptions): Located;
  locate(oldString: string, options?: EditOptions): Located;
  locate(place: NamedPlace, options?: EditOptions): Located;
  explain(oldString: string, newString?: string, options?: EditOptions): Explained;
  explain(oldString: string, options?: EditOptions): Explained;
  explain(place: NamedPlace, options?: EditOptions): Explained;
  compare(
    oldString: string,
    newString: string,
    options?: Omit<EditOptions, 'ladder'> & { ladders?: LadderName[] },
  ): ({ ladder: LadderName } & Answer)[];
  /** Frees the memory of the document. Later edits and searches throw. */
  free(): void;
  [Symbol.dispose](): void;
}

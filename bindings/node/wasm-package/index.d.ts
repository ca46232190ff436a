/// <reference lib="esnext.disposable" />
/** Edits that land where they were meant. All offsets are those of JavaScript strings; lines are counted from 1. */

/** A ladder of strategies: `adaptive` decides best, `full` and `full-guarded` decide as opencode did and does. */
export type LadderName =
  | 'adaptive'
  | 'conservative'
  | 'opencode'
  | 'full'
  | 'full-guarded'
  | 'boocode'
  | 'reference'
  | 'registered';

/** What was refused or went wrong, in one word. */
export type Code =
  | 'not_found'
  | 'ambiguous'
  | 'refused'
  | 'conflict'
  | 'placeholder'
  | 'identical'
  | 'empty_needle'
  | 'too_large'
  | 'timeout'
  | 'bad_input'
  | (string & {});

/** How an edit is searched for. An option that does not exist is an `EditError` with the code `bad_input`. */
export interface SearchOptions {
  /** The ladder that decides; `adaptive` if none is named. */
  ladder?: LadderName;
  /** The least confidence, 0 to 1, with which an edit may land. */
  minConfidence?: number;
  /** Steps that the search may take before it gives up, for the same answer on every machine; 0 for the usual number. */
  budget?: number;
}

/** How an edit of a text is searched for and made. */
export interface EditOptions extends SearchOptions {
  /** Whether every place is meant rather than the only one. */
  replaceAll?: boolean;
  /** Whether line endings are fitted to the text's own; true if nothing is said. */
  fitEndings?: boolean;
}

/** How `replace` searches, and who gets a report. Line endings are never fitted. */
export interface ReplaceOptions extends SearchOptions {
  /** Gets the answer of `apply` before `replace` returns or throws. What it throws, `replace` throws. */
  onReport?: (report: Answer) => void;
}

/** A stretch of the text and what takes its place. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** A stretch of the text. */
export interface Place {
  start: number;
  end: number;
  /** The first and the last line. */
  lines: [number, number];
  /** The offsets in UTF-8. */
  bytes: [number, number];
}

/** Whole texts of an edit that would land. */
export interface Proposal {
  oldString: string;
  newString: string;
}

/** Lines of the file where it and the new text both differ from the old text; what is long is cut, and ends in `…`. */
export interface Conflict {
  /** The first and the last line. */
  lines: [number, number];
  /** What each text has where they differ. */
  file: string;
  old: string;
  new: string;
  /** The lines as they stay if the file's text is meant. */
  keeping: string;
  /** The lines as they are if the new text is meant. */
  taking: string;
}

/** Lines of the file that come nearest to the old text. */
export interface Nearest {
  /** The first and the last line. */
  lines: [number, number];
  /** How much of the old text is there, 0 to 1. */
  similarity: number;
  /** How the old text (`-`) differs from these lines (`+`). */
  diff: string;
}

/** An edit that was not made: why, and what to do next. */
export interface Refused {
  ok: false;
  /** There is none. */
  output?: undefined;
  code: Code;
  /** What is wrong, in words. */
  message: string;
  /** What to do next, in one sentence. */
  nextStep: string;
  /** The rule that refuses the edit, such as `different-value`, where a rule does. */
  rule?: string | null;
  /** Why a place that was found must not be edited, where the code is `refused`. */
  refusal?: 'much_larger' | 'unlike' | 'guess' | 'not_sure' | 'too_costly' | 'other';
  nearest?: Nearest | null;
  /** Where file and new text both differ from the old text, where the code is `conflict`; the first five of them. */
  conflicts?: Conflict[];
  /** The old lines that the new text has a placeholder for, where the code is `placeholder`. */
  lost?: string;
  /** The lines of places that the old text may mean; the first hundred of them. */
  ambiguousAt?: [number, number][];
  /** How many places it may mean. */
  count?: number;
  /** The edit that was probably meant, to check and to send. */
  proposal?: Proposal | null;
  /** The strategies that looked in vain. */
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
  /** The strategy that found the place. */
  strategy: string;
  /** How alike the old text and the place are under that strategy's rule, 0 to 1. */
  similarity: number;
  /** How sure it is that this is the place, 0 to 1. */
  confidence: number;
  /** What was put where, top to bottom. */
  splices: Splice[];
  /** What the caller should know about an old text that did not match exactly. */
  note?: string;
}

/** An edit that was made before: there is nothing to do. */
export interface AlreadyApplied {
  ok: true;
  /** The text as it is. */
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
 * What became of an edit: `ok` says whether `output` is the text as the edit leaves it, or `message` and `nextStep` say
 * why there is none.
 */
export type Answer = Landed | AlreadyApplied | Refused;

/** Where an edit would land. */
export interface Found {
  ok: true;
  /** `already_applied` if there would be nothing to do: the place is that of the new text. */
  code?: 'already_applied';
  message?: string;
  nextStep?: string;
  /** The strategy that finds the place; null if there would be nothing to do. */
  strategy: string | null;
  similarity: number | null;
  confidence: number | null;
  /** How many places an edit would replace. */
  occurrences: number;
  /** The first hundred of them. */
  places: Place[];
  note?: string;
}

/** Why an edit would land nowhere. */
export interface NotFound extends Omit<Refused, 'output' | 'splices'> {
  strategy?: null;
  similarity?: null;
  confidence?: null;
  occurrences: 0;
  /** Always empty. */
  places: Place[];
  note?: undefined;
}

/** Where an edit would land, or why nowhere. */
export type Located = Found | NotFound;

/** What one strategy proposes, and what was made of that. */
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

/** Why an edit lands where it does, or nowhere. */
export interface Explained {
  ladder: LadderName;
  /** The rule that decides between what the strategies propose. */
  policy: string;
  answer: Answer;
  /** The place that was found. */
  place: Place | null;
  /** In the order in which they are tried. */
  strategies: Tried[];
  /** The old text beside the file, under a ladder that aligns them. */
  alignment: {
    /** What was undone in the old text before it was read, such as line numbers. */
    undone: string[];
    /** Lines of the old text and those of the file that they mean; either side may be empty. */
    rows: { needle: NumberedLine[]; file: NumberedLine[]; evidence: number; similarity: number | null }[];
    /** The lines that land, or would, and whose text they are. */
    lands: { text: string; origin: 'file' | 'new' | 'merged'; fileLine: number | null; newLine: number | null }[];
  } | null;
  /** How likely the place is the one that is meant, under a ladder that weighs it. */
  weighed: {
    place: Place;
    /** What would be written there. */
    text: string;
    probability: number;
    /** The probability that it takes to be accepted. */
    accepted: number;
    /** The log-odds of a place without a flaw. */
    perfect: number;
    features: { name: string; meaning: string; value: number; adds: number }[];
    /** What keeps the edit from landing however likely the place is. */
    ruledOut: string | null;
  } | null;
  /** How many steps it all took, of which `budget` allows a number. */
  spent: number;
}

/** An edit that `replace` did not make, or a request that makes no sense. */
export class EditError extends Error {
  private constructor();
  readonly name: 'EditError';
  readonly code: Code;
  /** The rule that refuses the edit, where a rule does. */
  readonly rule?: string;
  /** What `onReport` got. */
  readonly report?: Refused;
}

/** Whether the engine is Node's own module or WebAssembly. */
export const backend: 'native' | 'wasm';

/** Returns every ladder. */
export function ladders(): { name: LadderName; policy: string; strategies: string[] }[];

/**
 * Returns the text with `oldString` replaced, as opencode's function of this name does; the new text is always literal.
 *
 * @throws {EditError} with opencode's message where opencode has one.
 */
export function replace(
  content: string,
  oldString: string,
  newString: string,
  replaceAll?: boolean,
  options?: ReplaceOptions,
): string;

/**
 * Makes an edit of a text, or says why not and what to do next. Throws only at a request that makes no sense.
 *
 * @example
 * const answer = apply(file, oldString, newString);
 * if (answer.ok) write(answer.output);
 * else console.log(`${answer.message}. ${answer.nextStep}`);
 */
export function apply(content: string, oldString: string, newString: string, options?: EditOptions): Answer;

/** Says where an edit would land. Without a new text the place is one that no new text moves. */
export function locate(content: string, oldString: string, newString?: string, options?: EditOptions): Located;
export function locate(content: string, oldString: string, options?: EditOptions): Located;

/** Says of every strategy what it proposes and why that was or was not taken. */
export function explain(content: string, oldString: string, newString?: string, options?: EditOptions): Explained;
export function explain(content: string, oldString: string, options?: EditOptions): Explained;

/** Makes an edit by several ladders; by every one if none is named. */
export function compare(
  content: string,
  oldString: string,
  newString: string,
  options?: Omit<EditOptions, 'ladder'> & { ladders?: LadderName[] },
): ({ ladder: LadderName } & Answer)[];

/** What became of one operation of a patch: what is reported of an edit of a file, in the command's JSON, too. */
export interface PatchReport {
  status: 'applied' | 'already_applied' | 'not_written' | 'failed';
  filePath: string | null;
  code?: Code;
  message?: string;
  nextStep?: string;
  diff?: string;
  /** The rule that refuses the edit, such as `different-value`, where a rule does. */
  rule?: string | null;
  [known: string]: unknown;
}

/** What both answers to a patch have. */
interface PatchAnswer {
  /** Each operation, in order. */
  reports: PatchReport[];
  /** The paths of the files that are not as they were; none if nothing was made. */
  changed: string[];
  /** All files as the patch leaves them. */
  files: Record<string, string>;
}

/** A patch that was made, all of it. */
export interface PatchLanded extends PatchAnswer {
  ok: true;
  code?: undefined;
  rule?: undefined;
  message?: undefined;
  nextStep?: undefined;
}

/** A patch of which nothing was made: its first failure. */
export interface PatchRefused extends PatchAnswer {
  ok: false;
  code: Code;
  /** The rule that refuses the edit, such as `different-value`, where a rule does. */
  rule?: string | null;
  message: string;
  nextStep: string;
}

/** What became of a patch: all of it was made, or nothing. */
export type Patched = PatchLanded | PatchRefused;

/**
 * Loads what `applyPatch` needs in browsers, workers and Deno, where it is a module apart; elsewhere there is nothing to
 * wait for.
 */
export function loadPatches(): Promise<void>;

/**
 * Applies a patch (a diff, SEARCH/REPLACE blocks or an envelope) to files in memory: all of it or nothing.
 * `target` is the file of blocks that name none. In browsers, workers and Deno `await loadPatches()` comes first.
 */
export function applyPatch(
  files: Record<string, string>,
  patch: string,
  options?: SearchOptions & { target?: string },
): Patched;

/** Returns the unified diff from one text to another; empty if they are the same. */
export function diff(path: string, before: string, after: string): string;

/** A text that is made once and asked often: it crosses once. Freed by `free`, `using` or the garbage collector. */
export class Doc {
  constructor(content: string);
  /** The text; undefined once the document is freed. */
  readonly content: string | undefined;
  replace(oldString: string, newString: string, replaceAll?: boolean, options?: ReplaceOptions): string;
  apply(oldString: string, newString: string, options?: EditOptions): Answer;
  locate(oldString: string, newString?: string, options?: EditOptions): Located;
  locate(oldString: string, options?: EditOptions): Located;
  explain(oldString: string, newString?: string, options?: EditOptions): Explained;
  explain(oldString: string, options?: EditOptions): Explained;
  compare(
    oldString: string,
    newString: string,
    options?: Omit<EditOptions, 'ladder'> & { ladders?: LadderName[] },
  ): ({ ladder: LadderName } & Answer)[];
  /** Gives its memory back; it cannot be asked any more. */
  free(): void;
  [Symbol.dispose](): void;
}

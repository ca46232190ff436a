import type { Code, LadderName, NewPlace, PatchReport } from 'fuzzy-edit-wasm';

export * from 'fuzzy-edit-wasm';

/** Options of a workspace. */
export interface OpenOptions {
  /** The encoding of files, by its name in HTML, such as `windows-1252`; by default it is detected. */
  encoding?: string;
  ladder?: LadderName;
  /** The least confidence of an edit, 0 to 1. */
  minConfidence?: number;
  /** The longest time of a search in seconds; by default 2. */
  timeout?: number;
  /** The longest text in bytes; by default 32 MiB. */
  maxBytes?: number;
}

/** Lines of a file, named by quotes of their ends, or by their numbers beside such a quote. */
interface NamedLines {
  first: string;
  last?: string;
  expectedLines?: number;
  lines?: [first: number, last: number];
}

/** The new place of lines; `path` is another file. */
type FilePlace = { path?: string } & (NewPlace | { path: string });

/** A cell of a notebook: its id, or its number from 1. */
interface InCell {
  cell?: string | number;
}

/** One edit of a file, which says in one way where. */
export type FileEdit = { path: string; expectedHash?: string } & (
  | ({ old: string; new: string; replaceAll?: boolean; line?: number; count?: number } & InCell)
  | (NamedLines & { new: string } & InCell)
  | ({ after: string; new: string } & InCell)
  | ({ before: string; new: string } & InCell)
  | (NamedLines & { moveTo: FilePlace })
  | (NamedLines & { copyTo: FilePlace })
  | { cell: string | number; new: string; insertCell?: 'before' | 'after'; cellType?: 'code' | 'markdown' | 'raw' }
  | { cell: string | number; deleteCell: true }
);

/** The result of edits, all of which are written, or none. */
export interface Edited {
  ok: boolean;
  status: 'applied' | 'already_applied' | 'dry_run' | 'failed';
  /** The result of each edit, in order. */
  edits: PatchReport[];
  /** The first failure. */
  code?: Code;
  rule?: string | null;
  message?: string;
  nextStep?: string;
  /** The answer for a model: a line for each edit, or each failure with the lines that it needs to try again. */
  forModel: string;
}

/** The result of an undo. */
export interface Undone {
  ok: true;
  status: 'undone' | 'redone' | 'dry_run';
  /** The id of the batch; the undo of it is a batch, too. */
  batch: string;
  files: { filePath: string; action: 'restored' | 'removed' | 'recreated'; note?: string }[];
  forModel: string;
}

/** The files beneath a directory. Methods reject with an `EditError` if a call could not be tried. */
export interface Workspace {
  /** Returns the text of a file. A later edit is placed by this text, if the file was changed since. */
  read(path: string): Promise<string>;
  /** Edits a file. */
  apply(edit: FileEdit, options?: { dryRun?: boolean }): Promise<Edited>;
  /** Edits one file or many, all or none; a later edit of a file sees the results of earlier ones. */
  multiEdit(edits: FileEdit[], options?: { dryRun?: boolean }): Promise<Edited>;
  /** Applies a patch, all of it or nothing. `file` is that of blocks and hunks that name none. */
  patch(patch: string, options?: { file?: string; reverse?: boolean; strip?: number; dryRun?: boolean }): Promise<Edited>;
  /** Undoes the newest batch of edits in the directory, or the one with this id; later changes stay. */
  undo(batch?: string, options?: { dryRun?: boolean }): Promise<Undone>;
}

/**
 * Opens a directory; relative paths are relative to it, and no path leads out of it. Throws an `EditError` if an option is
 * invalid, or the platform has no native module.
 */
export function open(root: string, options?: OpenOptions): Workspace;

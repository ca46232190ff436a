//! Plans edits of files with one pipeline and within limits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fuzzy_pipeline::{Applied, Attempt, Document, Edit, LineRange, Pipeline, REPORTED, Replaced, Similarity, Span};
use serde::Deserialize;

use crate::draft::{Access, Drafts};
use crate::operation::{self, Operation};
use crate::plan::sha256;
use crate::root::Root;
use crate::{Code, Encoding, Failure, FileError, Plan, Status, Success, TextFile, apply_within, unified_diff};

/// One edit of one file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEdit {
    /// The file.
    pub file_path: PathBuf,
    /// The text to replace, as the caller believes it stands in the file.
    pub old_string: String,
    /// The text to put there; always literal.
    pub new_string: String,
    /// Whether every place is meant rather than the only one.
    #[serde(default)]
    pub replace_all: bool,
    /// How many places there must be, if the caller knows.
    #[serde(skip)]
    pub count: Option<usize>,
    /// SHA-256 in hexadecimal of the file that the caller read, if another one is not to be edited.
    #[serde(default)]
    pub expected_hash: Option<String>,
}

impl FileEdit {
    /// Makes an edit of the one place that `old_string` means.
    #[must_use]
    pub fn new(file_path: &Path, old_string: impl Into<String>, new_string: impl Into<String>) -> Self {
        Self {
            file_path: file_path.to_owned(),
            old_string: old_string.into(),
            new_string: new_string.into(),
            replace_all: false,
            count: None,
            expected_hash: None,
        }
    }

    /// Makes it an edit of every place, of which there must be `count` if that is given.
    #[must_use]
    pub fn everywhere(self, count: Option<usize>) -> Self {
        Self { replace_all: true, count, ..self }
    }
}

/// What one edit may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file that is read and largest text that is made, in bytes.
    pub max_bytes: u64,
    /// Longest search.
    pub timeout: Duration,
}

impl Limits {
    /// 32 MiB: larger than source code gets, small enough to hold a few times in memory.
    pub const MAX_BYTES: u64 = 32 << 20;
    /// Two seconds, in milliseconds.
    pub const TIMEOUT_MS: u64 = 2_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: Self::MAX_BYTES, timeout: Duration::from_millis(Self::TIMEOUT_MS) }
    }
}

/// Plans edits of files with one pipeline and within limits.
#[derive(Clone, Debug)]
pub struct Editor {
    pipeline: Pipeline,
    limits: Limits,
    least_confidence: Similarity,
    access: Access,
    cancelled: Option<Arc<AtomicBool>>,
}

impl Editor {
    /// Makes an editor.
    #[must_use]
    pub const fn new(pipeline: Pipeline, limits: Limits) -> Self {
        let access = Access { root: None, git_allowed: false, in_place: false, encoding: None };
        Self { pipeline, limits, least_confidence: Similarity::ZERO, access, cancelled: None }
    }

    /// Makes paths stay beneath a directory, which relative ones start from.
    ///
    /// Without a root, naming a file is the permission to edit it, wherever it is.
    #[must_use]
    pub fn within(mut self, root: Root) -> Self {
        self.access.root = Some(root);
        self
    }

    /// Lets edits into directories that are called `.git`, where there is no root; a root says so itself.
    #[must_use]
    pub fn allowing_git(mut self) -> Self {
        self.access.git_allowed = true;
        self
    }

    /// Lets a file with several hard links be written in place, which is not atomic: a process that is killed then
    /// leaves it half written.
    #[must_use]
    pub fn allowing_in_place(mut self) -> Self {
        self.access.in_place = true;
        self
    }

    /// Stops what has not been written yet once `flag` is set: it ends as a [`FileError::Cancelled`].
    ///
    /// The flag is looked at between operations; one search takes no longer than its limit.
    #[must_use]
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Asks for a refusal of every edit whose place is less certain than `least`.
    #[must_use]
    pub fn with_least_confidence(self, least: Similarity) -> Self {
        Self { least_confidence: least, ..self }
    }

    /// Says in what encoding the files are, where it cannot be told from their bytes.
    #[must_use]
    pub fn with_encoding(mut self, encoding: Option<Encoding>) -> Self {
        self.access.encoding = encoding;
        self
    }

    /// Returns the pipeline.
    #[must_use]
    pub const fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Returns the limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Tries an edit of a text that is at hand, with line endings fitted to it; the time runs from now on.
    #[must_use]
    pub fn attempt<'a>(&'a self, edit: Edit<'a>, document: &'a Document<'a>) -> Attempt<'a> {
        self.bounded(edit.fit(&self.pipeline, document))
    }

    /// Puts an attempt of another kind under the same limits; the time runs from now on.
    #[must_use]
    pub fn bounded<'a>(&self, attempt: Attempt<'a>) -> Attempt<'a> {
        attempt.with_deadline(self.deadline()).with_least_confidence(self.least_confidence)
    }

    /// Returns when a search that begins now has to end.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.limits.timeout)
    }

    /// Reads a file within the limits.
    ///
    /// # Errors
    ///
    /// As [`TextFile::read_as`]; also [`FileError::OutsideRoot`].
    pub fn read(&self, path: &Path) -> Result<TextFile, FileError> {
        self.access.read(path, self.limits.max_bytes)
    }

    /// Plans `edits` in order; reads their files and writes nothing.
    ///
    /// A later edit of a file sees what the earlier ones made of it. An edit that fails is left out for those that
    /// follow, so that every one of them is reported.
    #[must_use]
    pub fn plan(&self, edits: &[FileEdit]) -> Plan {
        self.plan_each(edits, |edit, drafts| self.edit(edit, drafts), |edit| &edit.file_path)
    }

    /// Plans operations of every kind, as [`plan`](Self::plan) does edits; they become one batch.
    #[must_use]
    pub fn plan_operations(&self, operations: &[Operation]) -> Plan {
        self.plan_each(operations, |operation, drafts| self.operation(operation, drafts), Operation::path)
    }

    fn plan_each<T>(
        &self,
        requests: &[T],
        step: impl Fn(&T, &mut Drafts) -> Result<(usize, Success), Box<Failure>>,
        path: impl Fn(&T) -> &Path,
    ) -> Plan {
        let mut drafts = Drafts::new(self.access.clone(), self.limits.max_bytes);
        let one = |request| {
            let outcome = self.check_wanted().map_err(Box::from).and_then(|()| step(request, &mut drafts));
            outcome.map_err(|failure| Box::new(failure.about(path(request).to_string_lossy())))
        };
        let outcomes = requests.iter().map(one).collect();
        Plan { drafts, outcomes, editor: self.clone() }
    }

    /// Says whether the caller still wants an answer.
    pub(crate) fn check_wanted(&self) -> Result<(), FileError> {
        let is_cancelled = self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_cancelled { Err(FileError::Cancelled) } else { Ok(()) }
    }

    pub(crate) const fn access(&self) -> &Access {
        &self.access
    }

    /// Adds one operation to the drafts; returns the index of its file and what is to be reported.
    fn operation(&self, operation: &Operation, drafts: &mut Drafts) -> Result<(usize, Success), Box<Failure>> {
        match operation {
            Operation::Edit(edit) => self.edit(edit, drafts),
            Operation::Create { path, text } => operation::create(drafts, path, text, self.limits.max_bytes),
            Operation::Delete { path } => operation::delete(drafts, path),
            Operation::Move { from, to } => operation::rename(drafts, from, to),
        }
    }

    /// Adds one edit to the drafts.
    fn edit(&self, edit: &FileEdit, drafts: &mut Drafts) -> Result<(usize, Success), Box<Failure>> {
        let path = &edit.file_path;
        let index = drafts.open(path)?;
        if let (Some(expected), Some(bytes)) = (&edit.expected_hash, drafts.before(index))
            && !sha256(bytes).eq_ignore_ascii_case(expected)
        {
            return Err(FileError::Stale { path: path.clone() }.into());
        }
        if edit.old_string.is_empty() && !edit.new_string.is_empty() {
            if !drafts.is_absent(index) {
                return Err(operation::empty_needle(path).into());
            }
            return operation::create(drafts, path, &edit.new_string, self.limits.max_bytes);
        }
        let (file, text) = drafts.text(index, path)?;
        let (needle, replacement) = file.without_mark(&edit.old_string, &edit.new_string);
        let request = Edit { needle, replacement, replace_all: edit.replace_all };
        let document = Document::new(text);
        let attempt = self.attempt(request, &document);
        let applied = match apply_within(&attempt, self.limits.max_bytes)? {
            Ok(applied) => applied,
            Err(fuzzy_pipeline::Failure::AlreadyApplied { span }) => {
                return Ok((index, already_applied(edit, LineRange::of(text, span))));
            }
            Err(failure) => return Err(Failure::of_search(&attempt, &failure).into()),
        };
        if let Some(expected) = edit.count
            && expected != applied.replaced.len()
        {
            return Err(count_mismatch(&applied, text, expected).into());
        }
        file.encode(&applied.output)?;
        let success = success(edit, file.mark(), text, &applied);
        drafts.put(index, file, applied.output);
        Ok((index, success))
    }
}

fn success(edit: &FileEdit, mark: &str, text: &str, applied: &Applied) -> Success {
    let file_path = edit.file_path.to_string_lossy().into_owned();
    let diff = unified_diff(&file_path, &format!("{mark}{text}"), &format!("{mark}{}", applied.output));
    let first = applied.replaced.first();
    let last = applied.replaced.last();
    let around = |side: fn(&Replaced) -> Span| match (first.map(side), last.map(side)) {
        (Some(first), Some(last)) => Span::new(first.start(), last.end()),
        _ => applied.found.span,
    };
    Success {
        // Known when the plan ends, as is the hash.
        status: Status::NotWritten,
        strategy: Some(applied.found.strategy),
        similarity: applied.found.similarity.get(),
        confidence: applied.found.confidence.get(),
        occurrences: applied.replaced.len(),
        changed: applied.output != text,
        lines_before: LineRange::of(text, around(|place| place.before)).into(),
        lines_after: LineRange::of(&applied.output, around(|place| place.after)).into(),
        diff,
        note: applied.found.note(),
        file_path,
        file_hash: None,
    }
}

fn already_applied(edit: &FileEdit, lines: LineRange) -> Success {
    Success {
        status: Status::AlreadyApplied,
        strategy: None,
        similarity: 1.0,
        confidence: 1.0,
        occurrences: 0,
        changed: false,
        lines_before: lines.into(),
        lines_after: lines.into(),
        diff: String::new(),
        note: Some("the new text already stands there".to_owned()),
        file_path: edit.file_path.to_string_lossy().into_owned(),
        file_hash: None,
    }
}

fn count_mismatch(applied: &Applied, text: &str, expected: usize) -> Failure {
    let count = applied.replaced.len();
    let message = format!("the old text stands in {count} places, not in {expected} as expected");
    let lines = |place: &Replaced| LineRange::of(text, place.before).into();
    Failure {
        count,
        ambiguous_at: applied.replaced.iter().take(REPORTED).map(lines).collect(),
        ..Failure::new(Code::CountMismatch, message, "Look at each place, then state how many are to be replaced.")
    }
}

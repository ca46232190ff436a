//! Plans edits of files with one pipeline and within limits.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fuzzy_pipeline::{Applied, Attempt, Document, Edit, LineRange, Pipeline, REPORTED, Replaced, Similarity, Span};
use serde::Deserialize;

use crate::{Change, Code, Encoding, Failure, FileError, Plan, Status, Success, TextFile, apply_within, unified_diff};

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
    encoding: Option<Encoding>,
}

impl Editor {
    /// Makes an editor.
    #[must_use]
    pub const fn new(pipeline: Pipeline, limits: Limits) -> Self {
        Self { pipeline, limits, least_confidence: Similarity::ZERO, encoding: None }
    }

    /// Asks for a refusal of every edit whose place is less certain than `least`.
    #[must_use]
    pub fn with_least_confidence(self, least: Similarity) -> Self {
        Self { least_confidence: least, ..self }
    }

    /// Says in what encoding the files are, where it cannot be told from their bytes.
    #[must_use]
    pub fn with_encoding(self, encoding: Option<Encoding>) -> Self {
        Self { encoding, ..self }
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
    /// As [`TextFile::read_as`].
    pub fn read(&self, path: &Path) -> Result<TextFile, FileError> {
        TextFile::read_as(path, self.limits.max_bytes, self.encoding)
    }

    /// Plans `edits` in order; reads their files and writes nothing.
    ///
    /// A later edit of a file sees what the earlier ones made of it. An edit that fails is left out for those that
    /// follow, so that every one of them is reported.
    #[must_use]
    pub fn plan(&self, edits: &[FileEdit]) -> Plan {
        let mut changes = Vec::new();
        let step = |edit: &FileEdit| {
            self.step(edit, &mut changes).map_err(|failure| Box::new(failure.about(edit.file_path.to_string_lossy())))
        };
        let outcomes = edits.iter().map(step).collect();
        Plan { changes, outcomes }
    }

    /// Adds one edit to the changes; returns the index of its file and what is to be reported.
    fn step(&self, edit: &FileEdit, changes: &mut Vec<Change>) -> Result<(usize, Success), Box<Failure>> {
        let index = self.open(&edit.file_path, changes)?;
        let change = &mut changes[index];
        let (needle, replacement) = change.file.without_mark(&edit.old_string, &edit.new_string);
        let request = Edit { needle, replacement, replace_all: edit.replace_all };
        let document = Document::new(change.text.as_str());
        let attempt = self.attempt(request, &document);
        let applied = match apply_within(&attempt, self.limits.max_bytes)? {
            Ok(applied) => applied,
            Err(fuzzy_pipeline::Failure::AlreadyApplied { span }) => {
                return Ok((index, already_applied(edit, LineRange::of(&change.text, span))));
            }
            Err(failure) => return Err(Failure::of_search(&attempt, &failure).into()),
        };
        if let Some(expected) = edit.count
            && expected != applied.replaced.len()
        {
            return Err(count_mismatch(&applied, &change.text, expected).into());
        }
        change.file.encode(&applied.output)?;
        let success = success(edit, change, &applied);
        change.text = applied.output;
        Ok((index, success))
    }

    /// Returns the index of the file at `path` among the changes, where it is read only once.
    fn open(&self, path: &Path, changes: &mut Vec<Change>) -> Result<usize, FileError> {
        let target = fs::canonicalize(path).ok();
        if let Some(index) = changes.iter().position(|change| Some(change.file.target()) == target.as_deref()) {
            return Ok(index);
        }
        let file = self.read(path)?;
        file.check_writable()?;
        let text = file.text().to_owned();
        changes.push(Change { file, text });
        Ok(changes.len() - 1)
    }
}

fn success(edit: &FileEdit, change: &Change, applied: &Applied) -> Success {
    let file_path = edit.file_path.to_string_lossy().into_owned();
    let mark = change.file.mark();
    let diff = unified_diff(&file_path, &format!("{mark}{}", change.text), &format!("{mark}{}", applied.output));
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
        changed: applied.output != change.text,
        lines_before: LineRange::of(&change.text, around(|place| place.before)).into(),
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

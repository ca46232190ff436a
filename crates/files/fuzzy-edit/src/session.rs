//! The state of one conversation: repeated failures and edited files.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use fuzzy_plan::Timing;
use fuzzy_safe_write::sha256_of;

use crate::{Code, Failure, FileEdit, Log, LogRecord, Operation, Report, Status};

/// Failed edits to remember; a loop is detected much earlier.
const MAX_FAILING: usize = 1000;

/// Edited files to remember, which are searched for a missing old text.
const MAX_FILES: usize = 32;

/// The most bytes of texts to remember.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// The number of failures that an edit may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The first failure that is reported as repeated.
    pub repeated_from: usize,
    /// The first failure whose next step is to stop and ask the user.
    pub stop_from: usize,
}

impl Default for Patience {
    /// The second failure is a repetition, the third one a loop.
    fn default() -> Self {
        Self { repeated_from: 2, stop_from: 3 }
    }
}

/// The state of one conversation. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Session(Arc<Mutex<Tried>>);

#[derive(Debug, Default)]
struct Tried {
    patience: Patience,
    /// Failed edits by their hash with their number of failures, the latest at the end.
    failing: VecDeque<(String, usize)>,
    /// Edited files, the latest at the end.
    edited: VecDeque<PathBuf>,
    /// The texts of files as the client last knew them, the latest at the end.
    texts: VecDeque<(PathBuf, Arc<str>)>,
    log: Option<Log>,
    log_error: Option<io::Error>,
}

impl Session {
    /// Makes a session.
    #[must_use]
    pub fn new(patience: Patience) -> Self {
        Self(Arc::new(Mutex::new(Tried { patience, ..Tried::default() })))
    }

    /// Logs every edit to `log` from now on.
    #[must_use]
    pub fn with_log(self, log: Log) -> Self {
        self.tried().log = Some(log);
        self
    }

    fn tried(&self) -> MutexGuard<'_, Tried> {
        // The state is consistent after every change, so a panic of another thread does not matter.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the edited files, the latest first; old ones are forgotten.
    #[must_use]
    pub fn edited(&self) -> Vec<PathBuf> {
        self.tried().edited.iter().rev().cloned().collect()
    }

    /// Remembers the text of a file that the client knows, because it was shown or written. If the file lacks the old
    /// text of a later edit, or has it several times, the edit is placed by this text, as with
    /// [`Edit::with_base`](fuzzy_pipeline::Edit::with_base). A text that the file still has decides nothing. Keeps the texts of 32 files, and 8 MiB of them at most.
    pub fn remember(&self, path: &Path, text: &str) {
        if text.len() > MAX_TEXT_BYTES {
            return;
        }
        let path = absolute(path);
        let texts = &mut self.tried().texts;
        texts.retain(|(known, _)| *known != path);
        texts.push_back((path, text.into()));
        let mut bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
        while bytes > MAX_TEXT_BYTES || texts.len() > MAX_FILES {
            bytes -= texts.pop_front().map_or(0, |(_, text)| text.len());
        }
    }

    /// Returns the remembered text of a file.
    pub(crate) fn text_of(&self, path: &Path) -> Option<Arc<str>> {
        let tried = self.tried();
        if tried.texts.is_empty() {
            return None;
        }
        let path = absolute(path);
        tried.texts.iter().find(|(known, _)| *known == path).map(|(_, text)| Arc::clone(text))
    }

    /// Takes the last error of writing the log; the edits succeeded regardless.
    pub fn take_log_error(&mut self) -> Option<io::Error> {
        self.tried().log_error.take()
    }

    /// Returns whether the log has texts.
    pub(crate) fn logs_texts(&self) -> bool {
        self.tried().log.as_ref().is_some_and(Log::has_texts)
    }

    /// Restores the state after the edit of `record`.
    pub fn recall(&mut self, record: &LogRecord) {
        let mut tried = self.tried();
        match (record.status, record.code) {
            (Status::Failed, Some(code)) => {
                tried.count(&record.edit_hash, code);
            }
            (status, _) => tried.succeeded(&record.edit_hash, status, Path::new(&record.file_path)),
        }
    }

    /// Remembers the results of edits; the report of an edit that failed before becomes a repeated failure.
    pub(crate) fn settle(&mut self, operations: &[Operation], reports: &mut [Report]) {
        let mut tried = self.tried();
        for (operation, report) in operations.iter().zip(reports) {
            let Some(edit) = operation.edit() else { continue };
            let hash = edit_hash(&edit);
            match report {
                Report::Failure(failure) => {
                    let repeats = tried.count(&hash, failure.code);
                    if repeats >= tried.patience.repeated_from.max(1) {
                        repeated(failure, repeats, repeats >= tried.patience.stop_from);
                    }
                }
                Report::Success(success) => tried.succeeded(&hash, success.status, &edit.file_path),
            }
        }
    }

    /// Logs the timings and results, if there is a log.
    pub(crate) fn log(&mut self, ladder: &str, operations: &[Operation], timings: Vec<Timing>, reports: &[Report]) {
        self.tried().log(ladder, operations, timings, reports);
    }
}

impl Tried {
    /// Counts a failure; returns the number of failures of this edit, or 0 if it may be sent again.
    fn count(&mut self, hash: &str, code: Code) -> usize {
        // These failures have external causes, and their next step is to repeat the edit.
        if matches!(code, Code::Stale | Code::Busy | Code::Io | Code::DiskFull) {
            return 0;
        }
        let before = self.forget(hash);
        if self.failing.len() == MAX_FAILING {
            self.failing.pop_front();
        }
        self.failing.push_back((hash.to_owned(), before + 1));
        before + 1
    }

    fn succeeded(&mut self, hash: &str, status: Status, path: &Path) {
        // An edit that was not written because of another one has no result.
        if matches!(status, Status::Failed | Status::NotWritten) {
            return;
        }
        self.forget(hash);
        if status == Status::Applied {
            self.edited.retain(|edited| edited != path);
            if self.edited.len() == MAX_FILES {
                self.edited.pop_front();
            }
            self.edited.push_back(path.to_owned());
        }
    }

    fn forget(&mut self, hash: &str) -> usize {
        let at = self.failing.iter().position(|(known, _)| known == hash);
        at.and_then(|at| self.failing.remove(at)).map_or(0, |(_, count)| count)
    }

    /// Logs the timings and results, if there is a log.
    fn log(&mut self, ladder: &str, operations: &[Operation], timings: Vec<Timing>, reports: &[Report]) {
        let Some(log) = &mut self.log else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        for (index, ((operation, timing), report)) in operations.iter().zip(timings).zip(reports).enumerate() {
            let Some(edit) = operation.edit() else { continue };
            let id = format!("{:x}-{:x}-{index}", now.as_nanos(), std::process::id());
            let time_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
            let record = record(id, time_ms, ladder, &edit, timing, report);
            if let Err(error) = log.append(&record) {
                self.log_error = Some(error);
                return;
            }
        }
    }
}

/// Returns the absolute form of a path.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns a hash that identifies an edit.
fn edit_hash(edit: &FileEdit) -> String {
    let path = absolute(&edit.file_path);
    let mut options = format!("{} {:?} {:?}", edit.replace_all, edit.count, edit.expected_hash);
    // Without a line hint the hash is the same as in older logs.
    if let Some(line) = edit.line {
        let _ = write!(options, " {line}");
    }
    if let Some(quote) = &edit.quote {
        let _ = write!(options, " {quote:?}");
    }
    if let Some(transfer) = &edit.transfer {
        let _ = write!(options, " {transfer:?}");
    }
    if let Some(cell) = &edit.cell {
        let _ = write!(options, " {cell:?}");
    }
    let parts = [path.as_os_str().as_encoded_bytes(), edit.old_string.as_bytes(), edit.new_string.as_bytes()];
    sha256_of(parts.into_iter().chain([options.as_bytes()]))
}

/// Turns a failure into a repeated failure.
fn repeated(failure: &mut Failure, repeats: usize, stop: bool) {
    let cause = failure.code;
    failure.message = format!("this same edit has now failed {repeats} times ({cause}): {}", failure.message);
    failure.next_step = if stop {
        "Stop sending this edit, and ask the user how to continue.".to_owned()
    } else {
        let mut first = failure.next_step.chars();
        let lower = first.next().map(|c| c.to_lowercase().chain(first).collect::<String>());
        format!("Do not resend it unchanged; {}", lower.unwrap_or_default())
    };
    failure.code = Code::RepeatedFailure;
    (failure.details.cause, failure.details.repeats) = (Some(cause), repeats);
}

fn record(id: String, time_ms: u64, ladder: &str, edit: &FileEdit, timing: Timing, report: &Report) -> LogRecord {
    let (success, failure) = match report {
        Report::Success(success) => (Some(success), None),
        Report::Failure(failure) => (None, Some(failure)),
    };
    // A log has no fields for a new place or a cell, so that its texts would be another edit.
    let content = timing.content.filter(|_| edit.transfer.is_none() && edit.cell.is_none());
    let has_text = content.is_some();
    LogRecord {
        id,
        time_ms,
        file_path: edit.file_path.to_string_lossy().into_owned(),
        edit_hash: edit_hash(edit),
        status: success.map_or(Status::Failed, |success| success.status),
        code: failure.map(|failure| failure.details.cause.unwrap_or(failure.code)),
        rule: failure.and_then(|failure| failure.details.rule).map(str::to_owned),
        ladder: ladder.to_owned(),
        strategy: success.and_then(|success| success.strategy).map(str::to_owned),
        similarity: success.map(|success| success.similarity),
        confidence: success.map(|success| success.confidence),
        content_bytes: timing.content_bytes,
        old_bytes: edit.searched().len(),
        new_bytes: edit.new_string.len(),
        us: timing.us,
        replace_all: edit.replace_all,
        line: edit.line,
        quote: edit.quote.as_deref().filter(|_| has_text).cloned().unwrap_or_default(),
        content,
        old: (has_text && edit.quote.is_none()).then(|| edit.old_string.clone()),
        new: has_text.then(|| edit.new_string.clone()),
    }
}

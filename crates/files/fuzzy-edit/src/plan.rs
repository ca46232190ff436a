//! Planned operations, to be written all or none.

use std::path::{Path, PathBuf};

use fuzzy_plan::{Drafts as _, Outcome, Timing};
use fuzzy_safe_write::{Locks, Remainder, sha256};

use crate::draft::Drafts;
use crate::{Encoding, Failure, FileEdit, FileError, Operation, Report, Session, Status, Success, Workspace};

/// Planned operations, to be written all or none.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The workspace of the files.
    pub(crate) workspace: &'a Workspace,
    /// The name of the ladder that decided.
    pub(crate) ladder: &'static str,
    pub(crate) operations: &'a [Operation],
    /// Each file once, with the result of all operations.
    pub(crate) drafts: Drafts<'a>,
    /// For each operation in order, the index of its file and its report.
    pub(crate) outcomes: Vec<Outcome>,
    /// The timing of each edit, for the log; operations without an edit have no timing.
    pub(crate) timings: Vec<Timing>,
}

/// The note about a file system that does not keep modes.
const NO_MODES: &str = "the file system does not store the executable bit, so the mode is unchanged";

/// Adds to a note that the encoding is only likely.
pub(crate) fn noted(note: Option<String>, encoding: Encoding, is_detected: bool) -> Option<String> {
    if !is_detected {
        return note;
    }
    let start = note.map_or_else(String::new, |note| format!("{note}\n"));
    Some(format!("{start}the file is read as {encoding}, its likely encoding"))
}

/// Adds a remainder of a written batch to the note of a report.
fn add(success: &mut Success, remainder: &Remainder) {
    let earlier = success.note.take().map_or_else(String::new, |note| format!("{note}\n"));
    success.note = Some(format!("{earlier}{remainder}"));
}

/// Emits the tracing event of an edit, without its texts.
pub(crate) fn emit(timing: &Timing, ladder: &str, edit: &FileEdit, outcome: &Outcome) {
    let success = outcome.as_ref().ok().map(|(_, success)| success);
    let failure = outcome.as_ref().err();
    tracing::debug!(
        file_path = %edit.file_path.display(),
        ladder,
        strategy = success.and_then(|success| success.strategy),
        similarity = success.map(|success| success.similarity),
        confidence = success.map(|success| success.confidence),
        code = failure.map(|failure| failure.code.as_str()),
        content_bytes = timing.content_bytes,
        old_bytes = edit.searched().len(),
        new_bytes = edit.new_string.len(),
        us = timing.us,
        "edit decided"
    );
}

impl Plan<'_> {
    /// Returns whether every operation succeeded so far.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.outcomes.iter().all(Result::is_ok)
    }

    /// Returns the reports of the operations that succeeded so far.
    pub fn successes(&self) -> impl Iterator<Item = &Success> {
        self.outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).map(|(_, success)| success)
    }

    /// Reports each operation in order and writes nothing; the session remembers the results.
    #[must_use]
    pub fn dry_run(self, session: &mut Session) -> Vec<Report> {
        let status = if self.is_sound() { Status::DryRun } else { Status::NotWritten };
        self.report(session, status)
    }

    /// Writes the files, all or none, and reports each operation in order. If one failed, writes nothing. The session
    /// remembers the results.
    ///
    /// A file that changed since it was planned fails as `stale`; [`Editor::apply`](crate::Editor::apply) locks the
    /// files meanwhile.
    #[must_use]
    pub fn write(self, session: &mut Session) -> Vec<Report> {
        self.write_holding(session, Locks::default())
    }

    /// Writes the files; takes the locks that are not held yet.
    pub(crate) fn write_holding(self, session: &mut Session, mut locks: Locks) -> Vec<Report> {
        if !self.is_sound() {
            return self.report(session, Status::NotWritten);
        }
        let steps = self.drafts.steps();
        match self.workspace.write(&steps, &mut locks) {
            Ok(remainders) => {
                let targets: Vec<PathBuf> = steps.iter().map(|step| step.place.target().to_owned()).collect();
                self.written(session, &targets, &remainders)
            }
            Err((target, error)) => self.not_written(session, target.as_deref(), error),
        }
    }

    /// Reports each operation in order after all were written. Remainders about the files of no report, such as the
    /// source of a move, are in the first one.
    fn written(mut self, session: &mut Session, targets: &[PathBuf], remainders: &[Remainder]) -> Vec<Report> {
        let mut left: Vec<&Remainder> = remainders.iter().collect();
        for (operation, outcome) in self.operations.iter().zip(&mut self.outcomes) {
            let Ok((index, success)) = outcome else { continue };
            let is_new = matches!(operation, Operation::Create { executable: Some(true), .. });
            if (is_new || matches!(operation, Operation::Mode { .. })) && self.drafts.lacks_mode(*index) {
                success.note = Some(NO_MODES.to_owned());
                // The content of a new file did change.
                if !is_new {
                    (success.changed, success.diff) = (false, String::new());
                }
            }
            let target = self.drafts.target(*index);
            let step = targets.iter().position(|path| path == target);
            for remainder in left.extract_if(.., |remainder| step.is_some_and(|step| remainder.concerns(step))) {
                add(success, remainder);
            }
        }
        if let Some((_, first)) = self.outcomes.iter_mut().flatten().next() {
            for remainder in left {
                add(first, remainder);
            }
        }
        for (operation, outcome) in self.operations.iter().zip(&self.outcomes) {
            if let (Operation::Edit(edit), Ok((index, _))) = (operation, outcome)
                && let Ok(text) = self.drafts.text(*index, &edit.file_path)
            {
                session.remember(&edit.file_path, text.text);
            }
        }
        self.report(session, Status::Applied)
    }

    /// Reports each operation in order after none was written, because of `error` about the file `target` or about all
    /// files.
    pub(crate) fn not_written(mut self, session: &mut Session, target: Option<&Path>, error: FileError) -> Vec<Report> {
        // The source of a move is not the file of an edit.
        let target = target.filter(|target| {
            !self.is_sound() || self.outcomes.iter().flatten().any(|(index, _)| self.drafts.target(*index) == *target)
        });
        let failure = <Box<Failure>>::from(error);
        for outcome in &mut self.outcomes {
            if let Ok((index, success)) = outcome
                && target.is_none_or(|target| self.drafts.target(*index) == target)
            {
                *outcome = Err(Box::new(failure.clone().about(success.file_path.as_str())));
            }
        }
        self.report(session, Status::NotWritten)
    }

    /// Returns the hash of the file on disk now.
    fn hash(&self, index: usize, status: Status) -> Option<String> {
        match status {
            Status::Applied => self.drafts.after(index).as_deref().map(sha256),
            _ => self.drafts.before(index).map(sha256),
        }
    }

    fn report(self, session: &mut Session, status: Status) -> Vec<Report> {
        let hashes: Vec<Option<String>> = (0..self.drafts.len()).map(|index| self.hash(index, status)).collect();
        let encodings: Vec<_> = (0..self.drafts.len()).map(|index| self.drafts.encoding(index)).collect();
        let reports = self.outcomes.into_iter().map(|outcome| match outcome {
            Ok((index, success)) => {
                // An operation that was already applied has a status of its own.
                let status = if success.status == Status::NotWritten { status } else { success.status };
                let file_hash = hashes[index].clone();
                let success = Success { status, file_hash, ..success };
                Report::Success(match encodings[index] {
                    Some((encoding, encoding_detected)) => Success {
                        encoding: Some(encoding.name()),
                        encoding_detected,
                        note: noted(success.note, encoding, encoding_detected),
                        ..success
                    },
                    None => success,
                })
            }
            Err(failure) => Report::Failure(failure),
        });
        let mut reports: Vec<Report> = reports.collect();
        let has_failed = reports.iter().any(|report| matches!(report, Report::Failure(_)));
        // A cancelled request says nothing about its edits.
        if !has_failed || self.workspace.check_wanted().is_ok() {
            session.settle(self.operations, &mut reports);
        }
        session.log(self.ladder, self.operations, self.timings, &reports);
        reports
    }
}

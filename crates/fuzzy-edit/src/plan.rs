//! Edits that were planned and wait to be written, all of them or none.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::draft::Drafts;
use crate::hash::sha256;
use crate::write::write_all;
use crate::{Editor, Failure, FileEdit, FileError, Report, Status, Success};

/// What becomes of one operation: the index of its file and the report, or the failure.
pub(crate) type Outcome = Result<(usize, Success), Box<Failure>>;

/// Edits that were planned and wait to be written, all of them or none.
#[derive(Debug)]
pub struct Plan {
    /// Each file once, with what all operations made of it.
    pub(crate) drafts: Drafts,
    /// For each edit in order, the index of its file and what to report of it.
    pub(crate) outcomes: Vec<Outcome>,
    /// How each edit was decided, for a log; of what is no edit there is nothing to tell.
    pub(crate) decisions: Vec<Decision>,
    /// Who planned them.
    pub(crate) editor: Editor,
}

/// What a log remembers of an edit besides its report.
#[derive(Debug, Default)]
pub(crate) struct Decision {
    /// How long the decision and the replacement took, in microseconds.
    pub(crate) us: f64,
    /// Size of the text before the edit, in bytes of UTF-8.
    pub(crate) content_bytes: Option<usize>,
    /// That text itself, if it is logged.
    pub(crate) content: Option<String>,
}

impl Decision {
    /// Emits the event of an edit, without any text of it.
    pub(crate) fn tell(&self, ladder: &str, edit: &FileEdit, outcome: &Outcome) {
        let success = outcome.as_ref().ok().map(|(_, success)| success);
        let failure = outcome.as_ref().err();
        tracing::debug!(
            file_path = %edit.file_path.display(),
            ladder,
            strategy = success.and_then(|success| success.strategy),
            similarity = success.map(|success| success.similarity),
            confidence = success.map(|success| success.confidence),
            code = failure.map(|failure| failure.code.as_str()),
            content_bytes = self.content_bytes,
            old_bytes = edit.old_string.len(),
            new_bytes = edit.new_string.len(),
            us = self.us,
            "edit decided"
        );
    }
}

impl Plan {
    /// Says whether every edit succeeded so far.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.outcomes.iter().all(Result::is_ok)
    }

    /// Reports each edit in order and writes nothing.
    #[must_use]
    pub fn dry_run(self) -> Vec<Report> {
        let status = if self.is_sound() { Status::DryRun } else { Status::NotWritten };
        self.finish(status)
    }

    /// Writes the files, all or none, and reports each edit in order. If an edit failed, nothing is written.
    #[must_use]
    pub fn write(mut self) -> Vec<Report> {
        if !self.is_sound() {
            return self.finish(Status::NotWritten);
        }
        let Err((target, error)) = self.carry_out() else { return self.finish(Status::Applied) };
        let failure = <Box<Failure>>::from(error);
        for outcome in &mut self.outcomes {
            if let Ok((index, success)) = outcome
                && target.as_deref().is_none_or(|target| self.drafts.target(*index) == target)
            {
                *outcome = Err(Box::new(failure.clone().about(success.file_path.as_str())));
            }
        }
        self.finish(Status::NotWritten)
    }

    /// Writes the files; an error says which file it is about, if it is about one.
    fn carry_out(&self) -> Result<(), (Option<PathBuf>, FileError)> {
        let for_all = |error| (None, error);
        let steps = self.drafts.steps().map_err(for_all)?;
        self.editor.check_wanted().map_err(for_all)?;
        write_all(&steps, self.editor.access().in_place, &new_id())
            .map_err(|(index, error)| (Some(steps[index].place.target.clone()), error))
    }

    fn finish(self, status: Status) -> Vec<Report> {
        let hash = |index| match status {
            // Written a moment ago, so it can be encoded.
            Status::Applied => self.drafts.after(index).unwrap_or_default().as_deref().map(sha256),
            _ => self.drafts.before(index).map(sha256),
        };
        let hashes: Vec<Option<String>> = (0..self.drafts.len()).map(hash).collect();
        let report = |outcome: Outcome| match outcome {
            Ok((index, success)) => {
                // What already stood there has its own status.
                let status = if success.status == Status::NotWritten { status } else { success.status };
                Report::Success(Success { status, file_hash: hashes[index].clone(), ..success })
            }
            Err(failure) => Report::Failure(failure),
        };
        self.outcomes.into_iter().map(report).collect()
    }
}

/// Returns a name that nothing else has; later ones sort behind earlier ones.
fn new_id() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    let mut random = [0; 4];
    // Without random bytes it still differs from what other moments and processes make.
    let _ = rustix::rand::getrandom(&mut random[..], rustix::rand::GetRandomFlags::empty());
    format!("{now:020x}{:08x}{:08x}", std::process::id(), u32::from_ne_bytes(random))
}

//! Edits that were planned and wait to be written, all of them or none.

use sha2::{Digest, Sha256};

use crate::{Change, Failure, Report, Status, Success, write_all};

/// Edits that were planned and wait to be written, all of them or none.
#[derive(Debug)]
pub struct Plan {
    /// Each file once, with the text that all edits made of it.
    pub(crate) changes: Vec<Change>,
    /// For each edit in order, the index of its file and what to report of it.
    pub(crate) outcomes: Vec<Result<(usize, Success), Box<Failure>>>,
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
        let is_changed = |change: &&Change| change.text != change.file.text();
        let changed: Vec<&Change> = self.changes.iter().filter(is_changed).collect();
        let Err((index, error)) = write_all(&changed) else { return self.finish(Status::Applied) };
        let target = changed.get(index).map(|change| change.file.target());
        let failure = <Box<Failure>>::from(error);
        for outcome in &mut self.outcomes {
            if let Ok((index, success)) = outcome
                && Some(self.changes[*index].file.target()) == target
            {
                *outcome = Err(Box::new(failure.clone().about(success.file_path.as_str())));
            }
        }
        self.finish(Status::NotWritten)
    }

    fn finish(self, status: Status) -> Vec<Report> {
        let hash = |change: &Change| match status {
            // Written a moment ago, so it can be encoded.
            Status::Applied => sha256(&change.bytes().unwrap_or_default()),
            _ => sha256(change.file.bytes()),
        };
        let hashes: Vec<String> = self.changes.iter().map(hash).collect();
        let report = |outcome: Result<(usize, Success), Box<Failure>>| match outcome {
            Ok((index, success)) => {
                // What already stood there has its own status.
                let status = if success.status == Status::NotWritten { status } else { success.status };
                Report::Success(Success { status, file_hash: Some(hashes[index].clone()), ..success })
            }
            Err(failure) => Report::Failure(failure),
        };
        self.outcomes.into_iter().map(report).collect()
    }
}

/// Returns the SHA-256 of `bytes` in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hash, byte| {
        let _ = write!(hash, "{byte:02x}");
        hash
    })
}

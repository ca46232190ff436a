//! The numbers of exact, repaired and refused edits, by host and model.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use fuzzy_safe_write::{State, open_to_append, open_to_read};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::Answer;
use crate::host::Host;
use crate::repair::Outcome;

/// The size of the file from which its lines are added up, in bytes.
const LARGE: u64 = 1 << 20;

/// The numbers of edits of one model in one host.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct Count {
    /// The name of the host.
    pub host: String,
    /// The name of the model; empty if the host does not report it.
    pub model: String,
    /// Edits that the host carried out as the model sent them.
    pub exact: usize,
    /// Edits that the host carried out after a repair.
    pub repaired: usize,
    /// Edits that the engine refused.
    pub refused: usize,
}

/// The sums for each host and model.
#[derive(Debug, Default)]
pub struct Sums(BTreeMap<(String, String), Count>);

impl Sums {
    /// Adds numbers.
    pub fn add(&mut self, count: &Count) {
        let Count { host, model, exact, repaired, refused } = count;
        let sum = self.0.entry((host.clone(), model.clone())).or_default();
        (sum.host, sum.model) = (host.clone(), model.clone());
        sum.exact += exact;
        sum.repaired += repaired;
        sum.refused += refused;
    }

    /// Adds one edit.
    pub fn add_edit(&mut self, host: &str, model: &str, outcome: Outcome) {
        let mut count = Count { host: host.to_owned(), model: model.to_owned(), ..Count::default() };
        match outcome {
            Outcome::Exact => count.exact = 1,
            Outcome::Repaired => count.repaired = 1,
            Outcome::Refused => count.refused = 1,
        }
        self.add(&count);
    }

    /// Returns the sums, by host and model.
    #[must_use]
    pub fn into_counts(self) -> Vec<Count> {
        self.0.into_values().collect()
    }
}

/// A file with a line of JSON for each call of a tool.
#[derive(Debug)]
pub struct Counts {
    directory: PathBuf,
}

impl Counts {
    /// Stores the file in `directory`, which is created when it is needed.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Stores the file in the user's state directory; returns `None` if that is unknown.
    #[must_use]
    pub fn from_environment() -> Option<Self> {
        State::lasting().map(|state| Self::at(state.join("hooks")))
    }

    /// Adds the edits of an answer, if there are any. Waits while another process holds the lock.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&self, host: &Host, answer: &Answer) -> io::Result<()> {
        let Answer { exact, repaired, refused, .. } = *answer;
        if exact + repaired + refused == 0 {
            return Ok(());
        }
        let count = Count { host: host.name.to_owned(), model: answer.model.clone(), exact, repaired, refused };
        fs::create_dir_all(&self.directory)?;
        // A line that is added while others are added up would be lost.
        let lock = open_to_append(&self.directory.join("lock"))?;
        lock.lock()?;
        let mut file = open_to_append(&self.file())?;
        file.write_all(&line(&count)?)?;
        if file.metadata()?.len() > LARGE {
            self.add_up()?;
        }
        Ok(())
    }

    /// Returns the numbers, by host and model.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read(&self) -> io::Result<Vec<Count>> {
        let text = match open_to_read(&self.file()).and_then(io::read_to_string) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            text => text?,
        };
        let mut sums = Sums::default();
        // A process that was killed may leave an incomplete line.
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).for_each(|count| sums.add(&count));
        Ok(sums.into_counts())
    }

    /// Replaces the lines of the file by one for each host and model.
    fn add_up(&self) -> io::Result<()> {
        let sums: Vec<Vec<u8>> = self.read()?.iter().map(line).collect::<io::Result<_>>()?;
        let new = self.directory.join("counts.new");
        fs::write(&new, sums.concat())?;
        fs::rename(new, self.file())
    }

    fn file(&self) -> PathBuf {
        Path::new(&self.directory).join("counts.jsonl")
    }
}

/// Returns a line of the file. It begins with a line break, so that it is complete after a line of a process that was
/// killed.
fn line(count: &Count) -> io::Result<Vec<u8>> {
    let mut line = b"\n".to_vec();
    serde_json::to_writer(&mut line, count)?;
    Ok(line)
}

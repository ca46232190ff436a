//! A log of edits: one line of JSON each, from which loops are seen and edits can be tried again.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use fuzzy_safe_write::{open_to_append, open_to_read};
use serde::Serialize;

use crate::LogRecord;

/// What is read back of a log: its end, because what was tried long ago is no loop.
const READ_BACK: u64 = 16 << 20;

/// A file to which a line is added for every edit.
#[derive(Debug)]
pub struct Log {
    file: File,
    texts: bool,
}

impl Log {
    /// Opens the log at `path`, or begins it, readable to its owner only; with `texts`, the records hold what it takes
    /// to try an edit again.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn open(path: &Path, texts: bool) -> io::Result<Self> {
        Ok(Self { file: open_to_append(path)?, texts })
    }

    /// Returns whether the records hold texts.
    #[must_use]
    pub const fn has_texts(&self) -> bool {
        self.texts
    }

    /// Adds a line: a [`LogRecord`], or a record of another kind.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn append(&mut self, record: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        // In one piece, so that the lines of several processes do not mix.
        self.file.write_all(&line)
    }

    /// Returns the last records of the log at `path`, oldest first; none if there is no log.
    ///
    /// Lines that are no records are passed over. At most 16 MiB are read, and nothing of what is not a regular file.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn read_back(path: &Path) -> io::Result<Vec<LogRecord>> {
        let mut file = match open_to_read(path) {
            Ok(file) if file.metadata()?.is_file() => file,
            Ok(_) => return Ok(Vec::new()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let skipped = file.metadata()?.len().saturating_sub(READ_BACK);
        file.seek(SeekFrom::Start(skipped))?;
        let mut records = Vec::new();
        let mut lines = BufReader::new(file.take(READ_BACK));
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            // The first line may begin in the middle, which makes it no record.
            records.extend(serde_json::from_slice::<LogRecord>(&line).ok());
            line.clear();
        }
        Ok(records)
    }
}

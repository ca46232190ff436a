//! A log of edits with one line of JSON each. It reveals loops and allows to replay edits.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use fuzzy_safe_write::{open_to_append, open_to_read};
use serde::Serialize;

use crate::LogRecord;

/// Bytes read from the end of a log; older edits do not belong to a current loop.
const READ_BACK: u64 = 16 << 20;

/// A file with one line per edit.
#[derive(Debug)]
pub struct Log {
    file: File,
    texts: bool,
}

impl Log {
    /// Opens or creates the log at `path`, readable by its owner only; with `texts`, the records have everything needed
    /// to replay an edit.
    ///
    /// # Errors
    ///
    /// Returns an error of the system.
    pub fn open(path: &Path, texts: bool) -> io::Result<Self> {
        Ok(Self { file: open_to_append(path)?, texts })
    }

    /// Returns whether the records have texts.
    #[must_use]
    pub const fn has_texts(&self) -> bool {
        self.texts
    }

    /// Appends a line: a [`LogRecord`], or another kind of record.
    ///
    /// # Errors
    ///
    /// Returns an error of the system.
    pub fn append(&mut self, record: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        // In one write, so that the lines of several processes do not mix.
        self.file.write_all(&line)
    }

    /// Returns the last records of the log at `path`, the oldest first; none if there is no log.
    ///
    /// Skips other lines. Reads at most 16 MiB, and only regular files.
    ///
    /// # Errors
    ///
    /// Returns an error of the system.
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
            // The first line may be the second part of a record, which does not parse.
            records.extend(serde_json::from_slice::<LogRecord>(&line).ok());
            line.clear();
        }
        Ok(records)
    }
}

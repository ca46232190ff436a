//! Reads logs line by line, plain or gzipped, in the memory of one line, and tables row by row.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;

use super::groups::Columns;
use super::record::{At, Item, Line, Record};
#[cfg(feature = "parquet")]
use super::rows;

/// The first bytes of every Parquet file.
const PARQUET: &[u8; 4] = b"PAR1";

/// Returns the number of bytes to read, as far as the files report their lengths.
pub(super) fn length(logs: &[PathBuf]) -> u64 {
    logs.iter().filter_map(|log| log.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// Passes every line of every log to `sink`, which returns whether to continue.
///
/// A line of more than `limit` bytes is skipped without being held in memory.
pub(super) fn read(
    logs: &[PathBuf],
    columns: &Columns,
    limit: u64,
    progress: &ProgressBar,
    mut sink: impl FnMut(Item) -> bool,
) {
    for (file, log) in logs.iter().enumerate() {
        let mut at = At { file, source: log.display().to_string().into(), line: 0 };
        let read = match table(log) {
            Ok(Some(table)) => each_row(table, columns, progress, &mut at, &mut sink),
            Ok(None) => open(log, progress).and_then(|mut lines| each_line(&mut *lines, limit, &mut at, &mut sink)),
            Err(error) => Err(error),
        };
        match read {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                if !sink(Item::Unreadable(at, error.to_string())) {
                    return;
                }
            }
        }
    }
}

/// Opens a log if its contents are Parquet; its name does not matter.
fn table(log: &Path) -> io::Result<Option<File>> {
    if log == Path::new("-") {
        return Ok(None);
    }
    let mut file = regular(log)?;
    let mut begin = Vec::new();
    // A directory can be opened; reading it as lines then fails with the proper error.
    let is_read = (&mut file).take(PARQUET.len() as u64).read_to_end(&mut begin).is_ok();
    Ok((is_read && begin == PARQUET).then_some(file))
}

#[cfg(feature = "parquet")]
fn each_row(
    table: File,
    columns: &Columns,
    progress: &ProgressBar,
    at: &mut At,
    sink: &mut impl FnMut(Item) -> bool,
) -> io::Result<bool> {
    let length = table.metadata()?.len();
    let continues = rows::each(table, columns, at, sink).map_err(io::Error::other)?;
    progress.inc(length);
    Ok(continues)
}

#[cfg(not(feature = "parquet"))]
fn each_row(_: File, _: &Columns, _: &ProgressBar, _: &mut At, _: &mut impl FnMut(Item) -> bool) -> io::Result<bool> {
    Err(io::Error::other("reading Parquet is not in this build; it needs the cargo feature `parquet`"))
}

/// Opens a log, and decompresses it if its contents are gzip; its name does not matter.
fn open(log: &Path, progress: &ProgressBar) -> io::Result<Box<dyn BufRead>> {
    let input: Box<dyn Read> = if log == Path::new("-") { Box::new(io::stdin()) } else { Box::new(regular(log)?) };
    let mut input = BufReader::with_capacity(1 << 16, progress.wrap_read(input));
    if input.fill_buf()?.starts_with(PARQUET) {
        return Err(io::Error::other("Parquet cannot be read from standard input; name the file"));
    }
    if input.fill_buf()?.starts_with(b"\x1f\x8b") {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input))));
    }
    Ok(Box::new(input))
}

/// Opens a regular file. A device or a pipe may have no end.
fn regular(log: &Path) -> io::Result<File> {
    let kind = log.metadata()?.file_type();
    if kind.is_file() || kind.is_dir() {
        return File::open(log);
    }
    Err(io::Error::other("it is not a regular file; send its contents to standard input, and name it `-`"))
}

/// Passes the lines of one log to `sink`; returns whether to continue with the next log.
fn each_line(
    lines: &mut dyn BufRead,
    limit: u64,
    at: &mut At,
    sink: &mut impl FnMut(Item) -> bool,
) -> io::Result<bool> {
    loop {
        let mut bytes = Vec::new();
        if (&mut *lines).take(limit.saturating_add(1)).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(true);
        }
        at.line += 1;
        let is_whole = bytes.ends_with(b"\n");
        let item = if bytes.len() as u64 > limit && !is_whole {
            drop(bytes);
            lines.skip_until(b'\n')?;
            Item::Unreadable(at.clone(), format!("the line is longer than {limit} bytes"))
        } else if bytes.trim_ascii().is_empty() {
            continue;
        } else {
            Item::Line(Line { at: at.clone(), record: Record::Json(bytes) })
        };
        if !sink(item) {
            return Ok(false);
        }
    }
}

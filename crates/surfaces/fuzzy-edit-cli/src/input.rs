//! Reads the texts that arguments name: files, pipes and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use fuzzy_edit::TextFile;

/// Whether standard input was read; it can be read only once.
static IS_READ: AtomicBool = AtomicBool::new(false);

/// Reads a text of at most `limit` bytes from a file, a pipe (`<(command)`), or standard input for `-`.
///
/// # Errors
///
/// Returns a message that names the input and the cause.
pub(crate) fn read(path: &Path, limit: u64) -> Result<String, String> {
    if path == Path::new("-") {
        if IS_READ.swap(true, Ordering::Relaxed) {
            return Err("standard input is named twice, and can be read once".to_owned());
        }
        return stream(io::stdin().lock(), "standard input", limit);
    }
    // Opening a descriptor of this process does not wait for a writer; opening a named pipe would.
    let is_open = ["/dev/fd", "/proc/self/fd", "/dev/stdin"].iter().any(|open| path.starts_with(open));
    let is_pipe = is_open && path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if is_pipe {
        let name = format!("`{}`", path.display());
        let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
        return stream(file, &name, limit);
    }
    TextFile::read(path, limit).map(|file| file.text().to_owned()).map_err(|error| error.to_string())
}

fn stream(from: impl Read, name: &str, limit: u64) -> Result<String, String> {
    let mut text = String::new();
    let read = from.take(limit.saturating_add(1)).read_to_string(&mut text);
    read.map_err(|error| format!("{name}: {error}"))?;
    if text.len() as u64 > limit {
        return Err(format!("{name} is larger than the limit of {limit} bytes"));
    }
    Ok(text)
}

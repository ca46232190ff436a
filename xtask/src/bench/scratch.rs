//! Directories and files that processes are measured on.

use std::path::Path;

use anyhow::Result;

/// How often each process is run; the median counts.
pub(super) const ROUNDS: usize = 61;

/// Makes a directory in memory, if there is a file system for that, and says where it is.
pub(super) fn scratch() -> Result<(tempfile::TempDir, &'static str)> {
    let memory = Path::new("/dev/shm");
    Ok(if memory.is_dir() {
        (tempfile::tempdir_in(memory)?, "in memory")
    } else {
        (tempfile::tempdir()?, "on disk, there being no memory file system")
    })
}

/// Returns a line of a file that is edited.
pub(super) fn line(number: usize) -> String {
    format!("    let value_{number} = measure(input[{number}], {});\n", number % 101)
}

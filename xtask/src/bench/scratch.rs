//! Makes directories and files for measurements of processes.

use std::path::Path;

use anyhow::Result;

/// The number of runs of each process; the median counts.
pub(super) const ROUNDS: usize = 61;

/// Makes a directory, in memory if there is such a file system, and returns it with the name of its place.
pub(super) fn scratch() -> Result<(tempfile::TempDir, &'static str)> {
    let memory = Path::new("/dev/shm");
    Ok(if memory.is_dir() {
        (tempfile::tempdir_in(memory)?, "in memory")
    } else {
        (tempfile::tempdir()?, "on disk for lack of a memory file system")
    })
}

/// Returns a line of the edited file.
pub(super) fn line(number: usize) -> String {
    format!("    let value_{number} = measure(input[{number}], {});\n", number % 101)
}

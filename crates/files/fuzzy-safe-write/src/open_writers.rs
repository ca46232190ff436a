//! Who has a file open to write to it, although it has lost its name.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::sys;

/// How long a process that is saving is waited for. A save takes microseconds, unless the machine is busy.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until no process has any of these files open for writing, but not for ever.
pub(crate) fn wait(files: &BTreeMap<OsString, PathBuf>) {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && !sys::open_for_writing(files).is_empty() {
        thread::sleep(PAUSE);
    }
}

//! Finds and waits for programs that have unlinked files open for writing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::sys;

/// The time to wait for a program that is saving. A save takes microseconds, unless the machine is busy.
const PATIENCE: Duration = Duration::from_millis(500);

/// The pause between two checks.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until no process has any of these files open for writing, for a limited time.
pub(crate) fn wait(files: &BTreeMap<OsString, PathBuf>) {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && !sys::open_for_writing(files).is_empty() {
        thread::sleep(PAUSE);
    }
}

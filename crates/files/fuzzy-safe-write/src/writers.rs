//! Who has a file open to write to it, although it has lost its name.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long a process that is saving is waited for. A save takes microseconds, unless the machine is busy.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until no process has any of these files open for writing, but not for ever.
pub(crate) fn wait(names: &BTreeSet<OsString>) {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && !open_for_writing(names).is_empty() {
        thread::sleep(PAUSE);
    }
}

/// Returns the names of those that a process has open for writing now.
///
/// A descriptor is known by the name that its file has now, which is one that nobody else gives. Processes of other
/// users, those of other PID namespaces, and mappings whose descriptor is closed are not seen.
///
/// Costs one look at each descriptor of each process of this user; nothing if there are no names.
pub(crate) fn open_for_writing(names: &BTreeSet<OsString>) -> BTreeSet<OsString> {
    let mut open = BTreeSet::new();
    if names.is_empty() {
        return open;
    }
    // What cannot be read is someone else's, or has ended meanwhile.
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let is_process = process.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
        let descriptors = is_process.then(|| fs::read_dir(process.path().join("fd")).ok()).flatten();
        for descriptor in descriptors.into_iter().flatten().flatten() {
            let Ok(target) = fs::read_link(descriptor.path()) else { continue };
            let Some(name) = target.file_name().and_then(|name| names.get(name)) else { continue };
            if writes(&process.path().join("fdinfo").join(descriptor.file_name())) {
                open.insert(name.clone());
            }
        }
    }
    open
}

/// Returns whether a descriptor is open for writing, or nobody knows.
fn writes(info: &Path) -> bool {
    let Ok(info) = fs::read_to_string(info) else { return false };
    let flags = info.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
    // The lowest two bits are 0 for reading alone.
    flags.is_none_or(|flags| flags & 0o3 != 0)
}

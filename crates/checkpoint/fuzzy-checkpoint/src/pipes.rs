//! Finds a pipe among the rules that git reads: it would wait for a writer.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// The file that git reads in every directory.
const RULES: &str = ".gitignore";
/// After how long a call of git is suspected to wait: nearly all have ended by then, so that the search costs them nothing.
const SUSPICION: Duration = Duration::from_millis(200);

/// Looks below `root` once git has taken long, and again after twice that time, because the pipe may come later. Ends
/// without one when the sender of `over` is dropped.
pub(crate) fn search(root: &Path, over: &Receiver<()>) -> Option<PathBuf> {
    let mut pause = SUSPICION;
    while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let mut dirs = vec![root.to_owned()];
        while let Some(dir) = dirs.pop() {
            if over.recv_timeout(Duration::ZERO) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            let rules = dir.join(RULES);
            let kind = fs::symlink_metadata(&rules).map(|meta| meta.file_type());
            if kind.is_ok_and(fuzzy_system::may_wait) {
                return Some(rules);
            }
            let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
            let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            dirs.extend(below.map(|entry| entry.path()).filter(|path| !path.ends_with(".git")));
        }
        pause *= 2;
    }
    None
}

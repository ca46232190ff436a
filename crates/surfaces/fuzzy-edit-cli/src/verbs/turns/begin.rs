//! Reads a file as it was when the running turn of a session began: the agent may have read that version.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use fuzzy_hosts::Host;

use super::{edits, entry};
use crate::verbs::checkpoint::options::Database;
use crate::verbs::checkpoint::place::Place;

/// Returns the bytes of a file in the checkpoint at the begin of the running turn of a session, if they are found within
/// `patience`. Nothing is written.
pub(crate) fn file(host: &Host, session: &str, path: &Path, patience: Duration) -> Option<Vec<u8>> {
    let (title, path) = (entry::title(host.name, session), path.to_owned());
    let (sender, receiver) = mpsc::channel();
    // The database may be locked, and git may wait for the disk.
    thread::Builder::new().spawn(move || sender.send(read(&title, &path))).ok()?;
    receiver.recv_timeout(patience).ok()?
}

fn read(title: &str, path: &Path) -> Option<Vec<u8>> {
    let place = Place::to_read(path.parent()?, &Database::from_environment())?;
    let path = edits::inside(&place.worktree, path)?;
    let begin = place.service.begin_of_running(place.worktree.id(), title).ok()??;
    let reader = place.worktree.reader();
    let (mode, oid) = reader.entry(&begin.tree_oid, &path).ok()??;
    // A link has a target instead of a text.
    if mode.starts_with("100") { reader.blob(&oid).ok() } else { None }
}

//! Restores are a stack: the last one is undone first, and the last undone one is repeated first.

use std::collections::HashSet;

use crate::{Restore, RestoreId, Session, TranscriptKept};

/// Returns the reason why an undo of `restore` would not restore the transcript; `None` if it would. `later` has the
/// session's finished restores that began after it, the newest first.
#[must_use]
pub fn transcript_kept(restore: &Restore, later: &[Restore], session: &Session) -> Option<TranscriptKept> {
    let mut undone: HashSet<&RestoreId> = HashSet::new();
    for row in later.iter().filter(|row| !row.options.spares_transcript()) {
        match &row.options.undo_of {
            _ if undone.contains(&row.id) => {}
            Some(id) if *id == restore.id => return Some(TranscriptKept::Undone),
            // Both cancel each other.
            Some(id) if later.iter().any(|row| row.id == *id) => drop(undone.insert(id)),
            _ => return Some(TranscriptKept::LaterRestore),
        }
    }
    (session.next_seq != restore.result.next_seq).then_some(TranscriptKept::SaidSince)
}

/// Returns the newest restore that is not undone. `done` has all finished restores of a session, the newest first.
#[must_use]
pub fn last_effective(done: &[Restore]) -> Option<&Restore> {
    first_left(done, Restore::takes_back)
}

/// Returns the newest undo that was not itself undone, unless a restore followed it. `done` has all finished restores
/// of a session, the newest first.
#[must_use]
pub fn last_undone(done: &[Restore]) -> Option<&Restore> {
    first_left(done, |row| row.options.redo).filter(|row| row.takes_back())
}

/// Returns the first row that neither cancels an older one nor is cancelled.
fn first_left(done: &[Restore], cancels: fn(&Restore) -> bool) -> Option<&Restore> {
    let mut cancelled: HashSet<&RestoreId> = HashSet::new();
    done.iter().find(|row| {
        if cancels(row) {
            cancelled.extend(&row.options.undo_of);
        }
        !cancels(row) && !cancelled.contains(&row.id)
    })
}

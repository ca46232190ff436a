//! Restores are a stack: the last one is undone first, and what was undone last is done again first.

use std::collections::HashSet;

use crate::{Restore, RestoreId, Session, TranscriptKept};

/// Returns why an undo of `restore` would leave the transcript as it is; `None` where it would bring that back. `later`
/// are the session's restores that are done and began after it, the newest first.
#[must_use]
pub fn transcript_kept(restore: &Restore, later: &[Restore], session: &Session) -> Option<TranscriptKept> {
    let mut undone: HashSet<&RestoreId> = HashSet::new();
    for row in later.iter().filter(|row| !row.options.spares_transcript()) {
        match &row.options.undo_of {
            _ if undone.contains(&row.id) => {}
            Some(id) if *id == restore.id => return Some(TranscriptKept::Undone),
            // The two of them leave nothing.
            Some(id) if later.iter().any(|row| row.id == *id) => drop(undone.insert(id)),
            _ => return Some(TranscriptKept::LaterRestore),
        }
    }
    (session.next_seq != restore.result.next_seq).then_some(TranscriptKept::SaidSince)
}

/// Returns the newest restore that is not undone, of all of a session that are done, the newest first.
#[must_use]
pub fn last_standing(done: &[Restore]) -> Option<&Restore> {
    first_left(done, Restore::takes_back)
}

/// Returns the newest undo that is not done again, unless a restore came after it: of all of a session that are done, the
/// newest first.
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

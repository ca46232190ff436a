//! Tells whether the undo of a restore brings the transcript back.

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

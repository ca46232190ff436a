//! The files of an interrupted turn that changed after its last action, and whose they are.
//!
//! Hosts report no interruption. The next prompt ends such a turn, so its last checkpoint also has what the user changed
//! after the interruption.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_store::{LateFile, Session, TurnId, TurnNote, TurnRow};
use fuzzy_system as sys;

use crate::Result;
use crate::checkpointer::Checkpointer;
use crate::late_change::LateChange;

impl Checkpointer {
    /// Notes the files of a turn that changed after the time of its last action, or may have, except those that its edit
    /// tools named.
    pub(crate) fn note_late(&self, session: &Session, turn: &TurnId, last: Option<SystemTime>) -> Result<()> {
        let rows = self.store.turns_of(&session.worktree_id)?;
        let Some(TurnRow { edited, files: Some(files), .. }) = rows.into_iter().find(|row| row.prompt.id.0 == turn.0)
        else {
            return Ok(());
        };
        let worktree = self.worktree(&session.worktree_id)?;
        let late = files.into_iter().filter(|path| !edited.contains(path)).filter_map(|path| {
            let (time, gone) = changed(&sys::on_disk(worktree.root(), path.as_bytes()));
            let is_late = last.is_none_or(|last| time.is_none_or(|time| time > last));
            is_late.then(|| LateFile { path, changed_at: time.map(milliseconds).unwrap_or_default(), gone, kept: None })
        });
        let late: Vec<LateFile> = late.collect();
        if late.is_empty() {
            return Ok(());
        }
        Ok(self.store.note(turn, TurnNote::Late(&late))?)
    }

    /// Records whether files of interrupted turns are left to the user.
    pub(crate) fn decide(&self, worktree: &str, changes: &[LateChange], kept: bool) -> Result<()> {
        let mut turns: BTreeMap<i64, Vec<&RepoPath>> = BTreeMap::new();
        for change in changes {
            turns.entry(change.turn).or_default().push(&change.file.path);
        }
        if turns.is_empty() {
            return Ok(());
        }
        for TurnRow { number, prompt, mut late, .. } in self.store.turns_of(worktree)? {
            let Some(paths) = turns.get(&number) else { continue };
            late.iter_mut().filter(|file| paths.contains(&&file.path)).for_each(|file| file.kept = Some(kept));
            self.store.note(&TurnId(prompt.id.0), TurnNote::Late(&late))?;
        }
        Ok(())
    }
}

/// Returns the time of the last change of a file, or of the directory that it was deleted from, and whether it is gone.
/// That directory may be gone, too.
fn changed(path: &Path) -> (Option<SystemTime>, bool) {
    let mut places = path.ancestors();
    let found = places.find_map(|place| Some((place, std::fs::symlink_metadata(place).ok()?)));
    let Some((place, meta)) = found else { return (None, true) };
    (sys::change_time(&meta).or_else(|| meta.modified().ok()), place != path)
}

/// Returns a time in milliseconds since 1970.
fn milliseconds(time: SystemTime) -> i64 {
    let passed = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)
}

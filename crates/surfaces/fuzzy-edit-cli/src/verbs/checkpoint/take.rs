//! Takes the checkpoint of `--checkpoint`, just before edits are written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::{CreateOptions, MANUAL, ProcessBackend};
use fuzzy_edit::Plan;
use fuzzy_system as sys;

use super::options::{Database, Shared};
use super::refused::Refused;
use super::text;
use crate::verbs::checkpointed::Before;

/// Takes a checkpoint of the worktree that contains the first of the files that the plan changes; their names are
/// relative to `base`.
pub(crate) fn before(plan: &Plan<'_>, base: &Path) -> Before {
    let mut names: Vec<String> = Vec::new();
    for success in plan.successes().filter(|success| success.changed) {
        if !names.contains(&success.file_path) {
            names.push(success.file_path.clone());
        }
    }
    if !plan.is_sound() || names.is_empty() {
        return Before::default();
    }
    match take(&names, base) {
        Ok(before) => before,
        Err(refused) => {
            let reason = refused.reason();
            Before { id: None, missing: names.into_iter().map(|name| (name, reason.clone())).collect() }
        }
    }
}

fn take(names: &[String], base: &Path) -> Result<Before, Refused> {
    let state = Shared::state()?;
    let targets: Vec<PathBuf> = names.iter().map(|name| resolved(&base.join(name))).collect();
    let above = targets.iter().flat_map(|target| target.ancestors().skip(1)).find(|dir| dir.is_dir());
    let shared = Shared { database: Database::usual(), ..Shared::default() };
    let worktree = shared.engine(&state).open(above.unwrap_or(base))?;
    let service = shared.service(&state, ProcessBackend::default())?;
    let session = service.session_titled(worktree.root(), MANUAL)?;
    let label = match names {
        [] | [_] => format!("before an edit of {}", names.concat()),
        [first, others @ ..] => {
            format!("before edits of {first} and {}", text::count(others.len() as u64, "other file"))
        }
    };
    let taken = service.create(&session, &CreateOptions { label, ..CreateOptions::default() })?.checkpoint;
    let mut missing = HashMap::new();
    let locked = worktree.lock()?;
    for (name, target) in names.iter().zip(&targets) {
        let inside = target.strip_prefix(worktree.root()).ok().map(|path| RepoPath::new(sys::in_git(path)));
        let held = match &inside {
            Some(path) => locked.content(&taken.tree_oid, path)?.is_some(),
            None => false,
        };
        // A file that does not exist yet needs no checkpoint.
        if !held && target.symlink_metadata().is_ok() {
            let reason =
                format!("{} does not contain this file: it is ignored, too large or in another repository", taken.id);
            missing.insert(name.clone(), reason);
        }
    }
    Ok(Before { id: Some(taken.id.0), missing })
}

/// Returns the path with links resolved. Missing directories and the file itself may be about to be created.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in path.ancestors() {
        if let (Ok(mut real), Ok(rest)) = (sys::canonical(above), path.strip_prefix(above)) {
            // An empty rest would add a slash, which only directories have.
            real.extend(rest);
            return real;
        }
    }
    path
}

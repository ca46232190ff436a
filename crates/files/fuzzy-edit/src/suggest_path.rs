//! Suggests files for a path that leads nowhere.

use std::path::{Path, PathBuf};

use fuzzy_core::distance::{utf16_distance_within, utf16_len};

use crate::{Code, Failure, Workspace};

/// How many files are named at the most.
const NAMED: usize = 3;

/// How many names of a directory are compared at the most: a refusal is not worth more.
const LOOKED_AT: usize = 10_000;

/// Names the probable files in the next step, if the failure is that the one at `path` is missing.
pub(crate) fn suggest_paths(failure: &mut Failure, workspace: &Workspace, path: &Path) {
    if failure.code != Code::Missing {
        return;
    }
    let suggested = suggested(workspace, path);
    if !suggested.is_empty() {
        let names: Vec<String> = suggested.iter().map(|path| format!("`{}`", path.display())).collect();
        failure.next_step = format!("Check the path; there is {}.", names.join(", "));
    }
}

/// Returns the file that the path leads to without its first components, as one from above the root has them; else those
/// in its directory with nearly its name, the most alike first.
fn suggested(workspace: &Workspace, path: &Path) -> Vec<PathBuf> {
    if path.is_relative() {
        let mut rest = path.components();
        while rest.next().is_some() && !rest.as_path().as_os_str().is_empty() {
            if workspace.has_file(rest.as_path()) {
                return vec![rest.as_path().to_owned()];
            }
        }
    }
    let (Some(name), Ok(place)) = (path.file_name(), workspace.place(path)) else { return Vec::new() };
    let Some(entries) = place.target().parent().and_then(|above| std::fs::read_dir(above).ok()) else {
        return Vec::new();
    };
    let folded = name.to_string_lossy().to_lowercase();
    let mut alike: Vec<(usize, PathBuf)> = Vec::new();
    for other in entries.flatten().take(LOOKED_AT).map(|entry| entry.file_name()) {
        // A batch may have removed the file before.
        if other != name
            && let Some(distance) = distance(&folded, &other.to_string_lossy().to_lowercase())
        {
            alike.push((distance, path.with_file_name(other)));
        }
    }
    alike.sort();
    alike.into_iter().map(|(_, path)| path).filter(|path| workspace.has_file(path)).take(NAMED).collect()
}

/// Returns how far two names are apart if they are alike: a third of the longer one may differ.
fn distance(a: &str, b: &str) -> Option<usize> {
    utf16_distance_within(a, b, utf16_len(a).max(utf16_len(b)) / 3)
}

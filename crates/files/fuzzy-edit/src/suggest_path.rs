//! Suggests existing files for a missing path.

use std::path::{Path, PathBuf};

use fuzzy_core::distance::{utf16_distance_within, utf16_len};

use crate::{Code, Failure, Workspace};

/// Suggested files, at most.
const MAX_SUGGESTED: usize = 3;

/// Names of a directory to compare, at most: more would take too long for an error message.
const MAX_COMPARED: usize = 10_000;

/// Names similar files in the next step, if the failure is that the file at `path` is missing.
pub(crate) fn suggest_paths(failure: &mut Failure, workspace: &Workspace, path: &Path) {
    if failure.code != Code::Missing {
        return;
    }
    let similar = similar_files(workspace, path);
    if !similar.is_empty() {
        let names: Vec<String> = similar.iter().map(|path| format!("`{}`", path.display())).collect();
        failure.next_step = format!("Check the path; there is {}.", names.join(", "));
    }
}

/// Returns the file at the path without its first components, for a path from above the root; otherwise the files in
/// its directory with similar names, the most similar first.
fn similar_files(workspace: &Workspace, path: &Path) -> Vec<PathBuf> {
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
    for other in entries.flatten().take(MAX_COMPARED).map(|entry| entry.file_name()) {
        // An earlier operation may have removed the file itself.
        if other != name
            && let Some(distance) = distance(&folded, &other.to_string_lossy().to_lowercase())
        {
            alike.push((distance, path.with_file_name(other)));
        }
    }
    alike.sort();
    alike.into_iter().map(|(_, path)| path).filter(|path| workspace.has_file(path)).take(MAX_SUGGESTED).collect()
}

/// Returns the distance of two names, or `None` if more than a third of the longer one differs.
fn distance(a: &str, b: &str) -> Option<usize> {
    utf16_distance_within(a, b, utf16_len(a).max(utf16_len(b)) / 3)
}

//! Finds directories without captured files, and special files. No tree contains them, and a restore must keep such a
//! directory when it deletes files that were added to it later.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use fuzzy_system as sys;

use crate::RepoPath;

/// A directory, and whether it contains captured files at any depth.
struct Dir {
    name: Vec<u8>,
    /// The index of the parent directory.
    above: usize,
    is_covered: bool,
}

/// Returns the directories below `root` without captured files, sorted, and the sockets, pipes and devices, which git does
/// not list. `left` has the paths that are not captured; directories among them, and nested repositories, are not searched.
pub(crate) fn find(root: &Path, left: &HashSet<&[u8]>) -> (Vec<RepoPath>, Vec<RepoPath>) {
    let mut special = Vec::new();
    let mut dirs = vec![Dir { name: Vec::new(), above: 0, is_covered: true }];
    let mut next = 0;
    while next < dirs.len() {
        look(root, next, left, &mut dirs, &mut special);
        next += 1;
    }
    // Every directory follows its parent in the list.
    for number in (1..dirs.len()).rev() {
        let Dir { above, is_covered, .. } = dirs[number];
        dirs[above].is_covered |= is_covered;
    }
    let bare = dirs.into_iter().filter(|dir| !dir.is_covered);
    let mut bare: Vec<RepoPath> = bare.map(|dir| RepoPath::new(dir.name)).collect();
    bare.sort();
    (bare, special)
}

/// Reads one of the directories and adds its subdirectories to the list.
fn look(root: &Path, number: usize, left: &HashSet<&[u8]>, dirs: &mut Vec<Dir>, special: &mut Vec<RepoPath>) {
    let name = dirs[number].name.clone();
    let disk = sys::on_disk(root, &name);
    // A directory that cannot be listed still exists.
    let entries: Vec<_> = fs::read_dir(&disk).map(|entries| entries.flatten().collect()).unwrap_or_default();
    if number > 0 && entries.iter().any(|entry| entry.file_name() == ".git") {
        dirs[number].is_covered = true;
        return;
    }
    for entry in entries.iter().filter(|entry| entry.file_name() != ".git") {
        let kind = entry.file_type();
        let is_dir = kind.as_ref().is_ok_and(std::fs::FileType::is_dir);
        let is_special = !is_dir && kind.is_ok_and(|kind| !kind.is_file() && !kind.is_symlink());
        if !is_dir && !is_special && dirs[number].is_covered {
            continue;
        }
        let above = if name.is_empty() { &b""[..] } else { b"/" };
        let path = [&name, above, sys::bytes_of(&entry.file_name())].concat();
        if left.contains(&path[..]) {
            continue;
        }
        if is_special {
            special.push(RepoPath::new(path));
        } else if is_dir {
            dirs.push(Dir { name: path, above: number, is_covered: false });
        } else {
            dirs[number].is_covered = true;
        }
    }
}

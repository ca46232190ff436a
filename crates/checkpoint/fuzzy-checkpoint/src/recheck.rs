//! Reads the files that git has read a second time, through directory descriptors: git checks a path before it opens
//! it, and a directory replaced by a link in between would lead it out of the worktree.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::thread::{self, Builder};

use fuzzy_system as sys;

use crate::classify::Found;
use crate::git::unread;
use crate::index::{Index, Known};
use crate::private::Locked;
use crate::{Error, Oid, Reason, RepoPath, Result, hash};

/// The number of files from which several threads read.
const MANY: usize = 500;

/// The state beneath the root of a file that git has read, if it differs from the index.
enum Again {
    /// The content differs: it changed since, or git read another file.
    Other { executable: bool, content: Vec<u8> },
    /// The file is missing.
    Gone,
    /// The file is unreadable or too large.
    Left(Reason),
}

/// Reads all files that were added to `index` beneath the root, and corrects the index where they differ.
pub(crate) fn read_again(locked: &Locked<'_>, index: &Path, found: &mut Found) -> Result<()> {
    if found.added.is_empty() {
        return Ok(());
    }
    let content = Index::read(index, &locked.worktree.found.format)?;
    let entries = content.entries().ok_or_else(|| unread("index"))?;
    found.added.sort();
    let threads =
        if found.added.len() < MANY { 1 } else { thread::available_parallelism().map_or(1, usize::from).min(4) };
    let portion = found.added.len().div_ceil(threads);
    let differing = thread::scope(|scope| {
        let read = |paths: &[RepoPath]| differing(locked, &entries, paths);
        let (mut others, mut differing) = (Vec::new(), Vec::new());
        for paths in found.added.chunks(portion).skip(1) {
            match Builder::new().spawn_scoped(scope, move || read(paths)) {
                Ok(started) => others.push(started),
                Err(_) => differing.extend(read(paths)),
            }
        }
        differing.extend(read(&found.added[..portion.min(found.added.len())]));
        for other in others {
            differing.extend(other.join().map_err(|_| unread("index"))?);
        }
        Ok::<_, Error>(differing)
    })?;
    if differing.is_empty() {
        return Ok(());
    }
    let (mut lines, mut gone) = (Vec::new(), Vec::new());
    for (path, again) in differing {
        match again {
            Again::Other { executable, content } => {
                let mode = match entries.binary_search_by(|entry| entry.path.cmp(path.as_bytes())) {
                    Ok(at) if entries[at].link => "120000",
                    _ if executable => "100755",
                    _ => "100644",
                };
                let oid = locked.objects.store("blob", &content)?;
                lines.extend([format!("{mode} {oid}\t").as_bytes(), path.as_bytes(), b"\0"].concat());
                continue;
            }
            Again::Gone => {}
            Again::Left(reason) => found.leave(path.clone(), reason),
        }
        lines.extend(locked.removals(std::slice::from_ref(&path)));
        gone.push(path);
    }
    found.added.retain(|path| !gone.contains(path));
    found.fresh.retain(|path| !gone.contains(path));
    found.removed.extend(gone);
    locked.index_info(index, lines)
}

/// Returns those of `paths`, in order, whose files beneath the root differ from the index.
fn differing(locked: &Locked<'_>, entries: &[Known<'_>], paths: &[RepoPath]) -> Vec<(RepoPath, Again)> {
    let mut beneath = sys::Beneath::new(&locked.dir);
    let mut differing = Vec::new();
    for path in paths {
        // A file that git skipped is not in the index.
        let Ok(at) = entries.binary_search_by(|entry| entry.path.cmp(path.as_bytes())) else { continue };
        match again(locked, &mut beneath, &entries[at], path) {
            Ok(None) => {}
            Ok(Some(again)) => differing.push((path.clone(), again)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => differing.push((path.clone(), Again::Gone)),
            Err(_) => differing.push((path.clone(), Again::Left(Reason::Unreadable))),
        }
    }
    differing
}

fn again(
    locked: &Locked<'_>,
    beneath: &mut sys::Beneath<'_>,
    entry: &Known<'_>,
    path: &RepoPath,
) -> io::Result<Option<Again>> {
    let format = &locked.worktree.found.format;
    let is_same = |oid: &Oid| hash::bytes(oid) == entry.oid;
    if entry.link {
        let content = beneath.link(path.as_bytes())?;
        let same = hash::content(format, &content)?.is_some_and(|oid| is_same(&oid));
        return Ok((!same).then_some(Again::Other { executable: false, content }));
    }
    let file = beneath.file(path.as_bytes())?;
    if hash::file(format, &file)?.is_some_and(|oid| is_same(&oid)) {
        return Ok(None);
    }
    // Read the file again from the beginning, to get its current content and not the one that git read.
    let file = beneath.file(path.as_bytes())?;
    let executable = sys::mode(&file.metadata()?) & 0o100 != 0;
    let executable = if locked.worktree.abilities.modes { executable } else { entry.executable };
    Ok(Some(match whole(&file, locked.worktree.limits.max_file_bytes)? {
        Some(content) => Again::Other { executable, content },
        None => Again::Left(Reason::TooLarge),
    }))
}
/// Reads a file; `None` if it is longer than `limit`.
fn whole(file: &File, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut content)?;
    Ok(Some(content).filter(|content| content.len() as u64 <= limit))
}

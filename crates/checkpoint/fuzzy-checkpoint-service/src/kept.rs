//! Copies of files that no checkpoint has, because they are ignored or too large: those that commands of turns named.
//!
//! A copy is a plain file `kept/<worktree>/<SHA-256>` in the state directory. It is no object of a tree: a file that a tree
//! once had stays covered by captures, and a later restore would overwrite it. It is no hard link either: many commands
//! write through one.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fuzzy_checkpoint::{Reason, RepoPath, Snapshot, Worktree};
use fuzzy_checkpoint_store::{
    BroughtBack, Checkpoint, CopyBack, KeptFile, NotKept, Replaced, RestoreOutcome, Retention, StepNote, now_ms, ulid,
};
use fuzzy_system as sys;
use sha2::{Digest as _, Sha256};

use crate::checkpointer::Checkpointer;
use crate::spans::{Span, Spans};
use crate::steps::NewStep;
use crate::turn_plan::TakeBackOptions;
use crate::{Error, Result};

/// The largest file, and the most bytes of a step, of which copies are kept.
const MAX_FILE: u64 = 64 << 20;
const MAX_STEP: u64 = 512 << 20;

/// The most bytes of all copies; the newest stay.
const MAX_ALL: u64 = 2 << 30;

/// The most files of a directory that are looked at.
const MAX_FILES: usize = 20_000;

/// Directories that programs fill again.
const CACHES: [&str; 4] = ["node_modules", "target", ".venv", "__pycache__"];

/// The age from which a copy without a record is deleted: a younger one may belong to a step that is being recorded.
const MIN_AGE: Duration = Duration::from_hours(1);

/// The hash of anything that is no readable file, which no content has.
const OTHER: &str = "other";

/// The files and directories that a command names and no checkpoint has.
#[derive(Default)]
struct Candidates {
    files: Vec<(u64, RepoPath)>,
    not_kept: Vec<NotKept>,
    seen: usize,
}

impl Candidates {
    fn refuse(&mut self, path: RepoPath, why: &str, files: u64, bytes: u64) {
        if !self.not_kept.iter().any(|known| known.path == path) {
            self.not_kept.push(NotKept { path, why: why.to_owned(), files, bytes });
        }
    }

    /// Adds a file or a directory.
    fn add(&mut self, root: &Path, path: &RepoPath, keep: &[String]) {
        if self.files.iter().any(|(_, known)| known == path) {
            return;
        }
        let disk = sys::on_disk(root, path.as_bytes());
        let Ok(meta) = fs::symlink_metadata(&disk) else { return };
        self.seen += 1;
        if meta.is_dir() {
            let is_cache = CACHES.iter().any(|name| path.file_name() == name.as_bytes())
                || disk.join("CACHEDIR.TAG").symlink_metadata().is_ok();
            if is_cache && !is_in(keep, path) || self.seen > MAX_FILES {
                let why = if self.seen > MAX_FILES { "more than 20,000 files are named" } else { "a cache" };
                let (files, bytes) = size(&disk);
                self.refuse(RepoPath::new([path.as_bytes(), b"/"].concat()), why, files, bytes);
                return;
            }
            for entry in fs::read_dir(&disk).into_iter().flatten().flatten() {
                let name = sys::in_git(Path::new(&entry.file_name()));
                self.add(root, &RepoPath::new([path.as_bytes(), b"/", &name].concat()), keep);
            }
        } else if !meta.is_file() {
            let why = if meta.is_symlink() { "a symbolic link" } else { "no regular file" };
            self.refuse(path.clone(), why, 1, 0);
        } else if meta.len() > MAX_FILE {
            self.refuse(path.clone(), "larger than 64 MiB", 1, meta.len());
        } else {
            self.files.push((meta.len(), path.clone()));
        }
    }
}

/// Returns the number of files in a directory and their size, as far as they are counted.
fn size(directory: &Path) -> (u64, u64) {
    let (mut files, mut bytes, mut directories) = (0, 0, vec![directory.to_owned()]);
    while let Some(directory) = directories.pop().filter(|_| files < 100_000) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => directories.push(entry.path()),
                Ok(meta) => (files, bytes) = (files + 1, bytes + meta.len()),
                Err(_) => {}
            }
        }
    }
    (files, bytes)
}

/// Returns whether the user's setting `keep` has a path: by the name of it or of a directory above, or by its own path from
/// the root.
fn is_in(keep: &[String], path: &RepoPath) -> bool {
    keep.iter().map(|entry| entry.trim_end_matches('/')).any(|entry| {
        let is_name = !entry.contains('/');
        path.ancestors().chain([path.clone()]).any(|part| {
            let text = if is_name { part.file_name() } else { part.as_bytes() };
            text == entry.as_bytes()
        })
    })
}

/// Returns a path without the `/` at the end of a directory.
pub(crate) fn bare(path: &RepoPath) -> RepoPath {
    RepoPath::new(path.as_bytes().strip_suffix(b"/").unwrap_or(path.as_bytes()))
}

/// Returns the path in the worktree; `None` outside it, and an empty path for the root and directories above it.
fn inside(root: &Path, path: &Path) -> Option<RepoPath> {
    let resolved =
        path.parent().zip(path.file_name()).and_then(|(dir, name)| Some(sys::canonical(dir).ok()?.join(name)));
    for path in resolved.as_deref().into_iter().chain([path]) {
        if root.starts_with(path) {
            return Some(RepoPath::new(Vec::new()));
        }
        if let Ok(path) = path.strip_prefix(root) {
            return Some(RepoPath::new(sys::in_git(path)));
        }
    }
    None
}

fn candidates(root: &Path, snapshot: &Snapshot, new: &NewStep<'_>) -> Candidates {
    let mut found = Candidates::default();
    let (mut all, mut named) = (new.all, Vec::new());
    for path in new.paths {
        match inside(root, path) {
            Some(path) if path.as_bytes().is_empty() => all = true,
            Some(inner) => {
                // Git lists no ignored pipes and sockets.
                if path.symlink_metadata().is_ok_and(|meta| !meta.is_dir() && !meta.is_file() && !meta.is_symlink()) {
                    found.refuse(inner.clone(), "no regular file", 1, 0);
                }
                named.push(inner);
            }
            None => {
                if let Some(meta) = path.symlink_metadata().ok().filter(fs::Metadata::is_file) {
                    found.refuse(RepoPath::new(sys::in_git(path)), "outside the project", 1, meta.len());
                }
            }
        }
    }
    let large = snapshot.uncovered.iter().filter(|left| matches!(left.reason, Reason::TooLarge | Reason::Special));
    let entries: Vec<RepoPath> = snapshot.ignored().iter().chain(large.map(|left| &left.path)).map(bare).collect();
    for entry in &entries {
        if all || entry.is_within_any(&named) || is_in(new.keep, entry) {
            found.add(root, entry, new.keep);
        } else {
            named.iter().filter(|named| named.is_within(entry)).for_each(|named| found.add(root, named, new.keep));
        }
    }
    // A directory of the setting may lie below an ignored one.
    for keep in new.keep.iter().filter(|keep| keep.contains('/')) {
        let keep = RepoPath::new(keep.trim_end_matches('/').as_bytes());
        if entries.iter().any(|entry| keep.is_within(entry)) {
            found.add(root, &keep, new.keep);
        }
    }
    found.files.sort();
    found
}

/// Opens the directory that contains a path; makes the missing ones if `make` is set. Follows no link.
fn parent(root: &Path, path: &RepoPath, make: bool) -> io::Result<(sys::Directory, std::ffi::OsString)> {
    let mut directory = sys::open_top(root)?;
    let mut names: Vec<_> =
        path.as_bytes().split(|byte| *byte == b'/').map(|name| sys::path_of(name.to_vec())).collect();
    let name = names.pop().unwrap_or_default();
    for name in names {
        directory = match sys::open_directory(&directory, &name) {
            Err(error) if error.kind() == ErrorKind::NotFound && make => {
                sys::make_directory(&directory, &name, false)?;
                sys::open_directory(&directory, &name)?
            }
            opened => opened?,
        };
    }
    Ok((directory, name))
}

/// Opens a regular file of the worktree, whose path has no link.
fn open(root: &Path, path: &RepoPath) -> io::Result<File> {
    let (directory, name) = parent(root, path, false)?;
    let file = sys::open(&directory, &name)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(ErrorKind::InvalidInput.into()) }
}

fn hash(file: &mut File) -> io::Result<String> {
    let (mut hash, mut part) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(fuzzy_checkpoint::hex(&hash.finalize())),
            length => hash.update(&part[..length]),
        }
    }
}

/// Returns what stands at a path now.
fn look(root: &Path, path: &RepoPath) -> KeptFile {
    let read = |mut file: File| {
        let meta = file.metadata()?;
        Ok((hash(&mut file)?, sys::mode(&meta) & 0o777, meta.len()))
    };
    let (hash, mode, bytes) = match open(root, path).and_then(read) {
        Ok((hash, mode, bytes)) => (Some(hash), mode, bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => (None, 0, 0),
        Err(_) => (Some(OTHER.to_owned()), 0, 0),
    };
    KeptFile { path: path.clone(), hash, mode, bytes }
}

/// Copies a file into a folder, by its hash. The system shares the blocks where it can.
fn copy(root: &Path, path: &RepoPath, folder: &Path) -> io::Result<KeptFile> {
    let mut file = open(root, path)?;
    let mode = sys::mode(&file.metadata()?) & 0o777;
    sys::make_private(folder)?;
    let new = folder.join(format!("new-{}", ulid()));
    let kept = (|| {
        let mut copy = sys::private_file().read(true).write(true).create_new(true).open(&new)?;
        let bytes = io::copy(&mut file, &mut copy)?;
        copy.rewind()?;
        let hash = hash(&mut copy)?;
        copy.sync_all()?;
        fs::rename(&new, folder.join(&hash))?;
        Ok(KeptFile { path: path.clone(), hash: Some(hash), mode, bytes })
    })();
    if kept.is_err() {
        let _ = fs::remove_file(&new);
    }
    kept
}

/// Returns the copies below a directory, each with its age and size.
fn copies_in(folder: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| {
        let meta = entry.metadata().ok()?;
        meta.is_file().then_some((meta.modified().ok()?, meta.len(), entry.path()))
    });
    files.collect()
}

impl Checkpointer {
    fn all_copies(&self) -> PathBuf {
        self.engine.state_dir().join("kept")
    }

    /// Returns the folder of a worktree's copies. The id comes from the database and must not lead out of it.
    fn copies_of(&self, worktree: &str) -> Option<PathBuf> {
        let is_name = !worktree.is_empty() && worktree.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Some(self.all_copies().join(is_name.then_some(worktree)?))
    }

    /// Keeps copies of the files that a command names and that no checkpoint has: the smallest first.
    pub(crate) fn keep_copies(&self, worktree: &Worktree, snapshot: &Snapshot, new: &NewStep<'_>) -> StepNote {
        let root = worktree.root();
        let Candidates { files, not_kept, .. } = candidates(root, snapshot, new);
        let mut note = StepNote { not_kept, ..StepNote::default() };
        let Some(folder) = self.copies_of(worktree.id()) else { return note };
        let mut total = 0;
        for (bytes, path) in files {
            let refuse = |why: String| NotKept { path: path.clone(), why, files: 1, bytes };
            if total + bytes > MAX_STEP {
                note.not_kept.push(refuse("more than 512 MiB are named".to_owned()));
                continue;
            }
            match copy(root, &path, &folder) {
                Ok(file) => {
                    total += file.bytes;
                    note.kept.push(file);
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => note.not_kept.push(refuse(format!("it cannot be copied: {error}"))),
            }
        }
        if !note.kept.is_empty() {
            self.drop_oldest_copies();
        }
        note
    }

    /// Deletes the oldest copies of all worktrees beyond the limit.
    fn drop_oldest_copies(&self) {
        let folders = fs::read_dir(self.all_copies()).into_iter().flatten().flatten();
        let mut all: Vec<_> = folders.flat_map(|folder| copies_in(&folder.path())).collect();
        all.sort_by(|a, b| b.cmp(a));
        let mut total = 0;
        for (_, bytes, path) in all {
            total += bytes;
            if total > MAX_ALL {
                let _ = fs::remove_file(path);
            }
        }
    }

    /// Returns what stands now where copies of earlier steps were made.
    pub(crate) fn look_at_kept(worktree: &Worktree, steps: &[Checkpoint]) -> Vec<KeptFile> {
        let kept = steps.iter().flat_map(|row| &row.step).flat_map(|note| &note.kept);
        let paths: BTreeSet<&RepoPath> = kept.map(|file| &file.path).collect();
        paths.into_iter().map(|path| look(worktree.root(), path)).collect()
    }

    /// Returns the copies that a request brings back, and the other files that commands of its turns named.
    pub(crate) fn copies(
        &self,
        worktree: &Worktree,
        spans: &Spans,
        wanted: &BTreeSet<i64>,
        options: &TakeBackOptions,
    ) -> (Vec<CopyBack>, Vec<NotKept>) {
        if !options.picked().is_empty() {
            return (Vec::new(), Vec::new());
        }
        let is_asked = |path: &RepoPath| options.paths.is_empty() || path.is_within_any(&options.paths);
        let (mut back, mut not) = (Vec::new(), BTreeMap::new());
        for (path, (first, later)) in kept_of(spans, wanted, options.step) {
            let Some(hash) = first.hash.clone().filter(|_| is_asked(&path)) else { continue };
            let was_unchanged = later.last().is_some_and(|end| (&end.hash, end.mode) == (&first.hash, first.mode));
            let now = look(worktree.root(), &path);
            if was_unchanged || (&now.hash, now.mode) == (&first.hash, first.mode) {
                continue;
            }
            let left = |why: &str| NotKept { path: path.clone(), why: why.to_owned(), files: 1, bytes: first.bytes };
            let is_there = self.copies_of(worktree.id()).is_some_and(|folder| folder.join(&hash).is_file());
            let is_named = options.paths.contains(&path) && now.hash.as_deref() != Some(OTHER);
            let mut replaces: Vec<String> = later.iter().filter_map(|file| file.hash.clone()).collect();
            replaces.retain(|hash| hash != OTHER);
            replaces.extend(now.hash.clone().filter(|hash| is_named || *hash == *first.hash.as_ref().unwrap_or(hash)));
            if !is_there {
                not.insert(path.clone(), left("its copy is not there any more"));
            } else if now.hash.as_ref().is_some_and(|now| !replaces.contains(now)) {
                not.insert(path.clone(), left("it was changed since; --paths FILE replaces it"));
            } else {
                back.push(CopyBack { path, hash, mode: first.mode, replaces });
            }
        }
        let steps = wanted.iter().filter_map(|number| spans.turn(*number)).flat_map(|span| &span.steps);
        for file in steps.flat_map(|row| &row.step).flat_map(|note| &note.not_kept) {
            let is_gone = sys::on_disk(worktree.root(), bare(&file.path).as_bytes()).symlink_metadata().is_err();
            if is_gone && is_asked(&file.path) {
                not.entry(file.path.clone()).or_insert_with(|| file.clone());
            }
        }
        (back, not.into_values().collect())
    }

    /// Brings files back from their copies, where nothing stands, or a content that the copy may replace. A copy of that is
    /// kept, too. Anything else stays. Can be repeated.
    pub(crate) fn bring_back(
        &self,
        worktree: &Worktree,
        copies: &[CopyBack],
        result: &mut RestoreOutcome,
    ) -> Result<()> {
        let Some(folder) = self.copies_of(worktree.id()) else { return Ok(()) };
        for copy in copies {
            let is_done = result.brought_back.iter().any(|done| done.path == copy.path);
            match bring_back(worktree.root(), copy, &folder) {
                Ok(Some(done)) if !is_done => result.brought_back.push(done),
                Ok(None) if !is_done => result.kept.push(copy.path.clone()),
                Ok(_) => {}
                Err(error) => {
                    let path = sys::on_disk(worktree.root(), copy.path.as_bytes());
                    return Err(Error::Engine(fuzzy_checkpoint::Error::io(&path)(error)));
                }
            }
        }
        Ok(())
    }

    /// Deletes the copies of a worktree that no checkpoint and no recent restore names; those without a record only once
    /// they are old, unless `now` is set.
    pub(crate) fn drop_copies(&self, worktree: &str, now: bool) -> Result<()> {
        let Some(folder) = self.copies_of(worktree).filter(|folder| folder.exists()) else { return Ok(()) };
        let mut needed: HashSet<String> = HashSet::new();
        for note in self.store.checkpoints_of(worktree)?.into_iter().filter_map(|row| row.step) {
            needed.extend(note.kept.into_iter().filter_map(|file| file.hash));
        }
        let oldest = now_ms().saturating_sub(Retention::default().safety_ms);
        let recent = self.store.restores_of(worktree)?.into_iter().filter(|row| !now && row.updated_at >= oldest);
        let replaced = recent.flat_map(|row| row.result.brought_back).filter_map(|done| Some(done.replaced?.hash));
        needed.extend(replaced);
        for (written, _, path) in copies_in(&folder) {
            let is_needed = path.file_name().and_then(OsStr::to_str).is_some_and(|name| needed.contains(name));
            if !is_needed && (now || written.elapsed().is_ok_and(|age| age > MIN_AGE)) {
                let _ = fs::remove_file(path);
            }
        }
        let _ = fs::remove_dir(folder);
        Ok(())
    }
}

/// Returns the files that steps of turns kept: each as it was first, and as it was found at each later step and end.
fn kept_of(
    spans: &Spans,
    wanted: &BTreeSet<i64>,
    step: Option<usize>,
) -> BTreeMap<RepoPath, (KeptFile, Vec<KeptFile>)> {
    let mut kept: BTreeMap<RepoPath, (KeptFile, Vec<KeptFile>)> = BTreeMap::new();
    for (at, span) in wanted.iter().filter_map(|number| spans.turn(*number)).enumerate() {
        let skipped = step.filter(|_| at == 0).map_or(0, |step| step - 1);
        for row in span.steps.iter().skip(skipped).chain(&span.end) {
            let Some(note) = &row.step else { continue };
            for file in note.found.iter().chain(&note.kept) {
                if let Some((_, later)) = kept.get_mut(&file.path) {
                    later.push(file.clone());
                }
            }
            for file in &note.kept {
                kept.entry(file.path.clone()).or_insert_with(|| (file.clone(), Vec::new()));
            }
        }
    }
    kept
}

impl Spans {
    /// Returns whether steps of turns kept a file of one of these paths.
    pub(crate) fn keeps(&self, wanted: &BTreeSet<i64>, paths: &[RepoPath]) -> bool {
        let kept = kept_of(self, wanted, None);
        let is_known = |path: &RepoPath| kept.keys().any(|file| file.is_within(path));
        !paths.is_empty() && paths.iter().any(is_known)
    }

    /// Returns the checkpoint of a step of a turn; steps have numbers from 1.
    pub(crate) fn step(&self, number: i64, step: usize) -> Option<&Checkpoint> {
        self.turn(number).map(|span: &Span| &span.steps)?.get(step.checked_sub(1)?)
    }
}

fn bring_back(root: &Path, back: &CopyBack, folder: &Path) -> io::Result<Option<BroughtBack>> {
    let done = |replaced| Some(BroughtBack { path: back.path.clone(), hash: back.hash.clone(), replaced });
    let now = look(root, &back.path);
    let stands = now.hash.as_deref();
    if (stands, now.mode) == (Some(&back.hash), back.mode) {
        return Ok(done(None));
    }
    let may = |hash: &str| hash != OTHER && back.replaces.iter().any(|other| other == hash);
    if stands.is_some_and(|hash| !may(hash) && hash != back.hash) {
        return Ok(None);
    }
    let replaced = match stands {
        Some(_) => Some(copy(root, &back.path, folder)?),
        None => None,
    };
    let Ok(mut content) = sys::open_regular(&folder.join(&back.hash), false) else { return Ok(None) };
    let (directory, name) = parent(root, &back.path, true)?;
    let new = sys::path_of([b".fuzzy-edit-".as_slice(), ulid().as_bytes()].concat());
    let mut file = sys::create(&directory, &new, 0o600)?;
    let placed = (|| {
        io::copy(&mut content, &mut file)?;
        file.flush()?;
        sys::set_mode(&file, back.mode)?;
        file.sync_all()?;
        let Some(before) = &replaced else { return sys::appear((&directory, &new), (&directory, &name)) };
        if !sys::exchange((&directory, &new), (&directory, &name))? {
            return Ok(false);
        }
        // A save just now is put back.
        let mut displaced = sys::open(&directory, &new)?;
        if Some(hash(&mut displaced)?) == before.hash {
            return Ok(true);
        }
        sys::exchange((&directory, &new), (&directory, &name)).and(Ok(false))
    })();
    let removed = match &placed {
        // The new name is that of the placed file now.
        Ok(true) if replaced.is_none() => Ok(()),
        _ => sys::remove(&directory, &new),
    };
    match placed {
        Ok(true) => {
            removed.map(|()| done(replaced.and_then(|file| Some(Replaced { hash: file.hash?, mode: file.mode }))))
        }
        Ok(false) => Ok(None),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

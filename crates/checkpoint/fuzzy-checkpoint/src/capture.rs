//! Takes a checkpoint: the user's files, index and head, as one commit.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use fuzzy_system as sys;

use crate::both::both;
use crate::capture_cache::Warm;
use crate::classify::{Found, Sorter};
use crate::files::small;
use crate::git::unread;
use crate::index::{Index, copy_index};
use crate::listing::{self, Sorted};
use crate::modes::Modes;
use crate::objects::{Drafts, commit_text, header, place};
use crate::private::{Locked, Scratch};
use crate::snapshot::{CaptureOptions, Meta, Snapshot};
use crate::staged::{self, Staged, USERS_INDEX};
use crate::store::{found, lines, missing};
use crate::walk::{self, GONE, Listed, PASSING, SPARED};
use crate::{
    Error, IndexLeft, Oid, Reason, RepoPath, Result, Uncovered, empty_dirs, failpoint, gone, hash, head, recheck,
    suspect, tree_update, unreadable,
};

/// The number of bytes of paths that are passed to git as arguments, whose total length is limited.
const MOST_ARGUMENTS: usize = 1 << 15;

/// The number of attempts at a capture while files disappear, change type or are written concurrently. With a program
/// that writes one file without pause, three attempts in a row failed once in a few thousand captures.
const ATTEMPTS: usize = 8;

/// The number of objects up to which existence is checked by reading them, which is faster than another git process.
const FEW: usize = 500;

/// The largest number of borrowed objects, and their size in bytes, that are copied within a capture.
const FEW_BORROWED: usize = 2000;
const FEW_BYTES: u64 = 20 << 20;

/// How a capture finds out which files changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    /// Since the last capture.
    Warm,
    /// Since they were staged: unchanged files are borrowed.
    Users,
    /// Every file is read and stored.
    Nothing,
}

impl Locked<'_> {
    /// Captures the worktree. Adds objects to the store and moves a private ref. The commit itself is not pinned until
    /// [`Locked::pin`].
    ///
    /// # Errors
    ///
    /// Refuses if space is short or there are too many paths; fails if a git call fails.
    pub fn capture(&self, options: &CaptureOptions) -> Result<Snapshot> {
        if !options.pressed {
            self.refuse_early()?;
        }
        self.attempts(options).map_err(|error| self.worktree.unless_full(error))
    }

    fn attempts(&self, options: &CaptureOptions) -> Result<Snapshot> {
        for _ in 1..ATTEMPTS {
            match self.capture_once(options, Base::Warm) {
                // Git fails if a file changes while it is read.
                Err(Error::Git { .. }) => {}
                done => return done,
            }
        }
        // The warm index itself may be broken.
        self.capture_once(options, Base::Nothing)
    }

    fn refuse_early(&self) -> Result<()> {
        match self.worktree.scarce(self.worktree.limits.min_free_bytes)? {
            Some(path) => Err(Error::DiskFull { path }),
            None => Ok(()),
        }
    }

    fn capture_once(&self, options: &CaptureOptions, base: Base) -> Result<Snapshot> {
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        // After a power failure the index may be damaged.
        let is_sound = || {
            let index = Index::read(&self.worktree.warm_index(), &self.worktree.found.format);
            index.is_ok_and(|index| index.has_content() && index.entries().is_some())
        };
        let warm = base == Base::Warm && is_sound() && copy_index(&self.worktree.warm_index(), &index)?;
        let base = if base == Base::Warm && !warm { Base::Users } else { base };
        let colder = if base == Base::Warm { Base::Users } else { Base::Nothing };
        let mut now = self.worktree.now()?;
        // Ignore a head whose commit is missing.
        if let Some(head) = &now.head
            && self.objects.object(head)?.is_none_or(|object| object.kind != "commit")
        {
            now.head = None;
        }
        let known = if warm { self.cache.known(now.pinned.as_ref()) } else { None };
        let (staged, ours, listed) = if warm {
            let ours = walk::entries(self, &self.worktree.warm_index())?;
            // Both lists are read concurrently.
            let users = known.as_ref().and_then(|known| known.users.as_ref());
            let (staged, listed) = both(|| staged::read(self, &scratch, users), || walk::list_warm(self, &index));
            (staged.unwrap_or_else(|_| Err(unread("ls-files")))?, ours, listed?)
        } else {
            let staged = staged::read(self, &scratch, None)?;
            let ours = self.seed(&index, &staged)?;
            // An empty index has no file that `status` could read.
            let is_borrowing = base == Base::Users && ours.len() > 0 && self.worktree.found.lends.is_some();
            let listed =
                if is_borrowing { walk::list_warm(self, &index)? } else { walk::list_cold(self, &index, &ours)? };
            (staged, ours, listed)
        };
        let mut kept = staged::index(self, &scratch, &staged)?;
        let tree = known.as_ref().map(|known| known.tree.clone());
        let recorded = self.record(&index, listed, &staged.missing(&ours), &ours, tree, options);
        let (tree, found) = match recorded {
            // Objects of the warm index may have been garbage-collected; writing its tree detects that only sometimes.
            Err(Error::Git { command, .. }) if warm && command == "write-tree" => {
                return self.capture_once(options, colder);
            }
            recorded => recorded?,
        };
        let whole = match self.keep_files(&index, &tree, known.as_ref(), now.head.as_ref()) {
            // Reading the files again writes the objects again.
            Err(Error::Lost { .. }) if base != Base::Nothing => return self.capture_once(options, colder),
            whole => whole?,
        };
        kept.tree = match kept.tree {
            Some(index)
                if known.as_ref().is_some_and(|known| known.whole && known.index_tree.as_ref() == Some(&index)) =>
            {
                Some(index)
            }
            Some(index) => match self.objects.keep_new(&tree, &[Some(&index)]) {
                Err(Error::Lost { .. }) if matches!(staged, Staged::Same(_)) => {
                    return self.capture_once(options, colder);
                }
                // An index with missing objects cannot be restored.
                Err(Error::Lost { .. }) => None,
                kept => kept.map(|()| Some(index))?,
            },
            None => None,
        };
        if kept.tree.is_none() && kept.left != Some(IndexLeft::Sidecar) && matches!(staged, Staged::Listed(..)) {
            kept.left = kept.left.or(Some(IndexLeft::MissingObjects));
            kept.staged = staged::pin_staged(self, &index, &staged, now.head.as_ref())?;
        }
        let users = staged.after(self, &ours, &found, &kept)?;
        let (worktree, last) = (self.worktree, known.as_ref().and_then(|known| known.modes.as_ref()));
        // Both look at all directories or files.
        let (modes, (mut meta, secrets)) =
            both(|| Modes::of_index(worktree, &index, last), || found.into_meta(self, &staged));
        let suspect = suspect::find(self, &index, &meta.bare, options.since)?;
        meta.index_left = kept.left;
        meta.modes = modes.unwrap_or_else(|_| Err(unread("index")))?;
        let notes = serde_json::to_vec(&meta).map_err(|_| unread("meta"))?;
        let mut next = Warm {
            commit: tree.clone(),
            tree,
            index_tree: kept.tree,
            staged: kept.staged,
            head: now.head,
            notes: hash::sha256(&notes),
            users,
            modes: meta.modes.clone(),
            whole,
        };
        next.commit = match &known {
            Some(known) if known.same_content(&next) => known.commit.clone(),
            _ => self.commit(&next, &notes)?,
        };
        self.cache.publish(&index, &next, known.as_ref())?;
        failpoint::hit("captured");
        let Warm { commit, tree, index_tree, head, .. } = next;
        Ok(Snapshot {
            commit,
            tree,
            index_tree,
            index_left: kept.left,
            head,
            head_ref: now.branch,
            uncovered: meta.uncovered.clone(),
            secrets,
            suspect,
            meta: Arc::new(meta),
        })
    }

    /// Fills an empty index with the entries of the user's index. `read-tree HEAD` would fail on an unborn branch and
    /// would miss ignored files that were staged by force.
    fn seed(&self, index: &Path, staged: &Staged) -> Result<Sorted> {
        let mut input = Vec::new();
        for entry in staged.files() {
            input.extend_from_slice(format!("{} {}\t", entry.mode, entry.oid).as_bytes());
            input.extend_from_slice(entry.path.as_bytes());
            input.push(0);
        }
        self.index_info(index, input)?;
        walk::entries(self, index)
    }

    /// Edits an index by lines of mode, object and path; mode 0 removes the path.
    pub(crate) fn index_info(&self, index: &Path, input: Vec<u8>) -> Result<()> {
        self.worktree.writing("update-index", index).args(["-z", "--index-info"]).input(input).ok().map(drop)
    }

    /// Makes sure that the files of a new capture remain, and returns whether the store itself has all their objects:
    /// copies those that the user's head does not hold, and all others if they are few.
    ///
    /// # Errors
    ///
    /// Returns `lost` if an object is nowhere.
    pub(crate) fn keep_files(
        &self,
        index: &Path,
        tree: &Oid,
        known: Option<&Warm>,
        head: Option<&Oid>,
    ) -> Result<bool> {
        // The head of the last capture holds all that it borrowed, so the same head still does.
        let is_held = |known: &&Warm| known.whole || head.is_some() && known.head.as_ref() == head;
        if let Some(known) = known.filter(is_held) {
            return self.objects.keep_new(&known.tree, &[Some(tree)]).map(|()| known.whole);
        }
        let content = Index::read(index, &self.worktree.found.format)?;
        let entries = content.entries().ok_or_else(|| unread("index"))?;
        let named: BTreeSet<&[u8]> = entries.iter().map(|entry| entry.oid).collect();
        let named: Vec<Oid> = named.into_iter().filter_map(|oid| Oid::new(hash::hex(oid)).ok()).collect();
        let borrowed = self.worktree.all_borrowed(&named)?;
        let bytes: u64 = borrowed.iter().map(|(_, bytes)| bytes).sum();
        let are_few = borrowed.len() <= FEW_BORROWED && bytes <= FEW_BYTES;
        match head.filter(|_| !are_few) {
            Some(head) => self.objects.keep_new(&self.objects.tree_of(head)?, &[Some(tree)]).map(|()| false),
            // Blobs that only the user's index names may be collected at any time.
            None => self.worktree.pack(&borrowed).map(|()| true),
        }
    }

    /// Updates the index from disk and writes it as a tree; `tree` is the tree of the index before.
    fn record(
        &self,
        index: &Path,
        listed: Listed,
        missing: &BTreeSet<RepoPath>,
        ours: &Sorted,
        tree: Option<Oid>,
        options: &CaptureOptions,
    ) -> Result<(Oid, Found)> {
        let Listed { changed, others, ignored, warned } = listed;
        let limit = self.worktree.limits.max_paths;
        if ours.len() + others.len() > limit {
            return Err(Error::TooLarge { paths: ours.len() + others.len(), limit });
        }
        let found = Found { ignored: ignored.into_iter().collect(), ..Found::default() };
        let mut candidates = changed;
        candidates.extend(missing.iter().cloned());
        candidates.extend(others);
        candidates.extend(walk::read_list(self, GONE));
        let mut sorter = Sorter { locked: self, ours, missing, options, dirs: HashMap::new(), exempt: None, found };
        for path in candidates {
            sorter.sort(path)?;
        }
        sorter.note_mixed();
        // Warnings are not parsed, because names may contain any bytes; any warning starts this search.
        let closed = if warned { unreadable::find(&self.worktree.found.root) } else { Vec::new() };
        sorter.drop_unreadable(closed);
        let mut found = sorter.found;
        self.note_ignored(index, options, ours, &mut found)?;
        if !self.record_at_once(index, &found)? {
            if !found.removed.is_empty() {
                self.index_info(index, self.removals(&found.removed))?;
            }
            self.add(index, &mut found, ours)?;
        }
        recheck::read_again(self, index, &mut found)?;
        let tree = match tree {
            Some(tree) if found.added.is_empty() && found.removed.is_empty() => tree,
            Some(warm) => tree_update::updated_tree(self, index, &warm)?.map_or_else(|| self.write_tree(index), Ok)?,
            None => self.write_tree(index)?,
        };
        Ok((tree, found))
    }

    /// Finds out which absent paths are ignored, and records files that are captured only in passing: after a restore
    /// of old ignore rules, files that these do not ignore are captured, but the next restore must not delete them as
    /// if they had always been captured.
    fn note_ignored(&self, index: &Path, options: &CaptureOptions, ours: &Sorted, found: &mut Found) -> Result<()> {
        let mut passing = walk::read_list(self, PASSING);
        passing.retain(|path| ours.contains(path));
        let checked: Vec<RepoPath> = found.absent.iter().chain(&passing).cloned().collect();
        let ignored: HashSet<RepoPath> = walk::ignored_now(self, index, &checked)?.into_iter().collect();
        found.absent.retain(|path| ignored.contains(path));
        let spared: BTreeSet<RepoPath> = passing.iter().filter(|path| ignored.contains(*path)).cloned().collect();
        if options.passing {
            let gone = walk::read_list(self, GONE);
            passing.extend(found.fresh.iter().filter(|path| !gone.contains(path)).cloned());
        } else {
            passing.clone_from(&spared);
        }
        walk::write_list(self, PASSING, &passing)?;
        walk::write_list(self, SPARED, &spared)?;
        walk::write_list(self, GONE, &found.absent.iter().cloned().collect())
    }

    /// Removes and adds paths by one call, if there are both and only a few. Returns whether that succeeded; if some
    /// file cannot be added, nothing is.
    fn record_at_once(&self, index: &Path, found: &Found) -> Result<bool> {
        let length: usize = found.added.iter().map(|path| path.as_bytes().len()).sum();
        if found.added.is_empty() || found.removed.is_empty() || length > MOST_ARGUMENTS {
            return Ok(false);
        }
        // The prefix "./" prevents names from being read as options. Added files replace conflicting entries.
        let added = found.added.iter().map(|path| [b"./", path.as_bytes()].concat());
        let call = self.worktree.writing("update-index", index).args(["-z", "--add", "--remove", "--replace"]);
        let call = call.args(added.map(sys::path_of)).arg("--index-info");
        Ok(call.input(self.removals(&found.removed)).run()?.code == 0)
    }

    pub(crate) fn removals(&self, paths: &[RepoPath]) -> Vec<u8> {
        let zero = Oid::zero(&self.worktree.found.format);
        paths.iter().flat_map(|path| [format!("0 {zero}\t").as_bytes(), path.as_bytes(), b"\0"].concat()).collect()
    }

    /// Adds files to the index. Files that cannot be read, despite their permissions, are skipped.
    fn add(&self, index: &Path, found: &mut Found, ours: &Sorted) -> Result<()> {
        while !found.added.is_empty() {
            let call =
                self.worktree.writing("update-index", index).args(["-z", "--add", "--remove", "--replace", "--stdin"]);
            let answer = call.input(listing::lines(&found.added)).run()?;
            if answer.code == 0 {
                return Ok(());
            }
            let root = &self.worktree.found.root;
            let (shut, open): (Vec<_>, Vec<_>) = std::mem::take(&mut found.added)
                .into_iter()
                .partition(|path| cannot_be_read(&sys::on_disk(root, path.as_bytes())));
            if shut.is_empty() {
                // All files can be read, so the failure has another cause.
                return Err(answer.failed("update-index"));
            }
            found.added = open;
            let known: Vec<RepoPath> = shut.iter().filter(|path| ours.contains(path)).cloned().collect();
            if !known.is_empty() {
                self.index_info(index, self.removals(&known))?;
                found.removed.extend(known);
            }
            for path in shut {
                found.leave(path, Reason::Unreadable);
            }
        }
        Ok(())
    }

    pub(crate) fn write_tree(&self, index: &Path) -> Result<Oid> {
        let output = self.worktree.writing("write-tree", index).arg("--missing-ok").hold(&self.lock)?.ok()?;
        Oid::from_line(&output).ok_or_else(|| unread("write-tree"))
    }

    /// Writes the copy of the user's index as a tree; `None` if a tree cannot represent it.
    pub(crate) fn index_tree(&self, scratch: &Scratch) -> Result<Option<Oid>> {
        let copy = scratch.path(USERS_INDEX);
        let answer = self.worktree.writing("write-tree", &copy).arg("--missing-ok").hold(&self.lock)?.run()?;
        Ok(Oid::from_line(&answer.stdout).filter(|_| answer.code == 0))
    }

    /// Creates the commit. Its parent contains the index and the notes, and its message names the user's head: the store
    /// does not have the history of the repository.
    fn commit(&self, next: &Warm, notes: &[u8]) -> Result<Oid> {
        let mut drafts = Drafts::new();
        let notes = self.objects.draft("blob", notes, &mut drafts)?;
        let mut rows = Vec::new();
        // Sorted as in a tree.
        let index = next.index_tree.as_ref().map(|oid| ("40000 index\0", oid));
        let staged = next.staged.as_ref().map(|oid| ("40000 staged\0", oid));
        for (name, oid) in index.into_iter().chain([("100644 meta.json\0", &notes)]).chain(staged) {
            rows.extend([name.as_bytes(), &hash::bytes(oid)].concat());
        }
        let aux = self.objects.draft("tree", &rows, &mut drafts)?;
        let aux = self.objects.draft("commit", commit_text(&aux, &[], None).as_bytes(), &mut drafts)?;
        let text = commit_text(&next.tree, &[&aux], next.head.as_ref());
        let commit = self.objects.draft("commit", text.as_bytes(), &mut drafts)?;
        place(&mut drafts).map(|()| commit)
    }

    /// Returns whether all objects of `trees` are in the object store. Objects that refs hold cannot have been
    /// collected, so if `held` has such trees, only differences from the first of them are checked.
    pub(crate) fn all_exist(&self, index: &Path, trees: &[&Oid], held: &[Oid]) -> Result<bool> {
        let mut oids = Vec::new();
        for tree in trees.iter().filter(|tree| !held.contains(tree)) {
            let Some(base) = held.first() else { return self.walk(index, trees) };
            let changes = match self.objects.differences(base, tree) {
                Err(Error::Lost { .. }) => return Ok(false),
                changes => changes?,
            };
            // A deletion has no object, and a submodule's commit is in another repository.
            let new = changes.into_iter().filter_map(|change| change.new).filter(|(mode, _)| mode != "160000");
            oids.extend(new.map(|(_, oid)| oid));
        }
        if oids.len() <= FEW {
            for oid in &oids {
                if self.objects.object(oid)?.is_none() {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let call = self.worktree.own("cat-file", index).arg("--batch-check=%(objectname)").input(lines(&oids));
        let there: HashSet<Oid> = found(&call.ok()?).into_iter().collect();
        oids.retain(|oid| !there.contains(oid));
        self.worktree.confirm_missing(&oids)?;
        Ok(oids.is_empty())
    }

    /// Checks all objects, except for those of the user's head.
    fn walk(&self, index: &Path, trees: &[&Oid]) -> Result<bool> {
        for tree in trees {
            if self.objects.object(tree)?.is_none() {
                return Ok(false);
            }
        }
        let head = self.worktree.user("rev-parse").args(["--verify", "-q", "HEAD^{tree}"]).hold(&self.lock)?.run()?;
        let head = Oid::from_line(&head.stdout).filter(|_| head.code == 0);
        let options = ["--objects", "--no-object-names", "--quiet", "--missing=print"];
        let call = self.worktree.own("rev-list", index).args(options);
        let call = call.args(trees.iter().map(|oid| oid.as_str())).arg("--not").args(head.iter().map(Oid::as_str));
        let missing = missing(&call.hold(&self.lock)?.ok()?);
        self.worktree.confirm_missing(&missing)?;
        Ok(missing.is_empty())
    }

    /// Returns the user's head at the time of a checkpoint.
    ///
    /// # Errors
    ///
    /// Returns `lost` if the commit is gone.
    pub fn recorded_head(&self, commit: &Oid) -> Result<Option<Oid>> {
        let body = self.objects.object_of("commit", commit)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let mut parents = header(&text, "parent ");
        // Older programs made it the first of two parents.
        let old = parents.next().filter(|_| parents.next().is_some());
        Ok(old.or_else(|| text.lines().rev().find_map(|line| Oid::new(line.strip_prefix("head ")?).ok())))
    }

    /// Pins a checkpoint under the new name `name`, which consists of letters and digits and is never text from a user.
    /// The checkpoint is durable then.
    ///
    /// # Errors
    ///
    /// Fails if the name exists already or has other characters.
    pub fn pin(&self, name: &str, commit: &Oid) -> Result<()> {
        let name = self.worktree.checkpoint_ref(name)?;
        self.cache.move_ref(&name, commit, Some(&Oid::zero(&self.worktree.found.format)))?;
        self.worktree.flush()
    }

    /// Returns the content of a path in a tree, `None` if it has no such file.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn content(&self, tree: &Oid, path: &RepoPath) -> Result<Option<Vec<u8>>> {
        let file = self.objects.entry(tree, path)?.filter(|(mode, _)| mode.starts_with("10") || mode == "120000");
        file.map(|(_, oid)| self.objects.blob(&oid)).transpose()
    }

    /// Reads a checkpoint from its commit.
    ///
    /// # Errors
    ///
    /// Returns `lost` if the commit or its objects are gone.
    pub fn load(&self, commit: &Oid, head: Option<Oid>, head_ref: Option<String>) -> Result<Snapshot> {
        let lost = || Error::Lost { what: commit.to_string() };
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        let (tree, index_tree, meta) = self.objects.notes(commit)?;
        let named: Vec<&Oid> = [Some(&tree), index_tree.as_ref()].into_iter().flatten().collect();
        let known = self.cache.known(self.worktree.now()?.pinned.as_ref());
        if !self.all_exist(&index, &named, &known.as_ref().map(Warm::held).unwrap_or_default())? {
            return Err(lost());
        }
        Ok(Snapshot {
            commit: commit.clone(),
            tree,
            index_tree,
            index_left: meta.index_left,
            head,
            head_ref,
            uncovered: meta.uncovered.clone(),
            secrets: Vec::new(),
            suspect: Vec::new(),
            meta: Arc::new(meta),
        })
    }
}

/// Returns whether a path exists and cannot be read.
fn cannot_be_read(path: &Path) -> bool {
    let content = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => fs::read_link(path).map(drop),
        // Opening a pipe that replaced the file would block.
        Ok(meta) if meta.is_file() => sys::open_regular(path, false).map(drop),
        other => other.map(drop),
    };
    content.is_err_and(|error| !unreadable::means_absent(&error))
}

impl Found {
    /// Adds facts from the user's index; also returns the newly captured files that look like secrets.
    fn into_meta(mut self, locked: &Locked<'_>, staged: &Staged) -> (Meta, Vec<RepoPath>) {
        for path in staged.submodules() {
            self.uncovered.remove(&Uncovered::new(path.clone(), Reason::NestedRepo));
            self.leave(path.clone(), Reason::Submodule);
        }
        let root = &locked.worktree.found.root;
        let ignoring = self.ignored.iter().filter(|path| path.file_name() == b".gitignore");
        let mut beneath = sys::Beneath::new(&locked.dir);
        let rules = ignoring
            .filter_map(|path| Some((path.clone(), small(beneath.file(path.as_bytes()).ok()?).ok()?)))
            .collect();
        let secrets = self.fresh.into_iter().filter(RepoPath::looks_secret).collect();
        let ignored = self.ignored.iter().map(RepoPath::as_bytes);
        let left: HashSet<&[u8]> = ignored
            .map(|name| name.strip_suffix(b"/").unwrap_or(name))
            .chain(self.uncovered.iter().map(|left| left.path.as_bytes()))
            .collect();
        let (bare, special) = empty_dirs::find(root, &left);
        self.uncovered.extend(special.into_iter().map(|path| Uncovered::new(path, Reason::Special)));
        let sizes = gone::sizes(root, self.ignored.iter().chain(self.uncovered.iter().map(|left| &left.path)));
        let meta = Meta {
            exclude: locked.worktree.exclude_text(),
            ignored: self.ignored,
            rules,
            sizes,
            gone: Vec::new(),
            sparse: staged.skipped(),
            uncovered: self.uncovered.into_iter().map(|left| head::with_commit(root, left)).collect(),
            absent: self.absent,
            index_left: None,
            modes: None,
            bare,
        };
        (meta, secrets)
    }
}

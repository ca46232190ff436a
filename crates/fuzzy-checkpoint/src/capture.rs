//! Takes a checkpoint: everything the user has on disk, in the index and at the head, as one commit.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::thread;

use rustix::fs::statvfs;

use crate::failpoint;
use crate::git::{Answer, split_z};
use crate::listing::{self, UserIndex};
use crate::private::{Locked, Scratch, copy_index, regular, write_if_new};
use crate::snapshot::{Meta, Reason, Snapshot, Uncovered};
use crate::sort::Sorter;
use crate::{Error, Oid, RepoPath, Result};

/// Says what is special about a capture.
#[derive(Debug, Clone, Default)]
pub struct CaptureOptions {
    /// A tree whose paths are captured whatever their size: a restore to it must be able to give back every file it
    /// overwrites.
    pub exempt: Option<Oid>,
}

/// How often a capture starts over when files vanish or turn into something else under it.
const ATTEMPTS: usize = 3;

impl Locked<'_> {
    /// Captures the worktree. Adds objects to the user's store and moves a private ref; the commit itself is unpinned
    /// until [`Locked::pin`].
    ///
    /// # Errors
    ///
    /// Refuses when space is short or there are too many paths; fails when a git call fails.
    pub fn capture(&self, options: &CaptureOptions) -> Result<Snapshot> {
        self.refuse_early()?;
        let mut attempt = 1;
        loop {
            match self.capture_once(options) {
                Err(Error::Git { .. }) if attempt < ATTEMPTS => attempt += 1,
                done => return done,
            }
        }
    }

    fn refuse_early(&self) -> Result<()> {
        for dir in [&self.worktree.found.objects, &self.worktree.private] {
            let space = statvfs(dir).map_err(|error| Error::io(dir)(error.into()))?;
            if space.f_bavail.saturating_mul(space.f_frsize) < self.worktree.limits.min_free_bytes {
                return Err(Error::DiskFull { path: dir.clone() });
            }
        }
        Ok(())
    }

    fn capture_once(&self, options: &CaptureOptions) -> Result<Snapshot> {
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        let warm = copy_index(&self.worktree.warm_index(), &index)?;
        let (users, listed) = if warm {
            // Neither list waits for the other.
            thread::scope(|scope| {
                let users = scope.spawn(|| self.worktree.user_index());
                let listed = self.list_warm(&index);
                Ok((users.join().unwrap_or_else(|_| Err(listing::unread("ls-files")))?, listed?))
            })?
        } else {
            let users = self.worktree.user_index()?;
            self.seed(&index, &users)?;
            (users, self.list(&index)?)
        };
        let index_tree = if users.whole { self.index_tree(&scratch)? } else { None };
        let sound = |recorded: &Result<(Oid, Found)>| match recorded {
            Ok((tree, _)) => {
                self.all_exist(&index, &[Some(tree), index_tree.as_ref()].into_iter().flatten().collect::<Vec<_>>())
            }
            // A warm index may name objects that were collected since; writing it as a tree may notice, or may not.
            Err(Error::Git { command, .. }) if command == "write-tree" => Ok(false),
            Err(_) => Ok(true),
        };
        let mut recorded = self.record(&index, listed, &users, options);
        let mut complete = sound(&recorded)?;
        if warm && !complete {
            // Reading every file again writes every object again.
            self.seed(&index, &users)?;
            recorded = self.record(&index, self.list(&index)?, &users, options);
            complete = sound(&recorded)?;
        }
        let (tree, found) = recorded?;
        if !complete && !self.all_exist(&index, &[&tree])? {
            return Err(Error::Lost { what: tree.to_string() });
        }
        // Where the user's own index names objects that are missing, it cannot be given back.
        let index_tree = index_tree.filter(|_| complete);
        let (head, head_ref) = self.worktree.head()?;
        let (meta, secrets) = found.into_meta(self, &users);
        let commit = self.commit(&index, &tree, index_tree.as_ref(), head.as_ref(), &meta)?;
        self.publish(&index, &tree)?;
        self.note_head(&commit)?;
        failpoint::hit("captured");
        Ok(Snapshot { commit, tree, index_tree, head, head_ref, uncovered: meta.uncovered, secrets })
    }

    /// Fills an empty index with what the user's has. `read-tree HEAD` would fail on an unborn branch and would miss
    /// ignored files that were staged by force.
    fn seed(&self, index: &Path, users: &UserIndex) -> Result<()> {
        match fs::remove_file(index) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(index)(error)),
            _ => {}
        }
        let mut input = Vec::new();
        for entry in users.files() {
            input.extend_from_slice(format!("{} {}\t", entry.mode, entry.oid).as_bytes());
            input.extend_from_slice(entry.path.as_bytes());
            input.push(0);
        }
        self.index_info(index, input)
    }

    /// Edits an index by lines of mode, object and path; a mode of 0 removes.
    pub(crate) fn index_info(&self, index: &Path, input: Vec<u8>) -> Result<()> {
        self.worktree.own("update-index", index).args(["-z", "--index-info"]).input(input).ok().map(drop)
    }

    /// Brings the index up to date with the disk and writes it as a tree.
    fn record(
        &self,
        index: &Path,
        listed: Listed,
        users: &UserIndex,
        options: &CaptureOptions,
    ) -> Result<(Oid, Found)> {
        let Listed { changed, others, ignored, ours, warnings } = listed;
        let limit = self.worktree.limits.max_paths;
        if ours.len() + others.len() > limit {
            return Err(Error::TooLarge { paths: ours.len() + others.len(), limit });
        }
        let mut found = Found { ignored: ignored.into_iter().collect(), ..Found::default() };
        for dir in listing::unopened(&warnings) {
            found.leave(dir, Reason::Unreadable);
        }
        let mut candidates = changed;
        candidates.extend(users.files().map(|entry| &entry.path).filter(|path| !ours.contains(*path)).cloned());
        candidates.extend(others);
        candidates.extend(self.read_gone());
        let mut sorter = Sorter { locked: self, ours: &ours, options, dirs: HashMap::new(), exempt: None, found };
        for path in candidates {
            sorter.sort(path)?;
        }
        sorter.note_mixed();
        let mut found = sorter.found;
        found.absent = self.ignored_now(index, &found.absent)?;
        self.write_gone(&found.absent)?;
        if !found.removed.is_empty() {
            let zero = Oid::zero(&self.worktree.found.format);
            let mut input = Vec::new();
            for path in &found.removed {
                input.extend_from_slice(format!("0 {zero}\t").as_bytes());
                input.extend_from_slice(path.as_bytes());
                input.push(0);
            }
            self.index_info(index, input)?;
        }
        if !found.added.is_empty() {
            let call =
                self.worktree.own("update-index", index).args(["-z", "--add", "--remove", "--replace", "--stdin"]);
            call.input(listing::lines(&found.added)).ok()?;
        }
        let tree = self.write_tree(index)?;
        Ok((tree, found))
    }

    pub(crate) fn write_tree(&self, index: &Path) -> Result<Oid> {
        let output = self.worktree.own("write-tree", index).hold(&self.lock)?.ok()?;
        Oid::from_line(&output).ok_or_else(|| listing::unread("write-tree"))
    }

    /// Runs one of git's lists.
    fn ask(&self, index: &Path, verb: &str, args: &[&str]) -> Result<Answer> {
        let answer = self.worktree.own(verb, index).args(args).hold(&self.lock)?.run()?;
        if answer.code == 0 { Ok(answer) } else { Err(answer.failed(verb)) }
    }

    /// Lists what a fresh index needs: every entry is to be read again.
    fn list(&self, index: &Path) -> Result<Listed> {
        let others = self.ask(index, "ls-files", &["-o", "-z", "--exclude-standard"])?;
        let ignored = self.ask(index, "ls-files", &["-o", "-i", "-z", "--exclude-standard", "--directory"])?;
        Ok(Listed {
            changed: listing::paths(&self.ask(index, "diff-files", &["-z", "--name-only"])?.stdout),
            others: listing::paths(&others.stdout),
            ignored: listing::paths(&ignored.stdout),
            ours: listing::paths(&self.ask(index, "ls-files", &["-z"])?.stdout),
            warnings: others.stderr,
        })
    }

    /// Lists the same in one walk, for an index that knows most files. Comparing contents is safe here: the private
    /// directory names no filter. The head is that of the last capture, so that nothing is printed for what is the same.
    fn list_warm(&self, index: &Path) -> Result<Listed> {
        let args = ["--porcelain=v2", "-z", "-uall", "--ignored=matching", "--no-renames", "--ignore-submodules=all"];
        // The refreshed index is our own scratch.
        let status =
            self.worktree.own("status", index).args(args).env("GIT_OPTIONAL_LOCKS", "1").hold(&self.lock)?.run()?;
        if status.code != 0 {
            // The last capture may have been collected.
            return self.list(index);
        }
        let ours = self.ask(index, "ls-files", &["-z"])?;
        let mut listed = Listed { ours: listing::paths(&ours.stdout), warnings: status.stderr, ..Listed::default() };
        for line in split_z(&status.stdout) {
            match line {
                [b'?', b' ', path @ ..] => drop(listed.others.insert(RepoPath::new(path))),
                [b'!', b' ', path @ ..] => drop(listed.ignored.insert(RepoPath::new(path))),
                [b'1', b' ', _, b'.', ..] => {}
                [b'1', b' ', ..] => {
                    let path = line.splitn(9, |byte| *byte == b' ').nth(8).ok_or_else(|| listing::unread("status"))?;
                    listed.changed.insert(RepoPath::new(path));
                }
                _ => return Err(listing::unread("status")),
            }
        }
        Ok(listed)
    }

    fn note_head(&self, commit: &Oid) -> Result<()> {
        write_if_new(&self.worktree.private.join("git/HEAD"), format!("{commit}\n").as_bytes())
    }

    /// Reads the paths that were covered, are ignored, and were gone at the last capture: should they come back, they
    /// are covered again. A list out of date does no harm, since every path in it is looked for on disk.
    fn read_gone(&self) -> BTreeSet<RepoPath> {
        fs::read(self.worktree.private.join("warm.gone")).map(|list| listing::paths(&list)).unwrap_or_default()
    }

    fn write_gone(&self, gone: &[RepoPath]) -> Result<()> {
        write_if_new(&self.worktree.private.join("warm.gone"), &listing::lines(gone))
    }

    /// Returns those of `paths` that the present rules ignore. Git will not say of what lies beyond a symlink; such a path
    /// is counted in, for its absence is as certain.
    fn ignored_now(&self, index: &Path, paths: &[RepoPath]) -> Result<Vec<RepoPath>> {
        let root = &self.worktree.found.root;
        let linked = |path: &RepoPath| path.ancestors().any(|dir| dir.on_disk(root).is_symlink());
        let sound = paths.iter().filter(|path| !path.is_reserved()).cloned();
        let (mut beyond, asked): (Vec<RepoPath>, Vec<RepoPath>) = sound.partition(linked);
        if asked.is_empty() {
            return Ok(beyond);
        }
        let call = self.worktree.own("check-ignore", index).args(["--no-index", "-z", "--stdin"]);
        // This command alone refuses literal paths; after "./" nothing reads as magic.
        let answer = call.env("GIT_LITERAL_PATHSPECS", "0").input(listing::dotted(&asked)).run()?;
        // Status 1 means that none is ignored.
        if !matches!(answer.code, 0 | 1) {
            return Err(answer.failed("check-ignore"));
        }
        beyond.extend(listing::undotted(&answer.stdout));
        Ok(beyond)
    }

    /// Writes the user's index as a tree, from a copy; `None` where it holds what no tree can.
    fn index_tree(&self, scratch: &Scratch) -> Result<Option<Oid>> {
        let copy = scratch.path("user.index");
        copy_index(&self.worktree.found.index, &copy)?;
        let answer = self.worktree.own("write-tree", &copy).hold(&self.lock)?.run()?;
        Ok(Oid::from_line(&answer.stdout).filter(|_| answer.code == 0))
    }

    /// Makes the commit. Its last parent holds the index and the notes; its first, if any, is the user's head, so that
    /// neither is collected while the checkpoint lives.
    fn commit(
        &self,
        index: &Path,
        tree: &Oid,
        index_tree: Option<&Oid>,
        head: Option<&Oid>,
        meta: &Meta,
    ) -> Result<Oid> {
        let own = |verb: &str| self.worktree.own(verb, index);
        let notes = serde_json::to_vec(meta).map_err(|_| listing::unread("meta"))?;
        let blob = own("hash-object").args(["-w", "--no-filters", "--stdin"]).input(notes).ok()?;
        let blob = Oid::from_line(&blob).ok_or_else(|| listing::unread("hash-object"))?;
        let staged = index_tree.map(|oid| format!("040000 tree {oid}\tindex\0")).unwrap_or_default();
        let rows = format!("{staged}100644 blob {blob}\tmeta.json\0").into_bytes();
        let aux = Oid::from_line(&own("mktree").arg("-z").input(rows).ok()?);
        let aux = aux.ok_or_else(|| listing::unread("mktree"))?;
        let message = b"fuzzy-edit checkpoint\n";
        let commit = |tree: &Oid, parents: &[&Oid]| {
            let parents = parents.iter().flat_map(|parent| ["-p", parent.as_str()]);
            let output = own("commit-tree").arg(tree.as_str()).args(parents).input(message.to_vec()).ok()?;
            Oid::from_line(&output).ok_or_else(|| listing::unread("commit-tree"))
        };
        let aux = commit(&aux, &[])?;
        let parents: Vec<&Oid> = head.into_iter().chain([&aux]).collect();
        commit(tree, &parents)
    }

    /// Makes `index` the warm index; a ref of its own keeps what it names.
    pub(crate) fn publish(&self, index: &Path, tree: &Oid) -> Result<()> {
        let name = format!("refs/fuzzy-edit/warm/{}", self.worktree.id);
        self.worktree.user("update-ref").args([&name, tree.as_str()]).hold(&self.lock)?.ok()?;
        let warm = self.worktree.warm_index();
        fs::rename(index, &warm).map_err(Error::io(&warm))?;
        failpoint::hit("published");
        Ok(())
    }
}

/// Holds what git says of the index and the worktree.
#[derive(Default)]
struct Listed {
    /// Entries that differ from the disk.
    changed: BTreeSet<RepoPath>,
    /// What is on disk, in no index and not ignored; a repository ends with `/`.
    others: BTreeSet<RepoPath>,
    /// What is on disk and ignored; a directory ends with `/`.
    ignored: BTreeSet<RepoPath>,
    /// All entries.
    ours: BTreeSet<RepoPath>,
    warnings: String,
}

/// Collects what a look at every candidate says.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) added: Vec<RepoPath>,
    pub(crate) removed: Vec<RepoPath>,
    pub(crate) ignored: Vec<RepoPath>,
    pub(crate) uncovered: BTreeSet<Uncovered>,
    pub(crate) absent: Vec<RepoPath>,
}

impl Found {
    pub(crate) fn leave(&mut self, path: RepoPath, reason: Reason) {
        self.uncovered.insert(Uncovered { path, reason });
    }

    /// Adds what is known from the user's index; returns the newly captured files that look like secrets and that the
    /// user did not stage, too.
    fn into_meta(mut self, locked: &Locked<'_>, users: &UserIndex) -> (Meta, Vec<RepoPath>) {
        for path in users.submodules() {
            self.leave(path.clone(), Reason::Submodule);
        }
        let root = &locked.worktree.found.root;
        let ignoring = self.ignored.iter().filter(|path| path.file_name() == b".gitignore");
        let rules = ignoring.filter_map(|path| Some((path.clone(), regular(&path.on_disk(root), false)?))).collect();
        let mut secrets: Vec<RepoPath> = self.added.into_iter().filter(RepoPath::looks_secret).collect();
        if !secrets.is_empty() {
            // What the user has staged is in the object store already.
            let staged: BTreeSet<&RepoPath> = users.files().map(|entry| &entry.path).collect();
            secrets.retain(|path| !staged.contains(path));
        }
        let sparse: BTreeSet<_> =
            users.entries.iter().filter(|entry| entry.skipped).map(|entry| entry.path.clone()).collect();
        let meta = Meta {
            exclude: locked.worktree.exclude_text(),
            ignored: self.ignored,
            rules,
            sparse: sparse.into_iter().collect(),
            uncovered: self.uncovered.into_iter().collect(),
            absent: self.absent,
        };
        (meta, secrets)
    }
}

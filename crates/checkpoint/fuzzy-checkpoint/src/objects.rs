//! Reads objects, compares trees object by object, and adds objects to the store.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use fuzzy_system as sys;
use tempfile::{Builder, NamedTempFile};

use crate::git::unread;
use crate::git_process::{Session, Slot};
use crate::listing::{Change, GITLINK};
use crate::worktree::Worktree;
use crate::{Error, Oid, RepoPath, Result, hash};

/// The number of copied objects from which a pack is made.
const MANY: usize = 100;

/// The most bytes of trees that are kept for the next comparison.
const MOST_TREES: usize = 8 << 20;

/// A path below some directory, and its new entry.
pub(crate) type Edit<'e> = (&'e [u8], Option<Entry>);

/// Objects that are written and have no names yet, with their paths.
pub(crate) type Drafts = Vec<(NamedTempFile, PathBuf)>;

/// The most drafts: each is an open file.
const MOST_DRAFTS: usize = 64;

/// The most drafts that are made durable at the same time.
const SYNCS: usize = 16;

pub(crate) const DIRECTORY: &str = "40000";

/// Mode and object of an entry.
pub(crate) type Entry = (String, Oid);

/// The entries of one tree by their names.
pub(crate) type Entries = BTreeMap<Vec<u8>, Entry>;

/// One object.
#[derive(Debug)]
pub(crate) struct Object {
    /// `blob`, `tree`, `commit` or `tag`.
    pub(crate) kind: String,
    pub(crate) content: Vec<u8>,
}

/// The objects of the store and borrowed ones, read by one git process.
#[derive(Debug)]
pub(crate) struct Objects<'a> {
    pub(crate) worktree: &'a Worktree,
    reader: Slot,
    /// The trees that were compared last.
    trees: Mutex<HashMap<Oid, Arc<Vec<u8>>>>,
}

impl<'a> Objects<'a> {
    pub(crate) fn of(worktree: &'a Worktree) -> Self {
        Self { worktree, reader: Slot::default(), trees: Mutex::default() }
    }

    /// Reads an object; `None` if there is surely none.
    pub(crate) fn object(&self, oid: &Oid) -> Result<Option<Object>> {
        let found = self.object_by_git(oid)?;
        if found.is_none() {
            self.worktree.confirm_missing(std::slice::from_ref(oid))?;
        }
        Ok(found)
    }

    fn object_by_git(&self, oid: &Oid) -> Result<Option<Object>> {
        let start = || {
            let call = self.worktree.own("cat-file", &self.worktree.no_index()).arg("--batch");
            Session::start("cat-file", call, self.worktree.limits.timeout)
        };
        Session::with(&self.reader, start, |session| {
            session.send(format!("{oid}\n").as_bytes())?;
            let head = session.line()?;
            let mut words = head.rsplitn(3, ' ');
            let (last, kind, named) = (words.next(), words.next(), words.next());
            let length = last.filter(|_| named.is_some_and(|named| Oid::new(named).is_ok()));
            let (Some(length), Some(kind)) = (length.and_then(|digits| digits.parse::<usize>().ok()), kind) else {
                return match last {
                    Some("missing" | "ambiguous") => Ok(None),
                    _ => Err(unread("cat-file")),
                };
            };
            let mut content = session.bytes(length + 1)?;
            content.truncate(length);
            Ok(Some(Object { kind: kind.to_owned(), content }))
        })
    }

    /// Reads an object of a kind.
    ///
    /// # Errors
    ///
    /// Returns `lost` if there is none.
    pub(crate) fn object_of(&self, kind: &str, oid: &Oid) -> Result<Vec<u8>> {
        match self.object(oid)? {
            Some(object) if object.kind == kind => Ok(object.content),
            _ => Err(Error::Lost { what: oid.to_string() }),
        }
    }

    /// Returns the tree of a commit; returns `lost` if there is none.
    pub(crate) fn tree_of(&self, commit: &Oid) -> Result<Oid> {
        let body = self.object_of("commit", commit)?;
        let tree = header(&String::from_utf8_lossy(&body), "tree ").next();
        tree.ok_or_else(|| Error::Lost { what: commit.to_string() })
    }

    /// Reads a blob; returns `lost` if it is missing.
    pub(crate) fn blob(&self, oid: &Oid) -> Result<Vec<u8>> {
        self.object_of("blob", oid)
    }

    /// Stores a loose object, as git does.
    pub(crate) fn store(&self, kind: &str, content: &[u8]) -> Result<Oid> {
        self.store_in(&self.worktree.store_objects(), kind, content)
    }

    /// Does the same in the object store `objects`.
    pub(crate) fn store_in(&self, objects: &Path, kind: &str, content: &[u8]) -> Result<Oid> {
        let mut drafts = Drafts::new();
        let oid = self.draft_in(objects, kind, content, &mut drafts)?;
        place(&mut drafts).map(|()| oid)
    }

    /// Does the same as [`store`](Self::store), but the object has its name only after [`place`].
    pub(crate) fn draft(&self, kind: &str, content: &[u8], drafts: &mut Drafts) -> Result<Oid> {
        self.draft_in(&self.worktree.store_objects(), kind, content, drafts)
    }

    fn draft_in(&self, objects: &Path, kind: &str, content: &[u8], drafts: &mut Drafts) -> Result<Oid> {
        let text = [format!("{kind} {}\0", content.len()).as_bytes(), content].concat();
        let oid = hash::object(&self.worktree.found.format, &text).ok_or_else(|| unread("object"))?;
        let (above, name) = oid.as_str().split_at(2);
        let (dir, path) = (objects.join(above), objects.join(above).join(name));
        if is_loose(objects, &oid) {
            return Ok(oid);
        }
        match fs::create_dir(&dir) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(Error::io(&dir)(error)),
            _ => {}
        }
        if drafts.len() >= MOST_DRAFTS {
            place(drafts)?;
        }
        drafts.push((draft(&dir, &text).map_err(Error::io(&path))?, path));
        Ok(oid)
    }

    /// Copies the objects of trees that differ from the tree `base` into the store.
    ///
    /// # Errors
    ///
    /// Returns `lost` if an object is nowhere.
    pub(crate) fn keep_new(&self, base: &Oid, trees: &[Option<&Oid>]) -> Result<()> {
        let mut found = BTreeSet::new();
        for tree in trees.iter().copied().flatten() {
            self.new_objects(Some(base), tree, &mut found)?;
        }
        self.copy(&found.into_iter().collect::<Vec<_>>())
    }

    /// Adds the objects of `tree` that differ from those at the same paths in `base`.
    pub(crate) fn new_objects(&self, base: Option<&Oid>, tree: &Oid, found: &mut BTreeSet<Oid>) -> Result<()> {
        if base == Some(tree) || !found.insert(tree.clone()) {
            return Ok(());
        }
        let old = self.entries_of(base)?;
        for (name, (mode, oid)) in self.entries_of(Some(tree))? {
            let before = old.get(&name).filter(|(kind, _)| *kind == mode).map(|(_, oid)| oid);
            if before == Some(&oid) || mode == GITLINK {
                continue;
            }
            if mode == DIRECTORY {
                self.new_objects(before, &oid, found)?;
            } else {
                found.insert(oid);
            }
        }
        Ok(())
    }

    /// Compares two trees.
    ///
    /// # Errors
    ///
    /// Returns `lost` if one of them, or a subtree, is gone.
    pub(crate) fn differences(&self, from: &Oid, to: &Oid) -> Result<Vec<Change>> {
        let mut found = Vec::new();
        self.compare(&[], Some(from), Some(to), &mut found)?;
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }

    fn compare(&self, above: &[u8], from: Option<&Oid>, to: Option<&Oid>, found: &mut Vec<Change>) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let (one, other) = (self.tree(from)?, self.tree(to)?);
        let broken = || Error::Lost { what: from.or(to).map(ToString::to_string).unwrap_or_default() };
        let length = from.or(to).map_or(0, |oid| oid.as_str().len() / 2);
        let (old, new) = (rows(&one, length).ok_or_else(broken)?, rows(&other, length).ok_or_else(broken)?);
        let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
        loop {
            // Both are in git's order. A file and a directory of one name have different places in it.
            let order = match (old.peek(), new.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) if old == new => Ordering::Equal,
                (Some(old), Some(new)) => old.key().cmp(new.key()),
            };
            let before = if order.is_le() { old.next() } else { None };
            let after = if order.is_ge() { new.next() } else { None };
            let row = before.as_ref().or(after.as_ref());
            if let Some(name) = row.map(|row| row.name).filter(|_| before != after) {
                let entry = |row: Option<Row<'_>>| row.map(|row| row.entry().ok_or_else(broken)).transpose();
                self.compare_entry(&[above, name].concat(), entry(before)?, entry(after)?, found)?;
            }
        }
    }

    fn compare_entry(
        &self,
        path: &[u8],
        old: Option<Entry>,
        new: Option<Entry>,
        found: &mut Vec<Change>,
    ) -> Result<()> {
        let ((old_dir, old), (new_dir, new)) = (split(old), split(new));
        if old.is_some() || new.is_some() {
            found.push(Change { path: RepoPath::new(path), old, new });
        }
        let below = [path, b"/"].concat();
        self.compare(&below, old_dir.as_ref().map(|(_, oid)| oid), new_dir.as_ref().map(|(_, oid)| oid), found)
    }

    /// Reads a tree, or takes it from those that were read last: neighbouring states are compared one after the other.
    fn tree(&self, tree: Option<&Oid>) -> Result<Arc<Vec<u8>>> {
        let Some(tree) = tree else { return Ok(Arc::default()) };
        let known = || self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = known().get(tree) {
            return Ok(Arc::clone(content));
        }
        let content = Arc::new(self.object_of("tree", tree)?);
        let mut trees = known();
        if trees.values().map(|content| content.len()).sum::<usize>() > MOST_TREES {
            trees.clear();
        }
        trees.insert(tree.clone(), Arc::clone(&content));
        Ok(content)
    }

    /// Reads the entries of a directory in a tree, or of the root if `dir` is `None`; returns `None` if there is no
    /// such directory. Entries are cached in `known`.
    pub(crate) fn directory(
        &self,
        tree: &Oid,
        dir: Option<&RepoPath>,
        known: &mut HashMap<Oid, Entries>,
    ) -> Result<Option<Entries>> {
        let mut at = tree.clone();
        for name in dir.iter().flat_map(|dir| dir.as_bytes().split(|byte| *byte == b'/')) {
            let entries = self.remembered(&at, known)?;
            match entries.get(name) {
                Some((mode, oid)) if mode == DIRECTORY => at = oid.clone(),
                _ => return Ok(None),
            }
        }
        self.remembered(&at, known).cloned().map(Some)
    }

    fn remembered<'k>(&self, tree: &Oid, known: &'k mut HashMap<Oid, Entries>) -> Result<&'k Entries> {
        if !known.contains_key(tree) {
            known.insert(tree.clone(), self.entries_of(Some(tree))?);
        }
        known.get(tree).ok_or_else(|| Error::Lost { what: tree.to_string() })
    }

    /// Reads one tree; `None` is an empty tree.
    pub(crate) fn entries_of(&self, tree: Option<&Oid>) -> Result<Entries> {
        let Some(tree) = tree else { return Ok(Entries::new()) };
        let content = self.object_of("tree", tree)?;
        let length = tree.as_str().len() / 2;
        entries(&content, length).ok_or_else(|| Error::Lost { what: tree.to_string() })
    }

    /// Returns mode and object of a file or link in a tree.
    pub(crate) fn entry(&self, tree: &Oid, path: &RepoPath) -> Result<Option<Entry>> {
        let entries = self.directory(tree, path.ancestors().last().as_ref(), &mut HashMap::new())?;
        let entry = entries.and_then(|mut entries| entries.remove(path.file_name()));
        Ok(entry.filter(|(mode, _)| mode != DIRECTORY))
    }

    /// Writes a directory with the edits below it; `None` if it becomes empty.
    pub(crate) fn edited(&self, base: Option<&Oid>, edits: &[Edit<'_>]) -> Result<Option<Oid>> {
        let mut drafts = Drafts::new();
        let tree = self.edited_in(base, edits, &mut drafts)?;
        place(&mut drafts).map(|()| tree)
    }

    fn edited_in(&self, base: Option<&Oid>, edits: &[Edit<'_>], drafts: &mut Drafts) -> Result<Option<Oid>> {
        let mut entries = self.entries_of(base)?;
        let mut below: BTreeMap<&[u8], Vec<Edit<'_>>> = BTreeMap::new();
        let mut here = Vec::new();
        for (path, new) in edits {
            match memchr::memchr(b'/', path) {
                Some(slash) => below.entry(&path[..slash]).or_default().push((&path[slash + 1..], new.clone())),
                None => here.push((*path, new)),
            }
        }
        // Deletions first, because a directory may replace a file, and a file a directory.
        for (name, _) in here.iter().filter(|(_, new)| new.is_none()) {
            if entries.get(*name).is_some_and(|(mode, _)| mode != DIRECTORY) {
                entries.remove(*name);
            }
        }
        for (name, edits) in below {
            let base = entries.get(name).filter(|(mode, _)| mode == DIRECTORY).map(|(_, oid)| oid.clone());
            match self.edited_in(base.as_ref(), &edits, drafts)? {
                Some(tree) => drop(entries.insert(name.to_vec(), (DIRECTORY.to_owned(), tree))),
                None if base.is_some() => drop(entries.remove(name)),
                None => {}
            }
        }
        entries.extend(here.into_iter().filter_map(|(name, new)| Some((name.to_vec(), new.clone()?))));
        if entries.is_empty() {
            return Ok(None);
        }
        // Git sorts directories as if their names ended with a slash.
        let mut rows: Vec<(Vec<u8>, Vec<u8>)> = Vec::with_capacity(entries.len());
        for (name, entry) in entries {
            let row = [entry.0.as_bytes(), b" ", &name, b"\0", &hash::bytes(&entry.1)].concat();
            rows.push(([&name[..], if entry.0 == DIRECTORY { b"/" } else { b"" }].concat(), row));
        }
        rows.sort();
        let content: Vec<u8> = rows.into_iter().flat_map(|(_, row)| row).collect();
        self.draft("tree", &content, drafts).map(Some)
    }

    pub(crate) fn commit_tree(&self, tree: &Oid, parents: &[&Oid], user_head: Option<&Oid>) -> Result<Oid> {
        self.store("commit", commit_text(tree, parents, user_head).as_bytes())
    }

    /// Copies borrowed objects into the store; returns `lost` if one of them is nowhere.
    pub(crate) fn copy(&self, oids: &[Oid]) -> Result<()> {
        if oids.len() >= MANY {
            return self.worktree.pack(&self.worktree.all_borrowed(oids)?);
        }
        self.copy_loose(&self.worktree.store_objects(), oids)
    }

    /// Copies objects into the user's object store `users`, as far as they are not loose objects there.
    pub(crate) fn copy_to(&self, users: &Path, oids: &[Oid]) -> Result<()> {
        if oids.len() >= MANY { self.worktree.pack_into(users, oids) } else { self.copy_loose(users, oids) }
    }

    fn copy_loose(&self, objects: &Path, oids: &[Oid]) -> Result<()> {
        for oid in oids.iter().filter(|oid| !is_loose(objects, oid)) {
            let object = self.object(oid)?.ok_or_else(|| Error::Lost { what: oid.to_string() })?;
            self.store_in(objects, &object.kind, &object.content)?;
        }
        Ok(())
    }
}

/// Returns the content of a commit object.
pub(crate) fn commit_text(tree: &Oid, parents: &[&Oid], user_head: Option<&Oid>) -> String {
    let parents = parents.iter().map(|parent| format!("parent {parent}\n")).collect::<Vec<_>>().concat();
    // With a fixed name and date, equal checkpoints have equal ids.
    let who = "fuzzy-edit <checkpoint@localhost> 0 +0000";
    let head = format!("tree {tree}\n{parents}author {who}\ncommitter {who}\n");
    let user_head = user_head.map(|oid| format!("\nhead {oid}\n")).unwrap_or_default();
    format!("{head}\nfuzzy-edit checkpoint\n{user_head}")
}

/// Makes drafts durable, and gives them their names in their order: those that an object names come before it.
pub(crate) fn place(drafts: &mut Drafts) -> Result<()> {
    let sync = |drafts: &[(NamedTempFile, PathBuf)]| -> Result<()> {
        drafts.iter().try_for_each(|(draft, path)| draft.as_file().sync_data().map_err(Error::io(path)))
    };
    let mut parts = drafts.chunks(drafts.len().div_ceil(SYNCS).max(1));
    let first = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        // The file system makes all that is requested at the same time durable at once.
        let started: Vec<_> =
            parts.map(|part| (part, thread::Builder::new().spawn_scoped(scope, move || sync(part)).ok())).collect();
        let done = started.into_iter().map(|(part, thread)| match thread.map(thread::ScopedJoinHandle::join) {
            Some(Ok(done)) => done,
            _ => sync(part),
        });
        sync(first).and(done.collect::<Result<()>>())
    })?;
    for (draft, path) in drafts.drain(..) {
        draft.persist(&path).map_err(|error| Error::io(&path)(error.error))?;
    }
    Ok(())
}

/// Returns a new temporary file with an object, in the object's directory. It is not durable yet.
fn draft(dir: &Path, text: &[u8]) -> io::Result<NamedTempFile> {
    // The name is unique, because another worktree's capture may write into the same directory, from another thread or
    // from a container with the same process id. Git removes stale files with this prefix.
    let mut draft = Builder::new();
    draft.prefix("tmp_obj_fuzzy-edit_");
    if let Some(permissions) = sys::unwritable() {
        draft.permissions(permissions);
    }
    let mut packed = ZlibEncoder::new(draft.tempfile_in(dir)?, Compression::fast());
    packed.write_all(text)?;
    packed.finish()
}

/// Splits one side into a directory and anything else.
fn split(side: Option<Entry>) -> (Option<Entry>, Option<Entry>) {
    if side.as_ref().is_some_and(|(mode, _)| mode == DIRECTORY) { (side, None) } else { (None, side) }
}

/// An entry of a tree as it is stored.
#[derive(PartialEq, Eq)]
struct Row<'t> {
    mode: &'t [u8],
    name: &'t [u8],
    oid: &'t [u8],
}

impl Row<'_> {
    /// Returns the place in git's order: the name of a directory ends with a slash there.
    fn key(&self) -> impl Iterator<Item = &u8> {
        self.name.iter().chain((self.mode == DIRECTORY.as_bytes()).then_some(&b'/'))
    }

    fn entry(&self) -> Option<Entry> {
        let mode = std::str::from_utf8(self.mode).ok()?.to_owned();
        Some((mode, Oid::new(hash::hex(self.oid)).ok()?))
    }
}

/// Parses a tree with object ids of `length` bytes, in its order.
fn rows(mut content: &[u8], length: usize) -> Option<Vec<Row<'_>>> {
    let mut rows = Vec::new();
    while !content.is_empty() {
        let space = memchr::memchr(b' ', content)?;
        let end = space + memchr::memchr(0, &content[space..])?;
        let oid = content.get(end + 1..end + 1 + length)?;
        rows.push(Row { mode: &content[..space], name: content.get(space + 1..end)?, oid });
        content = &content[end + 1 + length..];
    }
    Some(rows)
}

/// Parses a tree with object ids of `length` bytes.
pub(crate) fn entries(mut content: &[u8], length: usize) -> Option<Entries> {
    let mut found = Entries::new();
    while !content.is_empty() {
        let (space, end) = (memchr::memchr(b' ', content)?, memchr::memchr(0, content)?);
        let mode = std::str::from_utf8(content.get(..space)?).ok()?;
        let name = content.get(space + 1..end)?;
        let oid = Oid::new(crate::hash::hex(content.get(end + 1..end + 1 + length)?)).ok()?;
        found.insert(name.to_vec(), (mode.to_owned(), oid));
        content = &content[end + 1 + length..];
    }
    Some(found)
}

/// Returns whether an object store has a loose object. A power failure may leave an empty file.
fn is_loose(objects: &Path, oid: &Oid) -> bool {
    let (above, name) = oid.as_str().split_at(2);
    fs::metadata(objects.join(above).join(name)).is_ok_and(|meta| meta.len() > 0)
}

/// Returns the objects that a commit's header lists under `name`.
pub(crate) fn header<'t>(commit: &'t str, name: &'static str) -> impl Iterator<Item = Oid> + 't {
    let lines = commit.lines().take_while(|line| !line.is_empty());
    lines.filter_map(move |line| Oid::new(line.strip_prefix(name)?.trim()).ok())
}

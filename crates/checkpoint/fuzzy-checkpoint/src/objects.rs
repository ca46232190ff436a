//! Reads objects, adds objects to the store, and checks that those of a checkpoint exist.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use fuzzy_system as sys;
use tempfile::{Builder, NamedTempFile};

use crate::capture::header;
use crate::capture_cache::Warm;
use crate::git::unread;
use crate::git_process::Session;
use crate::index::Index;
use crate::listing::GITLINK;
use crate::private::Locked;
use crate::trees::DIRECTORY;
use crate::{Error, Oid, Result, hash};

/// The number of objects up to which existence is checked by reading them, which is faster than another git process.
const FEW: usize = 500;

/// The largest number of borrowed objects, and their size in bytes, that are copied within a capture.
const FEW_BORROWED: usize = 2000;
const FEW_BYTES: u64 = 20 << 20;

/// One object.
#[derive(Debug)]
pub(crate) struct Object {
    /// `blob`, `tree`, `commit` or `tag`.
    pub(crate) kind: String,
    pub(crate) content: Vec<u8>,
}

impl Locked<'_> {
    /// Reads an object by its id, or by another expression without a line end; `None` if there is none.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Object>> {
        let start = || {
            let call = self.worktree.own("cat-file", &self.worktree.warm_index()).arg("--batch");
            Session::start("cat-file", call, self.worktree.limits.timeout)
        };
        Session::with(&self.objects, start, |session| {
            session.send(format!("{name}\n").as_bytes())?;
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
    pub(crate) fn object_of(&self, kind: &str, name: &str) -> Result<Vec<u8>> {
        match self.object(name)? {
            Some(object) if object.kind == kind => Ok(object.content),
            _ => Err(Error::Lost { what: name.to_owned() }),
        }
    }

    /// Returns the tree of a commit; returns `lost` if there is none.
    pub(crate) fn tree_of(&self, commit: &Oid) -> Result<Oid> {
        let body = self.object_of("commit", commit.as_str())?;
        let tree = header(&String::from_utf8_lossy(&body), "tree ").next();
        tree.ok_or_else(|| Error::Lost { what: commit.to_string() })
    }

    /// Reads a blob; returns `lost` if it is missing.
    pub(crate) fn blob(&self, oid: &Oid) -> Result<Vec<u8>> {
        self.object_of("blob", oid.as_str())
    }

    /// Stores a loose object, as git does.
    pub(crate) fn store(&self, kind: &str, content: &[u8]) -> Result<Oid> {
        self.store_in(&self.worktree.store_objects(), kind, content)
    }

    /// Does the same in the object store `objects`.
    pub(crate) fn store_in(&self, objects: &Path, kind: &str, content: &[u8]) -> Result<Oid> {
        let text = [format!("{kind} {}\0", content.len()).as_bytes(), content].concat();
        let oid = hash::object(&self.worktree.found.format, &text).ok_or_else(|| unread("object"))?;
        let (above, name) = oid.as_str().split_at(2);
        let (dir, path) = (objects.join(above), objects.join(above).join(name));
        // A power failure may leave an empty file.
        if fs::metadata(&path).is_ok_and(|meta| meta.len() > 0) {
            return Ok(oid);
        }
        match fs::create_dir(&dir) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(Error::io(&dir)(error)),
            _ => {}
        }
        let draft = draft(&dir, &text).map_err(Error::io(&path))?;
        draft.persist(&path).map_err(|error| Error::io(&path)(error.error))?;
        Ok(oid)
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
        if let Some(known) = known.filter(|known| known.whole) {
            return self.keep_new(&known.tree, &[Some(tree)]).map(|()| true);
        }
        let content = Index::read(index, &self.worktree.found.format)?;
        let entries = content.entries().ok_or_else(|| unread("index"))?;
        let named: BTreeSet<&[u8]> = entries.iter().map(|entry| entry.oid).collect();
        let named: Vec<Oid> = named.into_iter().filter_map(|oid| Oid::new(hash::hex(oid)).ok()).collect();
        let (borrowed, missing) = self.worktree.borrowed(&named)?;
        if let Some(missing) = missing.first() {
            return Err(Error::Lost { what: missing.to_string() });
        }
        let bytes: u64 = borrowed.iter().map(|(_, bytes)| bytes).sum();
        if borrowed.len() <= FEW_BORROWED && bytes <= FEW_BYTES {
            self.worktree.pack(&borrowed.into_iter().map(|(oid, _)| oid).collect::<Vec<_>>())?;
            return Ok(true);
        }
        // Blobs that only the user's index names may be collected at any time.
        let Some(base) = head.map(|head| self.tree_of(head)).transpose()? else {
            self.worktree.pack(&borrowed.into_iter().map(|(oid, _)| oid).collect::<Vec<_>>())?;
            return Ok(true);
        };
        self.keep_new(&base, &[Some(tree)]).map(|()| false)
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

    /// Returns whether all objects of `trees` are in the object store. Objects that refs hold cannot have been
    /// collected, so if `held` has such trees, only differences from the first of them are checked.
    pub(crate) fn all_exist(&self, index: &Path, trees: &[&Oid], held: &[Oid]) -> Result<bool> {
        let mut oids = Vec::new();
        for tree in trees.iter().filter(|tree| !held.contains(tree)) {
            let Some(base) = held.first() else { return self.walk(index, trees) };
            let changes = match self.differences(base, tree) {
                Err(Error::Lost { .. }) => return Ok(false),
                changes => changes?,
            };
            // A deletion has no object, and a submodule's commit is in another repository.
            let new = changes.into_iter().filter_map(|change| change.new).filter(|(mode, _)| mode != "160000");
            oids.extend(new.map(|(_, oid)| oid));
        }
        if oids.len() <= FEW {
            for oid in &oids {
                if self.object(oid.as_str())?.is_none() {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let names: Vec<u8> = oids.iter().flat_map(|oid| [oid.as_str().as_bytes(), b"\n"].concat()).collect();
        let call = self.worktree.own("cat-file", index).arg("--batch-check=%(objectname)").input(names);
        let found = call.ok()?;
        Ok(found.split(|byte| *byte == b'\n').filter_map(Oid::from_line).count() == oids.len())
    }

    /// Checks all objects, except for those of the user's head.
    fn walk(&self, index: &Path, trees: &[&Oid]) -> Result<bool> {
        let head = self.worktree.user("rev-parse").args(["--verify", "-q", "HEAD^{tree}"]).hold(&self.lock)?.run()?;
        let head = Oid::from_line(&head.stdout).filter(|_| head.code == 0);
        let call = self.worktree.own("rev-list", index).args(["--objects", "--no-object-names", "--quiet"]);
        let call = call.args(trees.iter().map(|oid| oid.as_str())).arg("--not").args(head.iter().map(Oid::as_str));
        Ok(call.hold(&self.lock)?.run()?.code == 0)
    }
}

/// Returns a new temporary file with an object, in the object's directory.
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
    let draft = packed.finish()?;
    draft.as_file().sync_data()?;
    Ok(draft)
}

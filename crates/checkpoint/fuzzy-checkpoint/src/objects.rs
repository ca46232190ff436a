//! Reads objects from the user's store, adds objects to it, and checks that those of a checkpoint exist.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use fuzzy_system as sys;
use tempfile::{Builder, NamedTempFile};

use crate::git::unread;
use crate::git_process::Session;
use crate::private::Locked;
use crate::{Error, Oid, Result, hash};

/// The number of objects up to which existence is checked by reading them, which is faster than another git process.
const FEW: usize = 500;

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

    /// Reads a blob; returns `lost` if it is missing.
    pub(crate) fn blob(&self, oid: &Oid) -> Result<Vec<u8>> {
        self.object_of("blob", oid.as_str())
    }

    /// Stores a loose object, as git does.
    pub(crate) fn store(&self, kind: &str, content: &[u8]) -> Result<Oid> {
        let text = [format!("{kind} {}\0", content.len()).as_bytes(), content].concat();
        let oid = hash::object(&self.worktree.found.format, &text).ok_or_else(|| unread("object"))?;
        let objects = &self.worktree.found.objects;
        let (above, name) = oid.as_str().split_at(2);
        let (dir, path) = (objects.join(above), objects.join(above).join(name));
        // An existing unreferenced object may soon be garbage-collected; a new modification time prevents that.
        if sys::open_to_touch(&path).is_ok_and(|file| is_touched(&file)) {
            return Ok(oid);
        }
        match fs::create_dir(&dir) {
            // In a shared store all directories have the same permissions.
            Ok(()) => {
                let _ = sys::copy_mode(objects, &dir);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::io(&dir)(error)),
        }
        let draft = draft(&dir, &text).map_err(Error::io(&path))?;
        draft.persist(&path).map_err(|error| Error::io(&path)(error.error))?;
        Ok(oid)
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
    packed.finish()
}

fn is_touched(file: &File) -> bool {
    file.set_modified(SystemTime::now()).is_ok()
}

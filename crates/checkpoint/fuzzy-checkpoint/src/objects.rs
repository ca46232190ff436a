//! Reads objects from the user's store and adds some to it.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::SystemTime;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tempfile::{Builder, NamedTempFile};

use crate::git::unread;
use crate::private::Locked;
use crate::session::Session;
use crate::{Error, Oid, Result, hash};

/// One object.
#[derive(Debug)]
pub(crate) struct Object {
    /// `blob`, `tree`, `commit` or `tag`.
    pub(crate) kind: String,
    pub(crate) content: Vec<u8>,
}

impl Locked<'_> {
    /// Reads an object by its name, or by another expression without a line end; `None` where there is none.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Object>> {
        let start = || {
            let call = self.worktree.own("cat-file", &self.worktree.warm_index()).arg("--batch");
            Session::start("cat-file", call, self.worktree.limits.timeout)
        };
        Session::with(&self.objects, start, |session| {
            session.ask(format!("{name}\n").as_bytes())?;
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
    /// Returns `lost` where there is none.
    pub(crate) fn object_of(&self, kind: &str, name: &str) -> Result<Vec<u8>> {
        match self.object(name)? {
            Some(object) if object.kind == kind => Ok(object.content),
            _ => Err(Error::Lost { what: name.to_owned() }),
        }
    }

    /// Reads a blob; `lost` where there is none.
    pub(crate) fn blob(&self, oid: &Oid) -> Result<Vec<u8>> {
        self.object_of("blob", oid.as_str())
    }

    /// Stores an object as git does that is not packed yet.
    pub(crate) fn store(&self, kind: &str, content: &[u8]) -> Result<Oid> {
        let text = [format!("{kind} {}\0", content.len()).as_bytes(), content].concat();
        let oid = hash::object(&self.worktree.found.format, &text).ok_or_else(|| unread("object"))?;
        let objects = &self.worktree.found.objects;
        let (above, name) = oid.as_str().split_at(2);
        let (dir, path) = (objects.join(above), objects.join(above).join(name));
        // One that nothing held may be collected soon; new as it is now it is not.
        if File::options().append(true).open(&path).or_else(|_| File::open(&path)).is_ok_and(|file| is_touched(&file)) {
            return Ok(oid);
        }
        match fs::create_dir(&dir) {
            // A store that is shared is so in all its directories.
            Ok(()) => {
                let mode = fs::metadata(objects).map_err(Error::io(objects))?.mode() & 0o7777;
                let _ = fs::set_permissions(&dir, Permissions::from_mode(mode));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::io(&dir)(error)),
        }
        let draft = draft(&dir, &text).map_err(Error::io(&path))?;
        draft.persist(&path).map_err(|error| Error::io(&path)(error.error))?;
        Ok(oid)
    }
}

/// Returns a new file with an object, in the directory that it belongs to.
fn draft(dir: &Path, text: &[u8]) -> io::Result<NamedTempFile> {
    // A name of its own: another worktree's capture may write into the same directory, from another thread or a
    // container with the same process number. What begins so git collects when it is left behind.
    let mut draft = Builder::new();
    draft.prefix("tmp_obj_fuzzy-edit_").permissions(Permissions::from_mode(0o444));
    let mut packed = ZlibEncoder::new(draft.tempfile_in(dir)?, Compression::fast());
    packed.write_all(text)?;
    packed.finish()
}

fn is_touched(file: &File) -> bool {
    file.set_modified(SystemTime::now()).is_ok()
}

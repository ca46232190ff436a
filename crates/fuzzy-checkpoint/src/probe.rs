//! Finds out what the file system can do: what a repository says of that was true on the machine that it comes from.

use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::private::remove;

/// What a file system can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one setting of git")]
pub(crate) struct Abilities {
    /// Whether it knows who may execute a file.
    pub(crate) modes: bool,
    /// Whether it has symbolic links; else git writes their targets into files.
    pub(crate) links: bool,
    /// Whether it takes names for the same that differ in letter case.
    pub(crate) ignores_case: bool,
    /// Whether it takes letters apart that have a mark, so that a name is read back in other bytes.
    pub(crate) decomposes: bool,
}

impl Abilities {
    /// What nearly every file system can that a Unix is kept on.
    const USUAL: Self = Self { modes: true, links: true, ignores_case: false, decomposes: false };

    /// Tries it out in the object store at `dir`, with files of which git itself clears away what a crash leaves;
    /// where nothing can be written, the usual is assumed.
    pub(crate) fn of(dir: &Path) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let id = format!("{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let named = |name: &str| dir.join(format!("tmp_{name}_{id}"));
        let (file, link) = (named("fuzzy-edit-\u{e9}"), named("fuzzy-edit-link"));
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file);
        if made.is_err() {
            return Self::USUAL;
        }
        let is_same = |path: PathBuf| fs::symlink_metadata(path).is_ok();
        let found = Self {
            modes: [0o700, 0o600].iter().all(|mode| {
                let set = fs::set_permissions(&file, Permissions::from_mode(*mode));
                let has = fs::symlink_metadata(&file).map(|meta| meta.permissions().mode() & 0o700);
                set.is_ok() && has.ok() == Some(*mode)
            }),
            links: symlink("target", &link).is_ok(),
            ignores_case: is_same(named("FUZZY-EDIT-\u{e9}")),
            decomposes: is_same(named("fuzzy-edit-e\u{301}")),
        };
        // One that stays is git's to clear away.
        let _ = remove(&file);
        let _ = remove(&link);
        found
    }
}

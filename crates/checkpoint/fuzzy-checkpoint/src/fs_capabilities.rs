//! Probes the capabilities of the file system, because a repository's own settings may describe another machine.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use fuzzy_system as sys;

use crate::files::remove;

/// The capabilities of a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one setting of git")]
pub(crate) struct Abilities {
    /// Whether it stores executable bits.
    pub(crate) modes: bool,
    /// Whether it supports symbolic links; otherwise git writes their targets into files.
    pub(crate) links: bool,
    /// Whether names are case-insensitive.
    pub(crate) ignores_case: bool,
    /// Whether it decomposes accented letters, so that a name is read back with other bytes.
    pub(crate) decomposes: bool,
}

impl Abilities {
    /// The usual capabilities of a Unix file system.
    pub(crate) const USUAL: Self = Self { modes: true, links: true, ignores_case: false, decomposes: false };

    /// Probes the object store at `dir`, with temporary files that git itself removes after a crash. Assumes the usual
    /// capabilities if nothing may be written there.
    ///
    /// # Errors
    ///
    /// Fails with every error but the refusals of a file system that lacks a capability.
    pub(crate) fn of(dir: &Path) -> io::Result<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let id = format!("{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let names = ["fuzzy-edit-\u{e9}", "fuzzy-edit-link", "FUZZY-EDIT-\u{e9}", "fuzzy-edit-e\u{301}"];
        let [file, link, capital, decomposed] = names.map(|name| dir.join(format!("tmp_{name}_{id}")));
        match sys::private_file().write(true).create_new(true).open(&file) {
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
                return Ok(Self::USUAL);
            }
            made => drop(made?),
        }
        let is_there = |path: &Path| match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            found => found.map(|_| true),
        };
        let probe = || {
            Ok(Self {
                modes: sys::keeps_modes(&file)?,
                links: sys::keeps_links(&link)?,
                ignores_case: is_there(&capital)?,
                decomposes: is_there(&decomposed)?,
            })
        };
        let found = probe();
        // If this fails, git removes the files later.
        let _ = remove(&file);
        let _ = remove(&link);
        found
    }

    /// Probes whether names are case-insensitive in `dir`, by an existing name with letters.
    pub(crate) fn with_case_of(self, dir: &Path) -> Self {
        let names = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let known = names.into_iter().find_map(|name| Some((dir.join(&name), dir.join(other_case(name.to_str()?)?))));
        let ignores_case = known.is_some_and(|(name, other)| place(&other).is_some() && place(&name) == place(&other));
        Self { ignores_case, ..self }
    }
}

/// Returns a name with the case of its letters swapped; `None` if it has no letters.
fn other_case(name: &str) -> Option<String> {
    let swapped = name.chars().map(|letter| {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    });
    name.contains(|letter: char| letter.is_ascii_alphabetic()).then(|| swapped.collect())
}

fn place(path: &Path) -> Option<sys::Identity> {
    sys::identity_of_name(path).ok()
}

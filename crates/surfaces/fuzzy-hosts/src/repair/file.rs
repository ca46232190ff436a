//! Files as the edit tools of hosts compare them.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fuzzy_edit::{Encoding, TextFile};

use super::RepairOptions;
use crate::view::{View, Viewer};

/// The largest file to read, in bytes. A repair of a larger one would delay the host.
const MAX_BYTES: u64 = 10 << 20;

/// Returns the bytes that a file had at an earlier moment, if they are known.
pub(crate) type Before<'b> = &'b dyn Fn(&Path) -> Option<Vec<u8>>;

/// The texts of the files that one call of a tool names, after its edits so far.
///
/// Hosts compare text whose lines end in `\n` and then restore the file's line endings, so a file with only `\r\n` is
/// read with `\n`. A file with both has no text here: each host treats it in its own way.
pub(crate) struct Files<'o> {
    directory: PathBuf,
    options: &'o RepairOptions,
    texts: HashMap<PathBuf, Option<Arc<str>>>,
    before: Before<'o>,
    /// The host, and the agent whose views count.
    viewer: (&'static str, Option<Viewer>),
}

impl fmt::Debug for Files<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").field("texts", &self.texts).finish_non_exhaustive()
    }
}

impl<'o> Files<'o> {
    /// Returns files whose relative paths start from `directory`.
    pub(crate) fn in_directory(directory: PathBuf, options: &'o RepairOptions, before: Before<'o>) -> Self {
        Self { directory, options, texts: HashMap::new(), before, viewer: ("", None) }
    }

    /// Uses the views of an agent of a host.
    pub(crate) fn seen_by(self, host: &'static str, viewer: Option<Viewer>) -> Self {
        Self { viewer: (host, viewer), ..self }
    }

    /// Returns the view of a file.
    pub(crate) fn view(&self, path: &Path) -> Option<View> {
        let (host, viewer) = &self.viewer;
        self.options.views()?.get(host, viewer.as_ref(), &self.directory.join(path))
    }

    /// Returns the earlier text of a file; `None` if it is unknown or not UTF-8.
    pub(crate) fn earlier(&self, path: &Path) -> Option<String> {
        let text = String::from_utf8((self.before)(&self.directory.join(path))?).ok()?;
        Some(with_newlines(text.strip_prefix('\u{feff}').unwrap_or(&text)))
    }

    /// Returns the settings.
    pub(crate) const fn options(&self) -> &'o RepairOptions {
        self.options
    }

    /// Returns the text of a file; `None` if it is not permitted, cannot be read, is too large, or is not UTF-8.
    pub(crate) fn text(&mut self, path: &Path) -> Option<Arc<str>> {
        let path = self.directory.join(path);
        let text = |path: &PathBuf| self.options.permits(path).then(|| read(path).map(Arc::from)).flatten();
        self.texts.entry(path).or_insert_with_key(text).clone()
    }

    /// Makes a file have no text.
    pub(crate) fn forget(&mut self, path: &Path) {
        self.texts.insert(self.directory.join(path), None);
    }

    /// Replaces the text of a file.
    pub(crate) fn put(&mut self, path: &Path, text: String) {
        self.texts.insert(self.directory.join(path), Some(text.into()));
    }
}

/// Returns the text of a file as hosts compare it; `None` if it cannot be read, is too large, is not UTF-8, or has line
/// endings of two kinds.
pub(crate) fn read(path: &Path) -> Option<String> {
    let file = TextFile::read(path, MAX_BYTES).ok()?;
    (file.encoding() == Encoding::UTF_8).then_some(())?;
    let text = file.text();
    let returns = text.matches('\r').count();
    if returns == 0 {
        return Some(text.to_owned());
    }
    let is_uniform = returns == text.matches("\r\n").count() && returns == text.matches('\n').count();
    is_uniform.then(|| with_newlines(text))
}

/// Returns a text whose lines end in `\n`.
pub(crate) fn with_newlines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

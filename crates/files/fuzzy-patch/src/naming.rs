//! Determines the file of a patch that does not name one, from the text around it.

use std::fmt;

use crate::{ParseError, Problem, name};

/// Returns whether a name belongs to an existing file.
#[derive(Clone, Copy)]
struct Exists<'t>(&'t dyn Fn(&str) -> bool);

impl Default for Exists<'_> {
    fn default() -> Self {
        Self(&|_| false)
    }
}

impl fmt::Debug for Exists<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exists")
    }
}

/// The names in the text since the last patch, and the defaults.
///
/// If a block took the file of the previous block although the text between them names another one in an unusual way,
/// it would change the wrong file. So a mentioned file makes the patch unclear.
#[derive(Debug, Default)]
pub(crate) struct Naming<'t> {
    /// The default file of the caller.
    target: Option<&'t str>,
    exists: Exists<'t>,
    /// The file of the previous patch.
    last: Option<String>,
    /// The name alone on the last line that was not blank, or in the first line of the fence.
    above: Option<String>,
    /// The last name alone on a line of prose, except list items: they list files and do not announce the next one.
    heading: Option<String>,
    /// A file that the last line mentions.
    near: Option<String>,
    /// A file mentioned in prose that differs from the one that would be assumed.
    other: Option<String>,
}

impl<'t> Naming<'t> {
    pub(crate) fn new(target: Option<&'t str>, exists: &'t dyn Fn(&str) -> bool) -> Self {
        Self { target, exists: Exists(exists), ..Self::default() }
    }

    /// Returns the default file of the caller.
    pub(crate) const fn target(&self) -> Option<&'t str> {
        self.target
    }

    /// Records a line that is not blank. Inside a fence it may be code, and only matters for a patch directly below it.
    pub(crate) fn read_line(&mut self, line: &str, in_fence: bool) {
        // Any text may be a file name; a line that is the name of an existing file is one.
        self.above = name::alone(line)
            .or_else(|| name::undecorated(line).filter(|name| (self.exists.0)(name)).map(str::to_owned));
        self.near = name::mentioned(line).last().filter(|_| self.above.is_none()).map(str::to_owned);
        if in_fence {
            return;
        }
        if let Some(above) = self.above.as_deref().filter(|above| name::mentioned(above).next().is_some())
            && !["- ", "* ", "+ ", "\u{2022} "].iter().any(|point| line.trim_start().starts_with(point))
        {
            let before = self.heading.replace(above.to_owned());
            if before.is_none() || line.starts_with('#') {
                self.other = None;
            } else {
                self.other = before.filter(|before| before != above).or_else(|| self.other.take());
            }
        } else if let Some(file) = self.heading.as_ref().or(self.last.as_ref()) {
            let other = name::mentioned(line).find(|other| !name::may_be_same(other, file));
            self.other = other.map(str::to_owned).or_else(|| self.other.take());
        }
    }

    /// Records the text after the mark of an opening fence.
    pub(crate) fn open_fence(&mut self, info: &str) {
        self.above = name::of_fence(info).or_else(|| self.above.take());
    }

    /// Forgets the name in or above a closed fence, which does not apply after it.
    pub(crate) fn close_fence(&mut self) {
        self.above = None;
        self.near = None;
    }

    /// Returns the file of a patch on `line` without a name: the name above it, otherwise the file of the previous
    /// patch, otherwise the default.
    pub(crate) fn claim(&mut self, line: usize) -> Result<String, ParseError> {
        if let Some(above) = self.above.take() {
            self.follow(Some(above.clone()));
            return Ok(above);
        }
        let known = self.heading.take().or_else(|| self.last.take());
        let file = known.or_else(|| self.target.map(str::to_owned)).ok_or(Problem::NoFile.at(line))?;
        let other = self.other.take().or_else(|| self.near.take());
        if let Some(other) = other.filter(|other| !name::may_be_same(other, &file)) {
            return Err(Problem::UnclearFile { file, other }.at(line));
        }
        self.follow(Some(file.clone()));
        Ok(file)
    }

    /// Starts over after a patch for `file`.
    pub(crate) fn follow(&mut self, file: Option<String>) {
        *self = Self { target: self.target, exists: self.exists, last: file, ..Self::default() };
    }
}

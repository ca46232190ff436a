//! Which file a patch is for that does not say so itself: what the text around it says.

use std::fmt;

use crate::{ParseError, Problem, name};

/// Whether a name is that of a file that exists.
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

/// What was said about files since the last patch, and what holds if nothing was.
///
/// A block lands in a wrong file if it takes the name of the one before, and the text between them names another in a
/// way that is not understood. So what is only mentioned counts as well, and makes the patch unclear.
#[derive(Debug, Default)]
pub(crate) struct Naming<'t> {
    /// What the caller named.
    target: Option<&'t str>,
    exists: Exists<'t>,
    /// The file of the patch before.
    last: Option<String>,
    /// The name alone on the last line that was not blank, or in the first line of the fence.
    above: Option<String>,
    /// The last name alone on a line of prose, points of a list aside: they say what is concerned, not what is next.
    heading: Option<String>,
    /// A file that the last line mentions.
    near: Option<String>,
    /// A file that prose mentions which is not the one that a patch would be for.
    other: Option<String>,
}

impl<'t> Naming<'t> {
    pub(crate) fn new(target: Option<&'t str>, exists: &'t dyn Fn(&str) -> bool) -> Self {
        Self { target, exists: Exists(exists), ..Self::default() }
    }

    /// Returns what the caller named.
    pub(crate) const fn target(&self) -> Option<&'t str> {
        self.target
    }

    /// Hears a line that is not blank. In a fence it may be code, and only a patch just below it is concerned.
    pub(crate) fn hear(&mut self, line: &str, in_fence: bool) {
        // Anything may be the name of a file; a line that is the name of one there is means it.
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

    /// Hears what is after the mark of an opening fence.
    pub(crate) fn open_fence(&mut self, info: &str) {
        self.above = name::of_fence(info).or_else(|| self.above.take());
    }

    /// Forgets the name in or above a fence that is closed: what follows the fence is not for it.
    pub(crate) fn close_fence(&mut self) {
        self.above = None;
        self.near = None;
    }

    /// Returns the file of a patch on `line` that does not name one itself: the name above it, else that of the patch
    /// before, else the target.
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

    /// Begins anew after a patch for `file`.
    pub(crate) fn follow(&mut self, file: Option<String>) {
        *self = Self { target: self.target, exists: self.exists, last: file, ..Self::default() };
    }
}

//! Reads the inserted marks of one line of the new text in the file's terms.

use std::ops::Range;

use super::change::Change;
use super::learn::Shown;
use super::roles::{Boundaries, Role, glued};
use crate::align::three_way::Texts;
use crate::text::quotes::{has_two_quotes, has_words_in_quotes};
use crate::text::tokens::{Class, encloses};

/// The most words that a known part of a line may span.
const MAX_WORDS: usize = 8;

/// A line of the new text, and the parts of it that the map knows.
pub(super) struct LineWriter<'w, 't> {
    texts: &'w Texts<'t>,
    shown: &'w Shown<'t>,
    line: Range<usize>,
    inserted: &'w [bool],
    ends: Boundaries,
    /// The bytes of known marks, with the file's.
    known: Vec<(Range<usize>, &'t str)>,
    open: Option<usize>,
}

impl<'w, 't> LineWriter<'w, 't> {
    pub(super) fn new(texts: &'w Texts<'t>, shown: &'w Shown<'t>, line: Range<usize>, inserted: &'w [bool]) -> Self {
        let ends = Boundaries::of(&texts.new, &line);
        Self { texts, shown, line, inserted, ends, known: Vec::new(), open: None }
    }

    /// Finds the file's marks for those of each part of the line, the longest known parts first.
    pub(super) fn write(&mut self) {
        let mut from = 0;
        while from + 1 < self.ends.len() {
            let reach = (from + 1..self.ends.len()).take(MAX_WORDS);
            let reach = reach.take_while(|&to| self.ends.is_inserted(from, to, self.inserted));
            let Some(last) = reach.last() else {
                from += 1;
                continue;
            };
            let whole = (from + 1..=last).rev().find_map(|to| Some((to, self.whole(from, to)?)));
            if let Some((to, known)) = whole {
                self.known.push(known);
                from = to;
            } else {
                self.write_part(from);
                from += 1;
            }
        }
    }

    /// Returns the changes of the line.
    pub(super) fn changes(self) -> impl Iterator<Item = Change> {
        let text = self.texts.new.text;
        let changes = self.known.into_iter().filter(|(at, file)| text[at.clone()] != **file);
        changes.map(|(at, file)| (at, file.to_owned()))
    }

    /// Returns a mark of the line that the file may write otherwise: also one that it writes otherwise in another part of
    /// the line.
    pub(super) fn open(&self) -> Option<usize> {
        let new = &self.texts.new;
        let is_changed = |mark: &str| {
            self.known.iter().any(|(at, file)| new.text[at.clone()].matches(mark).count() != file.matches(mark).count())
        };
        let is_left = |token: &usize| self.inserted[*token] && !new.is_word(*token) && !self.is_known(*token);
        self.open.or_else(|| self.line.clone().filter(is_left).find(|&token| is_changed(new.get(token))))
    }

    /// Returns whether the map knows a mark.
    fn is_known(&self, token: usize) -> bool {
        let bytes = self.texts.new.bytes(&(token..token + 1));
        self.known.iter().any(|(at, _)| encloses(at, &bytes))
    }

    /// Returns the marks between two boundaries with the file's, if they are known as a whole.
    fn whole(&self, from: usize, to: usize) -> Option<(Range<usize>, &'t str)> {
        let (role, bytes) = self.ends.part(&self.texts.new, from, to);
        if role == Role::End && self.is_comment() {
            return None;
        }
        let file = self.shown.known(role, &self.texts.new.text[bytes.clone()])?;
        Some((bytes, file))
    }

    /// Returns whether the line is a comment, which does not end as code does.
    fn is_comment(&self) -> bool {
        self.texts.new.class(self.line.start) == Class::Comment
    }

    /// Finds the file's marks in a part of the line that is not known as a whole.
    fn write_part(&mut self, from: usize) {
        let new = &self.texts.new;
        let (role, bytes) = self.ends.part(new, from, from + 1);
        if self.shown.is_open(role, &new.text[bytes.clone()]) {
            self.open = self.open.or(Some(self.line.start));
        }
        let rest = match role {
            Role::Prefix => self.write_start(&bytes),
            Role::End if !self.is_comment() => self.write_end(&bytes),
            _ => bytes,
        };
        for (role, part) in glued(role, &new.text[rest.clone()]) {
            let at = rest.start + part.start..rest.start + part.end;
            if let Some((part, file)) = self.shown.known_part(role, &new.text[at.clone()]) {
                self.known.push((at.start + part.start..at.start + part.end, file));
            }
        }
        for token in self.ends.tokens(from, from + 1) {
            self.write_mark(token);
        }
    }

    /// Finds the file's marks for those that begin a line; returns the other bytes of a part.
    fn write_start(&mut self, bytes: &Range<usize>) -> Range<usize> {
        let (shown, text) = (self.shown, &self.texts.new.text[bytes.clone()]);
        let lengths = text.char_indices().map(|(at, _)| at).rev();
        let mut known = lengths.filter_map(|at| Some((at, shown.known(Role::Start, &text[..at])?)));
        let is_other = |(_, file): &(usize, &str)| file.is_empty() || !text.starts_with(file.trim_end());
        let Some((length, file)) = known.next().filter(is_other) else { return bytes.clone() };
        self.known.push((bytes.start..bytes.start + length, file));
        bytes.start + length..bytes.end
    }

    /// Finds the file's marks for those that end a line; returns the other bytes of a part.
    fn write_end(&mut self, bytes: &Range<usize>) -> Range<usize> {
        let (shown, new) = (self.shown, &self.texts.new);
        let text = &new.text[bytes.clone()];
        let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let mut known = starts.filter_map(|at| {
            let role = Role::last(new, bytes.start + at)?;
            Some((bytes.start + at, shown.known_end(role, &text[at..])?))
        });
        let Some((start, file)) = known.next() else { return bytes.clone() };
        self.known.push((start..bytes.end, file));
        bytes.start..start
    }

    /// Finds the file's quote for one of a new line. Another mark that the file lacks everywhere is open.
    fn write_mark(&mut self, token: usize) {
        if self.is_known(token) {
            return;
        }
        let Texts { file, new, .. } = self.texts;
        let id = new.items[token].id;
        let is_quote = new.class(token) == Class::Quote;
        // Escapes, and the quotes of a changed line, are written as they are.
        let is_copied = if is_quote {
            !self.inserted[self.line.clone()].iter().all(|&inserted| inserted) || has_two_quotes(new, token)
        } else {
            new.get(token).starts_with('\\')
        };
        if is_copied {
            return;
        }
        match self.shown.quote(id).filter(|_| is_quote && has_words_in_quotes(new, token)) {
            Some(mark) => self.known.push((new.bytes(&(token..token + 1)), mark)),
            None if self.shown.is_lost(id) && !file.items.iter().any(|other| other.id == id) => {
                self.open = self.open.or(Some(token));
            }
            None => {}
        }
    }
}

//! The map: how the author's text maps to the file's, as the kept words of a merge show it.
//!
//! A line is words, and marks and blanks between them. Where all texts have a word, and old and new text have the same
//! marks beside it, the file's marks there are those of the author in the file's terms. The map learns these pairs once,
//! by [role](roles::Role), and the new text is written through it.
//!
//! ```text
//! file: a;b;3      old: a,b,3      new: a,b,3      written: a;b;3
//!       c;d;4           c,d,4           c,d,4               c;d;4
//!                                       e,f,5               e;f;5
//! ```
//!
//! A pair is known if two lines show it and none contradicts it. One pair rewrites nothing, except at the end of the old
//! text's [last line](last_line), which is the file's: the statement or the sequence may go on there. If a new line has
//! marks for which the file has others everywhere, and the map does not know which, it is [open](Map::open).

mod first_line;
mod learn;
mod line_breaks;
mod last_line;
mod roles;

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::hunks::Hunk;
use crate::style::spelling::{has_two_quotes, has_words_in_quotes};
use crate::mechanisms::{LINE_BREAKS, LINE_END, MARKS, Mechanism};
use crate::text::tokens::{Class, Tokens};

pub(crate) use first_line::indented;
use learn::Shown;
use roles::{Boundaries, Role, glued};

/// A part of a text in bytes, with the text in its place.
type Change = (Range<usize>, String);

/// The texts of an edit in the file's terms.
#[derive(Debug, Default)]
pub(crate) struct Map {
    old: Vec<Change>,
    new: Vec<Change>,
    /// A token of the new text with a mark that the file writes otherwise, in an unknown way.
    pub(crate) open: Option<usize>,
    /// The slips that the changes undo.
    pub(crate) undone: Vec<&'static Mechanism>,
}

impl Map {
    /// Learns from aligned texts, and reads old and new text in the file's terms.
    pub(crate) fn of(texts: &Texts<'_>, columns: &Columns, hunks: &[Hunk]) -> Self {
        let mut inserted = vec![false; texts.new.len()];
        for &token in hunks.iter().filter(|hunk| !hunk.is_taken).flat_map(Hunk::inserted) {
            inserted[token] = true;
        }
        let mut map = Self::default();
        if !inserted.contains(&true) {
            return map;
        }
        if texts.run.uses(&MARKS) {
            map.write(texts, columns, &inserted);
        }
        if texts.run.uses(&LINE_BREAKS) {
            let breaks = line_breaks::changes(texts, columns, &inserted);
            map.undone.extend((!breaks.is_empty()).then_some(&LINE_BREAKS));
            map.new.extend(breaks);
        }
        map.open = map.open.or_else(|| hunks.iter().find_map(|hunk| lost_joint(texts, hunk)));
        if texts.run.uses(&LINE_END)
            && let Some([old, new]) = last_line::changes(texts, &inserted)
        {
            map.add(&LINE_END, old, new);
        }
        map
    }

    /// Returns old and new text in the file's terms; none if they are so already, or if a mark is open.
    pub(crate) fn texts(&self, texts: &Texts<'_>) -> Option<[String; 2]> {
        let is_changed = self.open.is_none() && !self.undone.is_empty();
        is_changed.then(|| [changed(texts.old.text, &self.old), changed(texts.new.text, &self.new)])
    }

    /// Adds changes of old and new text. A change of a part that is changed already is left out.
    fn add(&mut self, slip: &'static Mechanism, old: Change, new: Change) {
        let is_free = |known: &[Change], at: &Range<usize>| known.iter().all(|(other, _)| other.end <= at.start || at.end <= other.start);
        if is_free(&self.new, &new.0) && is_free(&self.old, &old.0) {
            self.old.push(old);
            self.new.push(new);
            self.undone.push(slip);
        }
    }

    /// Reads the inserted tokens in the file's terms, and the kept ones beside which the file has other marks.
    fn write(&mut self, texts: &Texts<'_>, columns: &Columns, inserted: &[bool]) {
        let shown = Shown::of(texts, columns);
        if !shown.has_slip() {
            return;
        }
        for line in texts.new.full_lines().filter(|line| inserted[line.clone()].contains(&true)) {
            self.write_line(texts, &shown, &line, inserted);
        }
        if self.new.is_empty() {
            return;
        }
        self.undone.push(&MARKS);
        for kept in &shown.kept {
            if let Some(file) = shown.known(kept.role, kept.text) {
                self.old.push((kept.old.clone(), file.to_owned()));
                self.new.push((kept.new.clone(), file.to_owned()));
            }
        }
    }

    /// Reads the inserted marks of a line in the file's terms.
    fn write_line(&mut self, texts: &Texts<'_>, shown: &Shown<'_>, line: &Range<usize>, inserted: &[bool]) {
        let new = &texts.new;
        let ends = Boundaries::of(new, line);
        let is_comment = new.class(line.start) == Class::Comment;
        let mut from = 0;
        while from + 1 < ends.len() {
            let reach = (from + 1..ends.len()).take(MAX_WORDS).take_while(|&to| ends.is_inserted(from, to, inserted));
            let Some(last) = reach.last() else {
                from += 1;
                continue;
            };
            let whole = (from + 1..=last).rev().find_map(|to| {
                let (role, bytes) = ends.part(new, from, to);
                if role == Role::End && is_comment {
                    return None;
                }
                let file = shown.known(role, &new.text[bytes.clone()])?;
                Some((to, bytes, file))
            });
            let (role, bytes) = ends.part(new, from, from + 1);
            if let Some((to, bytes, file)) = whole {
                self.change(new, bytes, file);
                from = to;
                continue;
            }
            let is_end = matches!(role, Role::Prefix | Role::End);
            if is_end && shown.is_open(role, &new.text[bytes.clone()]) {
                self.open = self.open.or(Some(line.start));
            }
            let is_known = match role {
                Role::Prefix => self.write_prefix(new, shown, &bytes),
                Role::End if is_comment => true,
                Role::End => self.write_end(new, shown, &bytes),
                _ => false,
            } || self.write_parts(new, shown, role, &bytes);
            if !is_known {
                let is_whole = inserted[line.clone()].iter().all(|&inserted| inserted);
                let unknown = ends.tokens(from, from + 1).find(|&token| !self.write_mark(texts, shown, token, is_whole));
                self.open = self.open.or(unknown);
            }
            from += 1;
        }
    }

    /// Adds a change of the new text, unless it is none.
    fn change(&mut self, new: &Tokens<'_>, bytes: Range<usize>, file: &str) {
        if new.text[bytes.clone()] != *file {
            self.new.push((bytes, file.to_owned()));
        }
    }

    /// Reads the marks that begin a line as those of kept lines that go on otherwise; returns whether they are known.
    fn write_prefix(&mut self, new: &Tokens<'_>, shown: &Shown<'_>, bytes: &Range<usize>) -> bool {
        let text = &new.text[bytes.clone()];
        let known = text.char_indices().map(|(at, _)| at).rev().find_map(|at| {
            Some((at, shown.known(Role::Start, &text[..at])?))
        });
        let Some((length, file)) = known.filter(|(_, file)| file.is_empty() || !text.starts_with(file.trim_end())) else {
            return false;
        };
        self.change(new, bytes.start..bytes.start + length, file);
        true
    }

    /// Reads the marks that end a line as those of kept lines that end alike; returns whether they are known.
    fn write_end(&mut self, new: &Tokens<'_>, shown: &Shown<'_>, bytes: &Range<usize>) -> bool {
        let text = &new.text[bytes.clone()];
        let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let known = starts.filter_map(|at| {
            let role = Role::last(new, bytes.start + at)?;
            Some((at, shown.known_end(role, &text[at..])?))
        });
        let Some((at, file)) = known.into_iter().next() else { return false };
        self.change(new, bytes.start + at..bytes.end, file);
        true
    }

    /// Reads a quote of a new line as the file's; returns whether the mark is the file's, or cannot be.
    fn write_mark(&mut self, texts: &Texts<'_>, shown: &Shown<'_>, token: usize, is_new_line: bool) -> bool {
        let new = &texts.new;
        let (id, text) = (new.items[token].id, new.get(token));
        let is_lost = shown.is_lost(id) && !texts.file.items.iter().any(|other| other.id == id);
        if new.class(token) != Class::Quote {
            // Spelling writes escapes.
            return !is_lost || text.starts_with('\\');
        }
        if !is_new_line || has_two_quotes(new, token) {
            return true;
        }
        match shown.quote(id) {
            Some(file) if has_words_in_quotes(new, token) => {
                self.change(new, new.bytes(&(token..token + 1)), file);
                true
            }
            _ => !is_lost,
        }
    }

    /// Reads the marks right before and right after words; returns whether all are known.
    fn write_parts(&mut self, new: &Tokens<'_>, shown: &Shown<'_>, role: Role, bytes: &Range<usize>) -> bool {
        let parts = glued(role, &new.text[bytes.clone()]);
        let mut is_known = !parts.is_empty();
        for (role, part) in parts {
            let at = bytes.start + part.start..bytes.start + part.end;
            match shown.known_part(role, &new.text[at.clone()]) {
                Some((part, file)) => self.change(new, at.start + part.start..at.start + part.end, file),
                None => is_known &= at.is_empty(),
            }
        }
        is_known
    }
}

/// Returns a mark that joins a kept line to the new one after it, and that the file lacks, if it is not written.
fn lost_joint(texts: &Texts<'_>, hunk: &Hunk) -> Option<usize> {
    let new = &texts.new;
    let first = hunk.inserted().iter().copied().find(|&index| new.opens_line(index))?;
    let is_on_line = |&index: &usize| texts.is_mark(index) && new.line_number(index) + 1 == new.line_number(first);
    let mut marks = (0..first).rev().take_while(is_on_line).filter(|index| !hunk.inserted().contains(index));
    marks.find(|&index| texts.is_lost_joint(index))
}

/// The most words that a known part of a line may span.
const MAX_WORDS: usize = 8;

/// Returns a text with changes, which do not overlap.
fn changed(text: &str, changes: &[Change]) -> String {
    let mut changes: Vec<&Change> = changes.iter().collect();
    changes.sort_by_key(|(at, _)| (at.start, at.end));
    let (mut changed, mut from) = (String::with_capacity(text.len()), 0);
    for (at, file) in changes {
        changed.extend([&text[from..at.start], file]);
        from = at.end;
    }
    changed + &text[from..]
}

//! Restores an edit whose texts were copied from a terminal that decoded UTF-8 in another code page: `sesi贸n` for
//! `sesión`.
//!
//! The file proves the page: a quoted line that the file lacks is one of its lines as the page shows it, or a word that
//! the file lacks is one of its words. Then every word of both texts that the file lacks is restored, if the page loses
//! nothing of it. A word of the new text that cannot be restored is [`Restored::lost`].
//!
//! - Accepts: the code pages 936, 932, 949, 950, 1250, 1251, 1252 and 850; `?` and U+FFFD for lost bytes, also with a
//!   swallowed neighbour; dropped characters of private use.
//! - Refuses: a text without a word or line of the file; a quoted line that two lines of the file may be.
//! - Cost: nothing for an edit or a file in ASCII. Otherwise one search for the old text, and a comparison of each quoted
//!   line that the file lacks with the lines of the file that begin alike.

mod page;

use std::collections::BTreeSet;
use std::ops::{Bound, Range};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::page::{PAGES, Page};

/// The largest file, in bytes, whose edits are restored.
const MAX_FILE: usize = 4 << 20;

/// The texts of an edit as the file would have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
    /// The first word of the new text that the page has damaged beyond repair.
    pub lost: Option<String>,
}

/// Restores the texts of an edit of `file`. Returns none if nothing shows that they come from another code page.
#[must_use]
pub fn restore(file: &str, old: &str, new: &str) -> Option<Restored> {
    Odd::of(file, old, new, || file.contains(old))?.restored(file)
}

/// Returns whether nothing of an edit can come from another code page.
fn is_plain(old: &str, new: &str) -> bool {
    new.is_ascii() && old.is_ascii() && !old.contains('?')
}

/// The parts of an edit that its file lacks, and that another code page may have made. Most edits have none.
#[derive(Debug)]
pub struct Odd<'q> {
    old: &'q str,
    new: &'q str,
    /// Whether the file has the old text.
    is_exact: bool,
    /// Trimmed lines of the old text.
    lines: FxHashSet<&'q str>,
    /// Words of both texts.
    words: FxHashSet<&'q str>,
}

impl<'q> Odd<'q> {
    /// Finds the odd parts of an edit; none if nothing has to be restored. `has_old` returns whether the file has the old
    /// text. A part of a file is sufficient if it gives none.
    ///
    /// Cost: a search for each word that is not ASCII, first in an old text that the file has.
    #[must_use]
    pub fn of(file: &str, old: &'q str, new: &'q str, has_old: impl FnOnce() -> bool) -> Option<Self> {
        if is_plain(old, new) {
            return None;
        }
        let is_damaged = |text: &str| !text.is_ascii() || text.contains('?');
        let is_exact = !is_damaged(old) || has_old();
        let quote = if is_exact { "" } else { old };
        let lines: FxHashSet<_> =
            quote.lines().map(str::trim).filter(|line| is_damaged(line) && !file.contains(line)).collect();
        let is_known = |word: &str| is_exact && old.contains(word) || file.contains(word);
        let words = [quote, new].into_iter().flat_map(|text| words(text, false).map(|word| &text[word]));
        let words: FxHashSet<_> = words.filter(|word| !word.is_ascii() && !is_known(word)).collect();
        (!lines.is_empty() || !words.is_empty()).then_some(Self { old, new, is_exact, lines, words })
    }

    /// Returns the texts of the edit as the whole file has them; none if it shows no page.
    #[must_use]
    pub fn restored(&self, file: &str) -> Option<Restored> {
        if file.is_ascii() || file.len() > MAX_FILE {
            return None;
        }
        let known = Known::of(file);
        let (page, lines) = known.page(self)?;
        let has_marks = lines.keys().any(|line| line.contains('?'));
        let restoring = Restoring { known: &known, page, lines, has_marks };
        // An old text that the file has needs no restoring.
        let (old, _) = if self.is_exact { (self.old.to_owned(), None) } else { restoring.text(self.old) };
        let (new, lost) = restoring.text(self.new);
        Some(Restored { old, new, lost })
    }
}

/// The parts of a file that another code page would show in another way.
struct Known<'f> {
    file: &'f str,
    /// Its lines that are not ASCII, trimmed.
    lines: BTreeSet<&'f str>,
    /// Its words that are not ASCII.
    words: BTreeSet<&'f str>,
}

impl<'f> Known<'f> {
    fn of(file: &'f str) -> Self {
        let lines: BTreeSet<&str> = file.lines().map(str::trim).filter(|line| !line.is_ascii()).collect();
        let words = lines.iter().flat_map(|line| words(line, false).map(|word| &line[word]));
        let words = words.filter(|word| !word.is_ascii()).collect();
        Self { file, lines, words }
    }

    /// Returns the page that explains most lines, then most words, and the lines with their originals.
    fn page<'q>(&self, odd: &Odd<'q>) -> Option<(Page, FxHashMap<&'q str, &'f str>)> {
        let explained = PAGES.into_iter().map(|page| {
            let lines: FxHashMap<&str, &str> =
                odd.lines.iter().filter_map(|line| Some((*line, self.original(page, line)?))).collect();
            let is_shown = |word: &&&str| page.restore(word).is_some_and(|word| self.words.contains(&*word));
            (lines.len(), odd.words.iter().filter(is_shown).count(), page, lines)
        });
        // The first of the best.
        let best = explained.reduce(|best, next| if (next.0, next.1) > (best.0, best.1) { next } else { best });
        best.filter(|(lines, words, ..)| lines + words > 0).map(|(_, _, page, lines)| (page, lines))
    }

    /// Returns the only line of the file that a page shows as `line`.
    fn original(&self, page: Page, line: &str) -> Option<&'f str> {
        let same = line.find(|c: char| !c.is_ascii() || c == '?').unwrap_or(line.len());
        let start = (Bound::Included(&line[..same]), Bound::Unbounded);
        let alike = self.lines.range::<str, _>(start).take_while(|other| other.starts_with(&line[..same]));
        let mut originals = alike.filter(|other| page.shows(other, line));
        originals.next().filter(|_| originals.next().is_none()).copied()
    }
}

/// The restoring of an edit from one page.
struct Restoring<'a> {
    known: &'a Known<'a>,
    page: Page,
    /// Lines of the old text with their originals.
    lines: FxHashMap<&'a str, &'a str>,
    /// Whether they have `?` for lost bytes.
    has_marks: bool,
}

impl Restoring<'_> {
    /// Restores a text, and returns the first word that cannot be restored.
    fn text(&self, text: &str) -> (String, Option<String>) {
        let mut lost = None;
        let mut restored = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let inner = line.trim();
            let Some(start) = line.find(inner) else { continue };
            let (before, after) = (&line[..start], &line[start + inner.len()..]);
            restored.push_str(before);
            match self.lines.get(inner) {
                Some(original) => restored.push_str(original),
                None => self.line(inner, &mut restored, &mut lost),
            }
            restored.push_str(after);
        }
        (restored, lost)
    }

    fn line(&self, line: &str, restored: &mut String, lost: &mut Option<String>) {
        let mut end = 0;
        for word in words(line, self.has_marks) {
            restored.push_str(&line[end..word.start]);
            end = word.end;
            let word = &line[word];
            restored.push_str(&self.word(word).unwrap_or_else(|Lost| {
                lost.get_or_insert_with(|| word.to_owned());
                word.to_owned()
            }));
        }
        restored.push_str(&line[end..]);
    }

    /// Returns a word as its author meant it.
    fn word(&self, word: &str) -> Result<String, Lost> {
        let kept = || Ok(word.to_owned());
        let is_marked = word.contains(['?', char::REPLACEMENT_CHARACTER]);
        if word.is_ascii() && !is_marked || self.known.file.contains(word) {
            return kept();
        }
        if let Some(original) = self.page.restore(word).filter(|_| !is_marked) {
            return Ok(original);
        }
        let mut originals = self.known.words.iter().filter(|original| self.page.shows(original, word));
        if let (Some(original), None) = (originals.next(), originals.next()) {
            return Ok((*original).to_owned());
        }
        let is_quoted = || self.lines.keys().any(|line| line.contains(word));
        let has_all = || word.chars().all(|c| c.is_ascii() || self.known.file.contains(c));
        match is_marked {
            // Without a quote that has it, the question mark is the author's own.
            true if word.is_ascii() && !is_quoted() => kept(),
            // A word of the author's own; on a page of two bytes, in letters of the file.
            false if self.page.is_single_byte() || has_all() => kept(),
            _ => Err(Lost),
        }
    }
}

/// A word that cannot be restored.
struct Lost;

/// Returns the words of a text: letters, digits, `_` and everything outside ASCII; with `marks`, also `?` between these.
fn words(text: &str, marks: bool) -> impl Iterator<Item = Range<usize>> {
    let is_part = move |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '_' || marks && c == '?';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        at = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
        Some(start..at)
    })
}

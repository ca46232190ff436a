//! Learns what the kept words of a merge show.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::roles::{Role, bytes, glued};
use crate::align::three_way::Texts;
use crate::columns::Columns;
use crate::text::tokens::Tokens;

/// The fewest lines that show a pair.
const MIN_LINES: usize = 2;

/// Marks that old and new text share beside kept words, and for which the file has others.
pub(super) struct Kept<'t> {
    pub(super) role: Role,
    pub(super) text: &'t str,
    /// The bytes of the marks in old and new text.
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// The file's marks for some of the author's.
struct Pair<'t> {
    file: &'t str,
    /// The number of lines that show it, and the last one of them.
    lines: usize,
    line: usize,
    is_contradicted: bool,
    /// The number of lines that show a difference.
    different: usize,
    /// The number of lines of which the file has the marks elsewhere.
    elsewhere: usize,
}

/// The file's mark for one of the author's.
#[derive(Default)]
struct Mark<'t> {
    /// The number of lines that show it, and the last one of them.
    lines: usize,
    line: Option<usize>,
    is_kept: bool,
    /// The only other mark at its place.
    file: Option<&'t str>,
    is_contradicted: bool,
}

impl<'t> Mark<'t> {
    fn add(&mut self, is_kept: bool, file: Option<&'t str>, line: usize) {
        self.is_contradicted |= self.lines > 0 && self.file != file;
        self.is_kept |= is_kept;
        self.lines += usize::from(self.line.replace(line) != Some(line));
        self.file = file;
    }
}

/// The pairs of marks that the kept words show.
#[derive(Default)]
pub(super) struct Shown<'t> {
    pairs: FxHashMap<(Role, &'t str), Pair<'t>>,
    /// The ends of lines that the file has for those of the author, after any token, with the number of lines.
    ends: FxHashMap<(&'t str, &'t str), usize>,
    marks: FxHashMap<u32, Mark<'t>>,
    pub(super) kept: Vec<Kept<'t>>,
}

/// A word that all three texts have.
#[derive(Clone, Copy)]
struct Word {
    file: usize,
    old: usize,
    new: usize,
}

impl<'t> Shown<'t> {
    pub(super) fn of(texts: &Texts<'t>, columns: &Columns) -> Self {
        let mut new_to_file = vec![None; texts.new.len()];
        for (file, new) in columns.file_to_new.iter().enumerate() {
            if let Some(new) = *new {
                new_to_file[new] = Some(file);
            }
        }
        let word = |new: usize| {
            let (file, old) = (new_to_file[new]?, texts.new_to_old[new]?);
            let is_kept =
                texts.old_to_file[old] == Some(file) && texts.file.items[file].fold == texts.new.items[new].fold;
            is_kept.then_some(Word { file, old, new })
        };
        let mut shown = Self::default();
        for line in texts.new.full_lines() {
            let words: Vec<Word> = texts.new.words(line).filter_map(word).collect();
            let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
            shown.learn(texts, None, Some(*first));
            for pair in words.windows(2) {
                shown.learn(texts, Some(pair[0]), Some(pair[1]));
            }
            shown.learn(texts, Some(*last), None);
        }
        shown
    }

    /// Learns from the marks between two kept words, or between one and an end of its line.
    fn learn(&mut self, texts: &Texts<'t>, before: Option<Word>, after: Option<Word>) {
        let Some(beside) = before.or(after) else { return };
        let part = |tokens: &Tokens<'t>, of: fn(&Word) -> usize| {
            let code = tokens.code_of(of(&beside));
            let (before, after) = (before.as_ref().map(of), after.as_ref().map(of));
            // Both words are on one line.
            let is_whole = [before, after].iter().flatten().all(|word| code.contains(word));
            let between = before.map_or(code.start, |word| word + 1)..after.unwrap_or(code.end);
            is_whole.then(|| (bytes(tokens, &code, before, after), between))
        };
        let (Some((in_new, new_marks)), Some((in_old, _)), Some((in_file, file_marks))) =
            (part(&texts.new, |word| word.new), part(&texts.old, |word| word.old), part(&texts.file, |word| word.file))
        else {
            return;
        };
        let (new, old, file) =
            (&texts.new.text[in_new.clone()], &texts.old.text[in_old.clone()], &texts.file.text[in_file]);
        // A mark that is elsewhere in the other text is not written otherwise: its line is broken elsewhere.
        let is_apart = |file: usize| {
            let partner = texts.file_to_old[file].and_then(|old| texts.old_to_new[old]);
            partner.is_some_and(|partner| !new_marks.contains(&partner))
        };
        let is_missing = |new: usize| {
            let partner = texts.new_to_old[new].and_then(|old| texts.old_to_file[old]);
            partner.is_some_and(|partner| !file_marks.contains(&partner))
        };
        let is_elsewhere = new_marks.clone().any(is_missing);
        if old != new || (file_marks.clone().any(is_apart) && !is_elsewhere) {
            return;
        }
        let role = match (before, after) {
            (None, _) => Role::Prefix,
            // A comment does not end as code does.
            (_, None) if texts.new.in_comment(beside.new) => return,
            (_, None) => Role::End,
            _ => Role::Between,
        };
        let line = texts.new.line_number(beside.new);
        if is_elsewhere {
            self.show(role, new, None, line).elsewhere += 1;
            return;
        }
        // Words of the file alone are no marks.
        let has_words = |text: &str| text.contains(char::is_alphanumeric);
        let is_usable = !has_words(file) && (has_single_blanks(file) || new == file) && computes(file) == computes(new);
        let file = if is_usable { Some(file) } else { None };
        self.show(role, new, file, line);
        if let Some(file) = file {
            let is_one_to_one = new_marks.len() == file_marks.len();
            for (at, mark) in new_marks.clone().enumerate().filter(|&(_, mark)| !texts.new.is_word(mark)) {
                let id = texts.new.items[mark].id;
                let count = |tokens: &Tokens<'_>, marks: &Range<usize>| {
                    tokens.ids(marks.clone()).filter(|&other| other == id).count()
                };
                let is_kept = count(&texts.file, &file_marks) == count(&texts.new, &new_marks);
                let other = is_one_to_one.then(|| texts.file.get(file_marks.start + at));
                self.marks.entry(id).or_default().add(is_kept, other, line);
            }
            let (ours, theirs) = (glued(role, new), glued(role, file));
            // An end of a line without blanks is no part of it.
            let is_parted = role == Role::Between || [new, file].iter().all(|text| text.contains([' ', '\t']));
            if ours.len() == theirs.len() && is_parted {
                for ((role, one), (_, other)) in ours.into_iter().zip(theirs) {
                    self.show(role, &new[one], Some(&file[other]), line);
                }
            }
            match role {
                Role::Prefix => self.show_start(new, file, line),
                Role::End => self.show_end(&texts.new, &in_new, new, file, line),
                _ => {}
            }
            if new != file {
                self.kept.push(Kept { role, text: new, old: in_old, new: in_new });
            }
        }
    }

    /// Adds a pair; without a text of the file, contradicts any.
    fn show(&mut self, role: Role, text: &'t str, file: Option<&'t str>, line: usize) -> &mut Pair<'t> {
        let pair = self.pairs.entry((role, text)).or_insert(Pair {
            file: file.unwrap_or(text),
            lines: 0,
            line: usize::MAX,
            is_contradicted: false,
            different: 0,
            elsewhere: 0,
        });
        pair.is_contradicted |= file != Some(pair.file);
        pair.lines += usize::from(pair.line != line);
        pair.different += usize::from(pair.line != line && file != Some(text));
        pair.line = line;
        pair
    }

    /// Adds the difference at the start of a line: without the marks that both share after it.
    fn show_start(&mut self, text: &'t str, file: &'t str, line: usize) {
        let shared = common(text.chars().rev(), file.chars().rev());
        if text == file {
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                self.show(Role::Start, &text[..at], Some(&text[..at]), line);
            }
        } else {
            self.show(Role::Start, &text[..text.len() - shared], Some(&file[..file.len() - shared]), line);
        }
    }

    /// Adds the difference at the end of a line: without the marks that both share before it.
    fn show_end(&mut self, new: &Tokens<'t>, bytes: &Range<usize>, text: &'t str, file: &'t str, line: usize) {
        let shared = common(text.chars(), file.chars());
        let first = if text == file { 0 } else { shared };
        let starts = (first..=text.len()).filter(|&at| text.is_char_boundary(at) && (text == file || at == shared));
        for at in starts {
            if let Some(role) = Role::last(new, bytes.start + at) {
                let file = if text == file { &text[at..] } else { &file[at..] };
                self.show(role, &text[at..], Some(file), line);
                *self.ends.entry((&text[at..], file)).or_default() += 1;
            }
        }
    }

    /// Returns whether the file has other marks than the author anywhere.
    pub(super) fn has_slip(&self) -> bool {
        !self.kept.is_empty() || self.pairs.values().any(|pair| pair.elsewhere > 0)
    }

    /// Returns the file's marks for some of the author's, if they are known.
    pub(super) fn known(&self, role: Role, text: &str) -> Option<&'t str> {
        let pair = self.pairs.get(&(role, text)).filter(|pair| !pair.is_contradicted)?;
        (pair.lines >= MIN_LINES).then_some(pair.file)
    }

    /// As [`known`](Self::known), for the end of a line: lines that end after other tokens count, too.
    pub(super) fn known_end(&self, role: Role, text: &str) -> Option<&'t str> {
        let pair = self.pairs.get(&(role, text)).filter(|pair| !pair.is_contradicted)?;
        let lines = self.ends.get(&(text, pair.file)).copied().unwrap_or_default();
        (lines >= MIN_LINES).then_some(pair.file)
    }

    /// Returns whether it is unknown where the file has some of the author's marks: it has those of several lines
    /// elsewhere, or lines that begin with them contradict each other.
    pub(super) fn is_open(&self, role: Role, text: &str) -> bool {
        self.pairs.get(&(role, text)).is_some_and(|pair| {
            let is_unclear = role == Role::Prefix && pair.is_contradicted && pair.different >= MIN_LINES;
            is_unclear || pair.elsewhere >= MIN_LINES
        })
    }

    /// Returns the file's marks for those right beside a word: for the nearest of them if not for all.
    pub(super) fn known_part(&self, role: Role, text: &str) -> Option<(Range<usize>, &'t str)> {
        let ends = text.char_indices().map(|(at, _)| at).filter(|&at| at > 0);
        let nearest: Vec<Range<usize>> = match role {
            Role::After => ends.rev().map(|at| 0..at).collect(),
            _ => ends.map(|at| at..text.len()).collect(),
        };
        let whole = std::iter::once(0..text.len());
        whole.chain(nearest).find_map(|at| Some((at.clone(), self.known(role, &text[at])?)))
    }

    /// Returns whether the file lacks a mark of the author wherever all texts have the words beside it.
    pub(super) fn is_lost(&self, id: u32) -> bool {
        self.marks.get(&id).is_some_and(|mark| mark.lines >= MIN_LINES && !mark.is_kept)
    }

    /// Returns the file's quote for one of the author's, if it is known.
    pub(super) fn quote(&self, id: u32) -> Option<&'t str> {
        let mark = self.marks.get(&id).filter(|mark| mark.lines >= MIN_LINES && !mark.is_contradicted)?;
        mark.file.filter(|_| !mark.is_kept)
    }
}

/// Returns whether a text has an operator that computes or compares: it is another operation, and no other spelling.
fn computes(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair[1] == b'=' && b"+-*/%&|^=!<>".contains(&pair[0]))
}

/// Returns whether the blanks of a text are single ones: longer runs align columns.
fn has_single_blanks(text: &str) -> bool {
    !text.as_bytes().windows(2).any(|pair| pair.iter().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// Returns the bytes of the characters with which both texts begin.
fn common(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}

//! Reports conflicts: the three texts where file and new text differ from the old text, and the merge in which the new
//! text wins.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::cancel::Cancel;
use crate::conflict_lines::ConflictLines;
use crate::hunks::Hunk;
use crate::input::{Input, without_opening};
use crate::merge::Merge;
use crate::text::normalize::is_blank;
use crate::text::tokens::Tokens;
use crate::write::Written;
use crate::{Merged, Refusal, rules};

/// A place where file and new text differ from the old text, each in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The bytes of the document that differ from the old text; empty where the file has nothing.
    pub file: Range<usize>,
    /// The old text there.
    pub old: String,
    /// The new text there.
    pub new: String,
    /// The bytes of the lines of the document in conflict: they stay if the file wins. Without the last line's ending;
    /// empty where the file has no such line.
    pub lines: Range<usize>,
    /// The lines that replace them if the new text wins, without the last one's ending.
    pub taken: String,
    /// Whether the new text replaces something of the file, and nothing that the old text forgot is deleted.
    pub is_like_for_like: bool,
}

/// A merge in which the new text wins wherever it is in conflict with the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Taken {
    /// The merge, with the findings that are left.
    pub merged: Merged,
    /// The conflicts, in the order of the file.
    pub conflicts: Vec<Conflict>,
}

/// Merges as [`merge`](fn@crate::merge) does, but the new text wins on the lines of a finding of
/// [`Kind::Conflict`](crate::Kind::Conflict), and these conflicts are reported. `None` where there is none.
///
/// # Errors
///
/// As [`merge`](fn@crate::merge).
///
/// # Examples
///
/// ```
/// let file = "host = \"localhost\"\nport = 9000\n";
/// let (old, new) = ("host = \"localhost\"\nport = 8080", "host = \"localhost\"\nport = 8081");
/// let taken = fuzzy_merge::take(file, 0..file.len(), old, new)?.expect("both differ from 8080");
/// let conflict = &taken.conflicts[0];
/// assert_eq!((&file[conflict.file.clone()], &*conflict.old, &*conflict.new), ("9000", "8080", "8081"));
/// assert_eq!((&file[conflict.lines.clone()], &*conflict.taken), ("port = 9000", "port = 8081"));
/// # Ok::<(), fuzzy_merge::Refusal>(())
/// ```
///
/// # Complexity
///
/// That of [`merge`](fn@crate::merge), whose alignments are made up to three times.
pub fn take(document: &str, region: Range<usize>, old: &str, replacement: &str) -> Result<Option<Taken>, Refusal> {
    let input = Input::new(document, region, old, replacement, Cancel::NEVER)?;
    let texts = input.texts()?;
    let mut lines = ConflictLines::default();
    for hunk in rules::conflicts(&Merge::new(&texts, &lines)) {
        lines.add(&texts, hunk.file.clone(), hunk.new.clone());
    }
    let mut merge = Merge::new(&texts, &lines);
    let mut written = input.write(&merge);
    if !written.foreign_names.is_empty() {
        lines.add(&texts, 0..0, written.foreign_names.into_iter());
        merge = Merge::new(&texts, &lines);
        written = input.write(&merge);
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let (findings, evidence) = (rules::findings(&merge, &written), texts.evidence());
    let hunks: Vec<&Hunk> = rules::conflicts(&merge).collect();
    let hunks = hunks.chunk_by(|one, next| is_on_one_line(&texts, one, next));
    let mut conflicts: Vec<_> = hunks.map(|hunks| conflict(&input, &texts, &written, hunks)).collect();
    // The new text wins on whole lines, and so for the tokens that file and old text share on them.
    let differs = |conflict: &Conflict| document[conflict.file.clone()] != conflict.old;
    if conflicts.iter().any(differs) {
        conflicts.retain(differs);
    }
    let text = without_opening(written.text);
    let merged = Merged { span: input.span, text, findings, evidence };
    Ok(Some(Taken { merged, conflicts }))
}

/// Returns whether a hunk begins on the line where another one ends, in file or new text.
fn is_on_one_line(texts: &Texts<'_>, one: &Hunk, next: &Hunk) -> bool {
    follows_on_line(&texts.file, &one.file, &next.file) || follows_on_line(&texts.new, &one.new, &next.new)
}

fn follows_on_line(tokens: &Tokens<'_>, one: &Range<usize>, next: &Range<usize>) -> bool {
    let (Some(last), Some(first)) = (one.clone().next_back(), next.clone().next()) else { return false };
    tokens.line_number(last) == tokens.line_number(first)
}

/// Makes a conflict of some hunks on one line.
fn conflict(input: &Input<'_>, texts: &Texts<'_>, written: &Written, hunks: &[&Hunk]) -> Conflict {
    // A hunk without deleted and inserted tokens is not in conflict.
    let hunks = hunks.iter().map(|hunk| (hunk.contested(texts), hunk));
    let hunks: Vec<_> = hunks.filter(|(file, hunk)| !(file.is_empty() && hunk.new.is_empty())).collect();
    let file = hunks.iter().map(|(file, _)| file.clone()).reduce(hull).unwrap_or(0..0);
    let new = hunks.iter().map(|(_, hunk)| hunk.new.clone()).reduce(hull).unwrap_or(0..0);
    // Where the old text has nothing for a hunk, that is no place in the old text.
    let known = texts.file_to_old[file.clone()].iter().flatten().map(|&token| token..token + 1);
    let ours = hunks.iter().map(|(_, hunk)| hunk.old.clone()).chain(known);
    let old = ours.clone().filter(|range| !range.is_empty()).reduce(hull).or_else(|| ours.clone().next());
    let old = old.unwrap_or(0..0);
    let ends = LineEnds {
        goes_on: texts.file.goes_on(&file) || texts.new.goes_on(&new),
        is_continued: texts.file.is_continued(&file) || texts.new.is_continued(&new),
    };
    let lines = ends.lines(texts.file.text, between(&texts.file, &file));
    let taken = ends.lines(&written.text, between_kept(written, &file));
    let is_like_for_like = match (file.len(), new.len()) {
        (0, _) | (_, 0) => false,
        _ => !texts.file_to_old[file.clone()].contains(&None),
    };
    let [file, old, new] = distinct([(&texts.file, file), (&texts.old, old), (&texts.new, new)]);
    Conflict {
        file: input.in_document(&file),
        old: texts.old.text[old].to_owned(),
        new: texts.new.text[new].to_owned(),
        lines: input.in_document(&lines),
        taken: written.text[taken].to_owned(),
        is_like_for_like,
    }
}

/// Whether a conflict shares a line with kept tokens before or after it: then that line is in conflict.
struct LineEnds {
    goes_on: bool,
    is_continued: bool,
}

impl LineEnds {
    /// Returns the whole lines of what a text has between two tokens that stay, without the last line's ending; no line
    /// if there is nothing.
    fn lines(&self, text: &str, between: Range<usize>) -> Range<usize> {
        let inner = &text[between.clone()];
        let core = inner.trim_matches(is_blank);
        let first = between.start + inner.len() - inner.trim_start_matches(is_blank).len();
        let (start, end) = match (self.goes_on, self.is_continued, core.is_empty()) {
            (false, false, true) => return between.start..between.start,
            (false, true, true) => (between.end, between.end),
            (true, false, true) => (between.start, between.start),
            (goes_on, is_continued, _) => (
                if goes_on { between.start } else { first },
                if is_continued { between.end } else { first + core.len() },
            ),
        };
        let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        start..start + text[start..end].trim_end_matches('\r').len()
    }
}

/// Returns the bytes of each text's tokens; those of whole lines if two of the three are equal, because then the
/// difference is beside them.
fn distinct(texts: [(&Tokens<'_>, Range<usize>); 3]) -> [Range<usize>; 3] {
    let shown = texts.each_ref().map(|(tokens, range)| tokens.bytes(range));
    let [one, two, three] = [0, 1, 2].map(|at| &texts[at].0.text[shown[at].clone()]);
    if one != two && two != three && one != three {
        return shown;
    }
    texts.map(|(tokens, range)| {
        let (Some(first), Some(last)) = (tokens.items.get(range.start), tokens.items[..range.end].last()) else {
            return tokens.bytes(&range);
        };
        let (first, last) = (first.line.min(last.line) as usize, first.line.max(last.line) as usize);
        tokens.bytes(&(tokens.on_line(first).start..tokens.on_line(last).end))
    })
}

/// Returns the range from the first of two to the end of both.
fn hull(one: Range<usize>, other: Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

/// Returns the bytes from the token before some tokens to the one after them.
fn between(tokens: &Tokens<'_>, range: &Range<usize>) -> Range<usize> {
    let start = range.start.checked_sub(1).map_or(0, |before| tokens.items[before].end as usize);
    start..tokens.items.get(range.end).map_or(tokens.text.len(), |after| after.start as usize)
}

/// Returns the bytes from the token before some of the file's to the one after them, where they were written.
fn between_kept(written: &Written, range: &Range<usize>) -> Range<usize> {
    let kept = |position: usize| {
        let found = written.kept.binary_search_by_key(&position, |(position, _)| *position);
        found.ok().map(|at| written.kept[at].1.clone())
    };
    let start = kept(range.start).map_or(0, |token| token.end);
    start..kept(range.end + 1).map_or(written.text.len(), |token| token.start).max(start)
}

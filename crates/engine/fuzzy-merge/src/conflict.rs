//! Reports conflicts, and merges with the new text's version of them.

use std::ops::Range;

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Conflict, line_start};

use crate::align::three_way::Texts;
use crate::conflict_lines::ConflictLines;
use crate::hunks::Hunk;
use crate::input::Input;
use crate::merge::Merge;
use crate::text::lines::without_leading_break;
use crate::text::tokens::Tokens;
use crate::write::Written;
use crate::{Merged, Refusal, rules};

/// A merge in which the new text wins every conflict.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Taken {
    /// The merge, with the remaining findings.
    pub merged: Merged,
    /// The conflicts, in the order of the file.
    pub conflicts: Vec<Conflict>,
    /// Whether there is one conflict, and the new text replaces tokens of the file there, all of them known.
    pub is_like_for_like: bool,
}

/// Merges as [`merge`](fn@crate::merge) does, but the new text wins on the lines of each finding of
/// [`Kind::Conflict`](crate::Kind::Conflict); returns `None` if there is no conflict.
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
/// assert_eq!((conflict.file.text(file), &*conflict.old, &*conflict.new), ("9000", "8080", "8081"));
/// assert_eq!((conflict.lines.text(file), &*conflict.taken), ("port = 9000", "port = 8081"));
/// # Ok::<(), fuzzy_merge::Refusal>(())
/// ```
///
/// # Complexity
///
/// That of [`merge`](fn@crate::merge), whose alignments are made twice.
pub fn take(document: &str, region: Range<usize>, old: &str, new: &str) -> Result<Option<Taken>, Refusal> {
    let input = Input::in_file_terms(document, region, old, new)?;
    let texts = input.texts()?;
    let mut lines = ConflictLines::default();
    for hunk in rules::conflicts(&Merge::new(&texts, &lines)) {
        lines.add(&texts, hunk.file.clone(), hunk.new.clone());
    }
    if lines.is_empty() {
        return Ok(None);
    }
    let merge = Merge::new(&texts, &lines);
    let written = input.write(&merge);
    let (findings, evidence) = (rules::findings(&merge, &written), texts.evidence());
    let hunks: Vec<&Hunk> = rules::conflicts(&merge).collect();
    let hunks = hunks.chunk_by(|one, next| is_on_one_line(&texts, one, next));
    let mut conflicts: Vec<_> = hunks.map(|hunks| conflict(&input, &texts, &written, hunks)).collect();
    // The new text wins on whole lines, so also for the tokens that file and old text share on them.
    let differs = |(conflict, _): &(Conflict, bool)| conflict.file.text(document) != conflict.old;
    if conflicts.iter().any(differs) {
        conflicts.retain(differs);
    }
    let is_like_for_like = matches!(conflicts[..], [(_, true)]);
    let conflicts = conflicts.into_iter().map(|(conflict, _)| conflict).collect();
    let (text, undone) = (without_leading_break(written.text), written.undone);
    let texts = input.merged_texts();
    let merged = Merged { span: input.span, text, findings, evidence, undone, texts };
    Ok(Some(Taken { merged, conflicts, is_like_for_like }))
}

/// Returns whether a hunk begins on the line where another one ends, in file or new text.
fn is_on_one_line(texts: &Texts<'_>, one: &Hunk, next: &Hunk) -> bool {
    follows_on_line(&texts.file, &one.file, &next.file) || follows_on_line(&texts.new, &one.new, &next.new)
}

fn follows_on_line(tokens: &Tokens<'_>, one: &Range<usize>, next: &Range<usize>) -> bool {
    let (Some(last), Some(first)) = (one.clone().next_back(), next.clone().next()) else { return false };
    tokens.line_number(last) == tokens.line_number(first)
}

/// Makes a conflict of the hunks on one line, and returns whether it is like for like.
fn conflict(input: &Input<'_>, texts: &Texts<'_>, written: &Written, hunks: &[&Hunk]) -> (Conflict, bool) {
    // A hunk without deleted and inserted tokens is not in conflict.
    let hunks = hunks.iter().map(|hunk| (hunk.conflict_range(texts), hunk));
    let hunks: Vec<_> = hunks.filter(|(file, hunk)| file.len() + hunk.new.len() > 0).collect();
    let file = hunks.iter().map(|(file, _)| file.clone()).reduce(hull).unwrap_or(0..0);
    let new = hunks.iter().map(|(_, hunk)| hunk.new.clone()).reduce(hull).unwrap_or(0..0);
    // An empty range of the old text is used only if no other hunk has tokens there.
    let known = texts.file_to_old[file.clone()].iter().flatten().map(|&token| token..token + 1);
    let olds = hunks.iter().map(|(_, hunk)| hunk.old.clone()).chain(known);
    let old = olds.clone().filter(|range| !range.is_empty()).reduce(hull).or_else(|| olds.clone().next());
    let old = old.unwrap_or(0..0);
    let ends = LineEnds {
        begins_inside_line: texts.file.begins_inside_line(&file) || texts.new.begins_inside_line(&new),
        ends_inside_line: texts.file.ends_inside_line(&file) || texts.new.ends_inside_line(&new),
    };
    let lines = ends.lines(texts.file.text, between(&texts.file, &file));
    let taken = ends.lines(&written.text, between_kept(written, &file));
    let is_like_for_like = match (file.len(), new.len()) {
        (0, _) | (_, 0) => false,
        _ => !texts.file_to_old[file.clone()].contains(&None),
    };
    let [file, old, new] = distinct([(&texts.file, file), (&texts.old, old), (&texts.new, new)]);
    let conflict = Conflict {
        file: input.in_document(&file),
        old: texts.old.text[old].to_owned(),
        new: texts.new.text[new].to_owned(),
        lines: input.in_document(&lines),
        taken: written.text[taken].to_owned(),
    };
    (conflict, is_like_for_like)
}

/// Whether a conflict shares a line with kept tokens before or after it: then that line is in conflict.
struct LineEnds {
    begins_inside_line: bool,
    ends_inside_line: bool,
}

impl LineEnds {
    /// Returns the whole lines of a text between two kept tokens, without the last line ending; no line if there are no
    /// tokens between.
    fn lines(&self, text: &str, between: Range<usize>) -> Range<usize> {
        let inner = &text[between.clone()];
        let core = inner.trim_matches(is_blank);
        let first = between.start + inner.len() - inner.trim_start_matches(is_blank).len();
        let (start, end) = match (self.begins_inside_line, self.ends_inside_line, core.is_empty()) {
            (false, false, true) => return between.start..between.start,
            (false, true, true) => (between.end, between.end),
            (true, false, true) => (between.start, between.start),
            (begins_inside, ends_inside, _) => (
                if begins_inside { between.start } else { first },
                if ends_inside { between.end } else { first + core.len() },
            ),
        };
        let start = line_start(text, start);
        let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        start..start + text[start..end].trim_end_matches('\r').len()
    }
}

/// Returns the bytes of each text's tokens; those of whole lines if two of the three are equal, because the texts
/// then differ beside them.
fn distinct(texts: [(&Tokens<'_>, Range<usize>); 3]) -> [Range<usize>; 3] {
    let bytes = texts.each_ref().map(|(tokens, range)| tokens.bytes(range));
    let [one, two, three] = [0, 1, 2].map(|at| &texts[at].0.text[bytes[at].clone()]);
    if one != two && two != three && one != three {
        return bytes;
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

/// Returns the bytes from the end of the token before some tokens to the start of the one after them.
fn between(tokens: &Tokens<'_>, range: &Range<usize>) -> Range<usize> {
    tokens.end_before(range.start)..tokens.items.get(range.end).map_or(tokens.text.len(), |after| after.start as usize)
}

/// Returns the same bytes of the written text for tokens of the file.
fn between_kept(written: &Written, range: &Range<usize>) -> Range<usize> {
    let kept = |position: usize| {
        let found = written.kept.binary_search_by_key(&position, |(position, _)| *position);
        found.ok().map(|at| written.kept[at].1.clone())
    };
    let start = kept(range.start).map_or(0, |token| token.end);
    start..kept(range.end + 1).map_or(written.text.len(), |token| token.start).max(start)
}

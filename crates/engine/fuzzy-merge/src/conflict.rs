//! Shows conflicts: what each text has where file and new text differ from the old text, and what lands if the new one has
//! the say.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::cancel::Cancel;
use crate::input::{Input, opening};
use crate::pieces;
use crate::pieces::Part;
use crate::pieces::contested::Contested;
use crate::text::normalize::is_blank;
use crate::text::tokens::Tokens;
use crate::write::Written;
use crate::{Merged, Refusal};

/// A place where file and new text differ from the old text, each in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The bytes of the document that differ from the old text; empty where the file has nothing.
    pub file: Range<usize>,
    /// What the old text has there.
    pub old: String,
    /// What the new text has there.
    pub new: String,
    /// The bytes of the document's lines that this is about: with the file's say they stay. Without the last line's
    /// ending; empty where the file has no such line.
    pub lines: Range<usize>,
    /// The lines that are there instead with the new text's say, without the last one's ending.
    pub taken: String,
    /// Whether the new text has something else for what the file has, and nothing goes that the old text has forgotten.
    pub is_like_for_like: bool,
}

/// A merge in which the new text has the say wherever it is in conflict with the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Taken {
    /// What it comes to; the doubts are those that are left.
    pub merged: Merged,
    /// The conflicts, in the order of the file.
    pub conflicts: Vec<Conflict>,
}

/// Merges as [`merge`](crate::merge) does, but gives the new text the say on the lines where that would raise
/// [`Doubt::Conflict`](crate::Doubt::Conflict), and tells what these conflicts are. Nothing where there is none.
///
/// # Errors
///
/// As [`merge`](crate::merge).
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
/// That of [`merge`](crate::merge), whose alignments are made once.
pub fn take(document: &str, region: Range<usize>, old: &str, replacement: &str) -> Result<Option<Taken>, Refusal> {
    let input = Input::new(document, region, old, replacement, Cancel::ALWAYS)?;
    let texts = input.texts()?;
    let mut contested = Contested::of(&texts, &pieces::pieces(&texts, &Contested::default()));
    let mut pieces = pieces::pieces(&texts, &contested);
    let mut written = input.write(&texts, &mut pieces);
    if !written.strays.is_empty() {
        contested.add(&texts, &written.strays);
        pieces = pieces::pieces(&texts, &contested);
        written = input.write(&texts, &mut pieces);
    }
    if contested.is_empty() {
        return Ok(None);
    }
    let evidence = texts.weigh(&mut pieces.doubts);
    let conflicts = pieces.conflicts.chunk_by(|one, next| is_on_one_line(&texts, one, next));
    let mut conflicts: Vec<_> = conflicts.map(|parts| conflict(&input, &texts, &written, parts)).collect();
    // The new text has the say on whole lines, and so for what the file has on them as the old text, too.
    let differs = |conflict: &Conflict| document[conflict.file.clone()] != conflict.old;
    if conflicts.iter().any(differs) {
        conflicts.retain(differs);
    }
    written.text.drain(..opening(&written.text));
    let merged = Merged { span: input.span, text: written.text, doubts: pieces.doubts, evidence };
    Ok(Some(Taken { merged, conflicts }))
}

/// Returns whether what comes next is on the line where this ends, in file or new text.
fn is_on_one_line(texts: &Texts<'_>, one: &Part, next: &Part) -> bool {
    follows_on_line(&texts.file, &one.file, &next.file) || follows_on_line(&texts.new, &one.new, &next.new)
}

fn follows_on_line(tokens: &Tokens<'_>, one: &Range<usize>, next: &Range<usize>) -> bool {
    !one.is_empty() && !next.is_empty() && tokens.line_number(one.end - 1) == tokens.line_number(next.start)
}

/// Tells a conflict of some parts on one line.
fn conflict(input: &Input<'_>, texts: &Texts<'_>, written: &Written, parts: &[Part]) -> Conflict {
    // Of a part where nothing goes or comes nothing is contested.
    let parts = parts.iter().map(|part| (part.contested(texts), part));
    let parts: Vec<_> = parts.filter(|(file, part)| !file.is_empty() || !part.new.is_empty()).collect();
    let file = parts.iter().map(|(file, _)| file.clone()).reduce(hull).unwrap_or(0..0);
    let new = parts.iter().map(|(_, part)| part.new.clone()).reduce(hull).unwrap_or(0..0);
    // Where the old text has nothing for a part, that is no place in the old text.
    let known = texts.file_to_old[file.clone()].iter().flatten().map(|&token| token..token + 1);
    let ours = parts.iter().map(|(_, part)| part.old.clone()).chain(known);
    let old = ours.clone().filter(|range| !range.is_empty()).reduce(hull).or_else(|| ours.clone().next());
    let old = old.unwrap_or(0..0);
    let rim = Rim {
        goes_on: goes_on(&texts.file, &file) || goes_on(&texts.new, &new),
        is_gone_on: is_gone_on(&texts.file, &file) || is_gone_on(&texts.new, &new),
    };
    let lines = rim.lines(texts.file.text, between(&texts.file, &file));
    let taken = rim.lines(&written.text, between_kept(written, &file));
    let is_known = file.clone().all(|index| !texts.is_unknown(index));
    let is_like_for_like = is_known && !file.is_empty() && !new.is_empty();
    let [theirs, ours, brought] = told_apart([(&texts.file, file), (&texts.old, old), (&texts.new, new)]);
    Conflict {
        file: input.in_document(&theirs),
        old: texts.old.text[ours].to_owned(),
        new: texts.new.text[brought].to_owned(),
        lines: input.in_document(&lines),
        taken: written.text[taken].to_owned(),
        is_like_for_like,
    }
}

/// Whether what is in conflict shares a line with what is beside it and stays: then that line is in conflict.
struct Rim {
    goes_on: bool,
    is_gone_on: bool,
}

impl Rim {
    /// Returns the whole lines of what a text has between two tokens that stay, without the last line's ending; no line
    /// if there is nothing.
    fn lines(&self, text: &str, between: Range<usize>) -> Range<usize> {
        let inner = &text[between.clone()];
        let core = inner.trim_matches(is_blank);
        let first = between.start + inner.len() - inner.trim_start_matches(is_blank).len();
        let (start, end) = match (self.goes_on, self.is_gone_on, core.is_empty()) {
            (false, false, true) => return between.start..between.start,
            (false, true, true) => (between.end, between.end),
            (true, false, true) => (between.start, between.start),
            (goes_on, is_gone_on, _) => {
                (if goes_on { between.start } else { first }, if is_gone_on { between.end } else { first + core.len() })
            }
        };
        let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        start..start + text[start..end].trim_end_matches('\r').len()
    }
}

/// Returns whether some tokens go on with the line of the token before them.
fn goes_on(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    !range.is_empty() && !tokens.opens_line(range.start)
}

/// Returns whether the line of some tokens goes on with the token after them.
fn is_gone_on(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    !range.is_empty() && !tokens.ends_line(range.end - 1)
}

/// Returns the bytes of each text's tokens; those of whole lines if two of the three are equal, because then the
/// difference is beside them.
fn told_apart(texts: [(&Tokens<'_>, Range<usize>); 3]) -> [Range<usize>; 3] {
    let shown = texts.each_ref().map(|(tokens, range)| bytes(tokens, range));
    let [one, two, three] = [0, 1, 2].map(|at| &texts[at].0.text[shown[at].clone()]);
    if one != two && two != three && one != three {
        return shown;
    }
    texts.map(|(tokens, range)| {
        let (Some(first), Some(last)) = (tokens.items.get(range.start), tokens.items[..range.end].last()) else {
            return bytes(tokens, &range);
        };
        let (first, last) = (first.line.min(last.line) as usize, first.line.max(last.line) as usize);
        bytes(tokens, &(tokens.on_line(first).start..tokens.on_line(last).end))
    })
}

/// Returns the range from the first of two to the end of both.
fn hull(one: Range<usize>, other: Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

/// Returns the bytes from the first of some tokens to the last.
fn bytes(tokens: &Tokens<'_>, range: &Range<usize>) -> Range<usize> {
    let start = between(tokens, range).start;
    match (tokens.items[range.clone()].first(), tokens.items[range.clone()].last()) {
        (Some(first), Some(last)) => first.start as usize..last.end as usize,
        _ => start..start,
    }
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

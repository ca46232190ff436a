//! Finds an edit's new text in the place of the old one: on whole lines and whole tokens.

use std::ops::Range;

use fuzzy_core::blank::{is_blank, is_blank_text, is_inline, leading, trim_start};
use fuzzy_core::{line_end, line_start};
use fuzzy_locate::{Needle, Place, Search, full_lines};
use fuzzy_merge::{Key, Line, information, is_word};
use memchr::memmem;
use rustc_hash::FxHashSet;

/// The least information of a new text that proves it applied: a closing bracket occurs everywhere.
const MIN_EVIDENCE: f32 = 0.5;

/// The least similarity of an old line, still to be changed.
const MIN_SIMILARITY: f32 = 0.85;

/// The lines searched on either side of a place, in addition to the new text's own number of lines.
const LINES_AROUND: usize = 6;

/// Returns the number of lines to search for a replacement on either side of a place.
pub(crate) fn reach(replacement: &str) -> usize {
    LINES_AROUND + full_lines(replacement).len()
}

/// A new text that is in the file.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    /// Its bytes.
    pub(crate) span: Range<usize>,
    /// Whether it has the same blanks there, apart from one indentation of all lines.
    pub(crate) has_blanks: bool,
}

/// Finds the lines of a new text at a place that a search found for the old one: all of them, one after the other, and
/// no line of the old text is beside them. `needle` has the lines of the old text.
pub(crate) fn at_place(
    search: &Search<'_>,
    needle: &Needle<'_>,
    place: &Place,
    [old, replacement]: [&str; 2],
) -> Option<Applied> {
    let index = &search.index;
    let lines = full_lines(replacement);
    let is_present = place.pairs.iter().map(|pair| needle.weight(pair) * pair.similarity).sum::<f32>() >= needle.total;
    if !is_evidence(search, &needle.lines, &lines) || !(is_present || have_common(&needle.lines, &lines)) {
        return None;
    }
    let (first, last) = place.lines();
    let reach = reach(replacement);
    let around = first.saturating_sub(reach)..(last + reach).min(index.lines.len());
    let is_old = |run: &(usize, usize)| {
        let mut outside = place.pairs.iter().filter(|pair| pair.right.start < run.0 || run.1 < pair.right.start);
        outside.any(|pair| pair.similarity >= MIN_SIMILARITY)
    };
    let (start, end) = search.equal_runs(&lines, around, 1).find(|run| !is_old(run))?;
    let span = index.lines[start].start..index.lines[end].end;
    // The whole old text is a place to edit, unless the edit adds lines, or changes blanks to those of the file.
    let is_whole = place.pairs.len() == needle.lines.len() && place.pairs.iter().all(|pair| pair.similarity >= 1.0);
    let file = Layout::of_lines(index.text, &span);
    let [old, new] = [old, replacement].map(Layout::of);
    // An edit of the width of steps is made if the file has the new width.
    let is_as_deep = file.depths() == new.depths() || file.depths() != old.depths();
    let has_blanks = is_as_deep && file.has(&new);
    let is_respaced = has_blanks && (!file.has(&old) || new.blank() > old.blank());
    let is_changed = needle.lines.len() < lines.len() || !is_whole || is_respaced;
    is_changed.then_some(Applied { span, has_blanks })
}

/// Returns whether a new text proves that the edit is made. If it only deletes lines, the others may occur beside any
/// similar block: they are proof if they occur once, and were not all at one end of the old text.
fn is_evidence(search: &Search<'_>, old: &[Line<'_>], new: &[Line<'_>]) -> bool {
    let keys = |lines: &[Line<'_>]| lines.iter().map(|line| line.key).collect::<Vec<Key>>();
    let (old, new) = (keys(old), keys(new));
    let of_old: FxHashSet<Key> = old.iter().copied().collect();
    let only_deletes = new.iter().all(|key| of_old.contains(key));
    if only_deletes && old != new && (old.starts_with(&new) || old.ends_with(&new)) {
        return false;
    }
    let count = |key: &Key| search.places.get(key).map_or(0, |found| found.count);
    let proofs = new.iter().filter(|key| !only_deletes || count(key) == 1);
    proofs.map(|key| information(*key)).sum::<f32>() >= MIN_EVIDENCE
}

/// The fewest words that old and new text of an edit which is made have in common, unless they have a line.
const MIN_COMMON_WORDS: usize = 3;

/// Returns whether two texts have a line in common, or several words, and a third of the shorter text. Else the new text
/// may be in the file for another reason.
fn have_common(old: &[Line<'_>], new: &[Line<'_>]) -> bool {
    let words = |lines: &[Line<'_>]| {
        lines
            .iter()
            .flat_map(|line| line.text.split(|c| !is_word(c)))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (ours, theirs) = (words(old), words(new));
    let of_old: FxHashSet<&String> = ours.iter().collect();
    let common = theirs.iter().filter(|word| of_old.contains(word)).count();
    let lines: FxHashSet<Key> = old.iter().map(|line| line.key).collect();
    new.iter().any(|line| lines.contains(&line.key))
        || (common >= MIN_COMMON_WORDS && 3 * common >= ours.len().min(theirs.len()))
}

/// The lines of a text, and the numbers of blank ones at its ends.
struct Layout<'t> {
    before: usize,
    rows: Vec<&'t str>,
    after: usize,
}

impl<'t> Layout<'t> {
    fn of(text: &'t str) -> Self {
        let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
        let before = lines.iter().take_while(|line| is_blank_text(line)).count();
        let after = lines[before..].iter().rev().take_while(|line| is_blank_text(line)).count();
        Self { before, rows: lines[before..lines.len() - after].to_vec(), after }
    }

    /// Returns the layout of some lines of a text, with the blank ones around them.
    fn of_lines(text: &'t str, at: &Range<usize>) -> Self {
        let before = text[..at.start].rsplit('\n').skip(1).take_while(|line| is_blank_text(line)).count();
        let after = text[at.end..].split('\n').skip(1).take_while(|line| is_blank_text(line)).count();
        Self { before, after, ..Self::of(&text[at.clone()]) }
    }

    /// Returns the number of blank lines.
    fn blank(&self) -> usize {
        self.before + self.after + self.rows.iter().filter(|row| is_blank_text(row)).count()
    }

    /// Returns the depths of the lines after the first, relative to the second.
    fn depths(&self) -> Vec<isize> {
        let rows = self.rows.iter().skip(1).filter(|row| !is_blank_text(row));
        let depths: Vec<isize> = rows.map(|row| leading(row).cast_signed()).collect();
        depths.iter().map(|depth| depth - depths[0]).collect()
    }

    /// Returns whether lines of the file have the blanks of a text, apart from one indentation of all lines and the width of
    /// its steps. The text may begin inside a line, and have fewer blank lines at its ends.
    fn has(&self, other: &Self) -> bool {
        let (file, new) = (self.depths(), other.depths());
        let mut steps = file.into_iter().zip(new).map(|(file, new)| [file, new]);
        let widest = steps.clone().max_by_key(|step| step[1].abs()).unwrap_or([1, 1]);
        let is_to_scale =
            |step: [isize; 2]| step[0] * widest[1] == step[1] * widest[0] && step[0].signum() == step[1].signum();
        other.before <= self.before
            && other.after <= self.after
            && self.rows.iter().map(|row| body(row)).eq(other.rows.iter().map(|row| body(row)))
            && steps.all(is_to_scale)
    }
}

/// Returns a line without its `\r`, and without its indentation if it is not blank.
fn body(line: &str) -> &str {
    let body = if is_blank_text(line) { line } else { trim_start(line) };
    body.trim_end_matches('\r')
}

/// Finds a new text around the old one at `old`, on whole lines and whole tokens, and returns its bytes.
///
/// The bytes beside the old text alone prove nothing: `import sys` is not there because `import sys_helper` is. Added
/// lines must be whole lines of the file, and added tokens whole tokens. One of them must be a word: brackets and blank
/// lines occur everywhere. An added line that ends a sequence of the file has the separator of the new text no more.
///
/// Cost: two comparisons of the new text for each old text in it.
pub(crate) fn around(haystack: &str, old: &Range<usize>, new: &str) -> Option<Range<usize>> {
    let item =
        new.trim_end_matches(is_blank).strip_suffix([',', ';', '\\']).map(|item| item.trim_end_matches(is_blank));
    let item = item.filter(|item| breaks(item) > breaks(&haystack[old.clone()]));
    let ends_sequence = |at: &Range<usize>| {
        let rest = haystack[at.end..].trim_start_matches(is_blank);
        rest.starts_with([')', ']', '}']) || (new.ends_with('\\') && !haystack[at.end..].starts_with(is_inline))
    };
    let found = verbatim(haystack, old, new).or_else(|| verbatim(haystack, old, item?).filter(ends_sequence))?;
    let added = [found.start..old.start, old.end..found.end].map(|added| &haystack[added]);
    added.iter().any(|added| added.contains(is_word)).then_some(found)
}

/// Finds a text around the old one at `old`, whole at both ends.
pub(crate) fn verbatim(haystack: &str, old: &Range<usize>, new: &str) -> Option<Range<usize>> {
    let text = &haystack[old.clone()];
    memmem::find_iter(new.as_bytes(), text).find_map(|offset| {
        let start = old.start.checked_sub(offset)?;
        let (before, after) = (&new[..offset], &new[offset + text.len()..]);
        let is_there = haystack.as_bytes()[start..].starts_with(new.as_bytes())
            && is_whole_before(haystack, start, before)
            && is_whole_after(&haystack[start + new.len()..], after, text);
        is_there.then_some(start..start + new.len())
    })
}

fn breaks(text: &str) -> usize {
    text.matches('\n').count()
}

/// Returns whether a text that the edit adds before the old one begins a line or a token of the file, at `start`. Marks
/// may be before it on the line.
fn is_whole_before(haystack: &str, start: usize, added: &str) -> bool {
    if added.contains('\n') {
        let line = &haystack[line_start(haystack, start)..start];
        return !line.contains(is_word) && (line.is_empty() || !added.starts_with(['\n', '\r']));
    }
    !(haystack[..start].ends_with(is_word) && added.starts_with(is_word))
}

/// Returns whether a text that the edit adds after the old one ends a line or a token of the file, before `rest`. Marks
/// may be after it on the line. A last line break of the new text is a blank line of the file, unless the old text has
/// it, too.
fn is_whole_after(rest: &str, added: &str, old: &str) -> bool {
    let line = &rest[..line_end(rest, 0)];
    if added.ends_with('\n') && !old.ends_with('\n') {
        return line.trim_end_matches('\r').is_empty();
    }
    if added.contains('\n') {
        return added.ends_with('\n') || !line.contains(is_word);
    }
    !(added.ends_with(is_word) && rest.starts_with(is_word))
}

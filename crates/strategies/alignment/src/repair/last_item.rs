//! Reads the last item of a sequence with the end that the file gives it.
//!
//! A separator belongs to the sequence, and not to the item: the last item often has none, whatever a needle has. The
//! needle gets the file's end, and so does the item that is the last one in the new text.
//!
//! ```text
//! file: [ "a"     ]
//! old:    "a",            new: "a",  "b",
//! read:   "a"             new: "a",  "b"
//! ```
//!
//! Nothing is read otherwise if the file's sequence has no separators, or if the new text does not separate the item from
//! the ones after it: then the mark is a slip like any other.

use std::borrow::Cow;

use fuzzy_core::Query;
use fuzzy_core::blank::{is_blank_text, leading};
use fuzzy_merge::{Line, Pair, align_while};
use rustc_hash::FxHashMap;

use super::item::Item;
use super::line::replace_lines;
use crate::needle::full_lines;
use crate::search::{Located, Search};
use crate::variants::Variant;

/// The most lines of the file between an item and the one before it.
const MAX_SIBLING_LINES: usize = 256;

/// Returns the variant with the file's ends of last items, and the lines of its place; none if they end as the needle's.
pub(super) fn repaired(
    search: &Search<'_>,
    query: &Query<'_>,
    located: &Located,
) -> Option<(Variant<'static>, (usize, usize))> {
    let variant = &search.variants[located.variant];
    let needle = full_lines(&variant.needle);
    let old = Items::of(&needle);
    let pairs = located.best.pairs.iter().filter(|pair| pair.is_one_to_one());
    let differing: Vec<LastItem<'_>> = pairs.filter_map(|pair| LastItem::of(search, located, &old, pair)).collect();
    if differing.is_empty() {
        return None;
    }
    let new = full_lines(&variant.replacement);
    let pairs = align_while(&needle, &new, false, &|| !query.is_over()).pairs;
    let rewrite = Rewrite { old, new: Items::of(&new), pairs };
    let (mut old_lines, mut new_lines) = (FxHashMap::default(), FxHashMap::default());
    let mut before = None;
    for item in &differing {
        match rewrite.becomes_last(item) {
            Some(Last::Line(line, new_item)) => {
                new_lines.insert(line, new_item.ended_as(&item.theirs, item.mark));
            }
            Some(Last::Before) => {
                let (at, sibling) = sibling(search, located.best.lines().0)?;
                let (marked, theirs) = (sibling.mark == Some(item.mark), item.theirs.mark == Some(item.mark));
                before = Some(at).filter(|_| marked && !theirs);
                before?;
            }
            None => continue,
        }
        old_lines.insert(item.ours_at, item.ours.ended_as(&item.theirs, item.mark));
    }
    if old_lines.is_empty() {
        return None;
    }
    let mut read = [replace_lines(&variant.needle, &old_lines), replace_lines(&variant.replacement, &new_lines)];
    let (mut first, last) = located.best.lines();
    if let Some(sibling) = before {
        // The item before the place is the last one now.
        let index = &search.index;
        let line = index.line(sibling);
        let between = &index.text[index.lines[sibling].end..index.lines[first].start];
        let ended = Item::of(line)?.ended_as(&differing[0].theirs, differing[0].mark);
        let is_joined = is_blank_text(&read[1]) && !read[0].ends_with('\n');
        let rest = if is_joined { "" } else { between };
        read = [[line, between, &read[0]].concat(), [&ended, rest, &read[1]].concat()];
        first = sibling;
    }
    let [needle, replacement] = read.map(Cow::Owned);
    Some((
        Variant { needle, replacement, undone: "separator of the last item", is_mixed: variant.is_mixed },
        (first, last),
    ))
}

/// The lines of a text that are not blank, as items: none for a comment.
struct Items<'l>(Vec<Option<Item<'l>>>);

impl<'l> Items<'l> {
    fn of(lines: &[Line<'l>]) -> Self {
        Self(lines.iter().map(|line| Item::of(line.text)).collect())
    }

    /// Returns the index of the next line of code after line `at`.
    fn after(&self, at: usize) -> Option<usize> {
        (at + 1..self.0.len()).find(|&next| self.0[next].is_some())
    }

    /// Returns the index of the line that closes the sequence of the items from line `start` on.
    fn closer_of(&self, start: usize) -> Option<usize> {
        let mut depth = 0;
        (start..self.0.len()).find(|&at| {
            let Some(item) = self.0[at] else { return false };
            let is_end = item.closes() && depth <= 0;
            depth += item.depth();
            is_end
        })
    }

    /// Returns the index of the last line of code before line `end`, with its item.
    fn before(&self, end: usize) -> Option<(usize, Item<'l>)> {
        (0..end).rev().find_map(|at| Some((at, self.0[at]?)))
    }
}

/// A last item of the needle that the file ends otherwise.
struct LastItem<'l> {
    ours_at: usize,
    ours: Item<'l>,
    theirs: Item<'l>,
    /// The mark that only one of the two has.
    mark: char,
    /// The needle's line after the sequence, if it has one.
    end: Option<usize>,
}

impl<'l> LastItem<'l> {
    /// Finds a last item among the paired lines.
    fn of(search: &'l Search<'_>, located: &Located, old: &Items<'l>, pair: &Pair) -> Option<Self> {
        let (ours_at, line) = (pair.left.start, pair.right.start);
        let (ours, theirs) = (old.0[ours_at]?, Item::of(search.index.line(line))?);
        let mark = ours.differing_mark(&theirs).filter(|_| !ours.is_truncated(&theirs))?;
        let count = search.index.lines.len();
        let next = (line + 1..count).find_map(|at| Some((at, Item::of(search.index.line(at))?)));
        let is_closed = next.is_some_and(|(_, next)| next.closes());
        let is_last = is_closed || next.is_some_and(|(_, next)| next.indentation() < theirs.indentation());
        let end = old.after(ours_at);
        // The needle must end, or have the end of the file's sequence.
        if let Some(end) = end {
            let is_pair = |pair: &Pair| pair.left.start == end && Some(pair.right.start) == next.map(|(at, _)| at);
            let both_close = is_closed && old.0[end]?.closes();
            if !is_last || !(both_close || located.best.pairs.iter().any(is_pair)) {
                return None;
            }
        }
        let sibling = sibling(search, line).map(|(_, item)| item.mark);
        let is_separated = match mark {
            _ if theirs.mark == Some(mark) => true,
            ',' => sibling.map_or(is_closed, |other| other == Some(mark)),
            ';' => is_closed && sibling == Some(Some(mark)),
            _ => true,
        };
        is_separated.then_some(Self { ours_at, ours, theirs, mark, end })
    }
}

/// Returns the file's item before the one on a line: the nearest line of the same depth that opens no bracket, or the
/// line that begins the sequence if it has an item.
fn sibling<'l>(search: &'l Search<'_>, line: usize) -> Option<(usize, Item<'l>)> {
    let depth = leading(search.index.line(line));
    for at in (0..line).rev().take(MAX_SIBLING_LINES) {
        let text = search.index.line(at);
        let Some(item) = Item::of(text) else { continue };
        if leading(text) < depth {
            return Some((at, item)).filter(|(_, item)| item.mark.is_some());
        }
        if leading(text) == depth && !item.opens() {
            return Some((at, item));
        }
    }
    None
}

/// The item that the edit makes the last one.
enum Last<'l> {
    /// One of the new text.
    Line(usize, Item<'l>),
    /// The one before the place.
    Before,
}

/// Needle and new text, aligned.
struct Rewrite<'l> {
    old: Items<'l>,
    new: Items<'l>,
    pairs: Vec<Pair>,
}

impl<'l> Rewrite<'l> {
    /// Returns the line of the new text for one of the needle.
    fn in_new(&self, old: usize) -> Option<usize> {
        let pair = self.pairs.iter().find(|pair| pair.left.start == old && pair.is_one_to_one());
        pair.map(|pair| pair.right.start)
    }

    /// Returns the item that is the last one in place of `item`; none if it still is, or if the new text does not say
    /// where the sequence ends.
    fn becomes_last(&self, item: &LastItem<'_>) -> Option<Last<'l>> {
        let same = self.in_new(item.ours_at);
        let before = same.or_else(|| (0..item.ours_at).rev().find_map(|at| self.in_new(at)));
        let closer = || self.new.closer_of(before.map_or(0, |line| line + 1));
        let end = match item.end {
            None => closer().unwrap_or(self.new.0.len()),
            Some(end) if self.old.0[end]?.closes() => closer()?,
            Some(end) => self.in_new(end)?,
        };
        let Some((line, last)) = self.new.before(end) else { return Some(Last::Before) };
        let may_end = !last.opens() && last.mark.is_none_or(|mark| mark == item.mark || item.mark == '\\');
        let is_separated = match same {
            // It still is the last one, with the needle's end.
            Some(same) if same == line => last.mark == item.ours.mark,
            Some(same) => self.new.0[same]?.mark == Some(item.mark),
            None if item.ours.mark == Some(item.mark) => true,
            None => {
                let old = self.pairs.iter().find(|pair| pair.right.contains(&line))?;
                last.mark.is_none() && self.old.0[old.left.start]?.mark == Some(item.mark)
            }
        };
        (may_end && is_separated).then_some(Last::Line(line, last))
    }
}

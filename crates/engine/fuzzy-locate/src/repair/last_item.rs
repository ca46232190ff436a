//! Reads the last item of a sequence with the end that the file gives it.
//!
//! An item ends with the separator, or with the end of the sequence: nothing, or another mark. Both belong to the
//! sequence, and not to the item, whatever a needle has. The needle gets the file's end, and so does the item that is
//! the last one in the new text. The items before it have separators.
//!
//! ```text
//! file: [ "a"     ]                          enum { A, B;      }
//! old:    "a",            new: "a",  "b",    old:      B,      new: B, C,
//! read:   "a"             new: "a",  "b"     read:     B;      new: B, C;
//! ```
//!
//! The file's items say which mark the separator is. A line without a mark is a part of an item, as are the strings of
//! a concatenation, if the needle has such a line before the item.
//!
//! Nothing is read otherwise if the file's sequence has no separators, or if the new text does not separate the item
//! from the ones after it: then the mark is a slip like any other.

use std::borrow::Cow;

use fuzzy_core::Query;
use fuzzy_core::blank::{is_blank_text, leading};
use fuzzy_merge::{Line, Pair, align_while};
use rustc_hash::FxHashMap;

use super::item::Item;
use super::line::replace_lines;
use crate::mechanisms::LAST_ITEM;
use crate::needle::full_lines;
use crate::search::{Located, Search};
use crate::variant::Variant;

/// The most lines of the file between an item and the one before it.
const MAX_SIBLING_LINES: usize = 256;

/// Returns the variant with the file's ends of last items, and the lines of its place; none if they end as the
/// needle's.
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
                new_lines.insert(line, new_item.ended_as(&item.theirs, item.separator));
            }
            Some(Last::Before) => {
                let (at, sibling) = sibling(search, located.best.lines().0, |_| false)?;
                before = Some(at).filter(|_| sibling.has(item.separator) && !item.theirs.has(item.separator));
                before?;
            }
            None => continue,
        }
        old_lines.insert(item.ours_at, item.ours.ended_as(&item.theirs, item.separator));
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
        let ended = Item::of(line)?.ended_as(&differing[0].theirs, differing[0].separator);
        let is_joined = is_blank_text(&read[1]) && !read[0].ends_with('\n');
        let rest = if is_joined { "" } else { between };
        read = [[line, between, &read[0]].concat(), [&ended, rest, &read[1]].concat()];
        first = sibling;
    }
    let [needle, replacement] = read.map(Cow::Owned);
    Some((Variant { needle, replacement, slip: Some(&LAST_ITEM), is_mixed: variant.is_mixed }, (first, last)))
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
    /// The mark between the items of the sequence.
    separator: char,
    /// The needle's line after the sequence, if it has one.
    end: Option<usize>,
}

impl<'l> LastItem<'l> {
    /// Finds a last item among the paired lines.
    fn of(search: &'l Search<'_>, located: &Located, old: &Items<'l>, pair: &Pair) -> Option<Self> {
        let (ours_at, line) = (pair.left.start, pair.right.start);
        let (ours, theirs) = (old.0[ours_at]?, Item::of(search.index.line(line))?);
        if ours.mark == theirs.mark || ours.is_truncated(&theirs) {
            return None;
        }
        let count = search.index.lines.len();
        let next = (line + 1..count).find_map(|at| Some((at, Item::of(search.index.line(at))?)));
        let is_closed = next.is_some_and(|(_, next)| next.closes());
        // The needle has several lines of an item, too.
        let is_continued = |(_, before): (usize, Item<'_>)| {
            before.mark.is_none() && !before.opens() && before.indentation() == ours.indentation()
        };
        let has_parts = ours.has(',') && old.before(ours_at).is_some_and(is_continued);
        let is_part = |item: &Item<'_>| has_parts && item.mark.is_none();
        let sibling = sibling(search, line, is_part).map(|(_, item)| item);
        let separator = separator(&ours, &theirs, is_closed, sibling.as_ref())?;
        let end = old.after(ours_at);
        // The item before lacks its mark, too: the needle has no separators.
        let lacks = |(at, before): (usize, Item<'_>)| {
            let pair = located.best.pairs.iter().find(|pair| pair.is_one_to_one() && pair.left.start == at);
            let file = pair.and_then(|pair| Item::of(search.index.line(pair.right.start)));
            before.mark.is_none() && file.is_some_and(|file| file.has(separator))
        };
        if theirs.has(separator) && ours.mark.is_none() && old.before(ours_at).is_some_and(lacks) {
            return None;
        }
        let item = Self { ours_at, ours, theirs, separator, end };
        let is_less = |(_, next): (usize, Item<'_>)| next.indentation() < theirs.indentation();
        let is_last = item.has_end_mark() || is_closed || next.is_some_and(is_less);
        // The needle must end, or have the end of the file's sequence.
        if let Some(end) = end {
            let is_pair = |pair: &Pair| pair.left.start == end && Some(pair.right.start) == next.map(|(at, _)| at);
            let both_close = is_closed && old.0[end]?.closes();
            if !is_last || !(both_close || located.best.pairs.iter().any(is_pair)) {
                return None;
            }
        }
        Some(item)
    }

    /// Returns whether the file ends the sequence with another mark than the separator.
    fn has_end_mark(&self) -> bool {
        self.separator != '\\' && self.theirs.mark.is_some_and(|mark| mark != self.separator)
    }
}

/// Returns the mark between the items of the file's sequence; none if its items have none. `sibling` is the file's item
/// before this one.
fn separator(ours: &Item<'_>, theirs: &Item<'_>, is_closed: bool, sibling: Option<&Item<'_>>) -> Option<char> {
    if ours.has('\\') || theirs.has('\\') {
        return Some('\\');
    }
    let has_comma = ours.has(',') || theirs.has(',');
    let has_semicolon = ours.has(';') || theirs.has(';');
    match sibling.map(|item| item.mark) {
        Some(Some(',')) => Some(','),
        _ if has_comma && has_semicolon => None,
        _ if theirs.mark.is_some() => theirs.mark,
        Some(Some(';')) => Some(';').filter(|_| has_semicolon && is_closed),
        None => Some(',').filter(|_| has_comma && is_closed),
        _ => None,
    }
}

/// Returns the file's item before the one on a line: the nearest line of the same depth that opens no bracket, or the
/// line that begins the sequence if it has an item. Lines that are parts of an item are no items.
fn sibling<'l>(search: &'l Search<'_>, line: usize, is_part: impl Fn(&Item<'_>) -> bool) -> Option<(usize, Item<'l>)> {
    let depth = leading(search.index.line(line));
    for at in (0..line).rev().take(MAX_SIBLING_LINES) {
        let text = search.index.line(at);
        let Some(item) = Item::of(text) else { continue };
        if leading(text) < depth {
            return Some((at, item)).filter(|(_, item)| item.mark.is_some());
        }
        if leading(text) == depth && !item.opens() && !is_part(&item) {
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
        let is_end = |mark| mark == item.separator || [item.ours.mark, item.theirs.mark].contains(&Some(mark));
        let may_end = !last.opens() && (item.separator == '\\' || last.mark.is_none_or(is_end));
        let is_separated = match same {
            // It still is the last one, with the needle's end or the file's mark.
            Some(same) if same == line => last.mark == item.ours.mark || item.has_end_mark(),
            Some(same) => self.new.0[same]?.has(item.separator),
            None if item.ours.has(item.separator) || item.has_end_mark() => true,
            None => {
                let old = self.pairs.iter().find(|pair| pair.right.contains(&line))?;
                last.mark == item.ours.mark && self.old.0[old.left.start]?.has(item.separator)
            }
        };
        (may_end && is_separated).then_some(Last::Line(line, last))
    }
}

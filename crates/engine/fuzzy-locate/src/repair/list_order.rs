//! Reads a list in the order that the file gives its items: a formatter sorts them.
//!
//! The needle gets the file's list, and the new text the file's list without the items that the edit deletes. A list
//! with other items, or to which the edit adds any, is not read otherwise: only the author knows their place.
//!
//! ```text
//! file: use io::{Read, Seek, Write}
//! old:  use io::{Seek, Read, Write}    new: use io::{Seek, Write}
//! read: use io::{Read, Seek, Write}    new: use io::{Seek, Write}
//! ```

use std::borrow::Cow;
use std::ops::Range;

use fuzzy_core::blank::is_blank;
use fuzzy_merge::{Brackets, equal_but_blanks, is_word};

use crate::mechanisms::LIST_ORDER;
use crate::search::{Located, Search};
use crate::variant::Variant;

/// Returns the variant with the file's order of items; none without a list of the place in another order.
pub(super) fn repaired(search: &Search<'_>, located: &Located) -> Option<Variant<'static>> {
    let variant = &search.variants[located.variant];
    let (old, new) = (&*variant.needle, &*variant.replacement);
    let file = &search.index.text[search.span(&located.best)];
    if equal_but_blanks(file, old) {
        return None;
    }
    let (old_lists, file_lists, new_lists) = (lists(old), lists(file), lists(new));
    let mut edits = [Vec::new(), Vec::new()];
    for list in old_lists.iter().filter(|list| list.items.len() > 1) {
        let mut reordered = file_lists.iter().filter(|theirs| list.is_reordered(old, theirs, file));
        let (Some(theirs), None) = (reordered.next(), reordered.next()) else { continue };
        let mut shortened = new_lists.iter().filter(|shorter| list.is_shortened(old, shorter, new));
        let (Some(shorter), None) = (shortened.next(), shortened.next()) else { return None };
        edits[0].push((list.inner.clone(), file[theirs.inner.clone()].to_owned()));
        edits[1].push((shorter.inner.clone(), theirs.without_others(file, shorter, new)));
    }
    if edits[0].is_empty() {
        return None;
    }
    let [old_edits, new_edits] = edits;
    Some(Variant {
        needle: Cow::Owned(replaced(old, old_edits)?),
        replacement: Cow::Owned(replaced(new, new_edits)?),
        slip: Some(&LIST_ORDER),
        is_mixed: variant.is_mixed,
    })
}

/// A list in brackets.
struct List {
    /// The bytes between the brackets.
    inner: Range<usize>,
    /// The bytes of each item, without the blanks around it.
    items: Vec<Range<usize>>,
}

impl List {
    /// Returns whether the other text's list has the same items in another order.
    fn is_reordered(&self, text: &str, other: &Self, other_text: &str) -> bool {
        let (ours, theirs) = (self.texts(text), other.texts(other_text));
        let sorted = |mut items: Vec<String>| {
            items.sort_unstable();
            items
        };
        let is_same_bracket = text.as_bytes()[self.inner.end] == other_text.as_bytes()[other.inner.end];
        is_same_bracket && ours != theirs && sorted(ours) == sorted(theirs)
    }

    /// Returns whether the other text's list has the same head and end, and these items without some of them.
    fn is_shortened(&self, text: &str, other: &Self, other_text: &str) -> bool {
        let (ours, theirs) = (self.texts(text), other.texts(other_text));
        let mut rest = ours.iter();
        let is_part = theirs.iter().all(|item| rest.any(|other| other == item));
        (1..ours.len()).contains(&theirs.len())
            && is_part
            && equal_but_blanks(self.head(text), other.head(other_text))
            && equal_but_blanks(self.end(text), other.end(other_text))
    }

    /// Returns the text of the line before the list.
    fn head<'t>(&self, text: &'t str) -> &'t str {
        let before = &text[..self.inner.start];
        before.rsplit('\n').next().unwrap_or(before)
    }

    /// Returns the text after the last item.
    fn end<'t>(&self, text: &'t str) -> &'t str {
        &text[self.items.last().map_or(self.inner.start, |item| item.end)..self.inner.end]
    }

    /// Returns the items without their blanks.
    fn texts(&self, text: &str) -> Vec<String> {
        let squeezed = |item: &Range<usize>| text[item.clone()].chars().filter(|&c| !is_blank(c)).collect();
        self.items.iter().map(squeezed).collect()
    }

    /// Returns the text between the brackets with only the items that another list has, too.
    fn without_others(&self, text: &str, other: &Self, other_text: &str) -> String {
        let kept_texts = other.texts(other_text);
        let kept: Vec<usize> = self
            .texts(text)
            .iter()
            .enumerate()
            .filter(|(_, item)| kept_texts.contains(item))
            .map(|(at, _)| at)
            .collect();
        let start = self.items.first().map_or(self.inner.end, |item| item.start);
        let mut shorter = text[self.inner.start..start].to_owned();
        for (number, &at) in kept.iter().enumerate() {
            shorter.push_str(&text[self.items[at].clone()]);
            if number + 1 < kept.len() {
                shorter.push_str(&text[self.items[at].end..self.items[at + 1].start]);
            }
        }
        shorter.push_str(self.end(text));
        shorter
    }
}

/// Returns the lists of a text, except the arguments of calls: their order has a meaning.
fn lists(text: &str) -> Vec<List> {
    let mut found = Vec::new();
    // The first byte after each open bracket, and the commas since.
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    Brackets::default().read(text, |at, c| match c {
        '(' | '[' | '{' => open.push((at + 1, Vec::new())),
        ',' => open.last_mut().into_iter().for_each(|(_, commas)| commas.push(at)),
        ')' | ']' | '}' => {
            if let Some((start, commas)) = open.pop() {
                let is_call = c == ')' && text[..start - 1].ends_with(is_word);
                found.extend((!is_call).then(|| list(text, start..at, &commas)));
            }
        }
        _ => {}
    });
    found
}

/// Splits the text between two brackets at its commas.
fn list(text: &str, inner: Range<usize>, commas: &[usize]) -> List {
    let starts = [inner.start].into_iter().chain(commas.iter().map(|comma| comma + 1));
    let parts = starts.zip(commas.iter().copied().chain([inner.end]));
    let trimmed = parts.filter_map(|(start, end)| {
        let part = &text[start..end];
        let item = part.trim_matches(is_blank);
        let start = start + part.len() - part.trim_start_matches(is_blank).len();
        (!item.is_empty()).then(|| start..start + item.len())
    });
    List { items: trimmed.collect(), inner }
}

/// Replaces parts of a text; none if one of them contains another.
fn replaced(text: &str, mut edits: Vec<(Range<usize>, String)>) -> Option<String> {
    edits.sort_unstable_by_key(|(part, _)| part.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (part, other) in edits {
        out.push_str(text.get(at..part.start)?);
        out.push_str(&other);
        at = part.end;
    }
    out.push_str(&text[at..]);
    Some(out)
}

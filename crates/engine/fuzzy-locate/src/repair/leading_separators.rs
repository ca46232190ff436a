//! Reads a sequence with its separators before the items, where the file has them there.
//!
//! The comma that ends a line of a needle moves to the beginning of the next item, in both texts: at the depth of the
//! file's commas. The last item has none then. Texts that have commas on both sides themselves are not read otherwise.
//!
//! ```text
//! file:  ( eval        old:  ( eval,          new:  ( eval,
//!        , Expr                Expr,                  size,
//!        ) where             ) where                  Expr,
//!                                                   ) where
//! read:                      ( eval                 ( eval
//!                            , Expr                 , size
//!                            ) where                , Expr
//!                                                   ) where
//! ```

use std::borrow::Cow;

use fuzzy_core::blank::{is_blank, leading};
use fuzzy_merge::Line;

use super::item::Item;
use crate::mechanisms::LEADING_SEPARATORS;
use crate::needle::full_lines;
use crate::search::{Located, Search};
use crate::variant::Variant;

/// Returns the variant with the separators before the items; none if the file or the needle has them elsewhere.
pub(super) fn repaired(search: &Search<'_>, located: &Located) -> Option<Variant<'static>> {
    let variant = &search.variants[located.variant];
    let needle = full_lines(&variant.needle);
    let pairs = located.best.pairs.iter().filter(|pair| pair.is_one_to_one());
    let mut moved = pairs.map(|pair| (pair.left.start, search.index.line(pair.right.start)));
    let (at, theirs) = moved.find(|(at, theirs)| has_comma(theirs) && follows_comma(&needle, *at))?;
    let style = Style { before: before_item(theirs), depth: leading(needle[at].text) };
    let read = [&variant.needle, &variant.replacement].map(|text| style.read(text));
    let [Some(needle), Some(replacement)] = read else { return None };
    Some(Variant {
        needle: Cow::Owned(needle),
        replacement: Cow::Owned(replacement),
        slip: Some(&LEADING_SEPARATORS),
        is_mixed: variant.is_mixed,
    })
}

/// How the file separates items, and the needle indents them.
struct Style<'t> {
    /// The file's text before an item: the indentation, the comma and a blank.
    before: &'t str,
    /// The bytes of the needle's indentation of an item.
    depth: usize,
}

impl Style<'_> {
    /// Returns a text with the separators before the items; none if a line has one there already.
    fn read(&self, text: &str) -> Option<String> {
        let lines = full_lines(text);
        if lines.iter().any(|line| has_comma(line.text)) {
            return None;
        }
        let mut read = String::with_capacity(text.len());
        let mut written = 0;
        for (at, line) in lines.iter().enumerate() {
            let start = line.text.as_ptr().addr() - text.as_ptr().addr();
            read.push_str(&text[written..start]);
            written = start + line.text.len();
            let (item, follows) = (Item::of(line.text), follows_comma(&lines, at));
            let next = (at + 1..lines.len()).find_map(|next| Item::of(lines[next].text));
            let is_last = next.is_none_or(|next| next.closes() || next.indentation() == self.depth);
            let text = match item {
                Some(item) if item.has(',') && is_last => item.without_mark(),
                _ => line.text.to_owned(),
            };
            let is_moved = follows && leading(line.text) == self.depth && item.is_some_and(|item| !item.closes());
            read.push_str(if is_moved { self.before } else { "" });
            read.push_str(if is_moved { text.trim_start_matches(is_blank) } else { &text });
        }
        read.push_str(&text[written..]);
        Some(read)
    }
}

/// Returns whether a line begins with a comma and an item.
fn has_comma(line: &str) -> bool {
    let rest = line.trim_start_matches(is_blank).strip_prefix(',');
    rest.is_some_and(|rest| !rest.chars().all(is_blank))
}

/// Returns the text of a line before its item, with the comma.
fn before_item(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(|c| c == ',' || is_blank(c)).len()]
}

/// Returns whether the item before a line ends with a comma.
fn follows_comma(lines: &[Line<'_>], at: usize) -> bool {
    let before = lines[..at].iter().rev().find_map(|line| Item::of(line.text));
    before.is_some_and(|item| item.has(','))
}

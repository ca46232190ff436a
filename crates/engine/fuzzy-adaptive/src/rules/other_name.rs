//! The block of the old text declares another name than the place's.
//!
//! The place is a sibling of the intended block, which the file may have elsewhere, or not any more. A typing error,
//! another letter case and a plural are no other name, unless the file has the name elsewhere.
//!
//! Example: file `def load_user(id):  check(id)  return find(id)`, old `def load_team(id):  check(id)  return find(id)`,
//! new `def load_team(id):  return find(id)`.

use fuzzy_locate::{Needle, Place, Search};
use fuzzy_merge::{Kind, Rule};
use memchr::memmem;

use crate::blocks::Lines;
use crate::declared::{declared, is_longer, is_spelling_variant, is_word};
use crate::siblings::{Names, names};

/// The least similarity of a line and its clear copy.
const MIN_CLEAR_SIMILARITY: f32 = 0.85;

pub(crate) static RULE: Rule = Rule {
    name: "other-name",
    kind: Kind::Place,
    why: "the block of the place declares another name than that of the old text",
};

/// Returns the name that a line of the needle declares, and the other one that its line of the file does.
pub(crate) fn check<'s>(search: &'s Search<'_>, needle: &'s Needle<'_>, place: &Place) -> Option<Names<'s>> {
    let index = &search.index;
    let paired = place.pairs.iter().filter(|pair| pair.is_one_to_one() && pair.similarity < 1.0);
    let mut heads = paired.map(|pair| (pair.left.start, pair.right.start)).chain(lost_head(search, needle, place));
    heads.find_map(|(ours, theirs)| {
        let both = needle.heads_block(ours) && index.heads_block(theirs);
        let declared = declared(needle.lines[ours].text).zip(declared(index.line(theirs))).filter(|_| both);
        let declared = declared.map(|(ours, theirs)| Names { ours, theirs });
        declared.filter(|names| is_other(index.text, names.ours, names.theirs)).or_else(|| {
            names(index, needle, ours, theirs).filter(|&Names { ours, theirs }| {
                is_other(index.text, ours, theirs) && (!is_longer(ours, theirs) || has_name(index.text, ours))
            })
        })
    })
}

/// Returns the line right before the first one with a clear copy, if it begins the block of this in the needle, with the
/// line of the file that does.
fn lost_head(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> Option<(usize, usize)> {
    let first = place.pairs.iter().find(|pair| pair.similarity >= MIN_CLEAR_SIMILARITY)?;
    let above = first.left.start.checked_sub(1)?;
    let is_head = needle.depth(above) < needle.depth(first.left.start) && !needle.lines[above].elision;
    Some((above, search.index.head(first.right.start)?)).filter(|_| is_head)
}

/// Returns whether a name is no spelling of another one, or is a name of the file, too.
fn is_other(file: &str, ours: &str, theirs: &str) -> bool {
    ours != theirs && (!is_spelling_variant(ours, theirs) || has_name(file, ours))
}

/// Returns whether a file has a name that is no part of a longer one.
fn has_name(file: &str, name: &str) -> bool {
    memmem::find_iter(file.as_bytes(), name)
        .any(|at| !file[..at].ends_with(is_word) && !file[at + name.len()..].starts_with(is_word))
}

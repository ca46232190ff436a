//! A line of the old text would begin or end inside a word of the file, or inside a name with joined parts.
//!
//! The file's line is another one, whose name ends with that of the old text's: no repair completes a word. A name with
//! a mark that joins counts if a line elsewhere has the rest of it as its own.
//!
//! Example: file `read_timeout: 10  timeout: 30`, old `timeout: 10`, new `timeout: 20`.

use fuzzy_merge::{Kind, Rule};
use fuzzy_search::{Needle, Place, Search, is_torn};

pub(crate) static RULE: Rule = Rule {
    name: "torn-word",
    kind: Kind::Place,
    why: "a line of the old text begins or ends inside a word of the file",
};

/// Returns whether a line of the needle is a part of its line of the file that begins inside a name, and another line has
/// its own name.
pub(crate) fn check(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> bool {
    let mut differing = place.pairs.iter().filter(|pair| pair.is_one_to_one() && pair.similarity < 1.0);
    differing
        .any(|pair| is_torn(search.index.text, needle.lines[pair.left.start].text, search.index.line(pair.right.start)))
}

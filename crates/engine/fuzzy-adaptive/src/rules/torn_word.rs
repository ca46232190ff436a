//! A line of the old text would begin or end inside a word of the file, or inside a name with joined parts.
//!
//! The file's line is another one, whose name ends with that of the old text's: no repair completes a word. A name with
//! a mark that joins counts if a line elsewhere has the rest of it as its own.
//!
//! Example: file `read_timeout: 10  timeout: 30`, old `timeout: 10`, new `timeout: 20`.

use fuzzy_locate::{Needle, Place, Search, is_torn};
use fuzzy_merge::{Kind, Rule};

use crate::blocks::LinePair;

pub(crate) static RULE: Rule = Rule {
    name: "torn-word",
    kind: Kind::Place,
    why: "a line of the old text begins or ends inside a word of the file",
};

/// Returns a line of the needle that is a part of its line of the file and begins inside a name there, if another line has
/// its own name.
pub(crate) fn check(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> Option<LinePair> {
    let differing = place.pairs.iter().filter(|pair| pair.is_one_to_one() && pair.similarity < 1.0);
    let mut lines = differing.map(|pair| LinePair { ours: pair.left.start, theirs: pair.right.start });
    let index = &search.index;
    lines.find(|lines| is_torn(index.text, needle.lines[lines.ours].text, index.line(lines.theirs)))
}

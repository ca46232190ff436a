//! The lines that the old text was copied from have changed or are gone, as an earlier text of the file shows.
//!
//! Where the old text occurs now, or something that resembles it, is another place.
//!
//! Example: file `a(1)  c()  a(2)`, where the earlier text was `c()  a(1)`, old `a(1)`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "changed-since",
    kind: Kind::Place,
    why: "the lines that the old text was copied from have changed since",
};

//! The new text shares a slip with the old text, such as escapes, and a line of it leaves open whether it has the slip.
//!
//! The line has escaped and plain characters, or is the only one of its own kind.
//!
//! Example: file `log("\t a")`, old `log("\\t a")`, new `log("\t b \\t")`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "mixed-escapes",
    kind: Kind::Guess,
    why: "a line of the new text leaves open whether it is escaped like the old text",
};

//! The old text has escapes that the place lacks, and its lines do not agree on how to undo them.
//!
//! Example: file `log("\t a")`, old `log("\\t a")`, new `log("\t b \\t")`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "mixed-escapes", kind: Kind::Guess, why: "the lines of the old text are escaped in different ways" };

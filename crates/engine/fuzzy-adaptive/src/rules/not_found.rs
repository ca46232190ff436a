//! No place of the file resembles the old text, or the old text is blank.
//!
//! Example: file `a()`, old `unrelated(words)`, new `x()`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "not-found", kind: Kind::Place, why: "no place of the file resembles the old text" };

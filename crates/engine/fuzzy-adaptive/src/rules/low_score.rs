//! The place is not likely enough to be the intended one: see the report's score.
//!
//! Example: file `[users]  width = 1  [jobs]  width = 1`, old `[doors]  width=1`, new `[doors]  width=2`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "low-score", kind: Kind::Place, why: "the place is not likely enough to be the intended one" };

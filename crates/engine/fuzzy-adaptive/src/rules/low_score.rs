//! The place is not likely enough to be the intended one: see [`Model`](crate::Model) and the report's score.
//!
//! Example: file `let total = count(items) + tax;`, old `let sum = count(things) + duty;`, new `let sum = 0;`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "low-score", kind: Kind::Place, why: "the place is not likely enough to be the intended one" };

//! The texts are too long to be merged, or merging them would take longer than the caller allows.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "not-mergeable", kind: Kind::Guess, why: "the texts are too long to be merged in the given time" };

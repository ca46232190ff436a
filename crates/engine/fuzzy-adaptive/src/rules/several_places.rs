//! The old text occurs at several places, and neither whole lines nor a line number choose one.
//!
//! Example: file `go()  go()`, old `go()`, new `halt()`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "several-places", kind: Kind::Place, why: "the old text occurs at several places" };

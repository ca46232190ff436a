//! Two of the places that are to be replaced everywhere overlap.
//!
//! ```text
//! file: a()  a()  a()    replace all of: a()  a()
//! ```

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "overlapping-places", kind: Kind::Guess, why: "two of the places to replace overlap" };

//! Two of the places that are to be replaced everywhere overlap.
//!
//! ```text
//! file: a blank line, `  go()`, a blank line, `  go()`, a blank line
//! replace all of: a blank line, `go()`, a blank line
//! ```

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "overlapping-places", kind: Kind::Guess, why: "two of the places to replace overlap" };

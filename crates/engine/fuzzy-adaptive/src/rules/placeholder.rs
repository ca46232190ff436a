//! The new text has a placeholder such as `// ... rest unchanged` that the old text lacks.
//!
//! The placeholder would be written into the file, whether the old text occurs exactly or not. A line that the file has,
//! too, is a comment like any other.
//!
//! Example: file `a()  b()  c()`, old `a()`, new `a()  // ... rest unchanged`.

use fuzzy_core::Query;
use fuzzy_merge::{Kind, Rule, adds_placeholder};

pub(crate) static RULE: Rule =
    Rule { name: "placeholder", kind: Kind::Guess, why: "the new text has a placeholder that the old text lacks" };

/// Checks the new text of an exact old one; the merge checks the others.
pub(crate) fn check(query: &Query<'_>, new: &str) -> bool {
    adds_placeholder(query.text(), query.old(), new)
}

//! Another place explains the old text as well as the best one.
//!
//! The edit would land at a place by chance.
//!
//! Example: file `[web]  timeout = 30  [jobs]  timeout = 30`, old `timeout=30`, new `timeout=60`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "equal-place", kind: Kind::Place, why: "another place explains the old text as well" };

/// Returns whether the lead of the best place over the next one is no lead.
pub(crate) fn check(lead: Option<f32>) -> bool {
    lead.is_some_and(|lead| lead < fuzzy_locate::TIE)
}

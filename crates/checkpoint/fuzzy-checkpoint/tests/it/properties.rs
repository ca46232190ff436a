//! Random edits: after any edits between two captures, a restore brings back the first state, and its undo the second.

use crate::random;
use crate::support::Lab;

#[test]
fn restores_and_undos_are_exact() {
    random::with_edits(60, |before, after| {
        let lab = Lab::new();
        // Each of thousands of cases would take a second longer.
        lab.unchecked();
        random::check(&lab, before, after);
    });
}

//! Random edits: whatever happens between two captures, a restore gives the first state back and an undo the second.

use crate::random;
use crate::support::Lab;

#[test]
fn restore_and_undo_give_every_state_back() {
    random::with_edits(200, |before, after| random::check(&Lab::new(), before, after));
}

//! The merged text is the file's own, and nearer to the old text than to the new one.
//!
//! The file lacks what the edit changes, so that nothing is left to write.
//!
//! Example: file `retry(3); // at most`, old `retry(3, timeout);`, new `retry(3);`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "no-change",
    kind: Kind::Guess,
    why: "the merged text is what the file has already, and not what the edit would leave",
};

//! The edit keeps a word on a line that it changes, and the file lacks that word.
//!
//! The merged line would lack it, too: the edit is about another line.
//!
//! ```text
//! file: start(server)
//! old:  start(server, port)     new: run(server, port)
//! ```

use crate::merge::Merge;
use crate::outcome::Kind;
use super::{Check, Checked};
use crate::align::column::ColumnKind;

pub(super) const RULE: Checked = Checked::new(
    "lost-word",
    Kind::Absent,
    "the file lacks a word that the edit keeps on a changed line",
    Check::Merge(check),
);

fn check(merge: &Merge<'_, '_>) -> bool {
    let texts = merge.texts;
    let words = texts.old.words(0..texts.old.len());
    let mut lost = words.filter(|&word| texts.kind_of_old(word) == ColumnKind::SharedSlip);
    lost.any(|word| texts.is_on_touched_line(word))
}

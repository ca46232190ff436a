//! The file lacks a word that the edit keeps on a changed line.
//!
//! The merged line would lack it, too: the edit is for another line.
//!
//! Example: file `start(server)`, old `start(server, port)`, new `run(server, port)`.

use crate::merge::Merge;

use super::{Part, part};

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let texts = merge.texts;
    let words = texts.old.words(0..texts.old.len());
    let mut lost = words.filter(|&word| texts.old_to_file[word].is_none() && texts.is_kept(word));
    let lost = lost.find(|&word| texts.is_on_touched_line(word))?;
    Some(part([None, Some(lost), texts.old_to_new[lost]]))
}

//! The body of a block of the old text is in a sibling block in the file.
//!
//! The old text has the head of one block and the body of the other.
//!
//! Example: file `def load(a):  pass  def load(b):      return b`, old `def load(a):      return b`, new `def
//! load(a):      return c`.

use crate::align::three_way::Texts;
use crate::merge::Merge;
use crate::text::words::MIN_CHANGED_LIKENESS;
use crate::text::words::likeness;

pub(super) fn check(merge: &Merge<'_, '_>) -> bool {
    let old = &merge.texts.old;
    let lines: Vec<usize> = old.line_starts(0..old.len()).collect();
    lines.windows(2).any(|pair| leaves_block(merge.texts, pair[0], pair[1]))
}

/// Returns whether the file has a similar head between a head and the body that the old text has right after it.
fn leaves_block(texts: &Texts<'_>, head: usize, body: usize) -> bool {
    let (file, old) = (&texts.file, &texts.old);
    let (Some(from), Some(to)) = (texts.old_to_file[head], texts.old_to_file[body]) else { return false };
    if old.indent(body).len() <= old.indent(head).len() || !file.opens_line(from) {
        return false;
    }
    let depth = file.indent(from).len();
    let text = old.line_text(old.line_of(head)).trim();
    let between = file.line_starts(from + 1..to).filter(|&token| file.indent(token).len() <= depth);
    let mut unknown = between.filter(|&token| texts.is_unknown(token));
    unknown.any(|token| likeness(text, file.line_text(file.line_of(token)).trim()) >= MIN_CHANGED_LIKENESS)
}

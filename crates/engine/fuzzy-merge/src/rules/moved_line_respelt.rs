//! The edit moves a line that the file spells otherwise than the old text.
//!
//! The file's spelling would be lost.
//!
//! Example: file `first,  second,`, old `first  second,`, new `second,  first`.

use rustc_hash::FxHashSet;

use crate::align::three_way::Texts;
use crate::merge::Merge;
use crate::text::normalize::equal_but_blanks;
use crate::write::Written;

pub(super) fn check(merge: &Merge<'_, '_>, written: &Written) -> bool {
    let texts = merge.texts;
    let mut moved = (0..texts.old.lines()).filter_map(|line| respelt(texts, line)).peekable();
    if moved.peek().is_none() {
        return false;
    }
    let [new, text] =
        [texts.new.text, &written.text].map(|text| text.split('\n').map(str::trim).collect::<FxHashSet<_>>());
    moved.any(|(old, file)| new.contains(old.trim()) && !text.contains(file.trim()))
}

/// Returns a line of the old text that the edit deletes as a whole, and the file's, if they differ in more than blanks.
fn respelt<'t>(texts: &Texts<'t>, line: usize) -> Option<(&'t str, &'t str)> {
    let tokens = texts.old.on_line(line);
    if tokens.is_empty() || tokens.clone().any(|token| texts.is_kept(token)) {
        return None;
    }
    let on_line = texts.file.line_of(texts.old_to_file[tokens.start]?);
    if !on_line.contains(&texts.old_to_file[tokens.end - 1]?) {
        return None;
    }
    let (old, file) = (texts.old.line_text(tokens), texts.file.line_text(on_line));
    (!equal_but_blanks(old, file)).then_some((old, file))
}

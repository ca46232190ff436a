//! Finds lines that an edit moves and that the file does not have as the old text has them.

use rustc_hash::FxHashSet;

use crate::align::three_way::Texts;
use crate::text::normalize::equal_but_blanks;

/// Returns whether what is written lacks a line of the file that the edit moves, and that old text and new text have
/// otherwise.
pub(crate) fn lacks_moved_line(texts: &Texts<'_>, written: &str) -> bool {
    let mut moved = (0..texts.old.lines()).filter_map(|line| respelt(texts, line)).peekable();
    if moved.peek().is_none() {
        return false;
    }
    let [new, written] =
        [texts.new.text, written].map(|text| text.split('\n').map(str::trim).collect::<FxHashSet<_>>());
    moved.any(|(ours, theirs)| new.contains(ours.trim()) && !written.contains(theirs.trim()))
}

/// Returns a line of the old text that the edit takes away as a whole, and the file's line for it, if they differ in more
/// than blanks.
fn respelt<'t>(texts: &Texts<'t>, line: usize) -> Option<(&'t str, &'t str)> {
    let tokens = texts.old.on_line(line);
    if tokens.is_empty() || tokens.clone().any(|token| texts.is_kept(token)) {
        return None;
    }
    let on_line = texts.file.line_of(texts.old_to_file[tokens.start]?);
    if !on_line.contains(&texts.old_to_file[tokens.end - 1]?) {
        return None;
    }
    let (ours, theirs) = (texts.old.line_text(tokens), texts.file.line_text(on_line));
    (!equal_but_blanks(ours, theirs)).then_some((ours, theirs))
}

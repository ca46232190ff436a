//! The edit moves a line that the file spells otherwise than the old text.
//!
//! The file's spelling would be lost.
//!
//! Example: file `first,  second,`, old `first  second,`, new `second,  first`.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::align::three_way::Texts;
use crate::merge::Merge;
use crate::text::normalize::equal_but_blanks;
use crate::write::Written;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>, written: &Written) -> Option<Part> {
    let texts = merge.texts;
    let mut moved = (0..texts.old.lines()).filter_map(|line| respelt(texts, line)).peekable();
    moved.peek()?;
    let [new, text] =
        [texts.new.text, &written.text].map(|text| text.split('\n').map(str::trim).collect::<FxHashSet<_>>());
    let (old, file) = moved.find(|(old, file)| {
        new.contains(texts.old.line_text(old.clone()).trim())
            && !text.contains(texts.file.line_text(file.clone()).trim())
    })?;
    Some([file, old, 0..0])
}

/// Returns a line of the old text that the edit deletes as a whole, and the file's, if they differ in more than blanks.
fn respelt(texts: &Texts<'_>, line: usize) -> Option<(Range<usize>, Range<usize>)> {
    let tokens = texts.old.on_line(line);
    if tokens.is_empty() || tokens.clone().any(|token| texts.is_kept(token)) {
        return None;
    }
    let on_line = texts.file.line_of(texts.old_to_file[tokens.start]?);
    if !on_line.contains(&texts.old_to_file[tokens.end - 1]?) {
        return None;
    }
    let (old, file) = (texts.old.line_text(tokens.clone()), texts.file.line_text(on_line.clone()));
    (!equal_but_blanks(old, file)).then_some((tokens, on_line))
}

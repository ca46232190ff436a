//! Merges changes of a file that touch without a common line, and shows the others with marks.

use crate::merge::are_regular;
use crate::objects::Entry;
use crate::private::Locked;
use crate::reader::LineChange;
use crate::{Oid, Result};

impl Locked<'_> {
    /// Merges a file whose changes on both sides have at most their ends in common, such as two neighbouring lines. Returns
    /// `None` if they overlap, if their order is not certain, or if a version is no text. Git calls these a conflict, so the
    /// result needs the agreement of a person.
    ///
    /// # Errors
    ///
    /// Fails if git fails, and with `lost` if a version is gone.
    pub fn merge_touching(&self, base: &Entry, ours: &Entry, theirs: &Entry) -> Result<Option<Entry>> {
        if !are_regular([base, ours, theirs]) {
            return Ok(None);
        }
        let mut texts = Vec::new();
        for (_, oid) in [base, ours, theirs] {
            texts.push(self.objects.blob(oid)?);
        }
        if texts.iter().any(|text| memchr::memchr(0, text).is_some()) {
            return Ok(None);
        }
        let reader = self.worktree.reader();
        let (since, back) = (reader.line_changes(&base.1, &ours.1)?, reader.line_changes(&base.1, &theirs.1)?);
        let [base_lines, our_lines, their_lines] = [&texts[0], &texts[1], &texts[2]].map(|text| lines(text));
        let sides = [(&since[..], &our_lines[..]), (&back[..], &their_lines[..])];
        let Some(merged) = merged(&base_lines, sides) else { return Ok(None) };
        self.merged_entry([base, ours, theirs], &merged).map(Some)
    }

    /// Returns a file with the marks of its conflicts, and with the common version between them.
    ///
    /// # Errors
    ///
    /// Fails if git fails, and with `lost` if a version is gone.
    pub fn marked(&self, base: &Oid, ours: &Oid, theirs: &Oid, names: [&str; 3]) -> Result<Vec<u8>> {
        let [our_name, base_name, their_name] = names;
        let options = ["--diff3", "-L", our_name, "-L", base_name, "-L", their_name];
        Ok(self.git_merge_file([ours, base, theirs], &options)?.stdout)
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// A change of one of two sides, and its new lines.
#[derive(Clone, Copy)]
struct Sided<'t> {
    change: &'t LineChange,
    new: &'t [&'t [u8]],
    side: usize,
}

/// Applies the changes of both sides to the base, each with the lines of its side, in the order of the base.
fn merged(base: &[&[u8]], sides: [(&[LineChange], &[&[u8]]); 2]) -> Option<Vec<u8>> {
    let mut all: Vec<Sided<'_>> = Vec::new();
    for (side, (changes, lines)) in sides.iter().enumerate() {
        if changes.is_empty() {
            return None;
        }
        for change in *changes {
            all.push(Sided { change, new: lines.get(change.new.clone())?, side });
        }
    }
    // An insertion lies before a change that begins at its place.
    all.sort_by_key(|it| (it.change.old.start, it.change.old.end, it.side));
    let (mut out, mut at): (Vec<&[u8]>, usize) = (Vec::new(), 0);
    let mut last: Option<Sided<'_>> = None;
    for it in all {
        let old = &it.change.old;
        if let Some(before) = last.filter(|before| before.side != it.side && before.change.old.end >= old.start) {
            let is_same_place = before.change.old == *old;
            if is_same_place && before.new == it.new {
                continue;
            }
            let is_one_point = is_same_place && old.is_empty();
            if before.change.old.end > old.start || is_one_point || slides(base, before) || slides(base, it) {
                return None;
            }
        }
        out.extend(base.get(at..old.start)?);
        out.extend(it.new);
        (at, last) = (old.end, Some(it));
    }
    out.extend(base.get(at..)?);
    Some(out.concat())
}

/// Returns whether an insertion or a deletion could as well be one line higher or lower: then its place is not certain.
fn slides(base: &[&[u8]], Sided { change, new, .. }: Sided<'_>) -> bool {
    let old = base.get(change.old.clone()).unwrap_or_default();
    let (([], moved) | (moved, [])) = (old, new) else { return false };
    let above = change.old.start.checked_sub(1).and_then(|at| base.get(at));
    let below = base.get(change.old.end);
    above.is_some() && above == moved.last() || below.is_some() && below == moved.first()
}

#[cfg(test)]
mod tests {
    use super::{lines, merged};
    use crate::reader::LineChange;

    fn change(old: std::ops::Range<usize>, new: std::ops::Range<usize>) -> LineChange {
        LineChange { old, new }
    }

    #[test]
    fn touching_changes_are_merged_and_overlapping_ones_are_not() {
        let base = lines(b"a\nb\nc\nd\n");
        let (ours, theirs) = (lines(b"a\nb\nC\nd\n"), lines(b"a\nB\nc\nd\n"));
        let [one, other] = [[change(2..3, 2..3)], [change(1..2, 1..2)]];
        let text = merged(&base, [(&one, &ours), (&other, &theirs)]);
        assert_eq!(text.as_deref(), Some(&b"a\nB\nC\nd\n"[..]));
        let theirs = lines(b"a\nB\nD\nd\n");
        assert_eq!(merged(&base, [(&one, &ours), (&[change(1..3, 1..3)], &theirs)]), None, "a common line");
        let (ours, theirs) = (lines(b"a\nmine\nb\nc\nd\n"), lines(b"a\nback\nb\nc\nd\n"));
        let point = [change(1..1, 1..2)];
        assert_eq!(merged(&base, [(&point, &ours), (&point, &theirs)]), None, "two insertions at one place");
        let (ours, theirs) = (lines(b"a\na\nb\nc\nd\n"), lines(b"a\nB\nc\nd\n"));
        assert_eq!(merged(&base, [(&point, &ours), (&other, &theirs)]), None, "it could be one line higher");
    }
}

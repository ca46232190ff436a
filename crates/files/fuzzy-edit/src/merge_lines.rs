//! Merges texts by lines.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A change: lines of the base, and the lines of the other text that replace them.
type Change = (Range<usize>, Range<usize>);

/// Applies the difference from `base` to `theirs` to `ours`. Changes with no unchanged line between them conflict, unless
/// they are equal: then it returns `None`, as for a binary `ours`.
///
/// Costs two diffs by lines.
pub(crate) fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    if memchr::memchr(0, ours).is_some() {
        return None;
    }
    let [base, ours, theirs] = [base, ours, theirs].map(lines);
    let (mut our, mut their) =
        (changes(&base, &ours).into_iter().peekable(), changes(&base, &theirs).into_iter().peekable());
    let (mut merged, mut at) = (Vec::new(), 0);
    loop {
        let is_our = match (our.peek(), their.peek()) {
            (None, None) => break,
            (Some((one, mine)), Some((other, back))) if one.start <= other.end && other.start <= one.end => {
                if one != other || ours[mine.clone()] != theirs[back.clone()] {
                    return None;
                }
                // Both made it.
                their.next();
                true
            }
            (Some((one, _)), Some((other, _))) => one.start < other.start,
            (Some(_), None) => true,
            (None, Some(_)) => false,
        };
        let ((old, new), text) = if is_our { (our.next()?, &ours) } else { (their.next()?, &theirs) };
        merged.extend_from_slice(&base[at..old.start]);
        merged.extend_from_slice(&text[new]);
        at = old.end;
    }
    merged.extend_from_slice(&base[at..]);
    Some(merged.concat())
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn changes(from: &[&[u8]], to: &[&[u8]]) -> Vec<Change> {
    let ops = capture_diff_slices(Algorithm::Myers, from, to).into_iter();
    let ops = ops.filter(|op| !matches!(op, DiffOp::Equal { .. })).map(|op| (op.old_range(), op.new_range()));
    let mut changes: Vec<Change> = Vec::new();
    for (old, new) in ops {
        match changes.last_mut() {
            Some(last) if last.0.end == old.start && last.1.end == new.start => {
                (last.0.end, last.1.end) = (old.end, new.end);
            }
            _ => changes.push((old, new)),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::merge_lines;

    fn merged(base: &str, ours: &str, theirs: &str) -> Option<String> {
        merge_lines(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn changes_apart_are_merged_and_others_conflict() {
        let base = "1\n2\n3\n4\n5\n";
        let both = merged(base, "1\n2\n3\n4\nmine\n", "back\n2\n3\n4\n5\n");
        assert_eq!(both.as_deref(), Some("back\n2\n3\n4\nmine\n"));
        assert_eq!(merged(base, "1\n2\nmine\n4\n5\n", "1\nback\n3\n4\n5\n"), None, "neighbours");
        assert_eq!(merged(base, "1\n2\n\0\n4\n5\n", "back\n2\n3\n4\n5\n"), None, "binary");
        let same = merged(base, "1\nx\n3\n4\n5", "1\nx\n3\n4\n5");
        assert_eq!(same.as_deref(), Some("1\nx\n3\n4\n5"), "equal changes, also of the last line break");
        assert_eq!(merged("a\r\nb\r\nc\r\n", "a\r\nb\r\n", "x\r\nb\r\nc\r\n").as_deref(), Some("x\r\nb\r\n"));
    }
}

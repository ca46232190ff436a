//! Unified diffs of lines that end in `\n`.

use std::fmt::Write;
use std::iter;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_deadline, group_diff_ops};

use crate::options::now;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The time limit for the shortest diff. After it, the diff may have more changed lines than necessary. Nothing else
/// ends this search, so the limit is shorter than the time in which a cancelled request must end.
const PATIENCE: Duration = Duration::from_millis(25);

/// Returns the unified diff of two texts; empty if they are equal.
///
/// Lines end in `\n` only, as for every tool that reads such diffs: a lone `\r` belongs to its line. The format is that
/// of `diff -u`, with `path` for both files and without times.
#[must_use]
pub fn unified_diff(path: &str, old: &str, new: &str) -> String {
    diff_between(path, old, new, [0, 0])
}

/// Returns the header lines of a git diff that changes the executable bit.
pub(crate) fn mode_diff(path: &str, executable: bool) -> String {
    let name = quoted(path);
    format!("diff --git {name} {name}\nold mode {}\nnew mode {}\n", mode(!executable), mode(executable))
}

/// Returns the diff that creates an executable file.
pub(crate) fn executable_diff(path: &str, text: &str) -> String {
    let name = quoted(path);
    let diff = unified_diff(path, "", text);
    let hunks = diff.strip_prefix(&format!("--- {name}\n")).unwrap_or_default();
    let old = if hunks.is_empty() { "" } else { "--- /dev/null\n" };
    format!("diff --git {name} {name}\nnew file mode {}\n{old}{hunks}", mode(true))
}

/// Returns git's mode of an executable or of another file.
const fn mode(executable: bool) -> &'static str {
    if executable { "100755" } else { "100644" }
}

/// Returns the unified diff of two texts whose common prefix and suffix have at least these lengths, in bytes.
pub(crate) fn diff_between(path: &str, old: &str, new: &str, same: [usize; 2]) -> String {
    diff_until(path, old, new, same, now().map(|now| now + PATIENCE))
}

/// Returns the diff of two texts, the shortest one if it is found before the deadline.
fn diff_until(path: &str, old: &str, new: &str, [start, end]: [usize; 2], deadline: Option<Instant>) -> String {
    if old == new {
        return String::new();
    }
    let (start, end) = around_changes(old, new, start, end);
    let lines_before = old[..start].matches('\n').count();
    let old_lines: Vec<&str> = old[start..old.len() - end].split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new[start..new.len() - end].split_inclusive('\n').collect();
    diff_of_lines(path, lines_before, &old_lines, &new_lines, deadline)
}

/// Returns the diff of lines that follow `lines_before` other lines.
fn diff_of_lines(path: &str, lines_before: usize, old: &[&str], new: &[&str], deadline: Option<Instant>) -> String {
    // Only the middle part is compared. Otherwise a change among equal lines could take the place of its context.
    let first = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let after = old[first..].iter().rev().zip(new[first..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - after, new.len() - after);
    let changes = capture_diff_deadline(Algorithm::Myers, old, first..old_end, new, first..new_end, deadline);
    let head = DiffOp::Equal { old_index: 0, new_index: 0, len: first };
    let tail = DiffOp::Equal { old_index: old_end, new_index: new_end, len: after };
    let ops = iter::once(head).chain(changes).chain([tail]);
    let ops = ops.filter(|op| !op.old_range().is_empty() || !op.new_range().is_empty()).collect();
    let name = quoted(path);
    let mut diff = format!("--- {name}\n+++ {name}\n");
    for hunk in group_diff_ops(ops, CONTEXT) {
        push_hunk(&mut diff, &hunk, lines_before, old, new);
    }
    diff
}

/// Returns the numbers of bytes at the start and at the end that no hunk includes: whole equal lines, except the
/// context of the changes. Small edits of a large file then need not split all of it into lines.
fn around_changes(old: &str, new: &str, same_start: usize, same_end: usize) -> (usize, usize) {
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let rest = old[same_start..].iter().zip(&new[same_start..]);
    let mut start = same_start + rest.take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let same_end = same_end.min(old_rest.len()).min(new_rest.len());
    let rest = old_rest.iter().rev().skip(same_end).zip(new_rest.iter().rev().skip(same_end));
    let mut end = old.len() - same_end - rest.take_while(|(old, new)| old == new).count();
    // The common part may end inside a line: one line more than the context on either side.
    for _ in 0..=CONTEXT {
        start = memchr::memrchr(b'\n', &old[..start]).unwrap_or(0);
        end = memchr::memchr(b'\n', &old[end..]).map_or(old.len(), |line| end + line + 1);
    }
    // After the newline, unless the text begins there.
    (if start == 0 { 0 } else { start + 1 }, old.len() - end)
}

fn push_hunk(diff: &mut String, hunk: &[DiffOp], lines_before: usize, old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let old_range = range(lines_before + first.old_range().start, lines_before + last.old_range().end);
    let new_range = range(lines_before + first.new_range().start, lines_before + last.new_range().end);
    let _ = writeln!(diff, "@@ -{old_range} +{new_range} @@");
    for op in hunk {
        let (tag, removed, added) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            push_lines(diff, ' ', &old[removed]);
        } else {
            push_lines(diff, '-', &old[removed]);
            push_lines(diff, '+', &new[added]);
        }
    }
}

fn push_lines(diff: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        diff.push(sign);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Formats a line range for a unified diff: an empty one has the number of the line before it.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        lines => format!("{},{lines}", start + 1),
    }
}

/// Returns the path on one line.
fn quoted(path: &str) -> String {
    if path.contains(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use fuzzy_testkit::texts;
    use proptest::prelude::*;

    use super::{diff_of_lines, diff_until, unified_diff};

    proptest! {
        #![proptest_config(texts::config_of(256))]

        /// Few different lines, so that common parts overlap, and some that share a prefix or suffix.
        #[test]
        fn cutting_off_common_parts_changes_nothing(
            old in "(ab?\n|a?b\n|\n|ä\n){0,24}(a|ab|\r)?",
            new in "(ab?\n|a?b\n|\n|ä\n){0,24}(a|ab|\r)?",
            ends in ("(a\n|b\n){0,12}", "(a\n|b\n){0,12}"),
        ) {
            let [old, new] = [old, new].map(|middle| format!("{}{middle}{}", ends.0, ends.1));
            prop_assume!(old != new);
            let (old_lines, new_lines): (Vec<_>, Vec<_>) =
                (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
            // With a deadline, the diffs would depend on the machine.
            let diff = diff_until("x", &old, &new, [ends.0.len(), ends.1.len()], None);
            prop_assert_eq!(&diff, &diff_of_lines("x", 0, &old_lines, &new_lines, None));
            prop_assert_eq!(patched(&old_lines, &diff), new);
        }
    }

    /// Applies a diff literally: every line at the position of its hunk, with three lines of context where they exist.
    fn patched(old: &[&str], diff: &str) -> String {
        let mut new = String::new();
        let mut at = 0;
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(head) = lines.next() {
            let range = head["@@ -".len()..].split(' ').next().unwrap();
            let (start, count) = range.split_once(',').unwrap_or((range, "1"));
            let start: usize = start.parse().unwrap();
            let first = if count == "0" { start } else { start - 1 };
            new.extend(old[at..first].iter().copied());
            at = first;
            let (mut context, mut changes) = (0, 0);
            while let Some(line) = lines.next_if(|line| !line.starts_with("@@")) {
                let ends = lines.next_if(|line| line.starts_with('\\')).is_some();
                let text = if ends { line[1..].strip_suffix('\n').unwrap() } else { &line[1..] };
                if !line.starts_with('+') {
                    assert_eq!(old[at], text);
                    at += 1;
                }
                if !line.starts_with('-') {
                    new.push_str(text);
                }
                if line.starts_with(' ') {
                    context += 1;
                } else {
                    assert!(changes > 0 || context == 3 || first == 0, "{diff}");
                    changes += 1;
                    context = 0;
                }
            }
            assert!(context == 3 || at == old.len(), "{diff}");
        }
        new.extend(old[at..].iter().copied());
        new
    }

    #[test]
    fn shows_three_lines_around_a_change() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        let diff = "--- a.txt\n+++ a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(unified_diff("a.txt", old, new), diff);
    }

    #[test]
    fn distant_changes_get_hunks_of_their_own() {
        let old: String = (0..30).flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        let new = old.replace("\n2\n", "\ntwo\n").replace("\n27\n", "\n");
        let diff = unified_diff("x", &old, &new);
        assert_eq!(diff.matches("@@ -").count(), 2);
        assert!(diff.contains("@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+two\n 3\n 4\n 5\n"), "{diff}");
        assert!(diff.contains("@@ -25,6 +25,5 @@\n 24\n 25\n 26\n-27\n 28\n 29\n"), "{diff}");
    }

    #[test]
    fn marks_a_missing_final_newline() {
        let diff = unified_diff("x", "a", "a\n");
        assert_eq!(diff, "--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
        let diff = unified_diff("x", "a\r", "b\r");
        let end = "\\ No newline at end of file\n";
        assert_eq!(diff, format!("--- x\n+++ x\n@@ -1 +1 @@\n-a\r\n{end}+b\r\n{end}"));
    }

    #[test]
    fn a_lone_carriage_return_ends_no_line() {
        let diff = unified_diff("x", "a\rb\nc\n", "a\rb\nd\n");
        assert_eq!(diff, "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\rb\n-c\n+d\n");
    }

    #[test]
    fn an_empty_side_names_the_line_before() {
        assert_eq!(unified_diff("x", "", "a\n"), "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(unified_diff("x", "a\nb\n", ""), "--- x\n+++ x\n@@ -1,2 +0,0 @@\n-a\n-b\n");
    }

    #[test]
    fn the_same_texts_have_no_diff() {
        assert_eq!(unified_diff("x", "a\n", "a\n"), "");
    }

    #[test]
    fn a_path_is_quoted_on_one_line() {
        assert!(unified_diff("a\nb", "1", "2").starts_with("--- \"a\\nb\"\n+++ \"a\\nb\"\n@@"));
    }
}

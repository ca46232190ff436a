//! Unified diffs, by lines that end in `\n`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices_deadline, group_diff_ops};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// How long the shortest diff is looked for. After that it may show more lines as changed than need be.
const PATIENCE: Duration = Duration::from_millis(500);

/// Returns the unified diff of two texts, empty if they are the same.
///
/// Lines end in `\n` alone, as for every tool that reads such diffs: a lone `\r` is a character of its line. The
/// format is that of `diff -u`, with `path` for both files and without times.
#[must_use]
pub fn unified_diff(path: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let deadline = Some(Instant::now() + PATIENCE);
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old_lines, &new_lines, deadline);
    let name = quoted(path);
    let mut diff = format!("--- {name}\n+++ {name}\n");
    for hunk in group_diff_ops(ops, CONTEXT) {
        push_hunk(&mut diff, &hunk, &old_lines, &new_lines);
    }
    diff
}

fn push_hunk(diff: &mut String, hunk: &[DiffOp], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let old_range = range(first.old_range().start, last.old_range().end);
    let new_range = range(first.new_range().start, last.new_range().end);
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

/// Writes a range of lines as unified diffs do: an empty one names the line before it.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        lines => format!("{},{lines}", start + 1),
    }
}

/// Returns the path in one line.
fn quoted(path: &str) -> String {
    if path.contains(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

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
    fn a_path_stays_on_its_line() {
        assert!(unified_diff("a\nb", "1", "2").starts_with("--- \"a\\nb\"\n+++ \"a\\nb\"\n@@"));
    }
}

//! A diff applied to the old text gives the new one.

use fuzzy_plan::unified_diff;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Applies a unified diff, checking every line and number in it.
fn apply(diff: &str, old: &str) -> String {
    if diff.is_empty() {
        return old.to_owned();
    }
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let body = diff.strip_prefix("--- f\n+++ f\n").expect("a header");
    let mut lines = body.split_inclusive('\n').peekable();
    let mut new = Vec::new();
    let mut at = 0;
    while let Some(header) = lines.next() {
        let ranges = header.strip_prefix("@@ -").and_then(|rest| rest.strip_suffix(" @@\n")).expect("a hunk");
        let (removed, added) = ranges.split_once(" +").unwrap();
        let (start, removed) = range(removed);
        new.extend_from_slice(&old[at..start]);
        at = start;
        let (new_start, added) = range(added);
        assert_eq!(new_start, new.len(), "{header}");
        let (mut left_old, mut left_new) = (removed, added);
        while left_old + left_new > 0 {
            let line = lines.next().expect("a line");
            let has_end = lines.next_if_eq(&"\\ No newline at end of file\n").is_none();
            let text = if has_end { &line[1..] } else { line[1..].strip_suffix('\n').unwrap() };
            if line.starts_with([' ', '-']) {
                assert_eq!(old[at], text);
                at += 1;
                left_old -= 1;
            }
            if line.starts_with([' ', '+']) {
                new.push(text);
                left_new -= 1;
            }
        }
    }
    new.extend_from_slice(&old[at..]);
    new.concat()
}

/// Returns the number of lines before a range, and its length.
fn range(text: &str) -> (usize, usize) {
    let (start, length) = text.split_once(',').unwrap_or((text, "1"));
    let (start, length): (usize, usize) = (start.parse().unwrap(), length.parse().unwrap());
    (if length == 0 { start } else { start - 1 }, length)
}

proptest! {
    #![proptest_config(texts::config_of(256))]

    #[test]
    fn a_diff_turns_the_old_text_into_the_new_one(
        old in prop::collection::vec("[ab\r]{0,2}\n", 0..40),
        edits in prop::collection::vec((0_usize..40, 0_usize..4, "([ab-]{0,2}\n){0,3}"), 0..4),
        end in "(|a|\r|b\r)",
        new_end in "(|a|\r)",
    ) {
        let mut new = old.clone();
        for (at, cut, text) in edits {
            let at = at.min(new.len());
            let to = (at + cut).min(new.len());
            new.splice(at..to, [text]);
        }
        let (old, new) = (old.concat() + &end, new.concat() + &new_end);
        prop_assert_eq!(apply(&unified_diff("f", &old, &new), &old), new);
    }
}

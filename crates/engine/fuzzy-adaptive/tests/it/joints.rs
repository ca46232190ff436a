//! Lines that marks join, and lines behind comment marks.
//!
//! The generator joins items itself, and knows nothing of the engine's marks.

use fuzzy_testkit::texts;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::support::decide;

const ITEMS: &[&str] = &["harbour(1)", "lantern(2)", "meadow(3)", "zephyr(4)"];

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn a_mark_that_joins_lines_is_kept_or_the_edit_is_refused(
        items in subsequence(ITEMS, 2..4),
        joint in select(&["+", "&&", "||", "|", "<>", "%>%", "and", "or", "\\\\"][..]),
        quoted in 1..3usize,
        ends in any::<bool>(),
    ) {
        let joined = |items: &[&str]| items.join(&format!(" {joint}\n  "));
        let end = if ends { "\n\nrun(all)\n" } else { "\n" };
        let file = |items: &[&str]| format!("all =\n  {}{end}", joined(items));
        let last = &items[items.len() - quoted.min(items.len())..];
        // The old text has the mark after its last item, which the file lacks.
        let old = format!("  {} {joint}\n", joined(last));
        let answer = decide(&file(&items), &old, &format!("{old}  fresh(5)\n"), false);
        let all: Vec<&str> = items.iter().copied().chain(["fresh(5)"]).collect();
        if let Some(output) = answer.output() {
            prop_assert_eq!(output, file(&all), "{:?} in {:?}", old, file(&items));
        }
    }

    #[test]
    fn code_that_is_a_comment_in_the_file_is_not_edited(
        lines in subsequence(ITEMS, 3),
        (mark, end) in select(&[("# ", ""), ("#", ""), ("// ", ""), ("-- ", ""), ("/* ", " */"), ("<!-- ", " -->"), ("; ", ""), ("% ", "")][..]),
        (indent, own) in (select(&["", "  "][..]), select(&["", "  ", "\t"][..])),
        context in any::<bool>(),
    ) {
        let file = format!("{indent}{}\n{indent}{mark}{}{end}\n{indent}{}\n", lines[0], lines[1], lines[2]);
        let before = if context { format!("{own}{}\n", lines[0]) } else { String::new() };
        let old = format!("{before}{own}{}", lines[1]);
        let answer = decide(&file, &old, &old.replacen(char::is_numeric, "7", if context { 2 } else { 1 }), false);
        prop_assert!(answer.applied.is_err(), "{:?} in {:?}: {:?}", old, file, answer.output());
    }
}

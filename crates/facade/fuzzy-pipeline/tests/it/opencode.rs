//! The ladder of three rungs: several places at any of them end the search.

use fuzzy_pipeline::{Ladder, ladder};

use crate::support::Answer::{Ambiguous, Failed};
use crate::support::{applied, assert_errors_come_in_order, assert_replace_all, assert_rows};

const EXACT: &str = "exact";
const LINES: &str = "line-trimmed";
const WHOLE: &str = "block-anchor/whole";

fn opencode() -> Ladder {
    ladder::opencode()
}

#[test]
fn each_rung_takes_what_the_stricter_ones_leave() {
    assert_rows(
        &opencode(),
        &[
            ("exact", "a b c", "b", "x", applied(EXACT, "a x c")),
            ("four spaces for two", "{\n  a();\n}\n", "    a();", "  b();", applied(LINES, "{\n  b();\n}\n")),
            (
                "a tab for spaces",
                "{\n\ta();\n\tb();\n}\n",
                "  a();\n  b();\n",
                "\tc();",
                applied(LINES, "{\n\tc();\n}\n"),
            ),
            (
                "a line of a block remembered wrongly",
                "fn f() {\n    let count = 1;\n}\n",
                "fn f() {\n    let cuont = 1;\n}",
                "fn g() {}",
                applied(WHOLE, "fn g() {}\n"),
            ),
            ("blanks inside a line differ", "f(a,  b);\n", "f(a, b);", "x", Failed("not_found")),
            ("a line changed, but no third line", "a\nb\n", "a\nc\n", "x", Failed("not_found")),
            ("a first line changed", "if a {\n1\n}\n", "if b {\n1\n}", "x", Failed("not_found")),
        ],
    );
}

#[test]
fn the_only_block_is_taken_whatever_is_in_it_and_the_best_of_several_from_three_tenths_on() {
    assert_rows(
        &opencode(),
        &[
            ("an only block", "{\n  completely different\n}\n", "{\n42\n}", "x", applied(WHOLE, "x\n")),
            (
                "the better one of two",
                "{\n  first();\n}\n{\n  second();\n}\n",
                "{\n  sekond();\n}",
                "x",
                applied(WHOLE, "{\n  first();\n}\nx\n"),
            ),
            (
                "two of which none is alike",
                "{\nabcdefghij klmnop\n}\n{\nqrstuvwxyz 012345\n}",
                "{\n================================\n}",
                "x",
                Failed("not_found"),
            ),
            ("two that are equally alike", "{\n1\n}\n{\n2\n}\n", "{\n3\n}", "x", Ambiguous(2)),
            (
                "the closing line that fits, not the first one",
                "{\n  a();\n}\n  b();\n}\n",
                "{\n  a();\n}\n  c();\n}",
                "x",
                applied(WHOLE, "x\n"),
            ),
        ],
    );
}

#[test]
fn several_places_end_the_search_and_are_counted() {
    assert_rows(
        &opencode(),
        &[
            ("exact", "a\na\nb", "a", "x", Ambiguous(2)),
            ("exact, overlapping", "aaaa", "aa", "x", Ambiguous(3)),
            ("trimmed lines that are nowhere exact", "\ta;\n\t\ta;\n", " a;", "x", Ambiguous(2)),
            (
                "trimmed lines twice, although one block is better",
                "\t{\n\t1\n\t}\n\n{\n1\n }\n",
                " {\n  1\n}",
                "x",
                Ambiguous(2),
            ),
        ],
    );
}

#[test]
fn replace_all_replaces_exact_places_only() {
    assert_replace_all(
        &opencode(),
        &[
            ("every place", "a b a", "a", "x", applied(EXACT, "x b x")),
            ("what only trimming lines would find", "\ta;", "  a;", "x", Failed("not_found")),
            ("what only anchors would find", "{\n1\n}", "{\n2\n}", "x", Failed("not_found")),
            ("either line ending", "a\r\nb\r\na\nb\n", "a\nb\n", "x\n", applied(EXACT, "x\r\nx\n")),
        ],
    );
}

#[test]
fn errors_come_in_order() {
    assert_errors_come_in_order(&opencode());
}

#[test]
fn line_endings_are_fitted() {
    assert_rows(
        &opencode(),
        &[
            ("trimmed lines", "{\r\n\ta\r\n\tb\r\n}", " a\n b", "\tx\n\ty", applied(LINES, "{\r\n\tx\r\n\ty\r\n}")),
            ("anchors", "{\r\n  one\r\n}\r\n", "{\n  two\n}", "{\n}", applied(WHOLE, "{\r\n}\r\n")),
            ("a needle with the other ending", "{\n  one\n}\n", "{\r\n  two\r\n}", "{\r\n}", applied(WHOLE, "{\n}\n")),
            ("a mixed file", "a\r\n{\n\tb\n}\r\nc\n", "{\n  b\n}", "x\ny", applied(LINES, "a\r\nx\ny\r\nc\n")),
        ],
    );
}

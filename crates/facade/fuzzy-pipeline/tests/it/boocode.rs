//! The ladder of four rungs, of which the last keeps the most similar window.

use fuzzy_pipeline::{Ladder, ladder};

use crate::support::Answer::{Ambiguous, Failed};
use crate::support::{applied, assert_errors_come_in_order, assert_replace_all, assert_rows};

const EXACT: &str = "exact";
const ENDS: &str = "line-trimmed/ends";
const UNICODE: &str = "line-trimmed/unicode";
const BEST: &str = "best-window/boocode";

fn boocode() -> Ladder {
    ladder::boocode()
}

#[test]
fn each_rung_takes_what_the_stricter_ones_leave() {
    assert_rows(
        &boocode(),
        &[
            ("exact", "a b c", "b", "x", applied(EXACT, "a x c")),
            ("blanks at line ends", "a();  \nb();\n", "a();\nb();", "c();", applied(ENDS, "c();\n")),
            ("blank lines around", "x\na();\ny\n", "\n\na();\n\n", "b();", applied(ENDS, "x\nb();\ny\n")),
            ("curly quotes in the file", "say(“hi”);\n", "say(\"hi\");", "hi();", applied(UNICODE, "hi();\n")),
            ("curly quotes in the needle", "say(\"it's\");\n", "say(“it’s”);", "hi();", applied(UNICODE, "hi();\n")),
            ("dashes", "# a — b\n", "# a - b", "# c", applied(UNICODE, "# c\n")),
            ("a space that does not break", "let\u{a0}a = 1; \n", "let a = 1;", "b", applied(UNICODE, "b\n")),
            (
                "other indentation",
                "fn f() {\n\treturn compute(a);\n}\n",
                "    return compute(a);",
                "\treturn 1;",
                applied(BEST, "fn f() {\n\treturn 1;\n}\n"),
            ),
            ("a typing error", "let total = 1;\n", "let totel = 1;", "x", applied(BEST, "x\n")),
            ("two thirds", "abcd--\n", "abcdef", "x", applied(BEST, "x\n")),
            ("less than 0.66", "abc---\n", "abcdef", "x", Failed("not_found")),
            ("a needle of blank lines", "a\nb", "\n\n\n", "x", Failed("not_found")),
        ],
    );
}

#[test]
fn several_places_end_the_search_and_are_counted() {
    assert_rows(
        &boocode(),
        &[
            ("exact twice is never settled by a looser rung", "a();\n  a();\n", "a();", "x", Ambiguous(2)),
            ("trimmed ends", "a(); \na();\t\nb();\n", "a();\n\n", "x", Ambiguous(2)),
            ("canonical characters", "‘a’\n’a’\n'b'\n", "'a'", "x", Ambiguous(2)),
            ("the most similar windows", "total = 1;\ntotal = 2;\n", "total = 3;", "x", Ambiguous(2)),
            (
                "one most similar window",
                "total = 12;\ntotal = 2;\n",
                "total = 3;",
                "x",
                applied(BEST, "total = 12;\nx\n"),
            ),
        ],
    );
}

#[test]
fn what_is_replaced_is_the_text_of_the_file() {
    assert_rows(
        &boocode(),
        &[
            ("canonical characters", "é “a…” é\n“b” \nc\n", "\"b\"", "x", applied(UNICODE, "é “a…” é\nx\nc\n")),
            ("hidden characters", "a\n\u{200b}f\u{200b}()\u{feff}\nc\n", "f()\n", "x", applied(UNICODE, "a\nx\nc\n")),
        ],
    );
}

#[test]
fn replace_all_replaces_exact_places_only() {
    assert_replace_all(
        &boocode(),
        &[
            ("every place", "a b a", "a", "x", applied(EXACT, "x b x")),
            ("what only trimmed ends would find", "a ;\nb  \nc", "b\nc", "x", Failed("not_found")),
            ("what only canonical characters would find", "“a”", "\"a\"", "x", Failed("not_found")),
            ("what only similarity would find", "total = 1;", "totel = 1;", "x", Failed("not_found")),
        ],
    );
}

#[test]
fn errors_come_in_order() {
    assert_errors_come_in_order(&boocode());
}

#[test]
fn line_endings_are_fitted() {
    assert_rows(
        &boocode(),
        &[
            ("trimmed ends", "a  \r\nb\r\n", "a\nb", "x\ny", applied(ENDS, "x\r\ny\r\n")),
            ("canonical characters", "“a”\r\nb\r\nc", "\"a\"\nb", "x\ny", applied(UNICODE, "x\r\ny\r\nc")),
            ("similarity", "let total = 1;\r\nnext\r\n", "let totel = 1;\nnext", "x\ny", applied(BEST, "x\r\ny\r\n")),
        ],
    );
}

//! The ladder of nine rungs from exact to the best window, each of which must find exactly one place.

use fuzzy_pipeline::{Ladder, ladder};

use crate::support::Answer::{Ambiguous, Failed};
use crate::support::{applied, assert_errors_come_in_order, assert_replace_all, assert_rows};

const EXACT: &str = "exact";
const TEXT: &str = "trimmed-boundary/text";
const COLLAPSED: &str = "whitespace-normalized/collapsed";
const LINES: &str = "line-trimmed";
const ALIGNED: &str = "block-aligned";
const STRIPPED: &str = "indentation-flexible/stripped";
const LEVENSHTEIN: &str = "levenshtein";
const SUBSEQUENCE: &str = "subsequence";
const BEST: &str = "best-window";

fn reference() -> Ladder {
    ladder::reference()
}

#[test]
fn each_rung_takes_what_the_stricter_ones_leave() {
    assert_rows(
        &reference(),
        &[
            ("exact", "a b c", "b", "x", applied(EXACT, "a x c")),
            ("blanks around the needle", "a();\nb();\n", "\n  a();\n", "x", applied(TEXT, "x\nb();\n")),
            ("a line broken in two", "y = f(a,\n    b);\n", "f(a, b)", "x", applied(COLLAPSED, "y = x;\n")),
            (
                "indentation that the file lacks at its start",
                "a();\nb();\nc();\n",
                "  a();\n  b();",
                "x",
                applied(LINES, "x\nc();\n"),
            ),
            (
                "of two blocks with equal lines the one moved as a whole",
                "y\nif a {\n  b;\n}\nif a {\nb;\n}\n",
                "    if a {\n      b;\n    }",
                "x",
                applied(ALIGNED, "y\nx\nif a {\nb;\n}\n"),
            ),
            (
                "other indentation, from the middle of a line on",
                "y a  b\n\tc y\nz a b\n\tc y\n",
                "a b\nc",
                "x",
                applied(STRIPPED, "y a  b\n\tc y\nz x y\n"),
            ),
            ("a typing error", "y\nlet total = 1;\nz\n", "let totel = 1;", "x", applied(LEVENSHTEIN, "y\nx\nz\n")),
            (
                "a line left out",
                "open(a);\nprepare_everything(b, c);\nclose(a);\ny\n",
                "open(a);\nclose(a);",
                "x",
                applied(SUBSEQUENCE, "x\ny\n"),
            ),
            (
                "a line much changed",
                "first_call(a);\nsecond(b);\nlast\n",
                "first_cal(a, 1);\nsekond(bb);",
                "x",
                applied(BEST, "x\nlast\n"),
            ),
            ("nothing of the kind", "a();\n", "completely different", "x", Failed("not_found")),
        ],
    );
}

#[test]
fn a_rung_that_finds_several_places_is_skipped() {
    assert_rows(
        &reference(),
        &[
            ("exact twice, whole lines once", "a b\na\n", "a", "x", applied(LINES, "a b\nx\n")),
            ("every rung twice", "a;\nb;\na;\n", "a;", "x", Ambiguous(2)),
            ("exact three times, whole lines twice", "a\na\nba\n", "a", "x", Ambiguous(3)),
            (
                "two windows that are a typing error away, and as much alike",
                "total = one;\n\n\ntotal = two;\n",
                "total = six;",
                "x",
                Ambiguous(2),
            ),
        ],
    );
}

#[test]
fn the_best_window_has_to_be_clearly_ahead() {
    // Forty characters, of which a line ends with so many others.
    let needle = "abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    let line = |others: usize| needle[..40 - others].to_owned() + &"-".repeat(others);
    let file = |others: [usize; 2]| others.map(line).join("\n\n\n");
    let (ahead, close, doubtful) = (file([10, 13]), file([10, 11]), file([16, 17]));
    let taken = format!("x\n\n\n{}", line(13));
    assert_rows(
        &reference(),
        &[
            ("0.075 ahead", &ahead, needle, "x", applied(BEST, &taken)),
            ("0.025 ahead", &close, needle, "x", Ambiguous(2)),
            ("0.025 ahead of what is too little alike to be meant", &doubtful, needle, "x", Failed("not_found")),
        ],
    );
}

#[test]
fn replace_all_replaces_exact_places_only() {
    assert_replace_all(
        &reference(),
        &[
            ("every place", "a b a", "a", "x", applied(EXACT, "x b x")),
            ("what only trimming would find", "a", " a", "x", Failed("not_found")),
            ("what only similarity would find", "total = 1;", "totel = 1;", "x", Failed("not_found")),
        ],
    );
}

#[test]
fn errors_come_in_order() {
    assert_errors_come_in_order(&reference());
}

#[test]
fn line_endings_are_fitted() {
    assert_rows(
        &reference(),
        &[
            ("blanks around", "a();\r\nb();\r\n", "\n a();\nb();\n\n", "x\ny", applied(TEXT, "x\r\ny\r\n")),
            ("a broken line", "f(a,\r\n  b)\r\nc", "f(a, b)", "g(a,\n  b)", applied(COLLAPSED, "g(a,\r\n  b)\r\nc")),
            ("a run at the end takes no line break", "a b \r\nc\r\n", "a  b  ", "x", applied(COLLAPSED, "x\r\nc\r\n")),
            (
                "a typing error",
                "total = 1;\r\nnext\r\n",
                "totel = 1;\nnext",
                "x\ny",
                applied(LEVENSHTEIN, "x\r\ny\r\n"),
            ),
        ],
    );
}

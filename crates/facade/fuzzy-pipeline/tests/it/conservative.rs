//! The conservative ladder: four strict rungs, each of which must find exactly one place.

use fuzzy_pipeline::{Ladder, ladder};

use crate::support::Answer::{Ambiguous, Failed};
use crate::support::{applied, assert_errors_come_in_order, assert_replace_all, assert_rows};

const EXACT: &str = "exact";
const INLINE: &str = "whitespace-normalized/inline";
const STRIPPED: &str = "indentation-flexible/stripped";
const TEXT: &str = "trimmed-boundary/text";

fn conservative() -> Ladder {
    ladder::conservative()
}

#[test]
fn each_rung_takes_what_the_stricter_ones_leave() {
    assert_rows(
        &conservative(),
        &[
            ("exact", "a\nb\nc\n", "b\n", "x\n", applied(EXACT, "a\nx\nc\n")),
            ("exact, inside a line", "let a = b;", "a = b", "c = d", applied(EXACT, "let c = d;")),
            ("blanks inside a line", "let  a\t= 1;\n", "let a = 1;", "let b;", applied(INLINE, "let b;\n")),
            ("tabs for spaces", "{\n\tfoo();\n}\n", "    foo();", "\tbar();", applied(STRIPPED, "{\n\tbar();\n}\n")),
            (
                "tabs for spaces on several lines",
                "if x {\n\tfoo();\n\t\tbar();\n}\n",
                "    foo();\n        bar();\n",
                "\tbaz();\n",
                applied(STRIPPED, "if x {\n\tbaz();\n}\n"),
            ),
            ("a blank line before", "foo();\nbar();\n", "\nfoo();", "baz();", applied(TEXT, "baz();\nbar();\n")),
            ("a blank line behind", "foo();\nbar();", "bar();\n\n", "baz();", applied(TEXT, "foo();\nbaz();")),
            ("blanks around", "x = foo(a)", " foo(a)  ", "bar(a)", applied(TEXT, "x = bar(a)")),
            ("nothing of the kind", "a\nb\n", "c", "d", Failed("not_found")),
            ("blanks where the file has none", "foo(a)", "foo( a )", "bar", Failed("not_found")),
            ("blanks at line ends where the file has none", "foo\nbar", "foo  \nbar", "x", Failed("not_found")),
            ("two kinds of drift at once", "\tlet  a;\n", "    let a;", "x", Failed("not_found")),
        ],
    );
}

#[test]
fn a_replacement_is_spliced_where_the_file_stands_not_where_the_normal_form_does() {
    assert_rows(
        &conservative(),
        &[
            (
                "multi-byte blanks before, inside and behind",
                "é\u{3000}\u{2003}x \u{a0}=\u{3000}1;\u{3000}\u{a0}z",
                "x = 1;",
                "y",
                applied(INLINE, "é\u{3000}\u{2003}y\u{3000}\u{a0}z"),
            ),
            (
                "a needle that ends in a run takes all of the file's",
                "a\u{3000}\u{a0}b c",
                "a b  ",
                "x",
                applied(INLINE, "xc"),
            ),
            (
                "multi-byte indentation",
                "{\n\u{3000}\u{3000}foo();\n\u{a0}}\n",
                "\tfoo();\n}",
                "x",
                applied(STRIPPED, "{\nx\n"),
            ),
            (
                "multi-byte blanks around the needle",
                "\u{3000}é\u{3000}",
                "\u{a0}é\u{a0}",
                "x",
                applied(TEXT, "\u{3000}x\u{3000}"),
            ),
            (
                "a needle from the middle of a line on",
                "if (a) {\n\tb;\n\tc;\n}",
                "{\n  b;\n  c",
                "{\n\td",
                applied(STRIPPED, "if (a) {\n\td;\n}"),
            ),
        ],
    );
}

#[test]
fn a_needle_that_is_longer_than_the_file_is_not_found() {
    assert_rows(
        &conservative(),
        &[
            ("longer before and after", "a b", "a b c", "x", Failed("not_found")),
            ("longer, with other blanks", "a b", "a    b    c", "x", Failed("not_found")),
            ("longer only until its blanks collapse", "a b", "a        b", "x", applied(INLINE, "x")),
            ("longer only until it is trimmed", "ab", "\n\n  ab  \n\n", "x", applied(TEXT, "x")),
            ("an empty file", "", "a", "x", Failed("not_found")),
        ],
    );
}

#[test]
fn a_rung_that_finds_several_places_is_skipped() {
    assert_rows(
        &conservative(),
        &[
            ("exact twice, whole runs once", "  foo\n foo\n", " foo", " bar", applied(INLINE, "  foo\n bar\n")),
            (
                "collapsed twice, without indentation once",
                "\ta  b\n a b\n a\tb\n",
                " a  b",
                "x",
                applied(STRIPPED, "x\n a b\n a\tb\n"),
            ),
        ],
    );
}

#[test]
fn an_ambiguous_needle_is_counted_by_its_exact_places_else_by_the_loosest_rung() {
    assert_rows(
        &conservative(),
        &[
            ("every rung twice", "a\nb\na\n", "a", "x", Ambiguous(2)),
            ("overlapping places are two", "aaa", "aa", "x", Ambiguous(2)),
            ("exact twice, loose three times", "  f()\n  f()\n\tf()\n", "  f()", "x", Ambiguous(2)),
            (
                "never exact, without indentation twice, trimmed three times",
                "\tf()\n\t\tf()\nx f()\n",
                "  f()",
                "x",
                Ambiguous(3),
            ),
            (
                "only without indentation, twice",
                "\tf()\n\tg()\n\n\t\tf()\n\t\tg()\n",
                "  f()\n  g()",
                "x",
                Ambiguous(2),
            ),
            ("only collapsed, twice", "a  b a\tb", "a b", "x", Ambiguous(2)),
        ],
    );
}

#[test]
fn a_needle_of_blanks_alone_says_little() {
    assert_rows(
        &conservative(),
        &[
            ("blank lines that the file has not", "a\nb\n", "\n\n\n", "x", Failed("not_found")),
            ("blanks that the file has not", "a\nb\n", "   ", "x", Failed("not_found")),
            ("blanks that the file has once", "a   b c", "   ", "_", applied(EXACT, "a_b c")),
            ("blanks inside longer runs", "a    b  c", "  ", "_", applied(INLINE, "a    b_c")),
        ],
    );
}

#[test]
fn replace_all_replaces_exact_places_only() {
    assert_replace_all(
        &conservative(),
        &[
            ("every place", "a b a\na", "a", "x", applied(EXACT, "x b x\nx")),
            ("the only place", "a b", "a", "x", applied(EXACT, "x b")),
            ("places never overlap", "aaa", "aa", "x", applied(EXACT, "xa")),
            ("what only collapsed blanks would find", "a  b", "a b", "x", Failed("not_found")),
            ("what only other indentation would find", "\ta", "  a", "x", Failed("not_found")),
            ("what only trimming would find", "a", "\na\n", "x", Failed("not_found")),
            ("one exact place among loose ones", "a b a  b", "a b", "x", applied(EXACT, "x a  b")),
            ("either line ending", "a\r\nb\r\na\nb\n", "a\nb", "x\ny", applied(EXACT, "x\r\ny\r\nx\ny\n")),
            ("a needle with the other line ending", "a\nb\na\nb\n", "a\r\nb", "x", applied(EXACT, "x\nx\n")),
        ],
    );
}

#[test]
fn errors_come_in_order() {
    assert_errors_come_in_order(&conservative());
}

#[test]
fn line_endings_are_fitted() {
    assert_rows(
        &conservative(),
        &[
            ("an LF needle in a CRLF file", "a\r\nb\r\nc\r\n", "a\nb", "x\ny", applied(EXACT, "x\r\ny\r\nc\r\n")),
            ("a CRLF needle in an LF file", "a\nb\nc\n", "a\r\nb\r\n", "x\r\ny\r\n", applied(EXACT, "x\ny\nc\n")),
            (
                "a needle of one line, a replacement of two",
                "a\r\n  b\r\n",
                "\tb",
                "\tx\n\ty",
                applied(STRIPPED, "a\r\n\tx\r\n\ty\r\n"),
            ),
            ("other blanks as well", "a  b\r\nc\r\n", "a b\nc", "x\ny", applied(INLINE, "x\r\ny\r\n")),
            (
                "other indentation as well",
                "{\r\n\ta\r\n\tb\r\n}",
                "  a\n  b\n",
                "\tx\n",
                applied(STRIPPED, "{\r\n\tx\r\n}"),
            ),
            ("a blank line too many as well", "a\r\nb", "\n\na\nb\n\n", "x\ny", applied(TEXT, "x\r\ny")),
            (
                "a mixed file keeps what is not replaced",
                "a\r\nb\nc\r\nd\n",
                "b\nc",
                "x\ny\nz",
                applied(EXACT, "a\r\nx\ny\nz\r\nd\n"),
            ),
            (
                "a replaced CRLF line among LF lines",
                "a\n\tb\r\n\tc\r\nd\n",
                "  b\n  c",
                "\tx\n\ty",
                applied(STRIPPED, "a\n\tx\r\n\ty\r\nd\n"),
            ),
            ("the file's own break behind the place stays", "a  b\r\nc", "a b", "x", applied(INLINE, "x\r\nc")),
            ("a lone carriage return stays", "a\rb  c\r\nd", "b c", "x", applied(INLINE, "a\rx\r\nd")),
            ("identical once fitted", "a\nb", "a\r\nb", "a\nb", Failed("identical")),
        ],
    );
}

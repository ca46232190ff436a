//! Cases that every strategy runs, so that every effect of a change is visible.

use std::fmt::Write;

use fuzzy_core::Strategy;

use crate::candidates;

/// The cases, each with the difference, a haystack and a needle, from ones that nearly every strategy accepts to ones that none should.
pub const CASES: &[(&str, &str, &str)] = &[
    ("occurs once", "let a = 1;\nlet b = 2;\n", "let b = 2;"),
    ("occurs twice", "f();\ng();\nf();\n", "f();"),
    ("occurs twice, overlapping", "aaa", "aa"),
    ("inside a line", "\tif ready { start(now); }\n", "start(now);"),
    ("final line break of needle", "if a {\n    b();\n}", "    b();\n}\n"),
    ("all lines deeper", "fn f() {\n    if a {\n        b();\n    }\n}\n", "if a {\n    b();\n}"),
    ("all lines shallower", "if a {\n    b();\n}\n", "    if a {\n        b();\n    }"),
    ("one line deeper", "if a {\n    b();\n}\n", "if a {\nb();\n}"),
    ("tabs for spaces", "if a {\n\tb();\n}\n", "if a {\n    b();\n}"),
    ("blanks at line ends of file", "a();  \nb();\t\n", "a();\nb();"),
    ("blanks at line ends of needle", "a();\nb();\n", "a();  \nb();\t"),
    ("blanks around needle", "x = 1;\ny = 2;\n", "\n  y = 2;  \n"),
    ("blank line missing in needle", "a();\n\nb();\n", "a();\nb();"),
    ("blank line added in needle", "a();\nb();\n", "a();\n\nb();"),
    ("runs of blanks inside", "f(a,  b,\tc);\n", "f(a, b, c);"),
    ("blank missing inside", "f(a, b);\n", "f(a,b);"),
    ("wide blanks", "\u{3000}x\u{a0}=\u{3000}1;\n", "  x = 1;"),
    ("lines joined", "f(a, b);\n", "f(a,\n  b);"),
    ("line broken", "f(a,\n  b);\n", "f(a, b);"),
    ("file with carriage returns", "a();\r\nb();\r\n", "a();\nb();"),
    ("quotes escaped in needle", "say(\"a\");\n", "say(\\\"a\\\");"),
    ("quotes escaped in file", "say(\\\"a\\\");\n", "say(\"a\");"),
    ("line break escaped in needle", "a();\nb();\n", "a();\\nb();"),
    ("typographic quotes", "say(\u{201c}it\u{2019}s\u{201d});\n", "say(\"it's\");"),
    ("composed accent", "caf\u{e9} = 1;\n", "cafe\u{301} = 1;"),
    ("inner line changed", "if a {\n    first();\n}\n", "if a {\n    fist();\n}"),
    ("inner line changed, two blocks", "if a {\n    x();\n}\nif a {\n    y(1);\n}\n", "if a {\n    y(2);\n}"),
    ("inner line missing", "if a {\n    b();\n    c();\n}\n", "if a {\n    c();\n}"),
    ("inner line added", "if a {\n    c();\n}\n", "if a {\n    b();\n    c();\n}"),
    ("inner lines unrelated", "if a {\n    open(door);\n}\n", "if a {\n    42\n}"),
    ("first line changed", "if ab {\n    call();\n}\n", "if ax {\n    call();\n}"),
    ("last line changed", "do\n    call();\nend\n", "do\n    call();\ndone"),
    ("every line misspelt", "first_value = 1;\nsecond_value = 2;\n", "first_valeu = 1;\nsecnd_value = 2;"),
    ("every line misspelt, twice", "total = 1;\nx();\ntotal = 2;\n", "totl = 3;"),
    ("blank needle", "a\n \nb", " "),
    ("empty file", "", "a"),
    ("needle longer than file", "a\nb", "a\nb\nc\nd"),
    ("nothing alike", "let a = 1;\n", "42 bottles"),
];

/// Returns the results of `strategy` for every case: the spans and similarities of its candidates, and at the end the
/// cases that it refuses.
pub fn table(strategy: &dyn Strategy) -> String {
    let (mut out, mut refused) = (String::new(), "refused:".to_owned());
    for (name, haystack, needle) in CASES {
        let found = candidates(strategy, haystack, needle);
        if found.is_empty() {
            // Lines of about 100 characters.
            let is_full = refused.lines().next_back().is_some_and(|line| line.len() + name.len() > 100);
            let _ = write!(refused, "{} {name};", if is_full { "\n " } else { "" });
            continue;
        }
        let shown =
            found.iter().map(|found| format!("{}..{} {}", found.span.start(), found.span.end(), found.similarity));
        let _ = writeln!(out, "{name:32} {}", shown.collect::<Vec<_>>().join(", "));
    }
    out + refused.trim_end_matches(';') + "\n"
}

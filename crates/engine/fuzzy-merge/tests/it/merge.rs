//! Kept text is the file's; inserted text is in the file's style.

use std::cell::Cell;

use fuzzy_merge::{Kind, Merged, Refusal, Run, merge, merge_while, take};

/// Merges an edit into a whole file.
fn merged(file: &str, old: &str, new: &str) -> Merged {
    merge(file, 0..file.len(), old, new).expect("the texts can be merged")
}

#[track_caller]
fn gives(file: &str, old: &str, new: &str, expected: &str) {
    let merged = merged(file, old, new);
    assert_eq!(output(file, &merged), expected);
    assert_eq!(merged.findings, [], "no rule refuses it");
}

/// Returns the file with the merged text.
fn output(file: &str, merged: &Merged) -> String {
    [&file[..merged.span.start], &merged.text, &file[merged.span.end..]].concat()
}

#[track_caller]
fn refuses(file: &str, old: &str, new: &str, kind: Kind) {
    let merged = merged(file, old, new);
    assert!(merged.findings.iter().any(|finding| finding.rule.kind == kind), "{merged:?}");
}

#[test]
fn keeps_slips_of_the_old_text_out_of_the_file() {
    gives(
        "let a = \u{201c}x\u{201d};\nlet b;\n",
        "let a = \"x\";\nlet b;\n",
        "let a = \"x\";\nlet c;\n",
        "let a = \u{201c}x\u{201d};\nlet c;\n",
    );
    gives(
        "go( a,b ); // why\nstop();\n",
        "go(a, b);\nstop();\n",
        "go(a, b);\nhalt();\n",
        "go( a,b ); // why\nhalt();\n",
    );
    gives("one  \ntwo\t\nthree\n", "one\ntwo\nthree", "one\ntwo\nfour", "one  \ntwo\t\nfour\n");
}

#[test]
fn keeps_the_comment_after_a_changed_statement() {
    gives(
        "x = load(path)  # may fail\ny = x\n",
        "x = load(path)\ny = x\n",
        "x = load(path, mode)\ny = x\n",
        "x = load(path, mode)  # may fail\ny = x\n",
    );
}

#[test]
fn moves_the_end_of_a_statement_after_its_new_continuation() {
    gives("a = b;\nc();\n", "a = b", "a = b\n    && d", "a = b\n    && d;\nc();\n");
    gives(
        "list\n  .map(f),\nnext\n",
        "list\n  .map(f)",
        "list\n  .map(f)\n  .sort()",
        "list\n  .map(f)\n  .sort(),\nnext\n",
    );
    // A new statement is no continuation.
    gives("a = b;\nc();\n", "a = b", "a = b\nd = e", "a = b;\nd = e\nc();\n");
}

#[test]
fn keeps_forgotten_lines() {
    gives("a();\nlog();\nb();\nc();\n", "a();\nb();\nc();", "a();\nb();\nd();", "a();\nlog();\nb();\nd();\n");
}

#[test]
fn leaves_out_lines_that_the_file_lacks() {
    gives("a();\nb();\nc();\n", "a();\nextra();\nb();\nc();", "a();\nextra();\nb();\nd();", "a();\nb();\nd();\n");
}

#[test]
fn maps_indentation_by_depth() {
    let old = "if a:\n  b()\n  c()";
    let new = "if a:\n  b()\n  if d:\n    e()\n  c()";
    gives("\tif a:\n\t\tb()\n\t\tc()\n", old, new, "\tif a:\n\t\tb()\n\t\tif d:\n\t\t\te()\n\t\tc()\n");
    gives(
        "    if a:\n        b()\n        while c:\n            d()\n",
        "if a:\n  b()\n  while c:\n    d()",
        "if a:\n  b()\n  while c:\n    d()\n    if e:\n      f()",
        "    if a:\n        b()\n        while c:\n            d()\n            if e:\n                f()\n",
    );
    gives(
        "if a:\n    b()\n    c()\n",
        "if a:\n\tb()\n\tc()",
        "if a:\n\tb()\n\t\tz()\n\tc()",
        "if a:\n    b()\n        z()\n    c()\n",
    );
}

#[test]
fn ignores_one_stray_line_when_it_indents_new_ones() {
    gives(
        "{\n    a;\n    b;\n    c;\n}\n",
        "{\n    a;\n      b;\n    c;\n}",
        "{\n    a;\n      b;\n    new;\n    c;\n}",
        "{\n    a;\n    b;\n    new;\n    c;\n}\n",
    );
}

#[test]
fn drops_a_prefix_of_all_lines() {
    gives(
        "{\n    a;\n    b;\n}\n",
        "{\n\t    a;\n\t    b;\n\t}",
        "{\n\t    a;\n\t\n\t    new;\n\t    b;\n\t}",
        "{\n    a;\n\n    new;\n    b;\n}\n",
    );
}

#[test]
fn reindents_kept_lines() {
    gives(
        "\ta();\n\tb();\n",
        "    a();\n    b();",
        "    if x {\n        a();\n        b();\n    }",
        "\tif x {\n\t\ta();\n\t\tb();\n\t}\n",
    );
}

#[test]
fn ends_new_lines_as_the_file_does() {
    gives("a\r\nb\r\n", "a\nb", "a\nx\ny\nb", "a\r\nx\r\ny\r\nb\r\n");
    gives("a\nb\n", "a\r\nb\r\n", "a\r\nx\r\nb\r\n", "a\nx\nb\n");
}

#[test]
fn writes_new_lines_with_the_files_quotes_and_names() {
    gives(
        "a = \"1\"\nb = \"2\"\nc = \"3\"\n",
        "a = '1'\nb = '2'\nc = '3'\n",
        "a = '1'\nb = '2'\nx = 'four'\nc = '3'\n",
        "a = \"1\"\nb = \"2\"\nx = \"four\"\nc = \"3\"\n",
    );
    gives(
        "open(fileName);\nread(fileName);\n",
        "open(file_name);\nread(file_name);",
        "open(file_name);\nread(file_name);\nclose(file_name);",
        "open(fileName);\nread(fileName);\nclose(fileName);\n",
    );
    // A line that needs both kinds of quotes keeps them.
    gives(
        "a = \"1\"\nb = \"2\"\n",
        "a = '1'\nb = '2'\n",
        "a = '1'\nx = \"it's\"\nb = '2'\n",
        "a = \"1\"\nx = \"it's\"\nb = \"2\"\n",
    );
}

#[test]
fn writes_typographic_marks_only_in_prose() {
    // An apostrophe of a comment is no quote of the code, nor is its dash a minus.
    gives(
        "# it\u{2019}s here\na()\n",
        "# it's here\na()\n",
        "# it's here\nb('c')\na()\n",
        "# it\u{2019}s here\nb('c')\na()\n",
    );
    gives(
        "// net \u{2013} tax\na();\n",
        "// net - tax\na();\n",
        "// net - tax\nb = c - d;\na();\n",
        "// net \u{2013} tax\nb = c - d;\na();\n",
    );
    gives(
        "# it\u{2019}s here\na()\n",
        "# it's here\na()\n",
        "# it's here\n# that's there\na()\n",
        "# it\u{2019}s here\n# that's there\na()\n",
    );
    // A dash between words is no hyphen in one.
    gives(
        "a()  # local \u{2013} no top\u{2011}level one\n",
        "a()  # local - no top-level one\n",
        "a()  # new - one\n",
        "a()  # new - one\n",
    );
    gives(
        "a()  # a top\u{2011}level \u{2013} local one\n",
        "a()  # a top-level - local one\n",
        "a()  # a top-level one\n",
        "a()  # a top\u{2011}level one\n",
    );
    // An old text with such marks where the file has none has them everywhere.
    gives(
        "a = 'b'\nc()\n",
        "a = \u{2018}b\u{2019}\nc()\n",
        "a = \u{2018}b\u{2019}\nd(\u{201c}e\u{201d})\nc()\n",
        "a = 'b'\nd(\"e\")\nc()\n",
    );
}

#[test]
fn merges_blanks_inside_a_line() {
    gives("f(a) {\n}\n", "f(a){\n}", "f(a),\n}", "f(a),\n}\n");
    gives("if (p != q) {\n", "if (p !=q) {\n", "if (p not in (q)) {\n", "if (p not in (q)) {\n");
    gives("g(lambda: a.b)\n", "g(lambda:a.b)\n", "g(lambda: self.a.b)\n", "g(lambda: self.a.b)\n");
    gives("return n <= 0;\n", "return n < = 0;\n", "return n < 0;\n", "return n < 0;\n");
}

#[test]
fn deletes_whole_lines() {
    gives("a\nb\nc\n", "b", "", "a\nc\n");
    gives("a\nb\nc\n", "b\n", "", "a\nc\n");
    gives("a\nb\nc\n", "a\nb", "a", "a\nc\n");
    gives("a\nb\nc\n", "b\nc\n", "c\n", "a\nc\n");
    gives("a\n\nb\n\nc\n", "b\n\n", "", "a\n\nc\n");
}

#[test]
fn keeps_the_files_blank_lines() {
    gives("a\n\nb\nc\n", "a\nb\nc", "a\nb\nd", "a\n\nb\nd\n");
    gives("a\nb\nc\n", "a\n\nb\nc", "a\n\nb\nd", "a\nb\nd\n");
    gives("a\nb\n\nc\n", "\n\na\nb\n", "\n\na\nx\nb\n", "a\nx\nb\n\nc\n");
    gives("a\n   \nb\n", "a\n\nb", "a\n\nx\nb", "a\n   \nx\nb\n");
}

#[test]
fn keeps_blank_lines_after_the_old_text() {
    gives("a\n\n", "a\n", "a\n\nx\n\n", "a\n\nx\n\n\n");
    gives("\n\na\n", "\na\n", "\n\nx\na\n", "\n\n\nx\na\n");
    let file = "z\n  \na  b\n\n\t\nc\n";
    let merged = merge(file, 4..9, "a b\n\n", "\nx\na b\n\n\n").expect("the texts can be merged");
    assert_eq!(output(file, &merged), "z\n  \n\nx\na  b\n\n\n\t\nc\n");
    // If the file lacks the old text's last blank line, the one before is deleted.
    gives("a\n\nb\n", "b\n\n", "", "a\n");
}

#[test]
fn indents_new_first_lines_as_the_old_texts_first_line() {
    for before in ["", "z\n", "z\n\n"] {
        let (file, expected) = (format!("{before}a\nb\n"), format!("{before}x\na\nb\n"));
        let merged = merge(&file, before.len()..file.len(), "  a\n  b", "  x\n  a\n  b");
        assert_eq!(output(&file, &merged.expect("the texts can be merged")), expected);
    }
    gives(
        "    ], done);\n",
        "], done);",
        "]).then(() => {\n    done();\n});",
        "    ]).then(() => {\n        done();\n    });\n",
    );
    // The first line keeps its indentation.
    gives("\ta\n    b\n", "    a\n    b", "    x\n    a\n    b", "\tx\n\ta\n    b\n");
}

#[test]
fn keeps_a_blank_line_beside_a_new_line() {
    gives("a\n  \n    b\n", "  a\n  \n      b", "  a\n  \n    x\n      b", "a\n  \n  x\n    b\n");
}

#[test]
fn keeps_the_files_wrapped_and_joined_lines() {
    gives(
        "SRC = main.c ring.c \\\n       util.c\n\nall:\n",
        "SRC = main.c ring.c util.c",
        "SRC = main.c ring.c util.c log.c",
        "SRC = main.c ring.c \\\n       util.c log.c\n\nall:\n",
    );
    gives(
        "call(first, second)\nend\n",
        "call(first,\n     second)\nend",
        "call(first,\n     second)\nstop",
        "call(first, second)\nstop\n",
    );
    gives(
        "call(first,\n     second)\nend\n",
        "call(first, second)\nend",
        "call(first, second)\nstop",
        "call(first,\n     second)\nstop\n",
    );
    gives("a = 1\nb = 2\n", "a = 1 b = 2", "a = 1 b = 3", "a = 1\nb = 3\n");
}

#[test]
fn keeps_all_lines_of_an_elision() {
    gives(
        "fn f() {\n    one();\n    two();\n    three();\n}\n",
        "fn f() {\n    // ... existing code ...\n}",
        "fn g() {\n    // ... existing code ...\n    four();\n}",
        "fn g() {\n    one();\n    two();\n    three();\n    four();\n}\n",
    );
    let refused = merge("a\nb\nc\n", 0..6, "a\nb\nc", "a\n# ... rest of the code ...\nd");
    assert_eq!(refused, Err(Refusal::Placeholder));
}

#[test]
fn takes_dots_of_the_file_for_no_elision() {
    gives("f(a,\n  ...);\ng(b);\n", "f( a,\n  ...);\ng(b);", "g(b);", "g(b);\n");
    gives("class A:\n    ...\n", "class  A:\n    ...", "class  A:\n    b = 1", "class A:\n    b = 1\n");
}

#[test]
fn keeps_the_whole_of_a_truncated_line() {
    gives(
        "let total = net + tax;\nshow(total);\n",
        "let total = net + tax;\nshow(to...",
        "let total = net;\nshow(to...",
        "let total = net;\nshow(total);\n",
    );
    gives(
        "pub fn run(self) {\n    go();\n}\n",
        "run(self) {\n    go();",
        "run(self) {\n    stop();",
        "pub fn run(self) {\n    stop();\n}\n",
    );
}

#[test]
fn makes_a_change_of_both_texts_once() {
    gives("use a;\nuse b;\nuse c;\n", "use a;\nuse c;\n", "use a;\nuse b;\nuse c;\n", "use a;\nuse b;\nuse c;\n");
}

#[test]
fn inserts_at_either_end() {
    gives("a\nb\n", "a\nb\n", "x\na\nb\n", "x\na\nb\n");
    gives("a\nb\n", "a\nb\n", "a\nb\nx\n", "a\nb\nx\n");
    gives("    a\n    b\n", "a\nb", "x\na\nb\ny", "    x\n    a\n    b\n    y\n");
}

#[test]
fn refuses_guesses() {
    refuses("a();\nb();\n", "a();\nold(thing);\nb();", "a();\nnew(thing);\nb();", Kind::Absent);
    refuses("a();\nb();\nc();\nd();\n", "a();\nc();\nd();", "", Kind::Conflict);
    refuses("a();\nx();\ny();\nb();\n", "a();\nb();", "a();\nnew();\nb();", Kind::InsertionPoint);
}

#[test]
fn inserts_the_continuation_of_a_line_right_after_it() {
    gives(
        "@only(kernel.name != 'linux', \"needs the kernel\")\ndef b(self):\n\n    c()\n",
        "@only(kernel.name != 'linux', \"needs the kernel\")\n\n    c()",
        "@only(kernel.name not in ('linux', 'android'),\n      \"needs the kernel\")\n\n    c()",
        "@only(kernel.name not in ('linux', 'android'),\n      \"needs the kernel\")\ndef b(self):\n\n    c()\n",
    );
}

#[test]
fn inserts_beside_a_kept_blank_line() {
    gives("a();\nx();\n\nb();\n", "a();\n\nb();", "a();\n\nnew();\nb();", "a();\nx();\n\nnew();\nb();\n");
    gives("a();\n\nx();\nb();\n", "a();\n\nb();", "a();\nnew();\n\nb();", "a();\nnew();\n\nx();\nb();\n");
}

#[test]
fn changes_only_the_place() {
    let file = "head\n    a\n    b\ntail\n";
    let merged = merge(file, 5..16, "a\nb", "a\nc").expect("the texts can be merged");
    assert_eq!(&file[merged.span.clone()], "    a\n    b\n");
    assert_eq!(merged.text, "    a\n    c\n");
}

#[test]
fn refuses_a_place_outside_the_document() {
    assert_eq!(merge("ä", 1..2, "a", "b"), Err(Refusal::Region));
    assert_eq!(merge("a", 0..5, "a", "b"), Err(Refusal::Region));
}

#[test]
fn merges_any_texts_without_a_panic() {
    let texts = [
        "",
        "\n",
        "\r\n\r\n",
        " ",
        "a",
        "\u{feff}a\u{3000}b",
        "...\n...",
        "// ...",
        "a\n\n\n",
        "\\\\n",
        "é\u{301}\n'\"`",
    ];
    for file in texts {
        for old in texts {
            for new in texts {
                let merged = merge(file, 0..file.len(), old, new);
                if let Ok(merged) = merged {
                    assert!(file.get(merged.span).is_some());
                }
                let taken = take(file, 0..file.len(), old, new);
                for conflict in taken.into_iter().flatten().flat_map(|taken| taken.conflicts) {
                    assert!(file.get(conflict.lines.range()).is_some() && file.get(conflict.file.range()).is_some());
                }
            }
        }
    }
}

#[test]
fn changes_nothing_without_a_change() {
    let file = "one {\r\n\ttwo;  \r\n\r\n\tthree; // and\r\n}\r\n";
    for old in ["one {\ntwo;\nthree;\n}", "one{two;three;}", "two", "four\nfive"] {
        assert_eq!(output(file, &merged(file, old, old)), file);
    }
}

#[test]
fn stops_soon_after_the_text_is_not_needed() {
    let line = |number: usize| format!("    let value_{number} = measure(input[{number}], {});\n", number % 7);
    let file: String = (0..400).map(line).collect();
    let old = file.replace("measure", "mesure");
    let new = old.replace("input", "output");
    let (calls, stop) = (Cell::new(0), Cell::new(usize::MAX));
    let is_needed = || {
        calls.set(calls.get() + 1);
        calls.get() <= stop.get()
    };
    let merge_all = || merge_while(&file, 0..file.len(), &old, &new, Run { is_needed: &is_needed, ..Run::WHOLE });
    let whole = merge_all().expect("the texts can be merged");
    assert_eq!(Ok(whole), merge(&file, 0..file.len(), &old, &new));
    let all = calls.get();
    assert!(all > 50, "{all} calls only");
    for part in 0..8 {
        stop.set(all * part / 8);
        calls.set(0);
        assert_eq!(merge_all(), Err(Refusal::Cancelled));
        assert!(calls.get() <= stop.get() + 3, "{} calls allowed, {} made", stop.get(), calls.get());
    }
}

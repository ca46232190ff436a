//! Reports of conflicts: places where file and new text both differ from the old text.

use fuzzy_core::Conflict;
use fuzzy_merge::take;

/// Returns the text of file, old and new text in each conflict, then the lines if the file wins and if the new text wins.
fn conflicts(file: &str, old: &str, new: &str) -> Vec<[String; 5]> {
    let taken = take(file, 0..file.len(), old, new).expect("the texts can be merged");
    let texts = |conflict: Conflict| {
        let [differing, lines] = [conflict.file, conflict.lines].map(|span| span.text(file).to_owned());
        [differing, conflict.old, conflict.new, lines, conflict.taken]
    };
    taken.map_or_else(Vec::new, |taken| taken.conflicts.into_iter().map(texts).collect())
}

#[test]
fn reports_conflicts_in_whole_lines() {
    let edits = [
        // A value, with a kept comment and another change in the line.
        (
            "f(a, 3, x)  // why\n",
            "f(a, 1, x)\n",
            "f(b, 2, x)\n",
            ["a, 3", "a, 1", "b, 2", "f(a, 3, x)  // why", "f(b, 2, x)  // why"],
        ),
        // One word with a mark inside.
        (
            "open(\"utf-16\")\ngo\n",
            "open(\"utf8\")\ngo\n",
            "open(\"latin-1\")\ngo\n",
            ["utf-16", "utf8", "latin-1", "open(\"utf-16\")", "open(\"latin-1\")"],
        ),
        // A deleted line.
        (
            "a();\r\nwait(9);\r\nb();\r\n",
            "a();\nwait(1);\nb();\n",
            "a();\nb();\n",
            ["wait(9);", "wait(1);", "", "wait(9);", ""],
        ),
        // Lines inserted with the new value.
        (
            "\tx = 5;\n\ty();\n",
            "x = 1;\ny();\n",
            "x = 2;\nz();\ny();\n",
            ["5", "1", "2;\nz()", "\tx = 5;", "\tx = 2;\n\tz();"],
        ),
    ];
    for (file, old, new, expected) in edits {
        assert_eq!(conflicts(file, old, new), [expected.map(str::to_owned)], "{file}");
    }
    let file = "a = 1;\nkeep();\nb = 2;\n";
    let two = conflicts(file, "a = 3;\nkeep();\nb = 4;\n", "a = 5;\nkeep();\nb = 6;\n");
    assert_eq!(two.iter().map(|[differing, ..]| differing.as_str()).collect::<Vec<_>>(), ["1", "2"]);
    assert!(conflicts(file, "a = 1;\nkep();\n", "a = 3;\nkep();\n").is_empty());
}

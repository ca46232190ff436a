//! A table for each law: texts that break it, and texts that nearly do.

use fuzzy_audit::{Equivalences, Landing, Law, audit};

/// Returns the law that a landing breaks.
fn broken(place: &str, needle: &str, new: &str, result: &str) -> Option<Law> {
    let landing = Landing { place, needle, new, result, ..Landing::default() };
    audit(&landing, Equivalences::between(place, needle)).err().map(|broken| broken.law)
}

/// Place, needle, new text, result, and the broken law.
type Row = (&'static str, &'static str, &'static str, &'static str, Option<Law>);

fn check(rows: &[Row]) {
    let mut wrong = Vec::new();
    for (place, needle, new, result, law) in rows {
        let found = broken(place, needle, new, result);
        if found != *law {
            wrong.push(format!("{place:?} + ({needle:?} → {new:?}) = {result:?}: {found:?} instead of {law:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}",
        wrong.join(
            "
"
        )
    );
}

#[test]
fn new_lines_have_the_marks_of_the_kept_ones() {
    let given = ["a()\nb()", "a()\nc()\nb()"];
    let place = "a();\nb();\n";
    let law = |result| {
        let landing = Landing { place, needle: given[0], new: given[1], given, result, ..Landing::default() };
        audit(&landing, Equivalences::default()).err().map(|broken| broken.law)
    };
    assert_eq!(law("a();\nc()\nb();\n"), Some(Law::Marks));
    let landing = Landing {
        place,
        needle: "a();\nb();",
        new: "a();\nc();\nb();",
        given,
        result: "a();\nc();\nb();\n",
        ..Landing::default()
    };
    assert_eq!(audit(&landing, Equivalences::default()), Ok(()));
}

#[test]
fn words_are_whole_and_keep_their_neighbours() {
    check(&[
        ("x = \"utf-8\"\n", "x = \"utf8\"", "x = \"latin-1\"", "x = \"latin-1-8\"\n", Some(Law::Words)),
        ("x = \"utf-8\"\n", "x = \"utf8\"", "x = \"latin-1\"", "x = \"latin-1\"\n", None),
        (
            "import StringIO, unicode,\n",
            "import StringIO,",
            "import StringIO",
            "import StringIOunicode,\n",
            Some(Law::Words),
        ),
        ("import StringIO, unicode,\n", "import StringIO,", "import BytesIO,", "import BytesIO, unicode,\n", None),
        // An apostrophe is no quote.
        ("say(\"a\")\n", "say('a')", "say('a') // we're", "say(\"a\") // we\"re\n", Some(Law::Words)),
        ("say(\"a\")\n", "say('a')", "say('a', 'b') // we're", "say(\"a\", \"b\") // we're\n", None),
        // The needle omits the mark after its last token; the new text has another token there.
        ("self.end = last;\n", "self.end = last", "self.end += size", "self.end; += size\n", Some(Law::Words)),
        ("self.end = last;\n", "self.end = last", "self.end = first", "self.end = first;\n", None),
        ("f(a) // sum\n", "f(a)", "f(b)", "f(b) // sum\n", None),
        // Signs of two marks.
        ("a = b;\n", "a=b;", "c := b;", "c : = b;\n", Some(Law::Words)),
        ("a = b;\n", "a=b;", "c := b;", "c := b;\n", None),
        // A misremembered name, and an addition after it.
        (
            "if len >= self.limit {\n",
            "if len >= self.size {",
            "if len >= self.size.max(1) {",
            "if len >= self.limit.max(1) {\n",
            None,
        ),
        (
            "if len >= self.limit {\n",
            "if len >= self.size {",
            "if len >= self.size.max(1) {",
            "if len >= self.limit.size.max(1) {\n",
            Some(Law::Duplicates),
        ),
        ("AND old = FALSE;\n", "and old = false", "and old = false\nand x > 5", "AND old = FALSE\nAND x > 5;\n", None),
        // Escaped once more than the needle is.
        (
            "\"\\\\d{4}-\\\\d{2}\"\n",
            "\"\\d{4}-\\d{2}\"",
            "\"\\d{4}-\\d{2}-\\d{2}\"",
            "\"\\\\d{4}-\\\\d{2}-\\\\d{2}\"\n",
            None,
        ),
        // A misspelled word of the needle, with a neighbour in the new text that it has nowhere in the file.
        ("total(count, max)\n", "total(cuont, max)", "total(cuont + 1, max)", "total(count + 1, max)\n", None),
        ("total(count, max)\n", "total(cuont, max)", "total(cuont + 1, max)", "total(count1, max)\n", Some(Law::Words)),
    ]);
}

#[test]
fn a_change_of_both_is_made_once() {
    let two = "fn a() {\n    go(1);\n}\n\nfn b() {}\n";
    let pasted = "fn a() {\n    go(1);\n}\n\nfn a() {\n    go(1);\n}\n\nfn b() {}\n";
    let nested = "if x {\n    if y {\n        go();\n    }\n}\n";
    check(&[
        ("a: 1,\nb: 3,\n", "a: 1\nb: 3,", "a: 2,\nb: 3,", "a: 2,,\nb: 3,\n", Some(Law::Words)),
        ("a: 1,\nb: 3,\n", "a: 1\nb: 3,", "a: 2,\nb: 3,", "a: 2,\nb: 3,\n", None),
        ("return x;\n", "x;", "return null;", "return return null;\n", Some(Law::Words)),
        ("return x;\n", "x;", "return null;", "return null;\n", None),
        (
            "wait(15); // 1.5 seconds\n",
            "wait(15);",
            "wait(20); // 1.5 seconds",
            "wait(20); // 1.5 seconds // 1.5 seconds\n",
            Some(Law::Duplicates),
        ),
        ("wait(15); // 1.5 seconds\n", "wait(15);", "wait(20);", "wait(20); // 1.5 seconds\n", None),
        (two, "fn b() {}", "fn a() {\n    go(1);\n}\n\nfn b() {}", pasted, Some(Law::Duplicates)),
        (pasted, "fn b() {}", "fn b() { }", pasted, None),
        // Equal closers one step apart are no repetition.
        ("if x {\n    go();\n}\n", "if x {\n    go();\n}", "if x {\n    if y {\n        go();\n    }\n}", nested, None),
    ]);
}

#[test]
fn a_block_beside_the_place_is_not_written_again() {
    let block = "\nlist b:\n  one: 1\n  two: 2\n";
    let place = "list a:\n  three: 3\n";
    let new = ["list a:\n  three: 4\n", block].concat();
    let landing = Landing { place, needle: "list a:\n  tree: 3\n", new: &new, result: &new, ..Landing::default() };
    let law = |landing: &Landing<'_>| audit(landing, Equivalences::default()).err().map(|broken| broken.law);
    assert_eq!(law(&landing), None);
    assert_eq!(law(&Landing { after: block, ..landing }), Some(Law::Duplicates));
    // A single line occurs by chance, and so does a differing block.
    assert_eq!(law(&Landing { after: "  two: 2\n", ..landing }), None);
    assert_eq!(law(&Landing { after: "\nlist b:\n  one: 1\n  two: 3\n", ..landing }), None);
    // Kept lines may become equal to their neighbours.
    let (place, like) = ("f(a);\ng(1);\nh();\n", "f(a);\ng(2);\nh();\n");
    let landing = Landing { place, needle: "f(a)\ng(1);\nh();", new: "f(a)\ng(2);\nh();", result: like, ..landing };
    assert_eq!(law(&Landing { after: like, ..landing }), None);
}

#[test]
fn closers_that_are_doubled_at_one_depth_are_known_only_from_one_depth() {
    let (needle, new) = ("\t\t}\n\tgo(1);", "\t\t}\n\t}\n\tgo(2);");
    check(&[
        ("\t\t}\n\t}\n\tgo(1);\n", needle, new, "\t\t}\n\t}\n\t}\n\tgo(2);\n", Some(Law::Duplicates)),
        ("\t\t}\n\t}\n\tgo(1);\n", needle, new, "\t\t}\n\t}\n\tgo(2);\n", None),
    ]);
}

#[test]
fn lines_that_needle_and_new_text_share_belong_to_the_file() {
    check(&[
        ("a: 1,\nb: 2,\n", "a: 1\nb: 2,", "c: 1,\na: 1", "c: 1,\na: 1\n", Some(Law::Delta)),
        ("a: 1,\nb: 2,\n", "a: 1\nb: 2,", "c: 1,\na: 1", "c: 1,\na: 1,\n", None),
        // The edit adds one more.
        ("a: 1,\nb: 2,\n", "a: 1\nb: 2,", "a: 1\nb: 2,\na: 1", "a: 1,\nb: 2,\na: 1\n", None),
    ]);
}

#[test]
fn a_mixed_line_has_no_more_of_a_word_than_the_lines_it_was_mixed_from() {
    check(&[
        ("f(x, y, 0)\n", "f(x, 0)", "f(x, y, 1)", "f(x, y, y, 1)\n", Some(Law::Duplicates)),
        ("f(x, y, 0)\n", "f(x, 0)", "f(x, y, 1)", "f(x, y, 1)\n", None),
        // The edit moves a word from one line to the next.
        ("f(x,\n  y, 0)\n", "f(x,\n  0)", "f(x, 1)", "f(x, y, 1)\n", Some(Law::Words)),
    ]);
}

#[test]
fn counts_lie_between_those_of_file_and_edit() {
    check(&[
        // A line of file and new text does not get lost.
        ("a\nkeep\n", "a", "keep\nb", "b\n", Some(Law::Delta)),
        ("a\nkeep\n", "a", "keep\nb", "keep\nb\n", None),
        // Nor does an addition to a kept line, but only once.
        ("p x\nq\n", "q", "q x", "p x\nx\nq x\n", Some(Law::Delta)),
        ("p x\nq\n", "q", "q x", "p x\nq x\n", None),
        // One side's count is enough: the file's own words may be deleted with the lines around them.
        ("a\nb\nkeep\n", "a\nb", "a\nc", "a\nc\n", None),
    ]);
}

#[test]
fn brackets_follow_from_both_changes() {
    let block = "if (a) {\n  b();\n}\n}\n";
    check(&[
        (block, "if (a) {\n  b();\n}", "if (a) {\n  b(1);\n}", "if (a) {\n  b(1);\n}\n", Some(Law::Shape)),
        (block, "if (a) {\n  b();\n}", "if (a) {\n  b(1);\n}", "if (a) {\n  b(1);\n}\n}\n", None),
        // File and new text have the block that the needle omits; the new text closes another.
        ("{\nif a {\nb\n}\n", "{\nb\n}", "{\nif a {\nc\n}\n}", "{\nif a {\nc\n}\n}\n", None),
    ]);
}

#[test]
fn new_lines_are_indented_like_their_neighbours() {
    let file = "class A:\n    def f(self):\n        pass\n";
    check(&[
        // The needle has lost its indentation, the new text has not.
        (
            "    a()\n    b()\n",
            "a()\nb()",
            "    a()\n    if c:\n        d()\n    b()",
            "    a()\n        if c:\n            d()\n    b()\n",
            Some(Law::Depth),
        ),
        (
            "    a()\n    b()\n",
            "a()\nb()",
            "    a()\n    if c:\n        d()\n    b()",
            "    a()\n    if c:\n        d()\n    b()\n",
            None,
        ),
        // Both have: the added lines move with their neighbours.
        (
            "    a()\n    b()\n",
            "a()\nb()",
            "a()\nif c:\n    d()\nb()",
            "    a()\nif c:\n    d()\n    b()\n",
            Some(Law::Depth),
        ),
        (
            "    a()\n    b()\n",
            "a()\nb()",
            "a()\nif c:\n    d()\nb()",
            "    a()\n    if c:\n        d()\n    b()\n",
            None,
        ),
        ("\ta()\n\tb()\n", "a()\nb()", "a()\nif c:\n    d()\nb()", "\ta()\n\tif c:\n\t\td()\n\tb()\n", None),
        // An edit that moves lines in by as much as its texts are shifted out.
        (
            "  f() {\n    a();\n    b();\n  }\n",
            "f() {\n  a();\n  b();\n}",
            "f(n) {\n  while (n) {\n    a();\n    b();\n  }\n}",
            "  f(n) {\n    while (n) {\n      a();\n      b();\n    }\n  }\n",
            None,
        ),
        // A single line of the block has another indentation.
        (
            "    a()\n    b()\n",
            "a()\nb()",
            "a()\nif c:\n    d()\nb()",
            "    a()\n    if c:\n    d()\n    b()\n",
            Some(Law::Depth),
        ),
        // A definition at the top level keeps its indentation.
        (
            file,
            "def f(self):\n        pass",
            "    def f(self):\n        pass\n\ndef g():\n    pass",
            "class A:\n    def f(self):\n        pass\n\n    def g():\n        pass\n",
            Some(Law::Depth),
        ),
        (
            file,
            "def f(self):\n        pass",
            "    def f(self):\n        pass\n\ndef g():\n    pass",
            "class A:\n    def f(self):\n        pass\n\ndef g():\n    pass\n",
            None,
        ),
        // An edit that indents kept lines indents new ones, too.
        ("  a()\n", "a()", "if b:\n    a()\n    c()", "  if b:\n      a()\n      c()\n", None),
    ]);
}

#[test]
fn lines_stay_lines() {
    check(&[
        ("a b\nc d\n", "a\nc d", "a x\nc d", "a b x\nc d\n", Some(Law::Words)),
        ("a b\nc d\ne\n", "a b\nc d\ne", "a b\nc d\nf", "a b c d\nf\n", Some(Law::Words)),
        ("a b\n", "a b", "a c", "a c", Some(Law::Ends)),
        ("a b\n", "a b\n", "a c", "a c", None),
        ("a b", "a b", "a c", "a c", None),
        ("x let a = 1\nb\n", "let a = 1\nb", "let a = 2\nb", "let a = 2 x\nb\n", Some(Law::Words)),
        ("x b c\nx\n", "x c\nx", "x c\nx x", "b c\nx x\n", Some(Law::Ends)),
        ("x b c\nx\n", "x c\nx", "x c\nx x", "x b c\nx x\n", None),
        // A comment after code is no line, though other lines begin as comments.
        ("a // b\n// c\n", "a\n// c", "a // b\n// d", "a // b\n// b\n// d\n", Some(Law::Ends)),
        ("a // b\n// c\n", "a\n// c", "a // b\n// d", "a // b\n// d\n", None),
    ]);
}

#[test]
fn line_breaks_belong_to_the_brackets_around_them() {
    check(&[
        ("r (a +\n  b)\n", "r (a + b)", "r a + b", "r a +\n  b\n", Some(Law::Shape)),
        ("r (a +\n  b)\n", "r (a + b)", "r a + b", "r a + b\n", None),
        ("r (a +\n  b)\n", "r (a + b)", "r (a + c)", "r (a +\n  c)\n", None),
    ]);
}

#[test]
fn common_lines_are_kept_and_old_ones_stay_away() {
    check(&[
        ("a\nb\nc\n", "a\nb\nb\nc", "a\nb\nd\nc", "a\nd\nc\n", Some(Law::Lines)),
        ("a\nb\nc\n", "a\nb\nb\nc", "a\nb\nd\nc", "a\nb\nd\nc\n", None),
        ("m[2]\n", "m[2][2]", "m[2][2][2]", "m[2][2]\n", Some(Law::Lines)),
        ("m[2]\n", "m[2]", "m[2][2]", "m[2][2]\n", None),
    ]);
}

#[test]
fn a_broken_law_names_line_and_word() {
    let landing = Landing {
        place: "one\nimport StringIO, unicode,\n",
        needle: "import StringIO,",
        new: "import StringIO",
        result: "one\nimport StringIOunicode,\n",
        ..Landing::default()
    };
    let broken = audit(&landing, Equivalences::default()).unwrap_err();
    assert_eq!((broken.law, broken.line, broken.token.as_str()), (Law::Words, 1, "StringIOunicode"));
    assert_eq!(
        broken.to_string(),
        "a word would be put together from two texts: \"StringIOunicode\" on line 2 of the new text"
    );
}

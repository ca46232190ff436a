//! Where a block belongs: its depth, what hangs on it, the strings in it, and the separators around it.

use fuzzy_pipeline::{Document, Edit, Failure, Pipeline, Transfer, TransferKind, ladder};

fn run(text: &str, edit: Edit<'_>) -> Result<String, String> {
    let applied = edit.run(&Pipeline::new(ladder::adaptive()), &Document::new(text));
    applied.map(|applied| applied.output).map_err(|failure| {
        let name = match failure {
            Failure::Range(refusal) => format!("{refusal:?}"),
            other => format!("{other:?}"),
        };
        name.split([' ', '{', '(']).next().unwrap_or_default().to_owned()
    })
}

/// Moves the lines from `first` to `last` below a line, or above it.
fn moved(text: &str, (first, last): (&str, &str), (anchor, is_below): (&str, bool)) -> Result<String, String> {
    let lines = if last.is_empty() { Edit::new(first, "") } else { Edit::range(first, last, "") };
    run(text, lines.with_transfer(Some(Transfer::new(TransferKind::Move, anchor, is_below))))
}

const RUST: &str = "\
/// One.
#[test]
fn one() {
    start();
}

impl A {
    fn two(&self) {
        if go() {
            run();
        }
    }
}
";

const SCRIPT: &str = "\
class A {
  one(a) {
    return a;
  }

  two(b) {
    return b;
  }
}

function three() {
  const c = 3;
  return c;
}
";

#[test]
#[expect(clippy::too_many_lines, reason = "it is one table")]
fn a_block_gets_the_depth_of_its_siblings_behind_the_lines_that_close_the_quoted_block() {
    let cases = [
        // The last line of a function is quoted, and a function is its sibling.
        (
            SCRIPT,
            ("function three() {", "}"),
            ("class A {", false),
            "function three() {\n  const c = 3;\n  return c;\n}\n\nclass A {\n  one(a) {\n    return a;\n  }\n\n  two(b) {\n    return b;\n  }\n}\n",
        ),
        // Methods have no word in common, but their form.
        (
            SCRIPT,
            ("  one(a) {", "  }"),
            ("    return b;", true),
            "class A {\n  two(b) {\n    return b;\n  }\n\n  one(a) {\n    return a;\n  }\n}\n\nfunction three() {\n  const c = 3;\n  return c;\n}\n",
        ),
        // A statement stays inside.
        (
            SCRIPT,
            ("  const c = 3;", ""),
            ("    return a;", true),
            "class A {\n  one(a) {\n    return a;\n    const c = 3;\n  }\n\n  two(b) {\n    return b;\n  }\n}\n\nfunction three() {\n  return c;\n}\n",
        ),
        // Behind two blocks, with what hangs on it.
        (
            RUST,
            ("fn one() {", "}"),
            ("            run();", true),
            "impl A {\n    fn two(&self) {\n        if go() {\n            run();\n        }\n    }\n\n    /// One.\n    #[test]\n    fn one() {\n        start();\n    }\n}\n",
        ),
        // Above what hangs on the quoted line.
        (
            RUST,
            ("    fn two(&self) {", "    }"),
            ("fn one() {", false),
            "fn two(&self) {\n    if go() {\n        run();\n    }\n}\n\n/// One.\n#[test]\nfn one() {\n    start();\n}\n\nimpl A {\n}\n",
        ),
        // C, with a brace of its own line.
        (
            "int a(void)\n{\n\treturn 1;\n}\n\nint b(void)\n{\n\treturn 2;\n}\n",
            ("int a(void)", "}"),
            ("\treturn 2;\n}", true),
            "int b(void)\n{\n\treturn 2;\n}\n\nint a(void)\n{\n\treturn 1;\n}\n",
        ),
        // Names of types on a line of their own; the last statement alone is quoted.
        (
            "static int\na(int b,\n  int c)\n{\n  return b;\n}\n\nint\nd(void)\n{\n  return 2;\n}\n",
            ("static int\na(int b,\n  int c)\n{\n  return b;\n}", ""),
            ("  return 2;", true),
            "int\nd(void)\n{\n  return 2;\n}\n\nstatic int\na(int b,\n  int c)\n{\n  return b;\n}\n",
        ),
        // A label has the depth of its switch; a statement with a block stays inside.
        (
            "  switch (a) {\n  case 1:\n    b();\n  default:\n    c();\n  }\n  d();\n",
            ("  case 1:", "    b();"),
            ("    c();", true),
            "  switch (a) {\n  default:\n    c();\n  case 1:\n    b();\n  }\n  d();\n",
        ),
        (
            "f() {\n  if (a) {\n    b();\n  }\n  if (c) {\n    for (d) {\n      e();\n    }\n  }\n}\n",
            ("  if (a) {\n    b();\n  }", ""),
            ("      e();\n    }", true),
            "f() {\n  if (c) {\n    for (d) {\n      e();\n    }\n    if (a) {\n      b();\n    }\n  }\n}\n",
        ),
        // A function is no method; private and generated methods are no comments, and `end(` closes nothing.
        (
            "class A {\n  one() {\n    this.#b();\n  }\n}\n\nasync function c(d = e()) {\n  f();\n}\n",
            ("async function c(d = e()) {", "}"),
            ("    this.#b();\n  }", true),
            "class A {\n  one() {\n    this.#b();\n  }\n}\n\nasync function c(d = e()) {\n  f();\n}\n",
        ),
        (
            "class A {\n  *#b() {\n    c();\n  }\n\n  one() {\n    this.#b();\n  }\n\n  end(a) {\n    d();\n  }\n}\n",
            ("  *#b() {", "  }"),
            ("    this.#b();", true),
            "class A {\n  one() {\n    this.#b();\n  }\n\n  *#b() {\n    c();\n  }\n\n  end(a) {\n    d();\n  }\n}\n",
        ),
        // Lifetimes are no strings, and bounds belong to the head above them.
        (
            "impl<'a> A<'a> {\n    fn b<'c>(d: &'c str)\n    where\n        'a: 'c,\n    {\n        e(d);\n    }\n\n    fn f() {\n        g();\n    }\n}\n",
            ("    fn f() {", "    }"),
            ("        e(d);", true),
            "impl<'a> A<'a> {\n    fn b<'c>(d: &'c str)\n    where\n        'a: 'c,\n    {\n        e(d);\n    }\n\n    fn f() {\n        g();\n    }\n}\n",
        ),
        // Lines of a preprocessor hang on nothing.
        (
            "#include <a>\n\n#ifdef B\nint b(void) {\n  c();\n}\n#endif\n\nint d(void) {\n  e();\n}\n",
            ("int b(void) {", "}"),
            ("  e();", true),
            "#include <a>\n\n#ifdef B\n#endif\n\nint d(void) {\n  e();\n}\nint b(void) {\n  c();\n}\n",
        ),
        // Items of lists, and keys.
        (
            "- a:\n    x: 1\n- b\n- c:\n    y: 2\n",
            ("- b", ""),
            ("    y: 2", true),
            "- a:\n    x: 1\n- c:\n    y: 2\n- b\n",
        ),
        (
            "<ul>\n  <li>a</li>\n  <li>\n    <b>c</b>\n  </li>\n</ul>\n",
            ("  <li>a</li>", ""),
            ("    <b>c</b>", true),
            "<ul>\n  <li>\n    <b>c</b>\n  </li>\n  <li>a</li>\n</ul>\n",
        ),
        // Between `if` and `else` only the inner depth is possible.
        (
            "def f():\n    x = 1\n    if x:\n        a()\n    else:\n        b()\n",
            ("    x = 1", ""),
            ("        a()", true),
            "def f():\n    if x:\n        a()\n        x = 1\n    else:\n        b()\n",
        ),
    ];
    for (text, lines, place, expected) in cases {
        // Lines that are there already show the place, too.
        let result = moved(text, lines, place)
            .or_else(|name| if name == "AlreadyApplied" { Ok(text.to_owned()) } else { Err(name) });
        assert_eq!(result.as_deref(), Ok(expected), "{lines:?} {place:?}");
    }
}

#[test]
fn what_hangs_on_a_block_goes_with_it() {
    let python =
        "#!/usr/bin/env python\nimport a\n\n# Reads.\n@cache\ndef one():\n    pass\n\ndef two():\n    return\n";
    let lines = ("def one():", "    pass");
    let expected =
        "#!/usr/bin/env python\nimport a\n\ndef two():\n    return\n\n# Reads.\n@cache\ndef one():\n    pass\n";
    let place = ("    return", true);
    assert_eq!(moved(python, ("@cache\ndef one():", "    pass"), place).as_deref(), Ok(expected));
    assert_eq!(moved(python, lines, place).as_deref(), Ok(expected));
    // A comment at the start of the file is not of its first block, and neither is one below other lines.
    let licence = "// Licence\nfn a() {\n    b();\n}\nfn c() {\n    d();\n}\n";
    let moved_down = "// Licence\nfn c() {\n    d();\n}\nfn a() {\n    b();\n}\n";
    assert_eq!(moved(licence, ("fn a() {", "}"), ("    d();\n}", true)).as_deref(), Ok(moved_down));
    // A deletion takes it along; the expected number of lines is obeyed.
    let text = "/** Adds. */\n@Pure\nint add() {\n  return 1;\n}\n\nint sub() {\n  return 2;\n}\n";
    let edit = Edit::range("int add() {", "}", "");
    assert_eq!(run(text, edit).as_deref(), Ok("\nint sub() {\n  return 2;\n}\n"));
    let left = "/** Adds. */\n@Pure\n\nint sub() {\n  return 2;\n}\n";
    assert_eq!(run(text, edit.with_expected_lines(Some(3))).as_deref(), Ok(left));
    // New lines are inserted above it, unless they hang on the quoted line, too.
    for new in ["int neg() {\n  // None, of course,\n  return 3;\n}\n", "int neg(void);\n"] {
        assert_eq!(run(text, Edit::before("int add() {", new)).as_deref(), Ok(&*format!("{new}{text}")));
    }
    let marked = text.replace("@Pure\n", "@Pure\n@Inline\n");
    assert_eq!(run(text, Edit::before("int add() {", "@Inline")).as_deref(), Ok(&*marked));
}

#[test]
fn strings_keep_their_value() {
    let text = "class A:\n    def f(self):\n        \"\"\"Reads.\n\n        All.\n        \"\"\"\n        return \"\"\"\n  x\n\"\"\"\n\n    x = 1\n\ndef g():\n    pass\n";
    let expected = "class A:\n    x = 1\n\ndef g():\n    pass\n\ndef f(self):\n    \"\"\"Reads.\n\n    All.\n    \"\"\"\n    return \"\"\"\n  x\n\"\"\"\n";
    let lines = ("    def f(self):", "  x\n\"\"\"");
    assert_eq!(moved(text, lines, ("def g():\n    pass", true)).as_deref(), Ok(expected));
    let cases = [
        ("`a\n${f(`b`)}\n  c`", "function f() {\n  go();\n}\nif (x) {\n  y = ", ";\n  z();\n}\n"),
        ("<<EOF\n  a\nEOF", "f() {\n  go\n}\nif x; then\n  cat ", "\n  z\nfi\n"),
        ("r#\"a \"b\n c\"#", "fn f() {\n  go();\n}\nif x {\n  y = ", ";\n  z();\n}\n"),
        ("\"a\n b\"", "fn f() {\n  go();\n}\nif x {\n  y = ", ";\n  z();\n}\n"),
    ];
    for (string, before, after) in cases {
        let text = format!("{before}{string}{after}");
        let line = before.lines().last().unwrap();
        let part = format!("{}{string}{}", line, after.lines().next().unwrap());
        let head = before.strip_suffix(line).unwrap();
        let rest = after.split_once('\n').unwrap().1;
        let moved = run(
            &text,
            Edit::new(&part, "").with_transfer(Some(Transfer::new(
                TransferKind::Move,
                head.lines().next().unwrap(),
                false,
            ))),
        );
        let expected = format!("{}\n{head}{rest}", part.trim_start());
        assert_eq!(moved.as_deref(), Ok(&*expected));
    }
}

#[test]
fn separators_belong_to_positions() {
    let json = "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      2\n    ]\n  },\n  \"d\": \"x, y\"\n}\n";
    let cases = [
        (
            Edit::after("  \"d\": \"x, y\"", "  \"e\": 3"),
            "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      2\n    ]\n  },\n  \"d\": \"x, y\",\n  \"e\": 3\n}\n",
        ),
        (
            Edit::after("  \"d\": \"x, y\"", "  \"e\": 3,"),
            "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      2\n    ]\n  },\n  \"d\": \"x, y\",\n  \"e\": 3\n}\n",
        ),
        (
            Edit::after("  \"a\": 1,", "  \"e\": 3"),
            "{\n  \"a\": 1,\n  \"e\": 3,\n  \"b\": {\n    \"c\": [\n      2\n    ]\n  },\n  \"d\": \"x, y\"\n}\n",
        ),
        (
            Edit::before("  \"a\": 1,", "  \"e\": 3"),
            "{\n  \"e\": 3,\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      2\n    ]\n  },\n  \"d\": \"x, y\"\n}\n",
        ),
        (
            Edit::range("  \"d\": \"x, y\"", "  \"d\": \"x, y\"", ""),
            "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      2\n    ]\n  }\n}\n",
        ),
        (
            Edit::range("  \"a\": 1,", "  \"a\": 1,", ""),
            "{\n  \"b\": {\n    \"c\": [\n      2\n    ]\n  },\n  \"d\": \"x, y\"\n}\n",
        ),
        (
            Edit::after("      2", "      3"),
            "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      2,\n      3\n    ]\n  },\n  \"d\": \"x, y\"\n}\n",
        ),
    ];
    for (edit, expected) in cases {
        assert_eq!(run(json, edit).as_deref(), Ok(expected), "{edit:?}");
        if !edit.new.is_empty() {
            assert_eq!(run(expected, edit), Err("AlreadyApplied".to_owned()), "{edit:?}");
        }
    }
    let others = [
        // A sequence whose last item has a separator, and statements, need nothing.
        ("[\n  a,\n  b,\n]\n", Edit::after("  b,", "  c"), Ok("[\n  a,\n  b,\n  c,\n]\n")),
        ("f {\n  a()\n  b()\n}\n", Edit::after("  b()", "  c()"), Ok("f {\n  a()\n  b()\n  c()\n}\n")),
        ("a:\n  - b,\n  - c\nd: 1\n", Edit::after("  - c", "  - e"), Ok("a:\n  - b,\n  - c\n  - e\nd: 1\n")),
        // Behind an open bracket and a semicolon no separator stands.
        ("[\n  a,\n  b,\n]\n", Edit::after("  a,", "  c {"), Ok("[\n  a,\n  c {\n  b,\n]\n")),
        ("[\n  a,\n  b,\n]\n", Edit::after("  a,", "  c;"), Ok("[\n  a,\n  c;\n  b,\n]\n")),
        // SQL, and an enum.
        ("SELECT\n  a,\n  b\nFROM t\n", Edit::after("  b", "  c"), Ok("SELECT\n  a,\n  b,\n  c\nFROM t\n")),
        // A comment is no place for a separator.
        ("[\n  a,\n  b // last\n]\n", Edit::after("  b // last", "  c"), Err("Separator")),
        ("[\n  a,\n  b\n  // more\n]\n", Edit::after("  // more", "  c"), Err("Separator")),
        // Separators at the start of lines.
        ("SELECT\n    a\n  , b\nFROM t\n", Edit::before("    a", "    c"), Err("Separator")),
    ];
    for (text, edit, expected) in others {
        assert_eq!(run(text, edit), expected.map(str::to_owned).map_err(str::to_owned), "{text}");
    }
}

#[test]
fn a_range_is_found_as_models_name_it() {
    let go = "func f() {\n\tif a {\n\t\tg()\n\t\th()\n\t}\n\treturn\n}\n";
    let docs = "impl B {\n    /// High.\n    fn high() {\n        1\n    }\n\n    /// Low.\n    fn low() {\n        2\n    }\n}\n";
    let yaml = "a:\n  image: x\n  port: 1\nb:\n  image: x\n  port: 2\n";
    let script = "f(() => {\n  g(() => {\n    a();\n  });\n  b();\n});\n";
    let cases = [
        // Quotes that lost their indentation say nothing about the depth of the end.
        (
            go,
            Edit::range("if a {", "h()", "\tif a {\n\t\tk()"),
            Ok("func f() {\n\tif a {\n\t\tk()\n\t}\n\treturn\n}\n"),
        ),
        // One line equals the quote without its indentation, and a lower one equals it exactly.
        (script, Edit::range("  g(() => {", "});", "  g()"), Err("Undecided")),
        (
            script,
            Edit::range("  g(() => {", "});", "  g()").with_expected_lines(Some(3)),
            Ok("f(() => {\n  g()\n  b();\n});\n"),
        ),
        // The first line is documentation.
        (
            docs,
            Edit::range("    /// Low.", "    }", "    /// Low.\n    fn low() {}"),
            Ok("impl B {\n    /// High.\n    fn high() {\n        1\n    }\n\n    /// Low.\n    fn low() {}\n}\n"),
        ),
        // A part of a line, unless it can be meant alone.
        ("let x = 1;\nlet y = 2;\n", Edit::after("let x = 1", "go();"), Ok("let x = 1;\ngo();\nlet y = 2;\n")),
        ("if (a) b(); else c();\nd();\n", Edit::after("if (a) b();", "e();"), Err("PartOfLine")),
        (
            "fn total(cart: &Cart) {\n    1\n}\n",
            Edit::range("fn total(", "}", "fn total(cart: &Cart) {\n    2\n}"),
            Ok("fn total(cart: &Cart) {\n    2\n}\n"),
        ),
        (
            "fn total(cart: &Cart) {\n    1\n}\n",
            Edit::range("fn total(", "}", "fn sum() {\n    2\n}"),
            Err("PartOfLine"),
        ),
        // Too long.
        (yaml, Edit::range("a:", "  port: 2", "a:\n  image: y"), Err("TooLong")),
        (yaml, Edit::range("a:", "  port: 2", "a:\n  image: y").with_expected_lines(Some(6)), Ok("a:\n  image: y\n")),
        (
            yaml,
            Edit::range("a:", "  port: 2", "a:\n  image: y\nb:\n  image: y"),
            Ok("a:\n  image: y\nb:\n  image: y\n"),
        ),
        ("## B\n\ntext b\n\n## C\n\ntext c\n", Edit::range("## B", "text c", "## B\n\nnew\n"), Err("TooLong")),
        ("# a\n# b\n# c\n", Edit::range("# a", "# c", "# d"), Ok("# d\n")),
    ];
    for (text, edit, expected) in cases {
        assert_eq!(run(text, edit), expected.map(str::to_owned).map_err(str::to_owned), "{edit:?}");
    }
}

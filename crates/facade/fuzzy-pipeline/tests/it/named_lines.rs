//! Edits that name lines by their ends: where they land, and why they are refused.

use fuzzy_pipeline::{Document, Edit, Failure, Pipeline, RangeRefusal, ladder};
use proptest::prelude::*;

fn adaptive() -> Pipeline {
    Pipeline::new(ladder::adaptive())
}

/// Returns the new text, or the name of the failure.
fn run(pipeline: &Pipeline, file: &str, edit: Edit<'_>) -> Result<String, String> {
    let answer = edit.run(pipeline, &Document::new(file));
    answer.map(|applied| applied.output).map_err(|failure| match failure {
        Failure::Range(refusal) => {
            let name = format!("{refusal:?}");
            name.split([' ', '{']).next().unwrap_or_default().to_owned()
        }
        other => format!("{other:?}").split([' ', '{', '(']).next().unwrap_or_default().to_owned(),
    })
}

const PYTHON: &str = "\
class Cart:
    def total(self):
        total = 0
        for price in self.prices:
            total += price
        return total

    def count(self):
        total = 0
        return total
";

const RUST: &str = "\
fn one() {
    start();
    if ready {
        run();
    }
}

fn two() {
    start();
}
";

#[test]
fn a_range_ends_where_its_block_does() {
    let cases = [
        // `last` does not occur again in the block.
        (
            PYTHON,
            Edit::range(
                "    def total(self):",
                "            total += price",
                "    def total(self):\n        total = 1",
            ),
            Ok(
                "class Cart:\n    def total(self):\n        total = 1\n        return total\n\n    def count(self):\n        total = 0\n        return total\n",
            ),
        ),
        // It closes the block that `first` opens, and occurs again.
        (RUST, Edit::range("fn one() {", "}", "fn one() {}"), Ok("fn one() {}\n\nfn two() {\n    start();\n}\n")),
        // The mark as it is quoted stands further down; the one that closes the block has another indentation.
        (RUST, Edit::range("    if ready {", "}", "    run();"), Err("Undecided")),
        // A bracket on a line of its own opens the block, and `} else {` continues it.
        ("f()\n{\n  a();\n}\ng()\n{\n  b();\n}\n", Edit::range("f()", "}", "f();"), Ok("f();\ng()\n{\n  b();\n}\n")),
        (
            "if a {\n  b();\n} else {\n  c();\n}\nif d {\n}\n",
            Edit::range("if a {", "}", "c();"),
            Ok("c();\nif d {\n}\n"),
        ),
        // It occurs again in the same block.
        ("a:\n  - x\n  - y\n  - x\n  - z\n", Edit::range("a:", "  - x", "b:"), Err("Undecided")),
        ("a\nb\nx\nc\nx\n", Edit::range("a", "x", "y"), Err("Undecided")),
        ("a\nb\nx\nc\nx\n", Edit::range("a", "x", "y").with_expected_lines(Some(5)), Ok("y\n")),
        ("a\nb\nx\nc\nx\n", Edit::range("a", "x", "y").with_expected_lines(Some(3)), Ok("y\nc\nx\n")),
        ("a\nb\nx\nc\nx\n", Edit::range("a", "x", "y").with_expected_lines(Some(4)), Err("OtherLength")),
        // It ends the block, and occurs again in the next one: a new text of one block says which is meant.
        (
            "f:\n  a\n  return\n\ng:\n  b\n  return\n",
            Edit::range("f:", "  return", "f:\n  c"),
            Ok("f:\n  c\n\ng:\n  b\n  return\n"),
        ),
        (
            "f:\n  a\n  return\n\ng:\n  b\n  return\n",
            Edit::range("f:", "  return", "f:\n  c\n\ng:\n  d"),
            Err("Undecided"),
        ),
        // It occurs again at the end of the block, as a slip in its indentation would.
        ("f:\n  if a:\n    x\n    end\n  y\n  end\n", Edit::range("f:", "    end", "g:"), Err("Undecided")),
        // A fence opens a block, too.
        ("# a\n\n```\nx\n```\n", Edit::range("# a", "```", "# b"), Err("Undecided")),
        // The first lines may be the last ones.
        ("a\nb\nc\n", Edit::range("b", "b", "x"), Ok("a\nx\nc\n")),
        ("a\nb\nc\nb\n", Edit::range("a\nb", "b", "x"), Err("Undecided")),
        // It is above `first`, or missing, or elsewhere.
        ("x\na\nb\n", Edit::range("a", "x", "y"), Err("NoLast")),
        (
            "fn a() {\n    b();\n}\nfn c() {\n    d();\n}\n",
            Edit::range("    b();", "    d();", "e();"),
            Err("LeavesBlock"),
        ),
        (
            "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": {\n    \"d\": 1\n  }\n}\n",
            Edit::range("  \"a\": {", "  }", "  \"a\": 1"),
            Err("Undecided"),
        ),
        // Blank lines at the ends of a quote are not part of the range.
        ("a\n\nb\nc\n\nd\n", Edit::range("\nb", "c\n\n", "\nx\n\n"), Ok("a\n\nx\n\nd\n")),
    ];
    for (file, edit, expected) in cases {
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(run(&adaptive(), file, edit), expected, "{edit:?}");
    }
}

#[test]
fn a_range_that_contradicts_itself_is_refused() {
    let cases = [
        // One of the next lines is in the new text.
        ("f() {\n  a\n  b\n}\n", Edit::range("  a", "  a", "  c\n  b"), "TooShort"),
        // It contains `first` again, chosen by the line.
        ("x\na\nx\nb\n", Edit::range("x", "b", "y").with_line(Some(1)), "FirstAgain"),
        // It contains a line of the form of an inexact `first`.
        (
            "def compute_sum(values):\n    a()\ndef compute_max(values):\n    b()\n    c()\n",
            Edit::range("def compute_sums(values):", "    c()", "x"),
            "FirstAgain",
        ),
        // The new text is there, and more below.
        ("a\nb\nc\nz\n", Edit::range("a", "z", "a\nb"), "StartsWithNew"),
        // A quote of a part of a line, of a mark, of nothing.
        ("let x = 1\nb\n", Edit::range("x = 1", "b", "c"), "PartOfLine"),
        ("max = 1\nb\n", Edit::range("x = 1", "b", "c"), "Refused"),
        ("f() {\n}\n", Edit::after("}", "g()"), "OnlyMarks"),
        // The mark of an inner block, as a slip in its indentation may be.
        ("f {\n  g {\n  }\n}\n", Edit::range("f {", "  }", "h"), "OnlyMarks"),
        ("f(\n  {\n    a\n  },\n})\nb\n", Edit::range("  })", "b", "  })\nc"), "OnlyMarks"),
        ("a = [\n  1,\n]\nb(\n  [\n    2,\n  ]\n)\nc = 1\n", Edit::range("a = [", "  ]", "x"), "OnlyMarks"),
        ("a\nb\n", Edit::range(" \n", "b", "c"), "Blank"),
        ("a\nb\n", Edit::range("a", "", "c"), "Blank"),
        ("a\nb\n", Edit::after("a", "c").with_replace_all(true), "ReplaceAll"),
        // The quote lost its indentation, and nothing shows whether the new text did.
        ("  a()\n  b()\nc()\n", Edit::after("b()", "d()"), "Indentation"),
    ];
    for (file, edit, expected) in cases {
        assert_eq!(run(&adaptive(), file, edit), Err(expected.to_owned()), "{edit:?}");
    }
}

#[test]
fn a_refusal_lists_the_ranges_with_their_lengths() {
    let file = "a\nb\nx\nc\nx\n";
    let failure = Edit::range("a", "x", "y").run(&adaptive(), &Document::new(file)).unwrap_err();
    let Failure::Range(RangeRefusal::Undecided { ends }) = &failure else { panic!("{failure:?}") };
    assert_eq!(ends.iter().map(|end| end.text(file)).collect::<Vec<_>>(), ["a\nb\nx", "a\nb\nx\nc\nx"]);
}

#[test]
fn lines_are_whole_and_endings_are_the_files() {
    let cases = [
        // One line break more or less at the end means nothing.
        ("a\nb\nc\n", Edit::range("a", "b", "x"), "x\nc\n"),
        ("a\nb\nc\n", Edit::range("a", "b", "x\n"), "x\nc\n"),
        ("a\nb", Edit::range("a", "b", "x\n"), "x"),
        // Without new lines, the line break goes, too.
        ("a\nb\nc\nd\n", Edit::range("b", "c", ""), "a\nd\n"),
        ("a\nb\nc", Edit::range("b", "c", ""), "a"),
        ("a\r\nb\r\nc", Edit::range("b", "c", ""), "a"),
        ("a\nb\n", Edit::range("a", "b", ""), ""),
        ("a\r\nb\r\nc\r\n", Edit::range("a", "b", "x\ny"), "x\r\ny\r\nc\r\n"),
        ("a\nb\nc\n", Edit::range("a\r\n", "b\r\n", "x\r\ny\r\n"), "x\ny\nc\n"),
        ("a\r\nb\r\n", Edit::after("a", "x\ny\n"), "a\r\nx\r\ny\r\nb\r\n"),
        ("a\r\nb", Edit::after("b", "x"), "a\r\nb\r\nx"),
        ("a\nb", Edit::after("b", "x\n"), "a\nb\nx"),
        ("a\nb", Edit::before("a", "x"), "x\na\nb"),
        // Blank lines of the new text are kept.
        ("a\nb\n", Edit::after("a", "\nx\n\n"), "a\n\nx\n\nb\n"),
        // A quote without indentation, as the new text.
        (
            "f:\n    a = 1\n    b = 2\n",
            Edit::range("a = 1", "b = 2", "if c:\n    a = 2\nd()"),
            "f:\n    if c:\n        a = 2\n    d()\n",
        ),
        (
            "f:\n\ta = 1\n\tb = 2\n",
            Edit::range("    a = 1", "    b = 2", "    if c:\n        a = 2"),
            "f:\n\tif c:\n\t\ta = 2\n",
        ),
    ];
    for (file, edit, expected) in cases {
        assert_eq!(run(&adaptive(), file, edit).as_deref(), Ok(expected), "{file:?} {edit:?}");
    }
}

#[test]
fn numbers_need_a_guard_and_find_lines_that_moved() {
    let file = (1..=200).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat();
    let changed = |from: usize, to: usize| {
        let lines = (1..=200).filter(|line| !(from..=to).contains(line) || *line == from);
        Ok(lines
            .map(|line| if line == from { "new\n".to_owned() } else { format!("line {line}\n") })
            .collect::<String>())
    };
    let cases = [
        (Edit::range("line 30", "", "new").lines(&(12..=14)), changed(30, 32)),
        (Edit::range("line 30", "line 32", "new").lines(&(12..=14)), changed(30, 32)),
        (Edit::range("line 30", "line 33", "new").lines(&(12..=14)), Err("NoRange".to_owned())),
        (Edit::range("line 199", "", "new").lines(&(198..=200)), Err("NoRange".to_owned())),
        // Without texts the caller vouches for the numbers.
        (Edit::range("", "", "new").lines(&(12..=14)), changed(12, 14)),
        (Edit::range("", "", "new").lines(&(199..=201)), Err("NoSuchLines".to_owned())),
    ];
    for (edit, expected) in cases {
        assert_eq!(run(&adaptive(), &file, edit), expected, "{edit:?}");
    }
    // Of two equal ranges near the numbers, either may be the numbered one; a far one is not.
    let twice = format!("a\nb\n{}a\nb\n", "c\n".repeat(10));
    assert_eq!(run(&adaptive(), &twice, Edit::range("a", "b", "x").lines(&(1..=2))), Err("NearRanges".to_owned()));
    let far = format!("a\nb\n{}a\nb\n", "c\n".repeat(100));
    let edit = Edit::range("a", "b", "x").lines(&(4..=5));
    assert_eq!(run(&adaptive(), &far, edit), Ok(format!("x\n{}a\nb\n", "c\n".repeat(100))));
}

#[test]
fn an_edit_that_is_sent_again_changes_nothing() {
    let cases = [
        (RUST, Edit::range("fn one() {", "}", "fn one() {\n    stop();\n}")),
        // The new text has another last line, and the old one occurs below.
        ("f() {\n  a\n  z\n}\ng() {\n  z\n}\n", Edit::range("  a", "  z", "  a\n  b")),
        ("a\nb\nz\n", Edit::range("a", "z", "a\nc")),
        // It has another first line.
        ("f() {\n  a = 1\n  b = 2\n}\n", Edit::range("  a = 1", "  b = 2", "  let a = 1\n  let b = 2")),
        ("a\nb\n", Edit::after("a", "x\ny")),
        ("a\nb\n", Edit::before("b", "x\n\n")),
        ("a()\nb()\nc()\n", Edit::range("a()", "b()", "d()")),
    ];
    for (file, edit) in cases {
        let once = run(&adaptive(), file, edit).unwrap_or_else(|failure| panic!("{edit:?}: {failure}"));
        let again = run(&adaptive(), &once, edit);
        assert!(again.is_err(), "{edit:?} on {once:?}: {again:?}");
    }
    let again = run(
        &adaptive(),
        "    let a = 1\n    let b = 2\n",
        Edit::range("    a = 1", "    b = 2", "    let a = 1\n    let b = 2"),
    );
    assert_eq!(again, Err("AlreadyApplied".to_owned()));
    assert_eq!(run(&adaptive(), "a\nx\nb\n", Edit::after("a", "x")), Err("AlreadyApplied".to_owned()));
    // New lines that have nothing in common with the missing ones prove nothing.
    assert_eq!(
        run(&adaptive(), "return None\n", Edit::range("def f():", "    g()", "return None")),
        Err("NotFound".to_owned())
    );
}

#[test]
fn a_misquoted_line_is_searched_by_every_ladder() {
    let file = "def total(cart, tax):\n    a()\n    b()\n    return tax\n\nx()\n";
    let edit = Edit::range("def total( cart,tax ):", "return  tax", "def total(cart):\n    return 0");
    for ladder in ["adaptive", "full", "conservative", "opencode", "boocode", "reference"] {
        let pipeline = Pipeline::new(ladder::named(ladder).unwrap());
        let edit = Edit::range(edit.old, "    return  tax", edit.new);
        assert_eq!(run(&pipeline, file, edit).as_deref(), Ok("def total(cart):\n    return 0\n\nx()\n"), "{ladder}");
    }
    // A misspelt word is found by the ladder alone.
    let misspelt = Edit::range("def totl(cart, tax):", "    return tax", "def total(cart):\n    return 0");
    assert_eq!(run(&adaptive(), file, misspelt).as_deref(), Ok("def total(cart):\n    return 0\n\nx()\n"));
}

/// Returns the line after the end of a range by the rule, with plain loops over the lines; none if it is refused.
fn naive_end(lines: &[&str], first: usize, count: usize, last: &[&str], is_new_block: bool) -> Option<usize> {
    let depth = |at: usize| lines[at].len() - lines[at].trim_start().len();
    let is_blank = |at: usize| lines[at].trim().is_empty();
    let block = depth(first);
    let mut ends = Vec::new();
    for start in first..lines.len() {
        let end = start + last.len();
        if end >= first + count && end <= lines.len() && &lines[start..end] == last {
            ends.push(end);
        }
    }
    let end = *ends.first()?;
    let start = end - last.len();
    let has_word = |line: &str| line.contains(char::is_alphanumeric);
    // A mark that is deeper than the first line may be the one at its depth.
    if depth(end - 1) > block && !last.iter().any(|line| has_word(line)) {
        let is_end = |at: &usize| !is_blank(*at) && depth(*at) <= block;
        let below = (end..lines.len()).find(is_end).is_some_and(|at| !has_word(lines[at]));
        if below || (first + count..start).any(|at| is_end(&at) && !has_word(lines[at])) {
            return None;
        }
    }
    // The range must not leave the block.
    if (first + count..start).any(|at| !is_blank(at) && depth(at) < block.min(depth(start))) {
        return None;
    }
    // Another closing mark before it.
    let is_mark = |line: &str| line.trim().starts_with(['}', ')', ']']) && !has_word(line);
    let is_other_mark = |at: usize| is_mark(lines[at]) && depth(at) == depth(start);
    if last.len() == 1 && is_mark(last[0]) && (first + count..start).any(is_other_mark) {
        return None;
    }
    // It is again at the end of the block, or in it, less deep.
    let is_last = |start: usize| lines[start..].iter().zip(last).all(|(one, other)| one.trim() == other.trim());
    let mut later =
        (start + 1..=lines.len() - last.len()).filter(|start| is_last(*start)).map(|at| at + last.len() - 1);
    let outer = later.find(|at| depth(*at) >= block && depth(*at) < depth(end - 1));
    if outer.is_some_and(|outer| (first + count..outer).all(|at| is_blank(at) || depth(at) > block)) {
        return None;
    }
    // It closes the block of the first line.
    let between: Vec<usize> = (first + count..end - 1).filter(|at| !is_blank(*at)).collect();
    let opens = !between.is_empty() && has_word(lines[end - 1]) || lines[end - 1].trim().starts_with(['}', ')', ']']);
    let closes = start >= first + count && depth(end - 1) == block;
    if closes && opens && between.iter().all(|at| depth(*at) > block) {
        return Some(end);
    }
    // It is the last line of that block, and the new text is a block.
    let next = (end..lines.len()).find(|at| !is_blank(*at));
    let is_end = next.is_none_or(|at| depth(at) <= block) && depth(end - 1) > block;
    if is_new_block && start >= first + count && is_end && between.iter().all(|at| depth(*at) > block) {
        return Some(end);
    }
    // It does not occur again before a line of less depth.
    for other in &ends[1..] {
        if (end..other - last.len()).all(|at| is_blank(at) || depth(at) >= block) {
            return None;
        }
    }
    Some(end)
}

/// Lines of few texts at few depths, so that they repeat.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let texts = prop::sample::select(vec!["a();", "b", "}", "},", "if c {", "", "d();"]);
    let line = (0_usize..3, texts).prop_map(|(depth, text)| match text {
        "" => String::new(),
        text => format!("{}{text}", "  ".repeat(depth)),
    });
    prop::collection::vec(line, 4..24)
}

proptest! {
    #![proptest_config(fuzzy_testkit::texts::config())]

    #[test]
    fn an_exact_range_ends_where_the_rule_says(
        lines in lines(),
        at in any::<prop::sample::Index>(),
        end in any::<prop::sample::Index>(),
        count in 1_usize..4,
        last_count in 1_usize..4,
        is_crlf in any::<bool>(),
        is_new_block in any::<bool>(),
    ) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let count = count.min(lines.len());
        let first_at = at.index(lines.len() + 1 - count);
        let end = first_at + count + end.index(lines.len() + 1 - first_at - count);
        let last_count = last_count.min(end - first_at);
        let (first, last) = (&lines[first_at..first_at + count], &lines[end - last_count..end]);
        let is_solid = |quote: &[&str]| !quote[0].trim().is_empty() && !quote[quote.len() - 1].trim().is_empty();
        let places = lines.windows(count).filter(|window| *window == first).count();
        // A quote without indentation has the depth of the first line, which the rule above does not know.
        let is_plain = first[0].starts_with(' ') <= last.iter().all(|line| line.is_empty() || line.starts_with(' '));
        if !(is_solid(first) && is_solid(last) && places == 1 && is_plain) {
            return Ok(());
        }
        let line_break = if is_crlf { "\r\n" } else { "\n" };
        let file = lines.join(line_break) + line_break;
        let (quoted_first, quoted_last) = (first.join("\n"), last.join("\n"));
        let new = if is_new_block { ["new", "  lines"] } else { ["new", "lines"] };
        let written = new.join("\n");
        let edit = Edit::range(&quoted_first, &quoted_last, &written);

        let expected = naive_end(&lines, first_at, count, last, is_new_block).filter(|end| {
            // A range that contains its own first lines again is refused.
            !lines[first_at + count..*end].windows(count).any(|window| window == first)
        });
        let answer = run(&adaptive(), &file, edit);
        match expected {
            // A range with another line at the depth of one of its first ones may be too long.
            Some(end) if answer == Err("TooLong".to_owned()) => {
                let depth = |line: &&str| line.len() - line.trim_start().len();
                let is_beside = |line: &&str| !line.trim().is_empty() && first.iter().any(|one| depth(one) == depth(line));
                prop_assert!(lines[first_at + 1..end].iter().any(is_beside), "{:?}", edit);
            }
            Some(end) => {
                let parts = [&lines[..first_at], &new[..], &lines[end..]].concat();
                prop_assert_eq!(&answer, &Ok(parts.join(line_break) + line_break), "{:?}", edit);
            }
            None => prop_assert!(answer.is_err(), "{:?} {:?}", edit, answer),
        }
        // Every ladder finds equal lines alike.
        let conservative = Pipeline::new(ladder::named("conservative").unwrap());
        prop_assert_eq!(run(&conservative, &file, edit), answer);
    }

    #[test]
    fn an_insertion_adds_its_lines_and_nothing_else(
        lines in lines(),
        at in any::<prop::sample::Index>(),
        new in lines(),
        is_below in any::<bool>(),
    ) {
        let anchor = at.index(lines.len());
        let (file, quote) = (lines.join("\n") + "\n", &lines[anchor]);
        let new = new.join("\n") + "\n";
        let edit = if is_below { Edit::after(quote, &new) } else { Edit::before(quote, &new) };
        if let Ok(output) = run(&adaptive(), &file, edit) {
            // A block stands behind the block of its anchor, and separators belong to the position.
            let bare = |line: &str| line.strip_suffix(',').unwrap_or(line).to_owned();
            let is_inserted = |place: usize| {
                let (above, below) = lines.split_at(place);
                let all = above.iter().map(String::as_str).chain(new.lines()).chain(below.iter().map(String::as_str));
                all.map(bare).eq(output.lines().map(bare))
            };
            let place = anchor + usize::from(is_below);
            prop_assert!((place..=lines.len()).any(is_inserted), "{output}");
            let nonsense = |line: &str| line.ends_with(";,") || line.ends_with("{,") || line.trim() == ",";
            prop_assert!(!output.lines().any(nonsense), "{output}");
        }
    }
}

//! Lines that are moved or copied: their depth, the blank lines around both places, and the lines of both texts.

use fuzzy_core::{Beside, Destination, transfer};
use fuzzy_pipeline::{Document, Edit, Failure, Pipeline, Quote, Span, Splice, Transfer, TransferKind, ladder};
use proptest::prelude::*;

/// Returns the name of a failure.
fn name(failure: &Failure) -> String {
    let name = match failure {
        Failure::Range(refusal) => format!("{refusal:?}"),
        other => format!("{other:?}"),
    };
    name.split([' ', '{', '(']).next().unwrap_or_default().to_owned()
}

/// Returns a text after lines of it were moved or copied.
fn within(text: &str, lines: Edit<'_>, place: Edit<'_>, kind: TransferKind) -> Result<String, String> {
    let transfer = Transfer::new(kind, place.old, place.quote == Quote::After);
    let applied = lines.with_transfer(Some(transfer)).run(&Pipeline::new(ladder::adaptive()), &Document::new(text));
    applied.map(|applied| applied.output).map_err(|failure| name(&failure))
}

/// Returns both texts after lines were moved or copied from the first to the second.
fn between(
    (text, other): (&str, &str),
    lines: Edit<'_>,
    place: Edit<'_>,
    kind: TransferKind,
) -> Result<(String, String), String> {
    let pipeline = Pipeline::new(ladder::adaptive());
    let (source, target) = (Document::new(text), Document::new(other));
    let whole = |edit: Edit<'_>, document| edit.attempt(&pipeline, document).without_new().decide().whole_lines();
    let beside = Beside { lines: whole(place, &target).unwrap(), is_below: place.quote == Quote::After };
    let destination = Destination::Other(&target, beside);
    let changes =
        transfer(&source, whole(lines, &source).unwrap(), destination, kind).map_err(|failure| name(&failure))?;
    let applied = |text: &str, splices: &[Splice]| {
        let mut text = text.to_owned();
        for splice in splices.iter().rev() {
            text.replace_range(splice.span.range(), &splice.text);
        }
        text
    };
    Ok((applied(text, &changes.source), applied(other, changes.target.as_slice())))
}

/// Moves lines in one text.
fn moved(text: &str, lines: Edit<'_>, place: Edit<'_>) -> Result<String, String> {
    within(text, lines, place, TransferKind::Move)
}

const PYTHON: &str = "\
import os

class A:
    def one(self):
        return 1

    def two(self):
        a = 2
        if a:
            b = 3
        return a


class B:
    def three(self):
        return 3
";

#[test]
fn lines_get_the_depth_of_their_place_and_blank_lines_stay_as_a_person_leaves_them() {
    let one = Edit::range("    def one(self):", "        return 1", "");
    let two = Edit::range("    def two(self):", "        return a", "");
    let cases = [
        // A method below another one, of the same class and of another class.
        (
            PYTHON,
            one,
            Edit::after("        return a", ""),
            "import os\n\nclass A:\n    def two(self):\n        a = 2\n        if a:\n            b = 3\n        return a\n\n    def one(self):\n        return 1\n\n\nclass B:\n    def three(self):\n        return 3\n",
        ),
        (
            PYTHON,
            one,
            Edit::after("        return 3", ""),
            "import os\n\nclass A:\n    def two(self):\n        a = 2\n        if a:\n            b = 3\n        return a\n\n\nclass B:\n    def three(self):\n        return 3\n\n    def one(self):\n        return 1\n",
        ),
        // The last method of a class to the start of the next one.
        (
            PYTHON,
            two,
            Edit::before("    def three(self):", ""),
            "import os\n\nclass A:\n    def one(self):\n        return 1\n\n\nclass B:\n    def two(self):\n        a = 2\n        if a:\n            b = 3\n        return a\n\n    def three(self):\n        return 3\n",
        ),
        // A class above another one.
        (
            PYTHON,
            Edit::range("class B:", "        return 3", ""),
            Edit::before("class A:", ""),
            "import os\n\nclass B:\n    def three(self):\n        return 3\n\nclass A:\n    def one(self):\n        return 1\n\n    def two(self):\n        a = 2\n        if a:\n            b = 3\n        return a\n",
        ),
        // A statement to another depth, in and out.
        (
            "f:\n    a\n    if b:\n        c\n        e\n    d\n",
            Edit::new("        c", ""),
            Edit::after("    a", ""),
            "f:\n    a\n    c\n    if b:\n        e\n    d\n",
        ),
        (
            "f:\n    a\n    if b:\n        c\n    d\n",
            Edit::new("    d", ""),
            Edit::after("    if b:", ""),
            "f:\n    a\n    if b:\n        d\n        c\n",
        ),
        (
            "f:\n    a\n    if b:\n        c\n    d\n",
            Edit::new("    a", ""),
            Edit::before("        c", ""),
            "f:\n    if b:\n        a\n        c\n    d\n",
        ),
        // Tabs and spaces.
        (
            "f:\n\ta\n\tif b:\n\t\tc\n\td\n",
            Edit::range("\tif b:", "\t\tc", ""),
            Edit::before("f:", ""),
            "if b:\n\tc\nf:\n\ta\n\td\n",
        ),
        // No blank line is doubled, and none is lost.
        ("a\n\nb\n\nc\n\nd\n", Edit::new("b", ""), Edit::after("c", ""), "a\n\nc\n\nb\n\nd\n"),
        ("a\n\nb\n\nc\n\nd\n", Edit::new("b", ""), Edit::after("d", ""), "a\n\nc\n\nd\n\nb\n"),
        ("a\n\nb\n\nc\n\nd\n", Edit::new("a", ""), Edit::after("d", ""), "b\n\nc\n\nd\n\na\n"),
        ("a\n\nb\n\nc\n\nd\n", Edit::new("d", ""), Edit::before("a", ""), "d\n\na\n\nb\n\nc\n"),
        ("a\nb\n\nc\nd\n", Edit::new("a", ""), Edit::after("c", ""), "b\n\nc\na\nd\n"),
        // A line joins two that touch, and others of its kind.
        ("a\n\nf:\n    b\n    c\n", Edit::new("a", ""), Edit::before("    c", ""), "f:\n    b\n    a\n    c\n"),
        (
            "import a\n\nf()\n\nimport b\nimport c\n",
            Edit::new("import a", ""),
            Edit::after("import b", ""),
            "f()\n\nimport b\nimport a\nimport c\n",
        ),
        // A final line break, or none.
        ("a\nb\nc", Edit::new("a", ""), Edit::after("c", ""), "b\nc\na"),
        ("a\nb\nc", Edit::new("c", ""), Edit::before("a", ""), "c\na\nb"),
        ("a\r\nb\r\nc", Edit::new("b", ""), Edit::after("c", ""), "a\r\nc\r\nb"),
        ("a\r\nb\r\nc\r\n", Edit::new("c", ""), Edit::before("b", ""), "a\r\nc\r\nb\r\n"),
    ];
    for (text, lines, place, expected) in cases {
        assert_eq!(moved(text, lines, place).as_deref(), Ok(expected), "{lines:?} {place:?}");
    }
}

#[test]
fn lines_go_to_another_text_or_are_copied() {
    let text = "a {\r\n    b\r\n}\r\n\r\nc\r\n";
    let block = Edit::range("a {", "}", "");
    let both = |text: &str, other: &str| Ok((text.to_owned(), other.to_owned()));
    let other = "x {\n  y\n  z\n}\n";
    assert_eq!(
        between((text, other), block, Edit::before("  z", ""), TransferKind::Move),
        both("c\r\n", "x {\n  y\n\n  a {\n      b\n  }\n\n  z\n}\n")
    );
    assert_eq!(
        between((text, other), Edit::new("    b", ""), Edit::after("  z", ""), TransferKind::Copy),
        both(text, "x {\n  y\n  z\n  b\n}\n")
    );
    let again = "x {\n  y\n  z\n  b\n}\n";
    let copied = between((text, again), Edit::new("    b", ""), Edit::after("  z", ""), TransferKind::Copy);
    assert_eq!(copied, Err("AlreadyApplied".to_owned()));
    let twice = within("a\nb\n", Edit::new("a", ""), Edit::after("a", ""), TransferKind::Copy);
    assert_eq!(twice.as_deref(), Ok("a\na\nb\n"));
    let to_new = transfer(&Document::new(text), Span::new(5, 10), Destination::Empty, TransferKind::Move).unwrap();
    assert_eq!(to_new.target[0].text, "b\r\n");
}

#[test]
fn a_transfer_that_is_not_certain_is_refused() {
    let text = "f() {\n  a\n  b\n}\ng\n";
    let block = Edit::range("f() {", "}", "");
    for (lines, place, expected) in [
        (block, Edit::after("  a", ""), "IntoItself"),
        (block, Edit::before("f() {", ""), "IntoItself"),
        (Edit::new("g", ""), Edit::before("missing", ""), "NotFound"),
        (Edit::range("f() {", "missing", ""), Edit::after("g", ""), "NoLast"),
        (Edit::new("() {", ""), Edit::after("g", ""), "PartOfLine"),
        // The lines are there.
        (Edit::new("g", ""), Edit::after("  b\n}", ""), "AlreadyApplied"),
        (Edit::new("  a", ""), Edit::before("  b", ""), "AlreadyApplied"),
    ] {
        assert_eq!(moved(text, lines, place), Err(expected.to_owned()), "{lines:?} {place:?}");
    }
    // A block that nothing closes cannot be empty.
    let method = "class B:\n    def g():\n        return 2\n";
    let lines = Edit::range("    def g():", "        return 2", "");
    assert_eq!(moved(&format!("{method}x\n"), lines, Edit::after("x", "")), Err("EmptyBlock".to_owned()));
    // Nothing is of the kind of these lines.
    let text = "with a:\n    b\nclass A:\n    def f():\n        return 1\n";
    let block = Edit::range("with a:", "    b", "");
    let beside = Edit::after("        return 1", "");
    assert_eq!(moved(text, block, beside).as_deref(), Ok("class A:\n    def f():\n        return 1\nwith a:\n    b\n"));
    let text = "x {\n    part a {\n        b\n    }\n}\nclass A:\n    def f():\n        return 1\n";
    let block = Edit::range("    part a {", "    }", "");
    assert_eq!(moved(text, block, beside), Err("UnknownDepth".to_owned()));
}

/// Lines of different words at few depths, and blank lines between them.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let line = (0_usize..4, any::<bool>(), 0_usize..4).prop_map(|(depth, ends, blank)| (depth, ends, blank));
    prop::collection::vec(line, 4..20).prop_map(|lines| {
        let mut all = Vec::new();
        for (at, (depth, opens, blank)) in lines.into_iter().enumerate() {
            all.push(format!("{}word{at}{}", "  ".repeat(depth), if opens { " {" } else { "" }));
            all.extend(std::iter::repeat_n(String::new(), blank.saturating_sub(1)));
        }
        all
    })
}

/// Returns the lines that are not blank.
fn solid(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| !line.trim().is_empty()).collect()
}

/// Returns each two neighbours that are not blank, and the number of blank lines between them.
fn gaps<'l>(lines: &[&'l str]) -> Vec<(&'l str, &'l str, usize)> {
    let at: Vec<usize> = (0..lines.len()).filter(|at| !lines[*at].trim().is_empty()).collect();
    at.windows(2).map(|pair| (lines[pair[0]].trim(), lines[pair[1]].trim(), pair[1] - pair[0] - 1)).collect()
}

fn depth(line: &str) -> isize {
    (line.len() - line.trim_start().len()).cast_signed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..fuzzy_testkit::texts::config() })]

    #[test]
    fn no_line_is_lost_or_made(
        text in lines(),
        other in lines(),
        (at, end) in any::<(prop::sample::Index, prop::sample::Index)>(),
        anchor in any::<prop::sample::Index>(),
        (is_same, is_copy, is_below) in any::<(bool, bool, bool)>(),
        (is_crlf, is_closed) in any::<(bool, bool)>(),
    ) {
        let other: Vec<String> = other.iter().map(|line| line.replace("word", "other")).collect();
        let solid_text = solid(&text);
        let start = at.index(solid_text.len());
        let end = start + 1 + end.index(solid_text.len() - start);
        let block = &solid_text[start..end];
        let target = if is_same { &text } else { &other };
        let anchor = *anchor.get(&solid(target));
        if is_same && block.contains(&anchor) {
            return Ok(());
        }
        let line_break = if is_crlf { "\r\n" } else { "\n" };
        let joined = |lines: &[String]| lines.join(line_break) + if is_closed { line_break } else { "" };
        let (file, to) = (joined(&text), joined(target));
        // All lines of the block are quoted, so that no rule of ranges matters.
        let from = text.iter().position(|line| line == block[0]).unwrap();
        let until = text.iter().position(|line| line == block[block.len() - 1]).unwrap();
        let quoted = text[from..=until].join("\n");
        let kind = if is_copy { TransferKind::Copy } else { TransferKind::Move };
        let place = if is_below { Edit::after(anchor, "") } else { Edit::before(anchor, "") };
        let lines = Edit::new(&quoted, "");
        let answer = if is_same {
            within(&file, lines, place, kind).map(|output| (output.clone(), output))
        } else {
            between((&file, &to), lines, place, kind)
        };
        let (after_text, output) = match answer {
            Ok(both) => both,
            Err(name) => {
                // Lines that are there, or that may belong to several depths.
                prop_assert!(["AlreadyApplied", "UnknownDepth"].contains(&name.as_str()), "{}", name);
                return Ok(());
            }
        };
        // By lists of lines: the block leaves, and is beside the anchor.
        let trimmed = |lines: &[&str]| lines.iter().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let mut left = solid_text.clone();
        if !is_copy {
            left.drain(start..end);
        }
        let mut expected = if is_same { left.clone() } else { solid(&other) };
        let at = expected.iter().position(|line| *line == anchor).unwrap() + usize::from(is_below);
        expected.splice(at..at, block.iter().copied());
        let lines: Vec<&str> = output.lines().collect();
        let written: Vec<&str> = lines.iter().copied().filter(|line| !line.trim().is_empty()).collect();
        prop_assert_eq!(trimmed(&written), trimmed(&expected));
        if !is_same {
            let rest: Vec<&str> = after_text.lines().filter(|line| !line.trim().is_empty()).collect();
            prop_assert_eq!(rest, left);
        }
        // The block keeps its shape, and every other line its indentation.
        let shift = depth(written[at]) - depth(block[0]);
        for (line, (known, place)) in written.iter().zip(expected.iter().zip(0..)) {
            let moves = (at..at + block.len()).contains(&place);
            prop_assert_eq!(depth(line), depth(known) + if moves { shift } else { 0 }, "{}", output);
        }
        // Neighbours that stay together keep their blank lines; others are as far apart as before.
        let before: Vec<&str> = text.iter().chain(if is_same { &[][..] } else { &other[..] }).map(String::as_str).collect();
        let known = gaps(&before);
        let is_inside = |line: &str| block.iter().any(|known| known.trim() == line);
        for (above, below, blank) in gaps(&lines).into_iter().filter(|gap| is_inside(gap.0) == is_inside(gap.1)) {
            match known.iter().find(|(one, other, _)| (*one, *other) == (above, below)) {
                Some((_, _, there)) if !is_copy => prop_assert_eq!(blank, *there, "{:?}", output),
                _ => prop_assert!(blank <= 2, "{:?}", output),
            }
        }
        let ends_alike = output.is_empty() || output.ends_with('\n') == to.ends_with('\n');
        prop_assert!(ends_alike, "{:?}", output);
        prop_assert_eq!(output.matches('\n').count(), output.matches(line_break).count());
    }
}

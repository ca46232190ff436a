//! Edits with the text that the file was when they were written.

use fuzzy_adaptive::Without;
use fuzzy_core::{Document, Edit, Ladder, Pipeline};
use proptest::prelude::*;

use crate::support::pipeline;

/// Returns the file after an edit with a base; none if it was refused.
fn edited(base: &str, file: &str, old: &str, new: &str) -> Option<String> {
    let (pipeline, document) = (pipeline(), Document::new(file));
    let attempt = Edit::new(old, new).with_base(Some(base)).attempt(&pipeline, &document);
    match attempt.decide().apply() {
        Ok(applied) => Some(applied.output),
        Err(fuzzy_core::Failure::AlreadyApplied { .. }) => Some(file.to_owned()),
        Err(_) => None,
    }
}

#[test]
fn a_law_that_is_left_out_is_left_out_at_a_known_place() {
    let (base, file) = ("setup();\nrun(fast);\nfinish();\n", "setup();\nrun(fast, twice);\nfinish();\n");
    assert_eq!(edited(base, file, "run(fast);\n", "run();\n"), None);
    let pipeline = Pipeline::new(Ladder::new("adaptive", &Without(&["law-words", "different-value"]), Vec::new()));
    let landed = Edit::new("run(fast);\n", "run();\n").with_base(Some(base)).run(&pipeline, &Document::new(file));
    assert!(landed.is_ok(), "{landed:?}");
}

#[test]
fn the_past_of_a_file_decides() {
    let config = "[db]\ntimeout = 10\nretries = 3\n\n[web]\nread_timeout = 10\n";
    for (what, base, file, old, new, expected) in [
        // The base shows which line had the old value.
        (
            "stale value",
            config,
            &*config.replacen("timeout = 10", "timeout = 30", 1),
            "timeout = 10\nretries = 3",
            "timeout = 20\nretries = 3",
            None,
        ),
        (
            "other value",
            config,
            &config.replacen("= 3", "= 5", 1),
            "timeout = 10\nretries = 3",
            "timeout = 20\nretries = 3",
            Some(config.replacen("10", "20", 1).replacen("= 3", "= 5", 1)),
        ),
        ("tie", "a()\nb()\nc()\n", "b()\na()\nb()\nc()\n", "b()", "b(1)", Some("b()\na()\nb(1)\nc()\n".to_owned())),
        (
            "piece of a line",
            "let a = f(x);\nlet b = 1;\n",
            "let b0 = f(x);\nlet a = f(x);\nlet b = 1;\n",
            "f(x)",
            "f(y)",
            Some("let b0 = f(x);\nlet a = f(y);\nlet b = 1;\n".to_owned()),
        ),
        (
            "already made",
            "a = 1\nb = 2\nc = 3\n",
            "a = 1\nb = 20\nc = 3\n",
            "b = 2\n",
            "b = 20\n",
            Some("a = 1\nb = 20\nc = 3\n".to_owned()),
        ),
        ("deleted meanwhile", "one\ntwo\nthree\n", "one\nthree\n", "two\n", "zwei\n", None),
        (
            "deletion",
            "one\ntwo = 2\nthree\n",
            "one\n\ttwo = 2\nthree\ntwo = 2\n",
            "two = 2\n",
            "",
            Some("one\nthree\ntwo = 2\n".to_owned()),
        ),
        ("twice in the base", "x = 1\ny\nx = 1\n", "x = 2\ny\nx = 3\n", "x = 1", "x = 9", None),
        (
            "formatter",
            "import a\nx = call(first, 'second', third)\ny = 2\n",
            "import a\n\nx = call(\n    first,\n    \"second\",\n    third,\n)\ny = 2\n",
            "x = call(first, 'second', third)",
            "x = call(first, 'other', third)",
            Some("import a\n\nx = call(\n    first,\n    \"other\",\n    third,\n)\ny = 2\n".to_owned()),
        ),
        (
            "CRLF file",
            "a\nb\nc\n",
            "b\r\na\r\nb\r\nc\r\n",
            "b\n",
            "b\nd\n",
            Some("b\r\na\r\nb\r\nd\r\nc\r\n".to_owned()),
        ),
        // A word that resembles the old one is somebody's change.
        (
            "likeness",
            "a\nx = get_default()\nb\n",
            "a\nx = get_or_default()\nb\n",
            "x = get_default()",
            "x = get_standard()",
            None,
        ),
        (
            "word deleted meanwhile",
            "a\nif (x or y or z):\nb\n",
            "a\nif (x):\nb\n",
            "if (x or y or z):",
            "if any_of:",
            None,
        ),
        // The quoted lines are gone, and others resemble them.
        ("gone", "a\nname?: string\nb\nc\n", "a\nb\nname: string\nc\n", "name?: string\n", "title?: string\n", None),
        // The file has the old text once, at another place than the one that was quoted.
        (
            "exact twin",
            "a\nb\nopen(x)\nread(x, 1)\nclose(x)\nc\nd\n",
            "open(x)\nread(x, 1)\nclose(x)\na\nb\nopen(x)\nread(x, 2)\nclose(x)\nc\nd\n",
            "open(x)\nread(x, 1)\nclose(x)",
            "open(x)\nread(x, 1)\nwait(x)\nclose(x)",
            None,
        ),
        (
            "moved",
            "a\nopen(x)\nread(x, 1)\nb\nc\n",
            "a\nb\nopen(x)\nread(x, 1)\nc\n",
            "open(x)\nread(x, 1)\n",
            "open(x)\nread(x, 9)\n",
            Some("a\nb\nopen(x)\nread(x, 9)\nc\n".to_owned()),
        ),
        // The file's line already ends as the edit would end it.
        ("mark added already", "[\n  one\n]\n", "[\n  one,\n]\n", "  one", "  one,", Some("[\n  one,\n]\n".to_owned())),
        ("placeholder", "a\nb\nc\nd\ne\n", "b\na\nb\nc\nd\ne\n", "b\nc\nd", "b\n# ... existing code ...\nd", None),
    ] {
        assert_eq!(edited(base, file, old, new), expected, "{what}");
    }
}

/// Makes an edit of a file with the file itself as the base, and without one.
fn seen(file: &str, old: &str, new: &str) -> [Option<String>; 2] {
    [edited(file, file, old, new), edited("", file, old, new)]
}

#[test]
fn what_the_author_saw_differs_by_slips_only() {
    let file = "def prepare(cart):\n    check_stock(cart)\n    lock_prices(cart)\n    log(\"cart %s is ready\", cart)\n    \
                notify(cart.owner)\n    return cart\n";
    // A word is wrong in a line that the edit replaces or deletes.
    let slip = |text: &str| text.replace("is ready", "is now complete");
    let line = "    log(\"cart %s is now complete\", cart)\n";
    let written = "    debug(\"cart %s is now complete and checked\", cart)\n";
    let old = slip(file);
    for new in [written, ""] {
        let expected = file.replace("    log(\"cart %s is ready\", cart)\n", new);
        assert_eq!(seen(file, &old, &old.replace(line, new)), [Some(expected.clone()), None], "{new:?}");
        let crlf = file.replace('\n', "\r\n");
        let landed = edited(&crlf, &crlf, &old, &old.replace(line, new));
        assert_eq!(landed, Some(expected.replace('\n', "\r\n")), "{new:?}");
    }
    // Two of three lines are too few.
    let three = |text: &str| text.lines().skip(2).take(3).collect::<Vec<_>>().join("\n");
    let new = old.replace(line, written);
    assert_eq!(seen(file, &three(&old), &three(&new)), [None, None]);

    // A line that the edit keeps stays the file's.
    let more = "def tail():\n    one()\n    two()\n    three()\n    four()\n";
    let longer = file.to_owned() + more;
    let [old, new] = [&old, &new].map(|text| text.replace("owner", "holder") + more);
    let expected = longer.replace("    log(\"cart %s is ready\", cart)\n", written);
    assert_eq!(seen(&longer, &old, &new), [Some(expected), None]);

    // The place is no slip: another one has as many of the lines.
    let twice = longer.clone() + "\n" + &longer;
    assert_eq!(seen(&twice, &old, &new), [None, None]);

    // It is unclear which of two quoted lines the edit deletes if the file has one.
    let doubled = file.replace("    lock_prices(cart)\n", "    lock_prices(cart)\n    lock_prices(cart)\n");
    let new = doubled.replacen("    lock_prices(cart)\n", "    more(cart)\n", 1);
    assert_eq!(seen(file, &doubled, &new), [None, None]);
}

#[test]
fn what_an_edit_adds_to_a_line_that_others_replaced_has_no_place() {
    let base = "CREATE TABLE t (\n  CHECK (a < 5),\n  CHECK (b < 7),\n  c TEXT\n);\n";
    let file = base.replace("CHECK (a < 5),", "-- see below");
    let new = "CREATE TABLE t (\n  CHECK (a < 5, d),\n  static CHECK (b < 7),\n  c TEXT\n";
    assert_eq!(edited(base, &file, base.strip_suffix(");\n").unwrap(), new), None);
}

#[test]
fn a_part_of_a_word_of_the_base_is_no_place() {
    let file = "a\nread_timeout = 10\nb\n";
    assert_eq!(seen(file, "timeout = 10", "timeout = 20"), [None, None]);
}

/// A change of a line by somebody else.
#[derive(Clone, Copy, Debug)]
enum Change {
    Replace,
    Delete,
    InsertAfter,
    /// A copy of the quoted lines, after this line.
    CopyAfter,
    Indent,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        Just(Change::Replace),
        Just(Change::Delete),
        Just(Change::InsertAfter),
        Just(Change::CopyAfter),
        Just(Change::Indent)
    ]
}

/// A text of distinct lines, some of whose shapes are alike.
fn line(at: usize) -> String {
    match at % 4 {
        0 => format!("fn step_{at}() {{"),
        1 => format!("    let value_{at} = load({at});"),
        2 => format!("    store(value_{at});"),
        _ => format!("}} // {at}."),
    }
}

proptest! {
    /// Changes at least two lines away from the old text do not matter, also copies of it.
    #[test]
    fn changes_elsewhere_do_not_matter(
        length in 6_usize..40,
        first in 0_usize..40,
        count in 1_usize..4,
        edited_line in 0_usize..4,
        others in prop::collection::vec((0_usize..40, change()), 0..6),
    ) {
        let first = first % (length - 4);
        let base: Vec<String> = (0..length).map(line).collect();
        let quoted = first..first + count;
        let old = base[quoted.clone()].join("\n");
        let new = old.replacen(&base[first + edited_line % count], "    something(new);", 1);
        let (mut file, mut expected) = (Vec::new(), Vec::new());
        for at in 0..length {
            let near = first.saturating_sub(2)..quoted.end + 2;
            let change = others.iter().find(|(other, _)| other % length == at).filter(|_| !near.contains(&at));
            let mut lines = match change.map(|(_, change)| change) {
                Some(Change::Replace) => vec![format!("replaced {at}")],
                Some(Change::Delete) => vec![],
                Some(Change::InsertAfter) => vec![base[at].clone(), format!("inserted {at}")],
                Some(Change::CopyAfter) => [vec![base[at].clone()], base[quoted.clone()].to_vec()].concat(),
                Some(Change::Indent) => vec![format!("  {}", base[at])],
                None => vec![base[at].clone()],
            };
            if at == first {
                expected.push(new.clone());
            } else if !quoted.contains(&at) {
                expected.extend(lines.iter().cloned());
            }
            file.append(&mut lines);
        }
        let [base, file, expected] = [base, file, expected].map(|lines| lines.join("\n") + "\n");
        prop_assert_eq!(edited(&base, &file, &old, &new), Some(expected));
    }

    /// A line of the old text that somebody else changed is a conflict if the edit changes it, too, and stays otherwise.
    #[test]
    fn a_changed_line_stays_or_is_a_conflict(
        length in 8_usize..40,
        first in 0_usize..40,
        edited_line in 0_usize..3,
        changed in 0_usize..3,
    ) {
        let first = first % (length - 4);
        let base: Vec<String> = (0..length).map(line).collect();
        let old = base[first..first + 3].join("\n");
        let new = old.replacen(&base[first + edited_line], "    something(new);", 1);
        let mut file = base.clone();
        file[first + changed] = format!("    other(text, {changed});");
        let mut expected = file.clone();
        expected[first + edited_line] = "    something(new);".to_owned();
        let [base, file, expected] = [base, file, expected].map(|lines| lines.join("\n") + "\n");
        let result = edited(&base, &file, &old, &new);
        if edited_line == changed {
            prop_assert_eq!(result, None);
        } else if result.is_some() {
            prop_assert_eq!(result, Some(expected));
        }
    }
}

//! Edits of sequences land as a list of items says, or are refused.
//!
//! The model knows items, their separator, and whether the last one has it. It knows neither lines nor alignments.

use fuzzy_core::Failure;
use fuzzy_testkit::texts;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::support::{Answer, decide};

/// How a language writes a sequence: the lines around it, an item, the separator, and the ends that the last item may
/// have.
struct Language {
    open: &'static str,
    item: &'static str,
    separator: &'static str,
    ends: &'static [&'static str],
    close: &'static str,
}

impl Language {
    const fn new(
        open: &'static str,
        item: &'static str,
        separator: &'static str,
        ends: &'static [&'static str],
        close: &'static str,
    ) -> Self {
        Self { open, item, separator, ends, close }
    }
}

const LANGUAGES: &[Language] = &[
    Language::new("{\n  \"limits\": {", "\"WORD\": 10", ",", &[""], "  }\n}"),
    Language::new("fn f() {\n  send(", "&self.WORD", ",", &["", ","], "  );\n}"),
    Language::new("class Names:\n  all = [", "\"WORD\"", ",", &["", ","], "  ]\n"),
    Language::new("func f() {\n  g := []string{", "names.WORD", ",", &[","], "  }\n}"),
    Language::new("[tool]\n  keys = [", "'WORD'", ",", &["", ","], "  ]\n"),
    Language::new("WITH x AS (\n  SELECT", "t.WORD", ",", &[""], "  FROM t\n)"),
    Language::new("set -e\n  run tool \\", "--WORD on", " \\", &[""], "\ndone"),
    Language::new("INSERT INTO names\n  VALUES", "('WORD')", ",", &[";"], "\nSELECT 1;"),
    Language::new("enum Names {\n  {", "WORD(1)", ",", &[";"], "    fun f() = 1\n  }\n}"),
    Language::new("function f() {\n  const", "WORD = 1", ",", &[";"], "\n  return 1;\n}"),
    Language::new("def f():\n  x = compile(", "r\"[WORD]\"\nr\"WORD+\"", ",", &["", ","], "  )\n"),
    Language::new("\n  #define F(x) \\", "WORD(x);", " \\", &[""], "\nint z;"),
];

const WORDS: &[&str] = &[
    "harbour", "lantern", "meadow", "orchard", "pebble", "quarry", "ribbon", "saddle", "timber", "umbrella", "velvet",
    "walnut",
];

#[derive(Clone, Copy, Debug)]
enum Change {
    Add { after: usize, count: usize },
    Delete { at: usize, count: usize },
    Rename { at: usize },
}

/// An edit of the last items of a sequence. Positions are counted among the quoted items.
#[allow(clippy::struct_excessive_bools)] // Each is one independent choice of the generator.
#[derive(Clone, Debug)]
struct Edit {
    language: usize,
    /// How the file ends the last item.
    end: &'static str,
    items: Vec<&'static str>,
    /// The items before the quoted ones, and those after them.
    before: usize,
    after: usize,
    quotes_close: bool,
    change: Change,
    /// How old and new text end their last item.
    old_end: &'static str,
    new_end: &'static str,
    /// Whether the quote lost a level of indentation.
    flat: bool,
    ending: &'static str,
}

impl Edit {
    fn language(&self) -> &'static Language {
        &LANGUAGES[self.language]
    }

    fn quoted(&self) -> &[&'static str] {
        &self.items[self.before..self.items.len() - self.after]
    }

    fn changed(&self) -> Vec<&'static str> {
        let mut items = self.quoted().to_vec();
        let fresh = WORDS.iter().copied().filter(|word| !self.items.contains(word));
        match self.change {
            Change::Add { after, count } => {
                items.splice(after..after, fresh.take(count));
            }
            Change::Delete { at, count } => {
                items.drain(at..(at + count).min(items.len()));
            }
            Change::Rename { at } => items.splice(at..=at, fresh.take(1)).for_each(drop),
        }
        items
    }

    /// Writes items, the last one with this end.
    fn lines(&self, items: &[&str], end: &str, indent: &str) -> Vec<String> {
        let Language { item, separator, .. } = self.language();
        let end_of = |at: usize| if at + 1 < items.len() { *separator } else { end };
        let line = |(at, word): (usize, &&str)| {
            let item = item.replace("WORD", word).replace('\n', &format!("\n{indent}"));
            format!("{indent}{item}{}", end_of(at))
        };
        items.iter().enumerate().map(line).collect()
    }

    fn file_of(&self, items: &[&str], end: &str) -> String {
        let lines = self.lines(items, end, "    ").join("\n");
        format!("{}\n{lines}\n{}\n", self.language().open, self.language().close).replace('\n', self.ending)
    }

    fn file(&self) -> String {
        self.file_of(&self.items, self.end)
    }

    fn expected(&self) -> String {
        let rest = &self.items[self.items.len() - self.after..];
        let changed = self.changed();
        // An old text that ends the last item as the file does says how the new text ends it, or that it keeps the
        // separator of the item before.
        let has_slip = self.after > 0 || self.old_end != self.end;
        let end = match changed[..] {
            _ if has_slip => self.end,
            [] => self.language().separator,
            _ => self.new_end,
        };
        self.file_of(&[&self.items[..self.before], &changed, rest].concat(), end)
    }

    fn text(&self, items: &[&str], end: &str) -> String {
        // An item in the middle has its separator.
        let end = if self.after > 0 { self.language().separator } else { end };
        let mut lines = self.lines(items, end, if self.flat { "  " } else { "    " });
        if self.quotes_close && self.after == 0 {
            lines.extend(
                self.language()
                    .close
                    .lines()
                    .take(1)
                    .map(|line| if self.flat { line.trim_start() } else { line }.to_owned()),
            );
        }
        lines.join("\n")
    }

    fn old_text(&self) -> String {
        self.text(self.quoted(), self.old_end)
    }

    fn new_text(&self) -> String {
        self.text(&self.changed(), self.new_end)
    }
}

fn edits() -> impl Strategy<Value = Edit> {
    let sequence = (0..LANGUAGES.len(), any::<prop::sample::Index>(), Just(WORDS.to_vec()).prop_shuffle(), 2..7_usize);
    let quote = (
        0..6_usize,
        1..4_usize,
        any::<bool>(),
        any::<[prop::sample::Index; 2]>(),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.2),
    );
    let change = (0..3_u8, any::<prop::sample::Index>(), 1..3_usize);
    (sequence, quote, change).prop_filter_map("a change of the text", |(sequence, quote, change)| {
        let (language, end, words, count) = sequence;
        let (before, quoted, quotes_close, [old_end, new_end], flat, wide) = quote;
        let Language { ends, separator, .. } = LANGUAGES[language];
        // The model ends the last item with the separator, with nothing, or as the language does.
        let quoted_ends = [separator, "", ends[0]];
        let before = before.min(count - 1);
        let quoted = quoted.min(count - before);
        let (kind, at, number) = change;
        let change = match kind {
            0 => Change::Add { after: at.index(quoted + 1), count: number },
            1 => Change::Delete { at: at.index(quoted), count: number },
            _ => Change::Rename { at: at.index(quoted) },
        };
        let edit = Edit {
            language,
            end: ends[end.index(ends.len())],
            items: words[..count].to_vec(),
            before,
            after: count - before - quoted,
            quotes_close,
            change,
            old_end: quoted_ends[old_end.index(3)],
            new_end: quoted_ends[new_end.index(3)],
            flat,
            ending: if wide { "\r\n" } else { "\n" },
        };
        // A piece of a line that occurs exactly is replaced literally, without indentation.
        let is_piece = edit.flat && edit.file().contains(&edit.old_text().replace('\n', edit.ending));
        // A sequence without items has no last one.
        let is_left = edit.before + edit.after + edit.changed().len() > 0;
        (is_left && !is_piece && edit.old_text() != edit.new_text() && edit.changed() != edit.quoted()).then_some(edit)
    })
}

fn answer(edit: &Edit) -> Answer {
    decide(&edit.file(), &edit.old_text(), &edit.new_text(), false)
}

/// Returns what the edit gives if the old text occurs exactly: it is replaced byte by byte.
fn literal(edit: &Edit) -> Option<String> {
    let (file, old) = (edit.file(), edit.old_text().replace('\n', edit.ending));
    (file.matches(&old).count() == 1).then(|| file.replace(&old, &edit.new_text().replace('\n', edit.ending)))
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn an_edit_of_a_sequence_lands_as_the_model_says_or_is_refused(edit in edits()) {
        let answer = answer(&edit);
        let exact = literal(&edit);
        prop_assert!(!matches!(answer.applied, Err(Failure::AlreadyApplied { .. })), "already applied");
        if let Some(output) = answer.output() {
            prop_assert!(output == edit.expected() || Some(&output) == exact.as_ref(),
                "file:\n{}\nold:\n{}\nnew:\n{}\noutput:\n{output}", edit.file(), edit.old_text(), edit.new_text());
        }
    }

    #[test]
    fn a_deletion_from_a_reordered_list_is_carried_out_or_refused(list in reordered(), at in any::<prop::sample::Index>()) {
        let deleted = list.old[at.index(list.old.len())];
        let without = |items: &[&'static str]| items.iter().copied().filter(|item| *item != deleted).collect::<Vec<_>>();
        let (file, old, new) = (list.text(&list.file), list.text(&list.old), list.text(&without(&list.old)));
        let answer = decide(&file, &old, &new, false);
        prop_assert!(!matches!(answer.applied, Err(Failure::AlreadyApplied { .. })), "already applied");
        if let Some(output) = answer.output() {
            prop_assert_eq!(output, list.text(&without(&list.file)));
        }
    }

    #[test]
    fn an_insertion_into_a_reordered_list_loses_no_item(list in reordered(), at in any::<prop::sample::Index>()) {
        let mut items = list.old.clone();
        items.insert(at.index(items.len() + 1), "zephyr");
        let answer = decide(&list.text(&list.file), &list.text(&list.old), &list.text(&items), false);
        if let Some(output) = answer.output() {
            for item in &items {
                prop_assert_eq!(output.matches(item).count(), 1, "{}", output);
            }
        }
    }
}

/// A list of two or more items, as the file and as the old text order them.
#[derive(Clone, Debug)]
struct Reordered {
    file: Vec<&'static str>,
    old: Vec<&'static str>,
    around: (&'static str, &'static str, &'static str),
}

impl Reordered {
    fn text(&self, items: &[&str]) -> String {
        let (open, separator, close) = self.around;
        format!("{open}{}{close}", items.join(separator))
    }
}

fn reordered() -> impl Strategy<Value = Reordered> {
    let around = prop::sample::select(vec![
        ("import a from 'a';\nimport { ", ", ", " } from './names';\nimport b from 'b';\n"),
        ("use std::fmt;\nuse names::{", ", ", "};\n"),
        ("const {\n    ", ",\n    ", ",\n} = names;\n"),
        ("from names import (\n    ", ",\n    ", ",\n)\n"),
        ("{\n  \"names\": [\n    ", ",\n    ", "\n  ]\n}\n"),
    ]);
    let file = Just(WORDS.to_vec())
        .prop_shuffle()
        .prop_flat_map(|words| (2..7_usize).prop_map(move |count| words[..count].to_vec()));
    let lists = file.prop_flat_map(|file| (Just(file.clone()), Just(file).prop_shuffle()));
    (lists, around).prop_map(|((file, old), around)| Reordered { file, old, around })
}

/// Returns how many of 500 generated edits pass a test.
fn count<T>(strategy: &impl Strategy<Value = T>, test: impl Fn(&T) -> bool) -> usize {
    let mut runner = TestRunner::new_with_rng(texts::config(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let made = (0..500).filter_map(|_| strategy.new_tree(&mut runner).ok());
    made.filter(|tree| test(&tree.current())).count()
}

#[test]
fn most_edits_of_sequences_land() {
    let landed = count(&edits(), |edit| answer(edit).applied.is_ok());
    assert!(landed >= 450, "{landed} of 500");
}

#[test]
fn most_deletions_from_reordered_lists_land() {
    let deletes = |list: &Reordered| {
        let shorter: Vec<&str> = list.old[1..].to_vec();
        decide(&list.text(&list.file), &list.text(&list.old), &list.text(&shorter), false).applied.is_ok()
    };
    let landed = count(&reordered(), deletes);
    assert!(landed >= 450, "{landed} of 500");
}

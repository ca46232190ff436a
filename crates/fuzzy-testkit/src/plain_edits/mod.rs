//! Edits of real files whose results follow from plain string operations.
//!
//! A piece of a file becomes the old text, and a small change of it the new one. The generator finds, counts and
//! replaces substrings; it knows no grammar, and shares no code with the engine. If the correct result is not certain,
//! it makes no edit.
//!
//! | kind | old text | result |
//! |---|---|---|
//! | `plain:inside_line` | occurs once, and begins inside a line | the new text in its place |
//! | `plain:inside_crlf` | the same with `\n`, ends inside a line; the file has `\r\n` | the new text in its place,
//! with `\r\n` |
//! | `plain:crlf_text` | the same with `\r\n` in a file without | the new text in its place, without `\r` |
//! | `plain:shown_lines` | whole lines with line numbers, a gutter or a fence that the new text lacks | the new text in
//! their place |
//! | `plain:several_places` | occurs several times | ambiguous |
//! | `plain:longer_line` | a line; the line after it begins with the line to add, and is longer | one line more |
//! | `plain:piece` | a piece of one line, on a line of its own | the piece changed, inside its line |
//! | `plain:separator` | ends the last item with a separator that it lacks; items are added | the items, separated as
//! the file's |
//! | `plain:other_block` | the head of one block, and the body of another | a refusal |
//! | `plain:left_block` | the first lines of one block, and lines of another one before it or far after it | a refusal
//! |
//! | `plain:other_name` | a block with a name that the file lacks | a refusal |

mod blocks;
mod places;
mod separators;
mod text;
mod words;

use std::iter;

use fastrand::Rng;
use fuzzy_core::{Applied, Failure};

use self::text::{Edit, Text};
use crate::slipped_edits::Case;
use crate::verdict::Verdict;

/// The prefix of the names of all kinds.
pub const PREFIX: &str = "plain:";

/// Makes an edit of a text, or `None` if the text has no suitable place.
type Make = fn(&Text, &mut Rng) -> Option<Edit>;

/// The kind whose old texts occur several times.
const SEVERAL_PLACES: &str = "several_places";

/// All kinds by name, in the order of generation.
const KINDS: &[(&str, Make)] = &[
    ("inside_line", places::inside_line),
    ("inside_crlf", places::inside_crlf),
    ("crlf_text", places::crlf_text),
    ("shown_lines", places::shown_lines),
    (SEVERAL_PLACES, places::several_places),
    ("longer_line", places::longer_line),
    ("piece", places::piece),
    ("separator", separators::separator),
    ("other_block", blocks::other_block),
    ("left_block", blocks::left_block),
    ("other_name", blocks::other_name),
];

/// Texts to try for an edit, and attempts in each.
const TEXTS_PER_EDIT: usize = 200;
const TRIES_PER_TEXT: usize = 20;

/// The largest text and line that a person writes, in bytes, and the least number of lines of a text.
const MAX_BYTES: usize = 200_000;
const MAX_LINE_BYTES: usize = 300;
const MIN_LINES: usize = 12;

/// Real texts to edit.
#[derive(Debug, Default)]
pub struct Texts(Vec<Text>);

impl Texts {
    /// Adds the text of a file whose name ends with `extension`, if a person may have written it.
    pub fn add(&mut self, extension: &str, text: &str) {
        let is_written = text.lines().all(|line| line.len() <= MAX_LINE_BYTES) && !text.contains('\r');
        if is_written && text.len() <= MAX_BYTES && text.lines().count() >= MIN_LINES {
            self.0.push(Text { extension: extension.to_owned(), text: text.to_owned() });
        }
    }

    /// Returns whether there are no texts.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Makes the edits of a seed, one of each kind in turn. The same seed and texts make the same edits. A number is
/// skipped if no text has a place for its kind.
///
/// # Panics
///
/// Panics if there are no texts.
pub fn cases(seed: u64, texts: &Texts) -> impl Iterator<Item = Case> {
    (0..).filter_map(move |number| {
        let (kind, make) = KINDS[number % KINDS.len()];
        let mut rng = Rng::with_seed(seed);
        let mut rng = Rng::with_seed(rng.u64(..) ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (text, Edit { content, old, new, expected }) = (0..TEXTS_PER_EDIT).find_map(|_| {
            let text = &texts.0[rng.usize(..texts.0.len())];
            let edit = iter::repeat_with(|| make(text, &mut rng)).take(TRIES_PER_TEXT).find_map(|edit| edit)?;
            Some((text, edit))
        })?;
        let content = content.unwrap_or_else(|| text.text.clone());
        Some(Case {
            id: format!("{seed}-plain-{number}"),
            kind: format!("{PREFIX}{kind}"),
            content,
            old,
            new,
            expected,
        })
    })
}

/// Rates the result of an edit of this generator.
///
/// No edit is already applied, so a failure that claims it is wrong. If the old text occurs several times, only an
/// ambiguous failure is right.
#[must_use]
pub fn verdict(case: &Case, answer: &Result<Applied, Failure>) -> Verdict {
    let is_several = case.kind.strip_prefix(PREFIX) == Some(SEVERAL_PLACES);
    match (answer, &case.expected) {
        (Err(Failure::AlreadyApplied { .. }), _) | (Ok(_), None) => Verdict::Wrong,
        (Err(Failure::Ambiguous { .. }), None) => Verdict::Right,
        (Err(_), None) if is_several => Verdict::Refused,
        (Err(_), None) => Verdict::Right,
        (answer, Some(expected)) => {
            let output = answer.as_ref().ok().map(|applied| applied.output.as_str());
            Verdict::of(&case.content, expected, output)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{KINDS, PREFIX, Texts, cases};
    use crate::slipped_edits::Case;

    const PYTHON: &str = "\
import os
import system_paths

LIMITS = [
    \"lantern\",
    \"meadow\",
    \"orchard\"
]


def open_gate(key):
    \"\"\"Open the gate.\"\"\"
    gate = find(key, default=None)
    if gate is None:
        return None
    return gate.open()


def water_plants(garden):
    for plant in garden.plants:
        amount = plant.needs(garden.season)
        garden.pump.run(amount)
    return None
";

    fn made() -> Vec<Case> {
        let mut texts = Texts::default();
        texts.add("py", PYTHON);
        assert!(!texts.is_empty());
        cases(1, &texts).take(300).collect()
    }

    #[test]
    fn every_kind_is_made_and_the_same_again() {
        let kinds: BTreeSet<String> = made().into_iter().map(|case| case.kind).collect();
        assert_eq!(kinds, KINDS.iter().map(|(kind, _)| format!("{PREFIX}{kind}")).collect());
        let shown = |cases: Vec<Case>| cases.into_iter().map(|case| format!("{case:?}")).collect::<Vec<_>>();
        assert_eq!(shown(made()), shown(made()));
    }

    #[test]
    fn old_texts_occur_as_often_as_their_kinds_say() {
        for case in made() {
            let count = case.content.replace("\r\n", "\n").matches(&case.old).count();
            match case.kind.trim_start_matches(PREFIX) {
                "inside_line" | "inside_crlf" | "longer_line" => assert_eq!(count, 1, "{case:#?}"),
                "several_places" => assert!(count > 1, "{case:#?}"),
                _ => assert_eq!(count, 0, "{case:#?}"),
            }
            assert_ne!(case.expected.as_ref(), Some(&case.content), "{case:#?}");
        }
    }

    #[test]
    fn only_texts_that_a_person_can_have_written_are_taken() {
        let mut texts = Texts::default();
        texts.add("py", "import os\n");
        texts.add("py", &PYTHON.replace('\n', "\r\n"));
        texts.add("js", &PYTHON.replace('\n', ";").repeat(20));
        assert!(texts.is_empty());
    }

    #[test]
    fn results_are_those_that_a_person_would_make() {
        let find = |kind: &str| made().into_iter().find(|case| case.kind == kind).unwrap();
        let separator = find("plain:separator").expected.unwrap();
        assert!(separator.contains("    \"orchard\",\n    \"orchard_next\""), "{separator}");
        assert!(separator.contains("_next\"\n]") || separator.contains("_more\"\n]"), "{separator}");
        let crlf = find("plain:inside_crlf");
        assert!(!crlf.old.contains('\r') && crlf.content.contains("\r\n"));
        assert_eq!(crlf.expected.unwrap().replace("\r\n", "").matches(['\r', '\n']).count(), 0);
        let longer = find("plain:longer_line").expected.unwrap();
        assert_eq!(longer.lines().count(), PYTHON.lines().count() + 1);
    }
}

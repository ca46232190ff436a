//! Edits of real files whose results follow from plain string operations.
//!
//! A piece of a file becomes the old text, and a small change of it the new one. The generator finds, counts and
//! replaces substrings; it knows no grammar, and shares no code with the engine. If the correct result is not certain,
//! it makes no edit.

mod blocks;
mod places;
mod separators;

use fastrand::Rng;

use self::blocks::{left_block, other_block, other_name};
use self::places::{crlf_text, inside_crlf, inside_line, longer_line, piece, several_places, shown_lines};
use self::separators::separator;
use super::case::Case;
use super::texts::{Text, Texts};

/// The prefix of the names of all kinds.
pub(super) const PREFIX: &str = "plain:";

/// The kind whose old texts occur several times.
pub(super) const SEVERAL_PLACES: &str = "plain:several_places";

/// Makes an edit of a text, or `None` if the text has no suitable place.
type Make = fn(&Text, &mut Rng) -> Option<Case>;

/// All kinds by name, in the order of generation.
const KINDS: &[(&str, Make)] = kinds! {
    inside_line inside_crlf crlf_text shown_lines several_places longer_line piece separator other_block left_block
    other_name
};

/// Texts to try for an edit, and attempts in each.
const TEXTS_PER_EDIT: usize = 200;
const TRIES_PER_TEXT: usize = 20;

/// Returns the names of all kinds.
pub(super) fn kinds() -> impl Iterator<Item = String> {
    KINDS.iter().map(|(kind, _)| format!("{PREFIX}{kind}"))
}

/// Makes an edit of a kind, given without its prefix, in one of the texts. `None` if no text has a place for it.
pub(super) fn case(kind: &str, texts: &Texts, rng: &mut Rng) -> Option<Case> {
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    (0..TEXTS_PER_EDIT.min(4 * texts.all.len())).find_map(|_| {
        let text = rng.choice(&texts.all)?;
        let case = (0..TRIES_PER_TEXT).find_map(|_| make(text, rng))?;
        Some(Case { kind: format!("{PREFIX}{kind}"), ..case })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{PREFIX, Texts, kinds};
    use crate::slipped_edits::{Case, cases_of};

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
        texts.add("py", PYTHON.to_owned());
        cases_of(1, &texts).filter(|case| case.kind.starts_with(PREFIX)).take(150).collect()
    }

    #[test]
    fn every_kind_is_made() {
        assert_eq!(made().into_iter().map(|case| case.kind).collect::<BTreeSet<_>>(), kinds().collect());
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

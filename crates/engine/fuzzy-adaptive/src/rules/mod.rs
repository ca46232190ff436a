//! The rules of the decision, one a file: they refuse a place, or the text that a merge made for it.
//!
//! The rules of the merge itself are in `fuzzy-merge/src/rules`, the laws of the audit in `fuzzy-audit/src/laws`. Every
//! rule has a folder `fuzzy-adaptive/tests/rules/NAME` with a case that it refuses and a near miss that lands.
//! `README.md` lists all rules, with the edits that each prevents and costs.

pub(crate) mod broken_law;
#[cfg(feature = "cases")]
pub(crate) mod cases;
pub(crate) mod changed_since;
pub(crate) mod commented_out;
pub(crate) mod elided_old_text;
pub(crate) mod equal_place;
pub(crate) mod line_elsewhere;
pub(crate) mod lost_characters;
pub(crate) mod low_score;
pub(crate) mod mixed_escapes;
pub(crate) mod no_change;
pub(crate) mod not_found;
pub(crate) mod not_mergeable;
pub(crate) mod other_block;
pub(crate) mod other_name;
pub(crate) mod overlapping_places;
pub(crate) mod placeholder;
pub(crate) mod several_places;
pub(crate) mod single_line;
pub(crate) mod top_level;
pub(crate) mod torn_line;
pub(crate) mod torn_word;

use fuzzy_merge::{Finding, Kind, Rule};

/// The rules of the decision that are no check: they name the end of a search, a merge or a score.
const ENDS: &[&Rule] = &[
    &not_found::RULE,
    &several_places::RULE,
    &low_score::RULE,
    &no_change::RULE,
    &mixed_escapes::RULE,
    &lost_characters::RULE,
    &placeholder::RULE,
    &not_mergeable::RULE,
    &overlapping_places::RULE,
];

/// The checks of the decision: without one of them, the edit lands unless another rule refuses it.
const CHECKS: &[&Rule] = &[
    &changed_since::RULE,
    &torn_line::RULE,
    &torn_word::RULE,
    &commented_out::RULE,
    &top_level::RULE,
    &elided_old_text::RULE,
    &equal_place::RULE,
    &single_line::RULE,
    &line_elsewhere::RULE,
    &other_block::RULE,
    &other_name::RULE,
];

/// Returns every rule that can refuse an edit: those of the decision, of the merge and of the audit.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    ENDS.iter().copied().chain(checks())
}

/// Returns the rules that [`Without`](crate::Without) can leave out; it keeps every other rule.
pub fn checks() -> impl Iterator<Item = &'static Rule> {
    CHECKS.iter().chain(fuzzy_merge::RULES).copied().chain(&broken_law::RULES)
}

/// Returns the rule for texts that cannot be merged.
pub(crate) fn of_refusal(refusal: fuzzy_merge::Refusal) -> &'static Rule {
    match refusal {
        fuzzy_merge::Refusal::Placeholder => &placeholder::RULE,
        _ => &not_mergeable::RULE,
    }
}

/// Returns the rule that decides among the findings of a merge: the gravest. `tie` is the rule of an equal place, if
/// there is one.
pub(crate) fn gravest(findings: &[Finding], tie: Option<&'static Rule>) -> Option<&'static Rule> {
    let first = |kind| findings.iter().map(|finding| finding.rule).find(|rule| rule.kind == kind);
    let forgotten = first(Kind::ForgottenLines);
    // Where lines were forgotten, a conflict may be about these.
    let conflict = first(Kind::Conflict).filter(|_| forgotten.is_none());
    let certain = first(Kind::Absent).or(conflict).or(tie);
    certain.or(forgotten).or(first(Kind::Guess)).or(first(Kind::InsertionPoint))
}

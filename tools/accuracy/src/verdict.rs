//! Rates answers.

use fuzzy_testkit::verdict::Verdict;

use crate::cases::Case;
use crate::sequence_matcher::changes;

/// Lines by which a change may miss its target.
const SLACK: usize = 2;

/// Rates the text of an edit, or its refusal; `None` if the case is not sufficient.
pub(crate) fn judge(case: &Case, output: Option<&str>) -> Option<Verdict> {
    if case.known() == "unlabelled" || (case.old == case.new && case.is_positive()) {
        return None;
    }
    if case.accept.iter().any(|accepted| accepted.as_deref() == output) {
        return Some(Verdict::Right);
    }
    if !case.is_positive() {
        let harmless = output.is_none_or(|output| case.accept_noop && output == case.content);
        return Some(if harmless { Verdict::Right } else { Verdict::Wrong });
    }
    if case.known() != "span" {
        return Some(Verdict::of(&case.content, case.expected.as_deref()?, output));
    }
    Some(match output.filter(|output| *output != case.content) {
        None => Verdict::Refused,
        Some(output) if lies_in_target(case, output) => Verdict::Right,
        Some(_) => Verdict::Wrong,
    })
}

/// Returns whether every changed line is in the target, or near it.
fn lies_in_target(case: &Case, output: &str) -> bool {
    let Some((first, last)) = case.target else { return false };
    let before: Vec<_> = case.content.split('\n').collect();
    let after: Vec<_> = output.split('\n').collect();
    changes(&before, &after)
        .iter()
        .all(|change| first <= change.before.start + SLACK && change.before.end <= last + SLACK)
}

#[cfg(test)]
mod tests {
    use super::{Verdict, judge};
    use crate::cases::Case;

    fn positive(expected: &str) -> Case {
        Case {
            content: "a\n".to_owned(),
            old: "a".to_owned(),
            new: "b".to_owned(),
            expected: Some(expected.to_owned()),
            ..Case::default()
        }
    }

    fn negative(accept_noop: bool) -> Case {
        Case { accept_noop, expected: None, ..positive("") }
    }

    #[test]
    fn a_negative_must_be_left_alone() {
        assert_eq!(judge(&negative(false), None), Some(Verdict::Right));
        assert_eq!(judge(&negative(false), Some("a\n")), Some(Verdict::Wrong));
        assert_eq!(judge(&negative(true), Some("a\n")), Some(Verdict::Right));
        assert_eq!(judge(&negative(true), Some("a")), Some(Verdict::Wrong));
    }

    #[test]
    fn every_accepted_answer_is_right() {
        let case = Case { accept: vec![Some("c\n".to_owned()), None], ..positive("b\n") };
        for output in [Some("b\n"), Some("c\n"), None] {
            assert_eq!(judge(&case, output), Some(Verdict::Right), "{output:?}");
        }
        assert_eq!(judge(&case, Some("d\n")), Some(Verdict::Wrong));
        let case = Case { accept: vec![Some("c\n".to_owned())], ..negative(false) };
        assert_eq!(judge(&case, Some("c\n")), Some(Verdict::Right));
        assert_eq!(judge(&case, Some("a\n")), Some(Verdict::Wrong));
    }

    #[test]
    fn a_change_must_lie_near_its_target() {
        let content = (0..20).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let case = Case {
            content: content.clone(),
            expected_kind: Some("span".to_owned()),
            target: Some((8, 10)),
            ..negative(false)
        };
        for (line, verdict) in [(5, Verdict::Wrong), (6, Verdict::Right), (11, Verdict::Right), (12, Verdict::Wrong)] {
            let output = content.replacen(&format!("\n{line}\n"), "\nx\n", 1);
            assert_eq!(judge(&case, Some(&output)), Some(verdict), "line {line}");
        }
        assert_eq!(judge(&case, Some(&content)), Some(Verdict::Refused));
        assert_eq!(judge(&case, None), Some(Verdict::Refused));
    }

    #[test]
    fn what_cannot_be_judged_is_not() {
        let unlabelled = Case { expected_kind: Some("unlabelled".to_owned()), ..positive("b\n") };
        assert_eq!(judge(&unlabelled, Some("b\n")), None);
        // The new text is the old one.
        assert_eq!(judge(&Case { new: "a".to_owned(), ..positive("a\n") }, None), None);
        let span = Case { expected_kind: Some("span".to_owned()), new: "a".to_owned(), ..negative(false) };
        assert_eq!(judge(&span, None), None);
        assert_eq!(judge(&Case { new: "a".to_owned(), ..negative(false) }, None), Some(Verdict::Right));
    }
}

//! Places that were scored, and whether they were right.

use std::ops::Range;

use fuzzy_adaptive::FEATURES;
use fuzzy_pipeline::{Document, Edit, Pipeline};
use fuzzy_report::Verdict;

use crate::cases::Case;

/// The comparison of the landing text with the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The expected text; blanks at ends of lines do not count.
    Right,
    /// The place is right, but the written text is not, which no feature of a place shows.
    OtherText,
    /// Another place, or no place.
    Wrong,
}

/// A place that only its score decided.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// The kind of its case.
    pub(super) kind: String,
    /// The values of its features.
    pub(super) values: [f32; FEATURES],
    /// The names of its repairs.
    pub(super) repairs: Vec<&'static str>,
    pub(super) outcome: Outcome,
    /// Whether the text is the expected one to the byte.
    pub(super) is_equal: bool,
}

impl Sample {
    /// Returns the place of a case, if there is one and only its score decides. Whether an edit was already applied is
    /// decided before, so such a case has no sample.
    pub(super) fn of(pipeline: &Pipeline, case: &Case) -> Option<Self> {
        if case.replace_all || (!case.is_positive() && case.accept_noop) {
            return None;
        }
        let document = Document::new(case.content.as_str());
        let edit = Edit::new(&case.old, &case.new);
        let score = edit.attempt(pipeline, &document).decide().score()?;
        if score.ruled_out.is_some() {
            return None;
        }
        let span = score.splice.span.range();
        let output = [&case.content[..span.start], &score.splice.text, &case.content[span.end..]].concat();
        let verdict = case.verdict(Some(&output))?;
        let outcome = match verdict {
            Verdict::Refused => return None,
            Verdict::Right | Verdict::Tails if case.is_positive() => Outcome::Right,
            Verdict::Whitespace | Verdict::Wrong if is_at_target(case, &span) => Outcome::OtherText,
            _ => Outcome::Wrong,
        };
        let kind = case.drift.split(':').next().unwrap_or_default().to_owned();
        let values = std::array::from_fn(|at| single(score.features[at].value));
        let repairs = score.repairs.iter().map(|repair| repair.name).collect();
        let is_equal = verdict == Verdict::Right && case.is_positive();
        Some(Self { kind, values, repairs, outcome, is_equal })
    }
}

/// Returns whether some of these bytes are in the lines that the edit is about.
fn is_at_target(case: &Case, span: &Range<usize>) -> bool {
    let Some((first, last)) = case.target.filter(|_| case.is_positive()) else { return false };
    let ends = [span.start, span.end.saturating_sub(1).max(span.start)];
    let [top, bottom] = ends.map(|at| case.content[..at].matches('\n').count());
    top < last && first <= bottom
}

/// Returns a number in the engine's precision; the lost digits do not matter.
#[expect(clippy::cast_possible_truncation)]
pub(super) const fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Sample};
    use crate::cases::Case;
    use crate::engine::{ADAPTIVE, pipeline};

    const CONTENT: &str = "fn first() {\n    open(file);\n    read(file);\n}\n";

    fn case(old: &str, new: &str, expected: Option<&str>) -> Case {
        Case {
            content: CONTENT.to_owned(),
            old: old.to_owned(),
            new: new.to_owned(),
            expected: expected.map(str::to_owned),
            drift: "combo:typo+case".to_owned(),
            target: Some((1, 3)),
            ..Case::default()
        }
    }

    fn sample(case: &Case) -> Option<Sample> {
        Sample::of(&pipeline(ADAPTIVE).unwrap(), case)
    }

    #[test]
    fn what_would_land_is_compared_with_what_should() {
        let (old, new) = ("open(fiel);\nread(file);", "open(fiel);\nwrite(file);");
        let right = CONTENT.replace("read", "write");
        let other_text = CONTENT.replace("read", "rewrite");
        for (expected, outcome) in
            [(Some(&*right), Outcome::Right), (Some(&*other_text), Outcome::OtherText), (None, Outcome::Wrong)]
        {
            assert_eq!(sample(&case(old, new, expected)).unwrap().outcome, outcome);
        }
        let elsewhere = Case { target: Some((3, 4)), ..case(old, new, Some("other\n")) };
        assert_eq!(sample(&elsewhere).unwrap().outcome, Outcome::Wrong);
        assert_eq!(sample(&elsewhere).unwrap().kind, "combo");
    }

    #[test]
    fn what_is_decided_without_a_score_is_no_sample() {
        // Exact, not found, unchanged, already applied.
        assert!(sample(&case("read(file);", "write(file);", None)).is_none());
        assert!(sample(&case("something else", "write(file);", None)).is_none());
        assert!(sample(&Case { accept_noop: true, ..case("open(fiel);", "close(fiel);", None) }).is_none());
    }
}

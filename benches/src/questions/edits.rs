//! The cost of many edits on one document.

use fuzzy_pipeline::{Document, Pipeline, Query, Span};

use crate::drift::Drift;
use crate::scenario::{Answer, Class, Expected, Scenario, Work};
use crate::search::{ladders, pipeline};
use crate::texts::{self, Text};

const REPLACEMENT: &str = "    replaced(by, this);\n    and_this();";

/// Makes the scenarios. Each copies the text first, like the first edit of a borrowed document.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let haystack = texts::code(10_000);
    let mut scenarios = Vec::new();
    for ladder in ladders() {
        for drift in [Drift::Exact, Drift::Indent] {
            for count in [1, 100] {
                let edits = edits(&haystack, drift, count);
                let case = format!("{count} {}", drift.name());
                let yardstick = Some(splices(&haystack, &edits));
                let work = apply(&haystack, pipeline(ladder), edits);
                let expected = Expected::Exactly(Answer::Count(count));
                let scenario = Scenario::new("edits", ladder, &case, &haystack, work, expected);
                scenarios.push(Scenario { class: Class::Hit, needle_lines: 3, yardstick, ..scenario });
            }
        }
    }
    scenarios
}

/// A needle, and the span of its source block.
struct Edit {
    needle: String,
    span: Span,
}

/// Picks three-line blocks all over the text that do not touch, from bottom to top so that spans remain valid.
fn edits(haystack: &Text, drift: Drift, count: usize) -> Vec<Edit> {
    let step = haystack.lines() / (count + 1);
    // Neither the first nor the last line of a block is one of the frequent lines.
    let blocks = (1..=count).rev().map(|edit| haystack.block((edit * step).next_multiple_of(7) + 2, 3));
    blocks.map(|block| Edit { needle: drift.apply(block.text), span: Span::new(block.start, block.end()) }).collect()
}

/// The timed region: finds each needle and replaces it; counts the edits at the right place.
fn apply(haystack: &Text, pipeline: Pipeline, edits: Vec<Edit>) -> Work {
    let haystack = haystack.clone();
    Box::new(move || {
        let mut document = Document::new(haystack.as_str());
        let mut made = 0;
        for edit in &edits {
            let judgement = pipeline.decide(Query::new(&document, &edit.needle), Some(REPLACEMENT), false);
            let splice = judgement.splices().ok().and_then(|mut splices| splices.next());
            let splice = splice.map(|(span, text)| (span, text.into_owned()));
            drop(judgement);
            if let Some((span, text)) = splice {
                made += usize::from(span.end() == edit.span.end());
                document.replace(span, &text);
            }
        }
        Answer::Count(made)
    })
}

/// The yardstick: the copy and the splices, without any search.
fn splices(haystack: &Text, edits: &[Edit]) -> Work {
    let haystack = haystack.clone();
    let spans: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
    Box::new(move || {
        let mut document = Document::new(haystack.as_str());
        for span in &spans {
            document.replace(*span, REPLACEMENT);
        }
        Answer::Count(document.text().len())
    })
}

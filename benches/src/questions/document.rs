//! The cost of a document apart from the search.

use fuzzy_pipeline::{Document, Query, Span};

use crate::scenario::{Answer, Expected, Scenario, Work};
use crate::texts::{self, Text};

/// Makes the scenarios.
#[must_use]
pub fn scenarios() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for haystack in [1_000, 10_000, 50_000, 200_000].map(texts::code) {
        let text = haystack.clone();
        scenarios.push(scenario(
            "Document::new",
            &haystack,
            Box::new(move || {
                let document = Document::new(text.as_str());
                Answer::Count(document.text().len())
            }),
        ));
        let text = haystack.clone();
        scenarios.push(scenario(
            "Query::new",
            &haystack,
            Box::new(move || {
                let document = Document::new(text.as_str());
                Answer::Count(Query::new(&document, "needle").text().len())
            }),
        ));
        let text = haystack.clone();
        scenarios.push(scenario(
            "Document::lines",
            &haystack,
            Box::new(move || Answer::Count(Document::new(text.as_str()).lines().len())),
        ));
        scenarios.push(scenario("100 x Document::replace", &haystack, replace(&haystack, false)));
        scenarios.push(scenario("100 x Document::replace with lines", &haystack, replace(&haystack, true)));
    }
    scenarios
}

/// Copies the text, then replaces a hundred words by longer ones, with or without a line table to update.
fn replace(haystack: &Text, lines: bool) -> Work {
    let haystack = haystack.clone();
    Box::new(move || {
        let mut document = Document::new(haystack.as_str());
        if lines {
            let _ = document.lines();
        }
        let step = haystack.as_str().len() / 100;
        for edit in 0..100 {
            let at = edit * step;
            document.replace(Span::new(at, at + 4), "longer\n");
        }
        Answer::Count(document.text().len() + if lines { document.lines().len() } else { 0 })
    })
}

fn scenario(case: &str, haystack: &Text, work: Work) -> Scenario {
    Scenario::new("document", "document", case, haystack, work, Expected::Stable)
}

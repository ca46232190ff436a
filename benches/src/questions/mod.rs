//! The scenarios, one module per question.

pub mod adversarial;
pub mod distance;
pub mod document;
pub mod edits;
pub mod growth;
pub mod ladders;
pub mod needle;
pub mod refusals;
pub mod strategies;
pub mod unicode;

use crate::scenario::Scenario;

/// A question: its name, and the function that makes its scenarios.
pub type Question = (&'static str, fn() -> Vec<Scenario>);

/// Every question, in the order of the reports.
pub const ALL: &[Question] = &[
    ("ladders", ladders::scenarios),
    ("growth", growth::scenarios),
    ("needle", needle::scenarios),
    ("adversarial", adversarial::scenarios),
    ("unicode", unicode::scenarios),
    ("edits", edits::scenarios),
    ("refusals", refusals::scenarios),
    ("document", document::scenarios),
    ("strategies", strategies::scenarios),
    ("distance", distance::scenarios),
];

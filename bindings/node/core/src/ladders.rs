//! The ladders by number; requests contain the number.

use std::sync::OnceLock;

use fuzzy_pipeline::{Pipeline, ladder};
use serde::Serialize;

use crate::json::json;

/// The description of a ladder for the package.
#[derive(Serialize)]
struct Described {
    name: &'static str,
    /// The rule that decides between the candidates of the strategies.
    policy: &'static str,
    strategies: Vec<&'static str>,
}

fn pipelines() -> &'static [Pipeline] {
    static PIPELINES: OnceLock<Vec<Pipeline>> = OnceLock::new();
    // A ladder that cannot be built is a broken build, which the tests detect; here it is skipped.
    PIPELINES.get_or_init(|| ladder::names().filter_map(|name| ladder::named(name).ok()).map(Pipeline::new).collect())
}

/// Returns the pipeline of the ladder with this number.
pub(crate) fn pipeline(number: u8) -> Option<&'static Pipeline> {
    pipelines().get(usize::from(number))
}

/// Returns all ladders in JSON, in the order of their numbers: `[{name, policy, strategies}]`.
#[must_use]
pub fn ladders() -> String {
    let ladders = pipelines().iter().map(Pipeline::ladder).map(|ladder| Described {
        name: ladder.name(),
        policy: ladder.decider().name(),
        strategies: ladder.strategies().iter().map(|strategy| strategy.name()).collect(),
    });
    json(&ladders.collect::<Vec<_>>())
}

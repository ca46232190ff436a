//! The ladders by number, which is what crosses.

use std::sync::OnceLock;

use fuzzy_pipeline::{Pipeline, ladder};
use serde::Serialize;

use crate::json::json;

/// A ladder as the package shows it.
#[derive(Serialize)]
struct Described {
    name: &'static str,
    /// The rule that decides between what its strategies propose.
    policy: &'static str,
    strategies: Vec<&'static str>,
}

fn pipelines() -> &'static [Pipeline] {
    static PIPELINES: OnceLock<Vec<Pipeline>> = OnceLock::new();
    // A ladder that cannot be made is a broken build, which the tests find; here it is only missing.
    PIPELINES.get_or_init(|| ladder::names().filter_map(|name| ladder::named(name).ok()).map(Pipeline::new).collect())
}

/// Returns the pipeline that walks the ladder with this number.
pub(crate) fn pipeline(number: u8) -> Option<&'static Pipeline> {
    pipelines().get(usize::from(number))
}

/// Returns every ladder in JSON, each at the place of its number: `[{name, policy, strategies}]`.
#[must_use]
pub fn ladders() -> String {
    let ladders = pipelines().iter().map(Pipeline::ladder).map(|ladder| Described {
        name: ladder.name(),
        policy: ladder.decider().name(),
        strategies: ladder.strategies().iter().map(|strategy| strategy.name()).collect(),
    });
    json(&ladders.collect::<Vec<_>>())
}

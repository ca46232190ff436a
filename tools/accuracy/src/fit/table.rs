//! Writes the model as a readable Rust table.

use std::fmt::Write;

use fuzzy_adaptive::{FeatureKind, Model};

/// The file of the fitted model.
pub(super) const FILE: &str = "crates/engine/fuzzy-adaptive/src/model.rs";

/// Formats the file of the model.
pub(super) fn render(model: &Model, command: &str) -> String {
    let mut steps = String::new();
    for (feature, costs) in FeatureKind::ALL.iter().zip(&model.steps) {
        let side = if feature.more_is_better { "below" } else { "above" };
        let costs: Vec<String> = costs.iter().map(|step| format!("step({:?}, {:?})", step.limit, step.cost)).collect();
        let (name, meaning, costs) = (feature.name, feature.meaning, costs.join(", "));
        let _ = write!(
            steps,
            "            // {name}: {meaning}; {side} the limit costs\n            Borrowed(&[{costs}]),\n"
        );
    }
    let perfect = model.perfect;
    let accuracies: Vec<String> =
        model.text_accuracy.iter().map(|of| format!("accuracy({:?}, {:?})", of.repaired, of.right)).collect();
    let accuracies = accuracies.join(", ");
    format!(
        "//! The fitted model of a place's probability.\n\
         //!\n\
         //! Made by `{command}`; do not edit.\n\
         \n\
         use std::borrow::Cow::Borrowed;\n\
         \n\
         use crate::score::{{Model, accuracy, step}};\n\
         \n\
         impl Model {{\n    \
             /// The model fitted to labelled edits.\n    \
             #[rustfmt::skip]\n    \
             pub const FITTED: Self = Self {{\n        \
                 perfect: {perfect:?},\n        \
                 text_accuracy: Borrowed(&[{accuracies}]),\n        \
                 steps: [\n{steps}        ],\n    \
             }};\n\
         }}\n"
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fuzzy_adaptive::Model;
    use fuzzy_tools::run::root;

    use super::{FILE, render};

    #[test]
    fn the_file_holds_what_the_command_writes() {
        let text = fs::read_to_string(root().join(FILE)).unwrap();
        let command = text.split('`').nth(1).unwrap();
        assert_eq!(render(&Model::FITTED, command), text);
    }
}

//! Runs the registry's test with every choice of features.

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, cargo, run};

/// The facade, whose features choose the strategies.
const FACADE: &str = "fuzzy-pipeline";

/// Adds one step for every choice of features: lints, and the registry's test in dev and release.
///
/// A strategy that nothing names is dropped by the linker without a word, and what is dropped
/// depends on the features and the profile; so every choice is built on its own.
pub(super) fn steps(metadata: &Metadata, steps: &mut Steps) {
    let facade = match metadata.member(FACADE) {
        Ok(facade) => facade,
        Err(error) => return steps.step("features", || Err(error)),
    };
    let mut choices = vec![
        ("default".to_owned(), vec![]),
        ("none".to_owned(), vec!["--no-default-features".to_owned()]),
        ("all".to_owned(), vec!["--all-features".to_owned()]),
    ];
    for feature in &facade.features {
        // The feature `all` is what "all" above turns on, among the rest.
        if feature != "default" && feature != "all" {
            choices.push((
                format!("{feature} alone"),
                vec!["--no-default-features".to_owned(), "--features".to_owned(), feature.clone()],
            ));
        }
    }
    for (name, choice) in choices {
        steps.step(format!("features, {name}"), || registry(&choice));
    }
}

fn registry(choice: &[String]) -> Result<()> {
    let package = ["--package", FACADE];
    let mut lints = cargo(["clippy", "--quiet"]);
    lints.args(package).args(choice).args(["--", "-D", "warnings"]);
    run(lints)?;
    for profile in [None, Some("--release")] {
        let mut test = cargo(["test", "--quiet", "--test", "registry"]);
        test.args(package).args(choice).args(profile);
        run(test)?;
    }
    Ok(())
}

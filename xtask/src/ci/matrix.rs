//! Builds the facade and the command with every choice of features.

use anyhow::Result;
use fuzzy_tools::metadata::{Metadata, Package};
use fuzzy_tools::run::{Steps, cargo, run};

/// The facade, whose features choose the strategies.
const FACADE: &str = "fuzzy-pipeline";

/// The command, whose features choose the verbs.
const COMMAND: &str = "fuzzy-edit-cli";

/// Adds one step for every choice of features: lints, and for the facade the registry's test in dev and release.
///
/// A strategy that nothing names is dropped by the linker without a word, and what is dropped
/// depends on the features and the profile; so every choice is built on its own.
pub(super) fn steps(metadata: &Metadata, steps: &mut Steps) {
    for (name, check) in [(FACADE, registry as fn(&[String]) -> Result<()>), (COMMAND, |choice| lints(COMMAND, choice))]
    {
        match metadata.member(name) {
            Ok(package) => {
                for (title, choice) in choices(package) {
                    steps.step(format!("{name}, {title}"), || check(&choice));
                }
            }
            Err(error) => steps.step(name, || Err(error)),
        }
    }
}

/// Returns the choices of a package's features, each with its title and what asks cargo for it.
fn choices(package: &Package) -> Vec<(String, Vec<String>)> {
    let mut choices = vec![
        ("default".to_owned(), vec![]),
        ("none".to_owned(), vec!["--no-default-features".to_owned()]),
        ("all".to_owned(), vec!["--all-features".to_owned()]),
    ];
    for feature in &package.features {
        // The feature `all` is what "all" above turns on, among the rest.
        if feature != "default" && feature != "all" {
            choices.push((
                format!("{feature} alone"),
                vec!["--no-default-features".to_owned(), "--features".to_owned(), feature.clone()],
            ));
        }
    }
    choices
}

fn lints(package: &str, choice: &[String]) -> Result<()> {
    let mut lints = cargo(["clippy", "--quiet", "--package", package]);
    lints.args(choice).args(["--", "-D", "warnings"]);
    run(lints)
}

fn registry(choice: &[String]) -> Result<()> {
    lints(FACADE, choice)?;
    for profile in [None, Some("--release")] {
        let mut test = cargo(["test", "--quiet", "--test", "registry", "--package", FACADE]);
        test.args(choice).args(profile);
        run(test)?;
    }
    Ok(())
}

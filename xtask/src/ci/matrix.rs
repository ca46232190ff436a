//! Builds the facade and the command with every choice of features.

use anyhow::Result;
use fuzzy_tools::metadata::{Metadata, Package};
use fuzzy_tools::run::{Steps, cargo, run};

/// The facade, whose features choose the strategies.
const FACADE: &str = "fuzzy-pipeline";

/// The command, whose features choose the verbs.
const COMMAND: &str = "fuzzy-edit-cli";

/// The choices for which the facade's registry is tested: a strategy that nothing names is dropped by the linker without
/// a word, and only a program that is linked shows it.
const LINKED: &[(&str, &[&str])] = &[
    ("none", &["--no-default-features"]),
    ("default", &[]),
    ("all", &["--all-features"]),
    // The optimiser drops more.
    ("all, release", &["--all-features", "--release"]),
];

/// Adds the lints for no feature, the default ones, all, and each alone; and the facade's registry in a linked program.
pub(super) fn steps(metadata: &Metadata, steps: &mut Steps) {
    for name in [FACADE, COMMAND] {
        steps.step(format!("{name}, lints"), || {
            choices(metadata.member(name)?).iter().try_for_each(|choice| lints(name, choice))
        });
    }
    for (title, choice) in LINKED {
        steps.step(format!("registry, {title}"), || registry(choice));
    }
}

/// Returns the choices of a package's features, as arguments of cargo.
fn choices(package: &Package) -> Vec<Vec<&str>> {
    let mut choices = vec![vec![], vec!["--no-default-features"], vec!["--all-features"]];
    // The feature `all` is what "all" above turns on, among the rest.
    let features = package.features.iter().filter(|feature| !["default", "all"].contains(&feature.as_str()));
    choices.extend(features.map(|feature| vec!["--no-default-features", "--features", feature]));
    choices
}

/// Checks and lints the library and the programs of a package: as quick as a check alone, once those beneath it are.
fn lints(package: &str, choice: &[&str]) -> Result<()> {
    let mut lints = cargo(["clippy", "--quiet", "--package", package]);
    lints.args(choice).args(["--", "-D", "warnings"]);
    run(lints)
}

fn registry(choice: &[&str]) -> Result<()> {
    let mut test = cargo(["test", "--quiet", "--test", "registry", "--package", FACADE]);
    test.args(choice);
    run(test)
}

#[cfg(test)]
mod tests {
    use fuzzy_tools::metadata::Metadata;

    use super::{FACADE, choices};

    #[test]
    fn every_feature_is_tried_alone() {
        let metadata = Metadata::load().unwrap();
        let choices = choices(metadata.member(FACADE).unwrap());
        for expected in [&[][..], &["--all-features"], &["--no-default-features", "--features", "line-trimmed"]] {
            assert!(choices.contains(&expected.to_vec()), "{expected:?}");
        }
        let features = metadata.member(FACADE).unwrap().features.len();
        assert_eq!(choices.len(), 3 + features - ["default", "all"].len());
    }
}

//! Runs tests under Node.js, and lists those that failed.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use fuzzy_tools::run::run;

/// The file for the runner's results in a machine-readable form.
const REPORT: &str = "report.tap";

/// Runs the tests of a project in its folder, one file at a time. `node` is Node.js with the environment that they
/// need.
///
/// The error names the failed tests, because their messages are far above the end of the output.
pub(super) fn run_node_tests(mut node: Command, folder: &Path, tests: &[impl AsRef<OsStr>]) -> Result<()> {
    let report = folder.join(REPORT);
    node.current_dir(folder).args(["--test", "--test-concurrency=1", "--expose-gc"]);
    node.args(["--test-reporter=spec", "--test-reporter-destination=stdout"]);
    node.args(["--test-reporter=tap", "--test-reporter-destination", REPORT]).args(tests);
    run(node).or_else(|error| {
        let text = fs::read_to_string(&report).with_context(|| format!("{error}; cannot read {}", report.display()))?;
        Err(anyhow!("{error}: {}", failed(&text).join("; ")))
    })
}

/// Returns the names of the failed tests from the runner's results.
fn failed(report: &str) -> Vec<&str> {
    report
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("not ok ")?.split_once(" - "))
        .map(|(_, name)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::failed;

    #[test]
    fn failed_tests_are_named() {
        let report = "TAP version 13\n# Subtest: lands\nok 1 - lands\n# Subtest: undoes\n    not ok 1 - inner\nnot ok 2 - undoes - twice\n  ---\n";
        assert_eq!(failed(report), ["inner", "undoes - twice"]);
    }
}

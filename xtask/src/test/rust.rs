//! Tests and benches of the Rust crates.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{git, read, root, run};

use super::postgres;
use crate::python::Environment;
use crate::{packages, tools};

/// The environment variable with the program to test instead of the one that is built with the tests.
const PROGRAM: &str = "FUZZY_EDIT_PROGRAM";

/// Runs every test of every crate that needs no server, and checks that a test read each snapshot.
pub(super) fn workspace(metadata: &Metadata) -> Result<()> {
    let references = tempfile::NamedTempFile::new()?;
    let mut tests = cargo_test(metadata);
    tests.args(["--", "--skip", postgres::FILTER]).env("INSTA_SNAPSHOT_REFERENCES_FILE", references.path());
    run(tests)?;
    every_snapshot_is_read(&fs::read_to_string(references.path())?)
}

/// Fails if no test read a snapshot of the work tree. `references` has the path of one that was read per line.
fn every_snapshot_is_read(references: &str) -> Result<()> {
    let read_by_tests: BTreeSet<PathBuf> =
        references.lines().filter_map(|line| root().join(line).canonicalize().ok()).collect();
    let listed = read(git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.snap"]))?;
    // A file that is deleted but still in the index has no path.
    let unread = |name: &&str| root().join(name).canonicalize().is_ok_and(|path| !read_by_tests.contains(&path));
    let left_over: Vec<_> = listed.split_terminator('\0').filter(unread).collect();
    ensure!(left_over.is_empty(), "no test reads these snapshots: {}", left_over.join(", "));
    println!("{} snapshots, each read by a test", read_by_tests.len());
    Ok(())
}

/// Prepares the tests of every crate with every feature.
fn cargo_test(metadata: &Metadata) -> Command {
    let mut tests = metadata.cargo_for_tests("test");
    tests.arg("--no-fail-fast");
    tests
}

/// Runs every bench once without measuring, to check its results.
pub(super) fn benches(metadata: &Metadata) -> Result<()> {
    let mut benches = cargo_test(metadata);
    benches.arg("--benches");
    run(benches)
}

/// Runs the tests that need a Postgres server.
pub(super) fn on_postgres(metadata: &Metadata) -> Result<()> {
    let mut tests = cargo_test(metadata);
    tests.args(["--tests", postgres::FILTER]);
    run(postgres::on_server(tests, postgres::VARIABLE))
}

/// Fails unless the first command of the README prints the diff shown there, and the command that it builds, with
/// default features, names the features of the verbs that it lacks.
pub(super) fn default_features(metadata: &Metadata) -> Result<()> {
    let readme = fs::read_to_string(root().join("README.md")).context("cannot read README.md")?;
    let (command, diff) = (block(&readme, "sh")?, block(&readme, "diff")?);
    println!("$ {}", command.trim_end());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", command]).current_dir(root());
    shell.env("CARGO_TARGET_DIR", metadata.target_dir.join("readme"));
    let printed = read(shell)?;
    ensure!(printed.ends_with(diff), "the README shows another diff than the one that is printed:\n{printed}");
    // The tests come from the suite `workspace`; the program is the one that the README's command built.
    let mut tests = cargo_test(metadata);
    tests.args(["--test", "it", "unlinked", "--", "--ignored"]);
    tests.env(PROGRAM, metadata.target_dir.join("readme/debug/fuzzy-edit"));
    run(tests)
}

/// Runs the lines of docs/install.md that work today in a fresh clone, and uses what they install.
pub(super) fn install(metadata: &Metadata) -> Result<()> {
    let page = fs::read_to_string(root().join("docs/install.md")).context("cannot read docs/install.md")?;
    let folder = tempfile::tempdir()?;
    let clone = folder.path().join("clone");
    let mut cloning = git(&["clone", "--quiet", "."]);
    cloning.arg(&clone);
    run(cloning)?;
    let environment = Environment::at(&folder.path().join("python"))?;
    let programs = [folder.path().join("root/bin"), environment.programs()];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(programs.into_iter().chain(std::env::split_paths(&path)))?;
    let used = "fuzzy-edit --version\npython -c 'import fuzzy_edit'\n";
    for line in block(&page, "sh")?.lines().chain(used.lines()) {
        println!("$ {line}");
        let mut shell = Command::new("sh");
        shell.args(["-eu", "-c", line]).current_dir(&clone).env("PATH", &path);
        // The optimiser takes two of three minutes, and changes no answer.
        shell.env("CARGO_INSTALL_ROOT", folder.path().join("root")).env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        shell.env("CARGO_TARGET_DIR", metadata.target_dir.join("readme"));
        run(shell)?;
    }
    Ok(())
}

/// Compares the public interface of the facade with its list, and tests its refusals with each of its features.
pub(super) fn api(metadata: &Metadata) -> Result<()> {
    run(packages::script("api.py", [""; 0], &[])?)?;
    let mut hack = Command::new(tools::program(metadata, "cargo-hack")?);
    hack.args(["hack", "test", "--quiet", "--each-feature", "--package", "fuzzy-pipeline", "--test", "refusals"]);
    run(hack.current_dir(root()))
}

/// Returns the first code block in a language.
fn block<'a>(text: &'a str, language: &str) -> Result<&'a str> {
    let (_, after) = text.split_once(&format!("\n```{language}\n")).with_context(|| format!("no block {language}"))?;
    after.split_once("```\n").map(|(block, _)| block).with_context(|| format!("the block {language} has no end"))
}

#[cfg(test)]
mod tests {
    use super::every_snapshot_is_read;

    #[test]
    fn a_snapshot_that_no_test_read_is_left_over() {
        let error = every_snapshot_is_read("not a snapshot\n").unwrap_err().to_string();
        assert!(error.starts_with("no test reads these snapshots: "), "{error}");
        assert!(error.contains(".snap"), "{error}");
    }
}

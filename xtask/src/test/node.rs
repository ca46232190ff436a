//! Tests of the npm packages and of the hosts that run on Node.js.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::build::Build;
use crate::{hosts, npm, packages};

const TESTS: &str = "bindings/node/package/test";
const PLUGIN_TESTS: &str = "integrations/opencode/test";

/// The compiler of types.
const TYPESCRIPT: &str = "typescript@5.9.3";

/// The types of Node.js.
const NODE_TYPES: &str = "@types/node@24";

/// The types that the plugin is checked against.
const PLUGIN_TYPES: [&str; 3] = ["@opencode-ai/plugin@1.18.33", NODE_TYPES, TYPESCRIPT];

/// The programs that check packages, and their types.
const PUBLINT: &str = "publint@0.3.25";
const ATTW: &str = "@arethetypeswrong/cli@0.18.5";

/// The other programs that the package runs in.
const DENO: &str = "deno@2.9.6";
const BUN: &str = "bun@1.4.5";

/// The tests that run on each build; the others compare the builds, or need none.
const ON_EACH_BUILD: [&str; 3] = ["api.test.mjs", "browser.test.mjs", "memory.test.mjs"];

/// Installs the packed package into a new project, and runs its tests there on both builds.
pub(super) fn package(metadata: &Metadata) -> Result<()> {
    let mut packages = packages::library(Build::Debug)?;
    packages.iter().try_for_each(|package| publint(metadata, package))?;
    // The package of a platform has no types.
    packages[..2].iter().try_for_each(|package| types_are_right(metadata, package))?;
    let project = metadata.target_dir.join("npm").join("project");
    packages.extend([TYPESCRIPT, NODE_TYPES].map(PathBuf::from));
    npm::install(&packages, &project)?;
    copy_tests(TESTS, &project)?;
    let example = root().join("examples/edit-tool");
    fs::copy(example.join("edit_tool.mts"), project.join("edit_tool.mts")).context("cannot copy the example")?;
    documents(&project)?;
    let (deno, bun) = (npm::program(metadata, DENO, "deno")?, bun(metadata)?);
    let cases = cases(&project)?;
    let tool = command::program_for_tests(metadata, "edit-tool")?;
    let on = |package, backend| {
        let mut node = node_test(&project);
        node.env("FUZZY_EDIT", package)
            .env("BACKEND", backend)
            .env("CASES", &cases)
            .env("DENO", &deno)
            .env("BUN", &bun);
        node.env("EDIT_TOOL", &tool).env("COMPARE", example.join("compare.py"));
        node.env("HAND_WRITTEN", root().join("crates/facade/fuzzy-pipeline/testdata/hand_written.jsonl"));
        node
    };
    let mut wasm = on("fuzzy-edit/wasm", "wasm");
    wasm.args(ON_EACH_BUILD);
    run(wasm)?;
    run(on("fuzzy-edit", "native"))
}

/// Makes edits in a real opencode with the edit tool of the plugin, and checks the plugin against opencode's types.
pub(super) fn opencode(metadata: &Metadata) -> Result<()> {
    let opencode = npm::opencode(metadata)?;
    let mut packages = packages::library(Build::Debug)?;
    let folder = metadata.target_dir.join("npm");
    let plugin = packages::plugin()?;
    publint(metadata, &plugin)?;
    packages.push(plugin);
    packages.extend(PLUGIN_TYPES.iter().map(PathBuf::from));
    let project = folder.join("opencode-project");
    npm::install(&packages, &project)?;
    copy_tests(PLUGIN_TESTS, &project)?;
    run(node_test(&project).env("OPENCODE", opencode))
}

/// Makes edits in the real hosts with the settings that `fuzzy-edit init` writes.
pub(super) fn hosts(metadata: &Metadata) -> Result<()> {
    let folder = hosts::install(metadata)?;
    let mut node = node_test(&folder.join(hosts::TESTS));
    node.env("FUZZY_EDIT", command::for_tests(metadata)?).env("HOSTS_WORK", &folder).env("HOSTS_PACKAGES", &folder);
    run(node)
}

/// The arguments with which Node.js runs tests, one file at a time: those that follow, or all of the folder.
pub(super) const NODE_TEST: [&str; 4] = ["--test", "--test-concurrency=1", "--test-reporter=spec", "--expose-gc"];

/// Prepares Node.js to run the tests of a folder.
pub(super) fn node_test(folder: &Path) -> Command {
    let mut node = Command::new("node");
    node.args(NODE_TEST).current_dir(folder);
    node
}

/// Fails if a packed package names files that it lacks or that are not what it says.
fn publint(metadata: &Metadata, package: &Path) -> Result<()> {
    let mut publint = Command::new(npm::program(metadata, PUBLINT, "publint")?);
    publint.arg(package).arg("--strict");
    run(publint)
}

/// Fails if a packed package has types that are not those of its code, for `import` or for `require`.
fn types_are_right(metadata: &Metadata, package: &Path) -> Result<()> {
    let mut attw = Command::new(npm::program(metadata, ATTW, "attw")?);
    attw.arg(package).args(["--format", "ascii", "--no-emoji"]);
    // The oldest Node that is supported has `exports`; modules of WebAssembly have no types.
    attw.args(["--profile", "node16", "--exclude-entrypoints", "./fuzzy_edit.wasm", "./fuzzy_edit_patch.wasm"]);
    run(attw)
}

/// Returns the program of Bun. That of the package itself is a script, which no installation without scripts completes.
fn bun(metadata: &Metadata) -> Result<PathBuf> {
    let packages = npm::program(metadata, BUN, "../@oven")?;
    npm::for_this_platform(&packages, "bin/bun").context("npm has no Bun for this platform")
}

/// Copies the tests of a package into a project.
fn copy_tests(from: &str, project: &Path) -> Result<()> {
    let mut copy = Command::new("cp");
    copy.arg("-R").arg(root().join(from).join(".")).arg(project);
    run(copy)
}

/// Writes each TypeScript block of the guide, which is also valid JavaScript, as a separate test.
fn documents(project: &Path) -> Result<()> {
    let text = fs::read_to_string(root().join("docs/guide.md")).context("cannot read docs/guide.md")?;
    let blocks: Vec<_> = text.split("\n```ts\n").skip(1).filter_map(|rest| rest.split_once("\n```")).collect();
    ensure!(!blocks.is_empty(), "no TypeScript in docs/guide.md");
    for (number, (block, _)) in blocks.iter().enumerate() {
        fs::write(project.join(format!("guide-{number}.test.mjs")), block)?;
    }
    Ok(())
}

/// Writes the cases of the Rust suites as JSON, and returns the file.
fn cases(project: &Path) -> Result<PathBuf> {
    let small: Value = read(&root().join("crates/facade/fuzzy-pipeline/testdata/adaptive/small.toml"))?;
    let mut strategies = BTreeMap::new();
    for family in fs::read_dir(root().join("crates/strategies"))? {
        let path = family?.path().join("tests/cases.toml");
        if path.is_file() {
            strategies.append(&mut read::<BTreeMap<String, Value>>(&path)?);
        }
    }
    let path = project.join("cases.json");
    fs::write(&path, json!({ "small": small["case"], "strategies": strategies }).to_string())?;
    Ok(path)
}

/// Returns the value of a TOML file.
fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is no TOML", path.display()))
}

//! Tests the npm package on both of its builds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};
use serde_json::{Value, json};

use super::node_tests::run_node_tests;
use crate::build::Build;
use crate::{hosts, npm, packages};

const TESTS: &str = "bindings/node/package/test";
const PLUGIN_TESTS: &str = "integrations/opencode/test";

/// The types that the plugin is checked against.
const TYPES: &[&str] = &["@opencode-ai/plugin@1.18.33", "@types/node@24", TYPESCRIPT];

/// The compiler of types.
const TYPESCRIPT: &str = "typescript@5.9.3";

/// The programs that check packages, and their types.
const PUBLINT: &str = "publint@0.3.25";
const ATTW: &str = "@arethetypeswrong/cli@0.18.5";

/// The Deno that the package runs in.
const DENO: &str = "deno@2.9.6";

/// The builds: the imported module, and its expected kind.
const BUILDS: &[(&str, &str)] = &[("fuzzy-edit", "native"), ("fuzzy-edit/wasm", "wasm")];

/// The tests that compare both builds, or need neither.
const ONCE: &[&str] = &["platforms.test.mjs", "readme.test.mjs", "same.test.mjs", "types.test.mjs"];

/// Installs the packed package into a new project, and runs its tests there on both builds.
pub(super) fn suite(metadata: &Metadata) -> Result<()> {
    let mut packages = packages::library(metadata, Build::Debug)?;
    for package in &packages {
        publint(metadata, package)?;
    }
    // The package of a platform has no types.
    for package in &packages[..2] {
        attw(metadata, package)?;
    }
    let project = metadata.target_dir.join("npm").join("project");
    packages.push(TYPESCRIPT.into());
    npm::install(&packages, &project)?;
    copy_tests(TESTS, &project)?;
    let deno = npm::program(metadata, DENO, "deno")?;
    documents(&project)?;
    let cases = cases(&project)?;
    let (once, both): (Vec<_>, Vec<_>) =
        tests(&project)?.into_iter().partition(|test| ONCE.iter().any(|name| test.ends_with(name)));
    for (name, backend) in BUILDS {
        println!("{name}: {backend}");
        let mut node = Command::new("node");
        node.env("FUZZY_EDIT", name).env("BACKEND", backend).env("CASES", &cases);
        run_node_tests(node, &project, &both)?;
    }
    let mut node = Command::new("node");
    node.env("DENO", deno);
    run_node_tests(node, &project, &once)
}

/// Makes edits in a real opencode with the edit tool of the plugin, and checks the plugin against opencode's types.
pub(super) fn opencode(metadata: &Metadata) -> Result<()> {
    let opencode = npm::opencode(metadata)?;
    let mut packages = packages::library(metadata, Build::Debug)?;
    let plugin = packages::assemble_plugin(metadata)?;
    let project = metadata.target_dir.join("npm").join("opencode-project");
    let folder = metadata.target_dir.join("npm");
    let plugin = npm::pack(&plugin, &folder)?;
    publint(metadata, &plugin)?;
    packages.push(plugin);
    packages.extend(TYPES.iter().map(PathBuf::from));
    npm::install(&packages, &project)?;
    copy_tests(PLUGIN_TESTS, &project)?;
    let mut node = Command::new("node");
    node.env("OPENCODE", opencode);
    run_node_tests(node, &project, &tests(&project)?)
}

/// Makes edits in the real hosts with the settings that `fuzzy-edit init` writes.
pub(super) fn hosts(metadata: &Metadata) -> Result<()> {
    let folder = hosts::install(metadata)?;
    let mut node = Command::new("node");
    node.env("FUZZY_EDIT", command::for_tests(metadata)?).env("HOSTS_WORK", &folder).env("HOSTS_PACKAGES", &folder);
    let programs = folder.join(hosts::TESTS);
    run_node_tests(node, &programs, &tests(&programs)?)
}

/// Fails if a packed package names files that it lacks or that are not what it says.
fn publint(metadata: &Metadata, package: &Path) -> Result<()> {
    let mut publint = Command::new(npm::program(metadata, PUBLINT, "publint")?);
    publint.arg(package).arg("--strict");
    run(publint)
}

/// Fails if a packed package has types that are not those of its code, for `import` or for `require`.
fn attw(metadata: &Metadata, package: &Path) -> Result<()> {
    let mut attw = Command::new(npm::program(metadata, ATTW, "attw")?);
    attw.arg(package).args(["--format", "ascii", "--no-emoji"]);
    // The oldest Node that is supported has `exports`; modules of WebAssembly have no types.
    attw.args(["--profile", "node16", "--exclude-entrypoints", "./fuzzy_edit.wasm", "./fuzzy_edit_patch.wasm"]);
    run(attw)
}

/// Copies the tests of a package into a project.
fn copy_tests(from: &str, project: &Path) -> Result<()> {
    for entry in fs::read_dir(root().join(from))? {
        let entry = entry?;
        fs::copy(entry.path(), project.join(entry.file_name()))?;
    }
    Ok(())
}

/// Writes each TypeScript block of the documents, which is also valid JavaScript, as a separate test.
fn documents(project: &Path) -> Result<()> {
    for document in ["README.md", "docs/guide.md"] {
        let text = fs::read_to_string(root().join(document)).with_context(|| format!("cannot read {document}"))?;
        let blocks: Vec<_> = text.split("\n```ts\n").skip(1).filter_map(|rest| rest.split_once("\n```")).collect();
        ensure!(!blocks.is_empty(), "no TypeScript in {document}");
        for (number, (block, _)) in blocks.iter().enumerate() {
            let name = format!("{}-{number}.test.mjs", document.replace('/', "-"));
            fs::write(project.join(name), block)?;
        }
    }
    Ok(())
}

fn tests(project: &Path) -> Result<Vec<PathBuf>> {
    let mut tests: Vec<PathBuf> = fs::read_dir(project)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    tests.sort();
    ensure!(!tests.is_empty(), "no test in {}", project.display());
    Ok(tests)
}

/// Writes the cases of the Rust suites as JSON, and returns the file.
fn cases(project: &Path) -> Result<PathBuf> {
    let small = list(&root().join("crates/engine/fuzzy-pipeline/testdata/small_edits.toml"), "edit")?;
    let mut strategies = Vec::new();
    for family in fs::read_dir(root().join("crates/strategies"))? {
        let path = family?.path().join("tests/cases.toml");
        if path.is_file() {
            strategies.extend(list(&path, "case")?);
        }
    }
    let path = project.join("cases.json");
    fs::write(&path, json!({ "small": small, "strategies": strategies }).to_string())?;
    Ok(path)
}

/// Returns the list under a key of a TOML file.
fn list(path: &Path, key: &str) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file: Value = toml::from_str(&text).with_context(|| format!("{} is no TOML", path.display()))?;
    file[key].as_array().cloned().with_context(|| format!("no `{key}` in {}", path.display()))
}

//! Tests of the servers with independent clients: the official MCP SDKs, a browser, and a client generated from the
//! OpenAPI document.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use super::node::{NODE_TEST, node_test};
use super::postgres;
use crate::build::Build;
use crate::python::Environment;
use crate::{playground, wasm};

/// The folder of the MCP clients.
const MCP: &str = "crates/surfaces/fuzzy-edit-mcp/clients";
/// The folders of the clients of the service.
const SERVER: &str = "crates/checkpoint/fuzzy-checkpoint-server/tests";
/// The folder with the test of the page of `replay`.
const REPLAY: &str = "crates/surfaces/fuzzy-edit-cli/tests/page";

/// Edits over standard input and output and over HTTP with the TypeScript SDK, and with the Python SDK in both
/// generations of the protocol.
pub(super) fn mcp(metadata: &Metadata) -> Result<()> {
    let program = command::for_tests(metadata)?;
    let client = copied(metadata, "mcp", &[&format!("{MCP}/typescript")])?;
    install_locked(&client, "ci")?;
    let mut node = Command::new("node");
    node.arg("client.mjs").arg(&program).current_dir(&client);
    run(node)?;
    let mut python = Environment::of(metadata, &format!("{MCP}/python/requirements.txt"))?.python();
    python.arg(root().join(MCP).join("python/client.py")).arg(&program);
    run(python)
}

/// Uses the page of the service and the page of `replay` in a browser, which saves screenshots in the folder
/// `FUZZY_EDIT_SHOTS`, if it is set.
pub(super) fn browser(metadata: &Metadata) -> Result<()> {
    let client = copied(metadata, "browser", &[&format!("{SERVER}/browser"), REPLAY])?;
    install_locked(&client, "ci")?;
    let mut node = node_test(&client);
    run(node.env("FUZZY_EDIT", command::for_tests(metadata)?))
}

/// Checks the server against its OpenAPI document, with requests from schemathesis and with a generated TypeScript
/// client: with a file database, and with Postgres.
pub(super) fn openapi(metadata: &Metadata) -> Result<()> {
    // The test starts the server as the test of the page does.
    let client = copied(metadata, "openapi", &[&format!("{SERVER}/browser"), &format!("{SERVER}/openapi")])?;
    install_locked(&client, "ci")?;
    let environment = Environment::of(metadata, &format!("{SERVER}/openapi/requirements.txt"))?;
    let program = command::for_tests(metadata)?;
    let node = || {
        let mut node = node_test(&client);
        node.env("FUZZY_EDIT", &program).env("SCHEMATHESIS", environment.programs().join("schemathesis"));
        node.arg("openapi.test.mjs");
        node
    };
    run(node())?;
    run(postgres::on_server(node(), "FUZZY_EDIT_DATABASE"))
}

/// Uses the playground in a browser, served by the command, and saves screenshots in the client's folder.
pub(super) fn playground(metadata: &Metadata) -> Result<()> {
    let mut node = on_the_playground(metadata, Build::Debug)?;
    node.args(NODE_TEST);
    run(node)
}

/// Prepares Node.js in the folder of the clients of the playground, which the command serves.
pub(crate) fn on_the_playground(metadata: &Metadata, build: Build) -> Result<Command> {
    let client = copied(metadata, "playground", &["playground/tests/page"])?;
    // The test starts the browser as the test of the other page does.
    fs::copy(root().join(SERVER).join("browser/support.mjs"), client.join("support.mjs"))?;
    install_locked(&client, "ci")?;
    let engine = wasm::engine(metadata, build)?;
    let mut node = Command::new("node");
    node.current_dir(&client).env("FUZZY_EDIT", playground::program(metadata, build)?).env("ENGINE", engine);
    node.env("FUZZY_EDIT_SHOTS", client.join("shots"));
    Ok(node)
}

/// Copies the files of folders of the repository into a folder outside the work tree, where packages are installed.
pub(crate) fn copied(metadata: &Metadata, name: &str, folders: &[&str]) -> Result<PathBuf> {
    let to = metadata.target_dir.join("clients").join(name);
    fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
    for folder in folders {
        let mut copy = Command::new("cp");
        copy.arg("-R").arg(root().join(folder).join(".")).arg(&to);
        run(copy)?;
    }
    Ok(to)
}

/// Installs the packages of the lock file in a folder by this verb of npm, unless they are installed.
pub(crate) fn install_locked(folder: &Path, verb: &str) -> Result<()> {
    let (lock, installed) = (folder.join("package-lock.json"), folder.join("node_modules/installed-lock.json"));
    let wanted = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    if fs::read(&installed).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args([verb, "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
    run(npm)?;
    fs::write(&installed, wanted).with_context(|| format!("cannot write {}", installed.display()))
}

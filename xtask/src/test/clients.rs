//! Tests the servers with independent clients, installed into the target directory: the official MCP SDKs, a browser,
//! and a client generated from the OpenAPI document.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use super::node_tests::run_node_tests;
use super::postgres;
use crate::build::Build;
use crate::packages::copy_all;
use crate::playground;

// The folders of the clients, each with the versions of all its dependencies.
const TYPESCRIPT: &str = "crates/surfaces/fuzzy-edit-mcp/clients/typescript";
const PYTHON: &str = "crates/surfaces/fuzzy-edit-mcp/clients/python";
const BROWSER: &str = "crates/checkpoint/fuzzy-checkpoint-server/tests/browser";
const OPENAPI: &str = "crates/checkpoint/fuzzy-checkpoint-server/tests/openapi";
const PLAYGROUND: &str = "playground/tests/page";

const PLAYGROUND_TESTS: [&str; 4] = ["edits.test.mjs", "large.test.mjs", "links.test.mjs", "looks.test.mjs"];

/// Edits over standard input and output and over HTTP with the TypeScript SDK.
pub(super) fn typescript(metadata: &Metadata) -> Result<()> {
    let client = Client::copy(metadata, TYPESCRIPT, &["package.json", "package-lock.json", "client.mjs"])?;
    client.install_by_npm()?;
    client.drive(metadata, Command::new("node"), "client.mjs")
}

/// Uses the page in a browser, and saves screenshots in the client's folder.
pub(super) fn browser(metadata: &Metadata) -> Result<()> {
    let tests = ["restore.test.mjs", "looks.test.mjs", "turns.test.mjs"];
    let others = ["package.json", "package-lock.json", "support.mjs", "agent.mjs"];
    let client = Client::copy(metadata, BROWSER, &[&tests[..], &others].concat())?;
    client.install_by_npm()?;
    let mut node = Command::new("node");
    node.env("FUZZY_EDIT", command::for_tests(metadata)?).env("FUZZY_EDIT_SHOTS", client.folder.join("shots"));
    run_node_tests(node, &client.folder, &tests)
}

/// Checks the server against its OpenAPI document, with requests from schemathesis and with a generated TypeScript
/// client: with a file database, and with Postgres.
pub(super) fn openapi(metadata: &Metadata) -> Result<()> {
    let tests = ["openapi.test.mjs"];
    let others = ["package.json", "package-lock.json", "requirements.txt", "tsconfig.json", "client.ts"];
    let client = Client::copy(metadata, OPENAPI, &[&tests[..], &others].concat())?;
    // The test starts the server as the test of the page does.
    for file in ["support.mjs", "agent.mjs"] {
        fs::copy(root().join(BROWSER).join(file), client.folder.join(file))?;
    }
    client.install_by_npm()?;
    client.install_by_pip()?;
    let program = command::for_tests(metadata)?;
    let node = |database: Option<&str>| {
        let mut node = Command::new("node");
        node.env("FUZZY_EDIT", &program).env("SCHEMATHESIS", client.folder.join("venv/bin/schemathesis"));
        node.envs(database.map(|database| ("FUZZY_EDIT_DATABASE", database)));
        run_node_tests(node, &client.folder, &tests)
    };
    node(None)?;
    postgres::with_server(|url| node(Some(url)))
}

/// Uses the playground in a browser, served by the command, and saves screenshots in the client's folder.
pub(super) fn playground(metadata: &Metadata) -> Result<()> {
    let node = on_the_playground(metadata, Build::Debug)?;
    let folder = node.get_current_dir().context("Node.js is prepared in no folder")?.to_owned();
    run_node_tests(node, &folder, &PLAYGROUND_TESTS)
}

/// Prepares Node.js and the clients of the playground, which the command serves.
pub(crate) fn on_the_playground(metadata: &Metadata, build: Build) -> Result<Command> {
    let others = ["package.json", "package-lock.json", "stage.mjs", "measure.mjs"];
    let client = Client::copy(metadata, PLAYGROUND, &[&PLAYGROUND_TESTS[..], &others].concat())?;
    // The test starts the browser as the test of the other page does.
    fs::copy(root().join(BROWSER).join("support.mjs"), client.folder.join("support.mjs"))?;
    client.install_by_npm()?;
    let engine = playground::engine(metadata, build)?;
    let mut node = Command::new("node");
    node.current_dir(&client.folder).env("FUZZY_EDIT", playground::program(metadata, build)?).env("ENGINE", engine);
    node.env("FUZZY_EDIT_SHOTS", client.folder.join("shots"));
    Ok(node)
}

/// Edits with the Python SDK, in both generations of the protocol.
pub(super) fn python(metadata: &Metadata) -> Result<()> {
    let client = Client::copy(metadata, PYTHON, &["requirements.txt", "client.py"])?;
    let python = client.install_by_pip()?;
    client.drive(metadata, Command::new(python), "client.py")
}

/// A client in the target directory.
pub(crate) struct Client {
    pub(crate) folder: PathBuf,
}

impl Client {
    /// Copies folders of the repository, with their relative paths, into a folder of this name.
    pub(crate) fn parts(metadata: &Metadata, name: &str, parts: &[&str]) -> Result<Self> {
        let folder = metadata.target_dir.join("clients").join(name);
        for part in parts {
            fs::create_dir_all(folder.join(part))?;
            copy_all(&root().join(part), &folder.join(part)).with_context(|| format!("cannot copy {part}"))?;
        }
        Ok(Self { folder })
    }

    /// Copies the files of a client, so that its dependencies are installed outside the work tree.
    fn copy(metadata: &Metadata, from: &str, files: &[&str]) -> Result<Self> {
        let from = root().join(from);
        let folder = metadata.target_dir.join("clients").join(from.file_name().unwrap_or_default());
        fs::create_dir_all(&folder)?;
        for file in files {
            let from = from.join(file);
            fs::copy(&from, folder.join(file)).with_context(|| format!("cannot copy {}", from.display()))?;
        }
        Ok(Self { folder })
    }

    /// Runs `install` unless the dependencies in `versions` are already installed.
    pub(crate) fn install(&self, versions: &str, install: impl FnOnce() -> Result<()>) -> Result<()> {
        let wanted = fs::read(self.folder.join(versions))?;
        let installed = self.folder.join(format!("{versions}.installed"));
        if fs::read(&installed).is_ok_and(|text| text == wanted) {
            return Ok(());
        }
        install()?;
        Ok(fs::write(installed, wanted)?)
    }

    fn install_by_npm(&self) -> Result<()> {
        self.install("package-lock.json", || {
            let mut npm = Command::new("npm");
            npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&self.folder);
            run(npm)
        })
    }

    /// Installs into the client's Python environment, and returns its interpreter.
    fn install_by_pip(&self) -> Result<PathBuf> {
        let environment = self.folder.join("venv");
        let python = environment.join("bin/python");
        self.install("requirements.txt", || {
            let mut venv = Command::new("python3");
            venv.args(["-m", "venv", "--clear"]).arg(&environment);
            run(venv)?;
            let mut pip = Command::new(&python);
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement"]);
            pip.arg(self.folder.join("requirements.txt"));
            run(pip)
        })?;
        Ok(python)
    }

    /// Runs the client with the current build of the command.
    fn drive(&self, metadata: &Metadata, mut interpreter: Command, script: &str) -> Result<()> {
        interpreter.arg(self.folder.join(script)).arg(command::for_tests(metadata)?);
        run(interpreter)
    }
}

//! Drives the MCP server with the official client SDKs, installed into the target directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::metadata::Metadata;
use crate::run::{cargo, root, run};

/// Where the clients are: a folder each, with the versions of everything they install.
const CLIENTS: &str = "crates/fuzzy-edit-mcp/clients";

/// Edits over standard input and output and over HTTP with the TypeScript SDK.
pub(super) fn typescript(metadata: &Metadata) -> Result<()> {
    let client = Client::copy(metadata, "typescript", &["package.json", "package-lock.json", "client.mjs"])?;
    client.install("package-lock.json", || {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&client.folder);
        run(npm)
    })?;
    client.drive(Command::new("node"), "client.mjs", metadata)
}

/// The same with the Python SDK, in both generations of the protocol.
pub(super) fn python(metadata: &Metadata) -> Result<()> {
    let client = Client::copy(metadata, "python", &["requirements.txt", "client.py"])?;
    let environment = client.folder.join("venv");
    let python = environment.join("bin/python");
    client.install("requirements.txt", || {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv", "--clear"]).arg(&environment);
        run(venv)?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement"]);
        pip.arg(client.folder.join("requirements.txt"));
        run(pip)
    })?;
    client.drive(Command::new(&python), "client.py", metadata)
}

/// A client in the target directory.
struct Client {
    folder: PathBuf,
}

impl Client {
    /// Copies the files of a client: what is installed beside them stays out of the tree.
    fn copy(metadata: &Metadata, name: &str, files: &[&str]) -> Result<Self> {
        let folder = metadata.target_dir.join("clients").join(name);
        fs::create_dir_all(&folder)?;
        for file in files {
            let from = root().join(CLIENTS).join(name).join(file);
            fs::copy(&from, folder.join(file)).with_context(|| format!("cannot copy {}", from.display()))?;
        }
        Ok(Self { folder })
    }

    /// Installs what `versions` lists, unless just that is installed.
    fn install(&self, versions: &str, install: impl FnOnce() -> Result<()>) -> Result<()> {
        let wanted = fs::read(self.folder.join(versions))?;
        let installed = self.folder.join("installed");
        if fs::read(&installed).is_ok_and(|text| text == wanted) {
            return Ok(());
        }
        install()?;
        Ok(fs::write(installed, wanted)?)
    }

    /// Runs the client against the command as it is now.
    fn drive(&self, mut interpreter: Command, script: &str, metadata: &Metadata) -> Result<()> {
        run(cargo(["build", "--quiet", "--package", "fuzzy-edit-cli"]))?;
        let program: &Path = &metadata.target_dir.join("debug/fuzzy-edit");
        interpreter.arg(self.folder.join(script)).arg(program);
        run(interpreter)
    }
}

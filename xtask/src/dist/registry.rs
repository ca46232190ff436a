//! Runs an npm registry on this machine during a test.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::root;

const SCRIPT: &str = "xtask/src/dist/registry.mjs";

/// A process that serves the tarballs of a folder; dropping the value ends the process.
pub(super) struct Registry {
    process: Child,
    address: String,
}

impl Registry {
    pub(super) fn start(folder: &Path) -> Result<Self> {
        let mut node = Command::new("node");
        node.arg(root().join(SCRIPT)).arg(folder).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = node.spawn().context("cannot start node")?;
        let mut address = String::new();
        let output = process.stdout.take().context("no output")?;
        BufReader::new(output).read_line(&mut address)?;
        let registry = Self { process, address: address.trim().to_owned() };
        ensure!(!registry.address.is_empty(), "the registry did not start");
        Ok(registry)
    }

    /// Lets npm install from this registry, with a cache below a folder.
    pub(super) fn lend_to(&self, npm: &mut Command, folder: &Path) {
        npm.env("npm_config_registry", &self.address).env("npm_config_cache", folder.join("cache"));
        npm.env("npm_config_update_notifier", "false");
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // The process may have ended already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

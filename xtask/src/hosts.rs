//! Installs the real hosts into the target directory, with the programs that drive them.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::run;

use crate::needs::Need;
use crate::test::Client;

/// The folder of the programs that drive hosts, with the versions of the hosts.
pub(crate) const TESTS: &str = "integrations/tests";

/// The folders that are copied next to the hosts: the packages to install into them, and the programs that drive them.
const PARTS: [&str; 2] = [".claude-plugin", "integrations"];

const LOCK: &str = "package-lock.json";

/// The options of the tool that need no hosts.
const WITHOUT_HOSTS: [&str; 3] = ["--answers", "--help", "-h"];

/// Installs the hosts and builds the command; returns additional options for the tool that judges the edits.
pub(crate) fn provided(passed: &[OsString]) -> Result<Vec<OsString>> {
    let name = |option: &OsString| option.to_string_lossy().split('=').next().unwrap_or_default().to_owned();
    if passed.iter().any(|option| WITHOUT_HOSTS.contains(&&*name(option))) {
        return Ok(Vec::new());
    }
    [Need::Node, Need::Npm].iter().try_for_each(|need| need.provide())?;
    let (client, program) = (install(&Metadata::load()?)?, command::build("dist", &["full"])?);
    Ok(vec!["--client".into(), client.into(), "--program".into(), program.into()])
}

/// Installs the hosts, unless these versions are installed, copies the current parts of the repository, and returns the
/// folder.
pub(crate) fn install(metadata: &Metadata) -> Result<PathBuf> {
    let client = Client::parts(metadata, "hosts", &PARTS)?;
    for name in ["package.json", LOCK] {
        fs::copy(client.folder.join(TESTS).join(name), client.folder.join(name))?;
    }
    client.install(LOCK, || {
        let mut npm = Command::new("npm");
        // Not `npm ci`, because the lock file may lack packages for other platforms if the registry that it was made
        // from lacks them.
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&client.folder);
        run(npm)
    })?;
    Ok(client.folder)
}

//! The real hosts, installed into the target directory beside the programs that drive them.

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

/// The programs that drive hosts, with the versions of these.
pub(crate) const TESTS: &str = "integrations/tests";

/// The folders that are copied beside the hosts: the packages that are installed into them, and the programs that drive
/// them.
const PARTS: [&str; 2] = [".claude-plugin", "integrations"];

const LOCK: &str = "package-lock.json";

/// The options with which that tool needs no hosts.
const WITHOUT_HOSTS: [&str; 3] = ["--answers", "--help", "-h"];

/// Installs the hosts and builds the command, and returns the options for the tool that judges, beside those that it is
/// passed.
pub(crate) fn provided(passed: &[OsString]) -> Result<Vec<OsString>> {
    let name = |option: &OsString| option.to_string_lossy().split('=').next().unwrap_or_default().to_owned();
    if passed.iter().any(|option| WITHOUT_HOSTS.contains(&&*name(option))) {
        return Ok(Vec::new());
    }
    [Need::Node, Need::Npm].iter().try_for_each(|need| need.provide())?;
    let (client, program) = (install(&Metadata::load()?)?, command::build("dist", &["full"])?);
    Ok(vec!["--client".into(), client.into(), "--program".into(), program.into()])
}

/// Installs the hosts, unless just these are installed, and returns their folder. The parts of the repository are in it as
/// they are now.
pub(crate) fn install(metadata: &Metadata) -> Result<PathBuf> {
    let client = Client::parts(metadata, "hosts", &PARTS)?;
    for name in ["package.json", LOCK] {
        fs::copy(client.folder.join(TESTS).join(name), client.folder.join(name))?;
    }
    client.install(LOCK, || {
        let mut npm = Command::new("npm");
        // Not `npm ci`: the lock file may lack packages for other platforms, as the registry that it was made from did.
        npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&client.folder);
        run(npm)
    })?;
    Ok(client.folder)
}

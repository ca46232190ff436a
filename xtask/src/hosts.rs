//! Installs the real hosts into the target directory, with the programs that drive them.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;

use crate::needs::{self, Need};
use crate::test::{copied, install_locked};

/// The folder of the programs that drive hosts, with the versions of the hosts.
pub(crate) const TESTS: &str = "integrations/tests";

/// The folders that are copied next to the hosts: the packages to install into them, and the programs that drive them.
const PARTS: [&str; 2] = [".claude-plugin", "integrations"];

/// The options of the tool that need no hosts.
const WITHOUT_HOSTS: [&str; 3] = ["--answers", "--help", "-h"];

/// Installs the hosts and builds the command; returns additional options for the tool that judges the edits.
pub(crate) fn provided(passed: &[OsString]) -> Result<Vec<OsString>> {
    let name = |option: &OsString| option.to_string_lossy().split('=').next().unwrap_or_default().to_owned();
    if passed.iter().any(|option| WITHOUT_HOSTS.contains(&&*name(option))) {
        return Ok(Vec::new());
    }
    [needs::NODE, needs::NPM].iter().try_for_each(Need::provide)?;
    let (client, program) = (install(&Metadata::load()?)?, command::build("dist", &["full"])?);
    Ok(vec!["--client".into(), client.into(), "--program".into(), program.into()])
}

/// Installs the hosts, unless these versions are installed, copies the current parts of the repository, and returns the
/// folder.
pub(crate) fn install(metadata: &Metadata) -> Result<PathBuf> {
    for part in PARTS {
        copied(metadata, &format!("hosts/{part}"), &[part])?;
    }
    let folder = copied(metadata, "hosts", &[])?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(folder.join(TESTS).join(name), folder.join(name))?;
    }
    // Not `ci`, because the lock file may lack packages for other platforms if the registry that it was made from lacks
    // them.
    install_locked(&folder, "install")?;
    Ok(folder)
}

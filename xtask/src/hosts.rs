//! The real hosts, installed into the target directory beside the programs that drive them.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Profile, run, tool};

use crate::needs::Need;
use crate::test::Client;

/// The programs that drive hosts, with the versions of these.
pub(crate) const TESTS: &str = "integrations/tests";

/// What is copied beside the hosts: the packages that are installed into them, and the programs that drive them.
const PARTS: [&str; 2] = [".claude-plugin", "integrations"];

const LOCK: &str = "package-lock.json";

/// Drives labelled edits that a plain replacement fails on through the real hosts, without our hooks and with them, and
/// counts what lands.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The cases (.jsonl or .jsonl.gz); edits are taken from each in turn.
    #[arg(required = true)]
    cases: Vec<PathBuf>,
    /// The number of edits.
    #[arg(long, value_name = "N", default_value_t = 200)]
    edits: usize,
    /// Judge these answers instead of running the hosts.
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Write every edit that was refused, or did not land right, there, a line of JSON each.
    #[arg(long, value_name = "FILE")]
    failures: Option<PathBuf>,
    /// Write the table of docs/hosts.md.
    #[arg(long)]
    write: bool,
}

/// Builds the command, installs the hosts, and runs the tool that drives and judges.
pub(crate) fn drive(arguments: &Arguments) -> Result<()> {
    let mut words: Vec<OsString> = vec!["hosts".into(), "--edits".into(), arguments.edits.to_string().into()];
    if let Some(answers) = &arguments.answers {
        words.extend(["--answers".into(), answers.into()]);
    } else {
        [Need::Node, Need::Npm].iter().try_for_each(|need| need.provide())?;
        words.extend(["--client".into(), install(&Metadata::load()?)?.into()]);
        words.extend(["--program".into(), command::build("dist", &["full"])?.into()]);
    }
    words.extend(arguments.failures.iter().flat_map(|file| [OsString::from("--failures"), file.into()]));
    words.extend(arguments.write.then(|| "--write".into()));
    words.extend(arguments.cases.iter().map(OsString::from));
    let status = tool("fuzzy-accuracy", Profile::Release, words)?;
    ensure!(status.success(), "the hosts could not be judged");
    Ok(())
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

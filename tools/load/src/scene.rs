//! A service with its own worktrees.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::run::run;

/// The number of files per worktree.
const FILES: usize = 200;

pub(crate) struct Scene {
    folder: tempfile::TempDir,
    server: Child,
    /// The address of the service.
    pub(crate) address: String,
}

impl Scene {
    /// Creates the worktrees and starts the service.
    pub(crate) fn new(worktrees: usize, database: &str) -> Result<Self> {
        let program = command::build("dist", &["full"])?;
        let folder = tempfile::tempdir()?;
        for number in 0..worktrees {
            let worktree = folder.path().join(format!("worktree-{number}"));
            fs::create_dir(&worktree)?;
            for file in 0..FILES {
                let name = worktree.join(format!("file-{file}.txt"));
                fs::write(name, format!("file {file}\n").repeat(50))?;
            }
            git(&worktree, &["init", "--quiet", "."])?;
            git(&worktree, &["add", "--all"])?;
            let who = ["-c", "user.name=load", "-c", "user.email=load@localhost"];
            git(&worktree, &[&who[..], &["commit", "--quiet", "--message", "begin"]].concat())?;
        }
        let mut command = Command::new(program);
        command.args(["serve", "--addr", "127.0.0.1:0"]).current_dir(folder.path());
        command.env("XDG_STATE_HOME", folder.path().join("state")).stdin(Stdio::null()).stdout(Stdio::piped());
        if database != "sqlite" {
            command.args(["--database", database]);
        }
        let mut server = command.spawn().context("cannot start the service")?;
        let mut line = String::new();
        let out = server.stdout.take().context("the service has no output")?;
        BufReader::new(out).read_line(&mut line)?;
        let address = line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned);
        let scene = Self { folder, server, address: address.unwrap_or_default() };
        ensure!(!scene.address.is_empty(), "the service did not print its address: {line:?}");
        Ok(scene)
    }

    pub(crate) fn worktree(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("worktree-{number}"))
    }

    /// Stops the service regularly.
    pub(crate) fn end(mut self) -> Result<()> {
        run({
            let mut kill = Command::new("kill");
            kill.arg(self.server.id().to_string());
            kill
        })?;
        let status = self.server.wait()?;
        ensure!(status.success(), "the service ended with {status}");
        Ok(())
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn git(dir: &std::path::Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("git").args(arguments).current_dir(dir).status().context("cannot start git")?;
    ensure!(status.success(), "git {arguments:?} ended with {status}");
    Ok(())
}

//! Packs the command into an archive with its licences, manual pages and completions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::{read, run};

use super::made::Made;
use super::{binary, notices, wheel};
use crate::build::Build;
use crate::emulator::Emulator;
use crate::targets::Target;

/// The shells with completions, and the names of their completion files.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "fuzzy-edit.bash"),
    ("zsh", "_fuzzy-edit"),
    ("fish", "fuzzy-edit.fish"),
    ("elvish", "fuzzy-edit.elv"),
    ("powershell", "_fuzzy-edit.ps1"),
];

pub(super) fn is_ours(file: &Path) -> bool {
    let is_tar = file.to_string_lossy().ends_with(".tar.gz") && !wheel::is_sources(file);
    is_tar || file.extension().is_some_and(|extension| extension == "zip")
}

/// Packs the command for a target.
pub(super) fn make(made: &Made) -> Result<Vec<PathBuf>> {
    let name = name_for(made.target);
    let parent = made.folder("archives")?;
    let folder = parent.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fs::copy(made.command()?, folder.join(format!("fuzzy-edit{}", made.target.suffix)))?;
    notices::put(&[made.linked_command()], &folder)?;
    texts(&made.command_here()?, &folder)?;
    let is_windows = !made.target.suffix.is_empty();
    let archive = parent.join(format!("{name}{}", if is_windows { ".zip" } else { ".tar.gz" }));
    let mut pack = if is_windows {
        let mut python = Command::new("python3");
        python.args(["-m", "zipfile", "-c"]).arg(&archive).arg(&name);
        python
    } else {
        let mut tar = Command::new("tar");
        // The options make the archive reproducible.
        tar.args(["--create", "--gzip", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.arg("--file").arg(&archive).arg(&name);
        tar
    };
    pack.current_dir(&parent);
    run(pack)?;
    Ok(vec![archive])
}

/// Writes the completions and the manual pages that a command for this machine prints.
fn texts(command: &Path, folder: &Path) -> Result<()> {
    let print = |arguments: &[&str]| {
        let mut command = Command::new(command);
        command.args(arguments);
        read(command)
    };
    let (completions, pages) = (folder.join("completions"), folder.join("man/man1"));
    fs::create_dir_all(&completions)?;
    fs::create_dir_all(&pages)?;
    for (shell, name) in SHELLS {
        fs::write(completions.join(name), print(&["completions", shell])?)?;
    }
    fs::write(pages.join("fuzzy-edit.1"), print(&["man"])?)?;
    let help = print(&["help"])?;
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for verb in verbs.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help") {
        fs::write(pages.join(format!("fuzzy-edit-{verb}.1")), print(&["man", verb])?)?;
    }
    Ok(())
}

pub(super) fn is_for(name: &str, target: &Target) -> bool {
    name.starts_with(&name_for(target)) && is_ours(Path::new(name))
}

/// Returns the name of the archive for a system, and of the folder in it.
fn name_for(target: &Target) -> String {
    format!("fuzzy-edit-{}-{}", env!("CARGO_PKG_VERSION"), target.name)
}

/// Unpacks the archive for another system and edits a file with the command.
pub(super) fn emulate(archive: &Path, _: &Target, emulator: &Emulator) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut unpack = Command::new("python3");
    unpack.args(["-c", "import shutil, sys; shutil.unpack_archive(sys.argv[1])"]).arg(archive).current_dir(&folder);
    run(unpack)?;
    let unpacked = fs::read_dir(&folder)?.next().context("the archive is empty")??.path();
    let programs = ["fuzzy-edit", "fuzzy-edit.exe"].map(|name| unpacked.join(name));
    let program = programs.iter().find(|path| path.is_file()).context("the archive lacks the command")?;
    wheel::edits(folder.path(), || {
        let (mut command, state) = (emulator.command(program), folder.path().join("state"));
        command.current_dir(&folder).env("XDG_STATE_HOME", &state).env("LOCALAPPDATA", &state);
        command
    })
}

/// Unpacks the archive for this machine and runs the command in a root directory that contains nothing else.
pub(super) fn try_out(dist: &Path, build: Build) -> Result<()> {
    let name = name_for(Target::here()?);
    let archive = dist.join(format!("{name}.tar.gz"));
    ensure!(archive.is_file(), "there is no {}; `cargo xtask dist archive` makes it", archive.display());
    let folder = tempfile::tempdir()?;
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--file").arg(&archive).current_dir(&folder);
    run(tar)?;
    let folder = folder.path().join(name);
    for file in ["LICENSE-MIT", "NOTICE", notices::NAME, "completions/_fuzzy-edit", "man/man1/fuzzy-edit-apply.1"] {
        let size = fs::metadata(folder.join(file)).with_context(|| format!("the archive lacks {file}"))?.len();
        ensure!(size > 0, "{file} is empty");
    }
    binary::try_out(&folder.join(binary::NAME), build)
}

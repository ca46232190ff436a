//! The two commands to compare.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, git, git_in, read, root, run};

/// The two commands.
pub(crate) struct Commands {
    /// The command of the other commit.
    pub(crate) earlier: PathBuf,
    /// The command of this tree, in release.
    pub(crate) present: PathBuf,
}

impl Commands {
    /// Builds this tree's command, and the other one unless it exists.
    pub(crate) fn new(binary: Option<&Path>, commit: Option<&str>) -> Result<Self> {
        let earlier = match (binary, commit) {
            (Some(binary), _) => binary.canonicalize().with_context(|| format!("cannot find {}", binary.display()))?,
            (None, commit) => of_commit(commit.context("no other command")?)?,
        };
        Ok(Self { earlier, present: command::build("release", &[])? })
    }

    /// Returns both paths, the other commit's first.
    pub(crate) fn both(&self) -> [&Path; 2] {
        [&self.earlier, &self.present]
    }
}

/// Builds the command of a commit and keeps it. All commits share one checkout and one target directory, so that only
/// changed crates are built.
fn of_commit(commit: &str) -> Result<PathBuf> {
    let hash = read(git(&["rev-parse", "--verify", &format!("{commit}^{{commit}}")]))?;
    let hash = hash.trim();
    let folder = Metadata::load()?.target_dir.join("answers");
    let kept = folder.join(format!("fuzzy-edit-{hash}{EXE_SUFFIX}"));
    if kept.is_file() {
        return Ok(kept);
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let checkout = folder.join("checkout");
    if !checkout.is_dir() {
        let mut clone = git_in(&folder, &["clone", "--quiet", "--shared", "--no-checkout"]);
        clone.arg(root()).arg(&checkout);
        run(clone)?;
    }
    run(git_in(&checkout, &["checkout", "--quiet", "--force", "--detach", hash]))?;
    let target = folder.join("target");
    let mut build = cargo(["build", "--quiet", "--release", "--package", "fuzzy-edit-cli"]);
    build.current_dir(&checkout).env("CARGO_TARGET_DIR", &target);
    run(build)?;
    let program = target.join("release").join(format!("fuzzy-edit{EXE_SUFFIX}"));
    fs::copy(&program, &kept).with_context(|| format!("cannot copy {}", program.display()))?;
    Ok(kept)
}

//! The packages for npm: the engine with this machine's own module, and the plugin of opencode.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;
use crate::npm;

/// Uses the installed packages.
const SCRIPT: &str = "bindings/node/package/test/installed.cjs";

pub(super) fn is_ours(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "tgz")
}

pub(super) fn make(metadata: &Metadata, build: Build) -> Result<Vec<PathBuf>> {
    let into = metadata.target_dir.join("npm").join(build.folder());
    fs::create_dir_all(&into)?;
    let folders = [npm::assemble(metadata, build)?, npm::assemble_plugin(metadata)?];
    folders.iter().map(|folder| npm::pack(folder, &into)).collect()
}

/// Installs the tarballs in a fresh project and uses them there: by `import` and by `require`, on both builds.
pub(super) fn try_out(files: &[PathBuf], build: Build) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let project = folder.path().join("project");
    npm::install(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &project)?;
    let script = project.join("installed.cjs");
    fs::copy(root().join(SCRIPT), &script)?;
    let mut node = Command::new("node");
    node.arg(&script).current_dir(&project);
    if build == Build::Shipped {
        node.env("SHIPPED", "1");
    }
    run(node)
}

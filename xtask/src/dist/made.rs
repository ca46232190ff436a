//! The input of artefacts, and their output folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::run;

use super::binary;
use super::notices::Linked;
use crate::build::Build;
use crate::targets::Target;

/// The name of the file of sums, in the format of `sha256sum --check`.
pub(super) const SUMS: &str = "SHA256SUMS";

/// The input of the artefacts for a system.
pub(super) struct Made<'a> {
    pub(super) metadata: &'a Metadata,
    pub(super) build: Build,
    pub(super) target: &'static Target,
}

impl Made<'_> {
    /// Returns the command for the system: the release build, or for tests the build of the other suites.
    pub(super) fn command(&self) -> Result<PathBuf> {
        match self.build {
            Build::Shipped => self.target.make(self.metadata, self.build),
            Build::Debug => {
                let command = command::for_tests(self.metadata)?;
                let stripped = self.folder("stripped")?.join(binary::NAME);
                // Packing is faster without the debug symbols.
                let mut strip = Command::new("strip");
                strip.arg("-o").arg(&stripped).arg(command);
                run(strip)?;
                Ok(stripped)
            }
        }
    }

    /// Returns the command for this machine in the same build.
    pub(super) fn command_here(&self) -> Result<PathBuf> {
        Made { metadata: self.metadata, build: self.build, target: Target::here()? }.command()
    }

    /// Returns the command as an entry for the notices.
    pub(super) fn linked_command(&self) -> Linked<'static> {
        Linked { package: "fuzzy-edit-cli", features: self.target.features, target: self.target.name }
    }

    /// Makes a folder in the target directory and returns it.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.metadata.target_dir.join("dist-parts").join(self.build.folder()).join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }
}

/// Returns the names and paths of the files in the folder except the sums, sorted by name.
pub(super) fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(folder).context("cannot read the folder dist")?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != SUMS {
            files.push((name, entry.path()));
        }
    }
    files.sort();
    Ok(files)
}

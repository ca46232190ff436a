//! Starts Wine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::run::{root, run};

/// Wine with a separate home directory.
pub(super) struct Wine {
    home: PathBuf,
    /// The folder of libraries that Wine lacks.
    libraries: PathBuf,
}

impl Wine {
    pub(super) fn with_shim(folder: &Path) -> Result<Self> {
        let wine = Self { home: folder.join("home"), libraries: folder.join("libraries") };
        fs::create_dir_all(&wine.libraries).with_context(|| format!("cannot make {}", wine.libraries.display()))?;
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        compiler.args(["-shared", "-O1", "-o"]).arg(wine.libraries.join("bcryptprimitives.dll"));
        compiler.arg(root().join("xtask/src/test/wine/bcryptprimitives.c")).arg("-ladvapi32");
        run(compiler)?;
        Ok(wine)
    }

    /// Configures a command to run Windows programs.
    pub(super) fn lend_to(&self, command: &mut Command) {
        // Wine's drive Z is the root directory of this system.
        command.env("WINEPREFIX", &self.home).env("WINEPATH", on_drive_z(&self.libraries));
        command.env("WINEDEBUG", "-all");
    }
}

/// Returns a path in the notation of Windows programs.
pub(super) fn on_drive_z(path: &Path) -> String {
    format!("Z:{}", path.display())
}

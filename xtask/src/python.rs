//! Environments of Python in the target directory, with what a list of requirements names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;

/// The folder of the Python package.
pub(crate) const PACKAGE: &str = "bindings/python";

/// An environment of its own.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Makes an environment with what a file of this repository lists, unless it is there already.
    pub(crate) fn of(metadata: &Metadata, requirements: &str) -> Result<Self> {
        let listed = root().join(requirements);
        let name = listed.file_name().with_context(|| format!("{requirements} names no file"))?;
        let environment = Self { folder: metadata.target_dir.join("python").join(name) };
        let wanted = fs::read(&listed).with_context(|| format!("cannot read {}", listed.display()))?;
        let installed = environment.folder.join("installed");
        if fs::read(&installed).is_ok_and(|text| text == wanted) {
            return Ok(environment);
        }
        environment.make()?;
        // Every version is listed: what a package asks for besides is as it was when that was tested.
        let mut pip = environment.pip(&["install", "--quiet", "--no-deps", "--requirement"]);
        pip.arg(&listed);
        run(pip)?;
        fs::write(installed, wanted)?;
        Ok(environment)
    }

    /// Makes an environment without anything in a folder.
    pub(crate) fn fresh(folder: &Path) -> Result<Self> {
        let environment = Self { folder: folder.to_owned() };
        environment.make()?;
        Ok(environment)
    }

    fn make(&self) -> Result<()> {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv", "--clear"]).arg(&self.folder);
        run(venv)
    }

    /// Returns the folder of the programs.
    pub(crate) fn programs(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// Prepares the interpreter.
    pub(crate) fn python(&self) -> Command {
        Command::new(self.folder.join("bin/python"))
    }

    /// Prepares pip.
    pub(crate) fn pip(&self, arguments: &[&str]) -> Command {
        let mut pip = self.python();
        pip.args(["-m", "pip", "--disable-pip-version-check"]).args(arguments);
        pip
    }

    /// Installs a wheel with what it asks for on Spark, all of which is there already.
    pub(crate) fn install_with_spark(&self, wheel: &Path) -> Result<()> {
        // The wheel has the number of the one before.
        run(self.pip(&["uninstall", "--quiet", "--yes", "fuzzy-edit"]))?;
        let mut pip = self.pip(&["install", "--quiet", "--no-index"]);
        pip.arg(format!("{}[spark]", wheel.display()));
        run(pip)
    }

    /// Builds the wheel for this machine into a folder that holds nothing else, and returns its path.
    pub(crate) fn build_wheel(&self, metadata: &Metadata, build: Build) -> Result<PathBuf> {
        self.build_wheel_for(metadata, build, |maturin| {
            // Read from the interpreter's answers, not from whatever is first in the path.
            maturin.arg("--interpreter").arg(self.folder.join("bin/python"));
            Ok(())
        })
    }

    /// Writes the stub and builds a wheel in the same way; `arrange` adds what maturin needs for another system. The
    /// arguments that it adds come last.
    ///
    /// The unoptimised one is for tests: it has failpoints, which a test arms by an environment variable.
    pub(crate) fn build_wheel_for(
        &self,
        metadata: &Metadata,
        build: Build,
        arrange: impl FnOnce(&mut Command) -> Result<()>,
    ) -> Result<PathBuf> {
        let to = metadata.target_dir.join("wheels").join(build.profile());
        if to.exists() {
            fs::remove_dir_all(&to).with_context(|| format!("cannot empty {}", to.display()))?;
        }
        self.write_stub()?;
        let mut maturin = Command::new(self.folder.join("bin/maturin"));
        maturin.args(["build", "--quiet", "--profile", build.profile()]);
        if build == Build::Debug {
            maturin.args(["--features", "failpoints"]);
        }
        maturin.arg("--out").arg(&to).current_dir(root().join(PACKAGE));
        arrange(&mut maturin)?;
        run(maturin)?;
        only_file(&to)
    }

    /// Writes the stub and packs the sources of the package into a folder, which it empties before.
    pub(crate) fn build_sources(&self, to: &Path) -> Result<PathBuf> {
        fs::remove_dir_all(to).with_context(|| format!("cannot empty {}", to.display()))?;
        self.write_stub()?;
        let mut maturin = Command::new(self.folder.join("bin/maturin"));
        maturin.args(["sdist", "--out"]).arg(to).current_dir(root().join(PACKAGE));
        run(maturin)?;
        only_file(to)
    }

    fn write_stub(&self) -> Result<()> {
        let mut stub = self.python();
        stub.arg(root().join(PACKAGE).join("tools/stub.py"));
        run(stub)
    }
}

/// Returns the file that maturin has put into a folder.
fn only_file(folder: &Path) -> Result<PathBuf> {
    let files = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    files.flatten().map(|file| file.path()).next().context("maturin made no file")
}

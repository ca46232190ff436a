//! Makes Python environments in the target directory from lists of requirements.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{read, root, run};

use crate::build::Build;

/// The folder of the Python package.
pub(crate) const PACKAGE: &str = "bindings/python";

/// A Python environment.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Makes an environment with the requirements in a file of this repository, unless it exists.
    pub(crate) fn of(metadata: &Metadata, requirements: &str) -> Result<Self> {
        let listed = root().join(requirements);
        // Several lists have the same file name.
        let environment = Self { folder: metadata.target_dir.join("python").join(requirements.replace('/', "-")) };
        let wanted = fs::read(&listed).with_context(|| format!("cannot read {}", listed.display()))?;
        let installed = environment.folder.join("installed");
        if fs::read(&installed).is_ok_and(|text| text == wanted) {
            return Ok(environment);
        }
        environment.make()?;
        // The file lists every version, also those of indirect dependencies.
        let mut pip = environment.pip(&["install", "--quiet", "--no-deps", "--requirement"]);
        pip.arg(&listed);
        run(pip)?;
        fs::write(installed, wanted)?;
        Ok(environment)
    }

    /// Makes an empty environment in a folder, unless it contains one that works.
    pub(crate) fn at(folder: &Path) -> Result<Self> {
        let environment = Self { folder: folder.to_owned() };
        if environment.pip(&["--version"]).output().is_ok_and(|output| output.status.success()) {
            return Ok(environment);
        }
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

    /// Prepares a call of the interpreter.
    pub(crate) fn python(&self) -> Command {
        Command::new(self.folder.join("bin/python"))
    }

    /// Prepares a call of pip.
    pub(crate) fn pip(&self, arguments: &[&str]) -> Command {
        let mut pip = self.python();
        pip.args(["-m", "pip", "--disable-pip-version-check"]).args(arguments);
        pip
    }

    /// Installs a wheel with its requirements for Spark, all of which are already present.
    pub(crate) fn install_with_spark(&self, wheel: &Path) -> Result<()> {
        // The previous wheel has the same version number.
        run(self.pip(&["uninstall", "--quiet", "--yes", "fuzzy-edit"]))?;
        let mut pip = self.pip(&["install", "--quiet", "--no-index"]);
        pip.arg(format!("{}[spark]", wheel.display()));
        run(pip)
    }

    /// Puts the package with this native module where pip would install it.
    pub(crate) fn put_package(&self, module: &Path) -> Result<()> {
        let mut python = self.python();
        python.args(["-c", "import sysconfig; print(sysconfig.get_path('platlib'), end='')"]);
        let package = Path::new(&read(python)?).join("fuzzy_edit");
        if package.exists() {
            fs::remove_dir_all(&package).with_context(|| format!("cannot remove {}", package.display()))?;
        }
        let mut copy = Command::new("cp");
        copy.arg("-R").arg(root().join(PACKAGE).join("python/fuzzy_edit")).arg(&package);
        run(copy)?;
        fs::copy(module, package.join("_native.abi3.so"))
            .with_context(|| format!("cannot copy {}", module.display()))?;
        Ok(())
    }

    /// Builds the wheel for this machine into a folder that contains nothing else, and returns its path.
    ///
    /// A test build contains failpoints, which a test activates with an environment variable.
    pub(crate) fn build_wheel(&self, metadata: &Metadata, build: Build) -> Result<PathBuf> {
        let to = metadata.target_dir.join("wheels").join(build.profile());
        if to.exists() {
            fs::remove_dir_all(&to).with_context(|| format!("cannot empty {}", to.display()))?;
        }
        let mut maturin = Command::new(self.folder.join("bin/maturin"));
        maturin.args(["build", "--quiet", "--profile", build.profile()]);
        if build == Build::Debug {
            maturin.args(["--features", "failpoints"]);
        }
        // Maturin reads the properties of this interpreter, not of the first one in the path.
        maturin.arg("--interpreter").arg(self.folder.join("bin/python"));
        maturin.arg("--out").arg(&to).current_dir(root().join(PACKAGE));
        run(maturin)?;
        let mut files = fs::read_dir(&to).with_context(|| format!("cannot read {}", to.display()))?.flatten();
        files.next().map(|file| file.path()).context("maturin made no file")
    }
}

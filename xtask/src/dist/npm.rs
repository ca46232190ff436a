//! Makes the npm packages: the main package, the engine in WebAssembly, a package for each platform, and the opencode
//! plugin.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::{root, run};

use super::made::Made;
use super::notices::{self, Linked};
use super::registry::Registry;
use super::wheel;
use crate::build::Build;
use crate::emulator::Emulator;
use crate::needs::WASM;
use crate::npm;
use crate::packages::{self, NATIVE};
use crate::targets::{Platform, Target};

/// The script that uses the installed packages.
const SCRIPT: &str = "bindings/node/package/test/installed.cjs";

/// The packages that a user installs.
const PACKAGES: [&str; 2] = ["fuzzy-edit", "opencode-fuzzy-edit"];

/// The largest permitted main package, in bytes.
const LARGEST: u64 = 100_000;

pub(super) fn is_ours(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "tgz")
}

/// Makes the packages for the platforms of a system; for this machine, also the packages that are the same on all
/// platforms.
pub(super) fn make(made: &Made) -> Result<Vec<PathBuf>> {
    let into = made.folder("npm")?;
    let mut tarballs = Vec::new();
    if made.target.name == Target::here()?.name {
        let folders = packages::assemble(made.metadata, made.build)?;
        // The main package contains no compiled code.
        notices::put(&[engine()], &folders[1])?;
        for folder in &folders {
            tarballs.push(npm::pack(folder, &into)?);
        }
        let size = fs::metadata(&tarballs[0])?.len();
        ensure!(size < LARGEST, "the main package has {size} bytes, {LARGEST} are allowed");
        tarballs.push(npm::pack(&packages::assemble_plugin(made.metadata)?, &into)?);
    }
    let platforms = match made.build {
        // A test build is linked to the C library of this machine.
        Build::Debug => &made.target.platforms[..1],
        Build::Shipped => made.target.platforms,
    };
    for platform in platforms {
        tarballs.push(npm::pack(&package_of(made, platform)?, &into)?);
    }
    Ok(tarballs)
}

/// Makes the folder of the package for a platform: the command, and the native Node module.
fn package_of(made: &Made, platform: &Platform) -> Result<PathBuf> {
    let command = made.command()?;
    let module = match made.build {
        Build::Debug => Some(packages::native(made.metadata, made.build)?),
        Build::Shipped => made.target.module(made.metadata, made.build, platform)?,
    };
    let program = format!("fuzzy-edit{}", made.target.suffix);
    let mut files = vec![(command.as_path(), program.as_str())];
    files.extend(module.iter().map(|module| (module.as_path(), NATIVE)));
    let folder = packages::assemble_platform(made.metadata, made.build, platform, &files)?;
    let library = Linked { package: "fuzzy-edit-napi", features: "", target: platform.target };
    notices::put(&[made.linked_command(), library], &folder)?;
    Ok(folder)
}

/// Returns the engine in WebAssembly as an entry for the notices.
fn engine() -> Linked<'static> {
    Linked { package: "fuzzy-edit-wasm", features: "patches", target: WASM }
}

/// Installs the packages as users do, from a registry that serves them: the library in a new project, with `import` and
/// `require` on both builds, and the command with `npx` in a new home directory.
pub(super) fn try_out(dist: &Path, build: Build) -> Result<()> {
    let registry = Registry::start(dist)?;
    let folder = tempfile::tempdir()?;
    let at_home = |program: &str| {
        let mut command = Command::new(program);
        registry.lend_to(&mut command, folder.path());
        command.env("HOME", folder.path()).env("XDG_STATE_HOME", folder.path().join("state")).current_dir(&folder);
        command
    };
    let project = folder.path().join("project");
    npm::install_by(at_home("npm"), PACKAGES, &project)?;
    let script = project.join("installed.cjs");
    fs::copy(root().join(SCRIPT), &script)?;
    let mut node = at_home("node");
    node.arg(&script).current_dir(&project);
    if build == Build::Shipped {
        node.env("SHIPPED", "1");
    }
    run(node)?;
    is_complete(&project.join("node_modules"))?;
    wheel::edits(folder.path(), || {
        let mut npx = at_home("npx");
        npx.args(["-y", "fuzzy-edit"]);
        npx
    })
}

pub(super) fn is_for(name: &str, target: &Target) -> bool {
    let Some(platform) = target.platforms.first().filter(|platform| platform.wheel.is_some()) else { return false };
    name == format!("{}-{}.tgz", platform.package(), env!("CARGO_PKG_VERSION"))
}

/// Installs the packages as npm does on another system, and uses the library there.
pub(super) fn emulate(package: &Path, target: &Target, emulator: &Emulator) -> Result<()> {
    let dist = package.parent().context("a package without a folder")?;
    let (registry, folder) = (Registry::start(dist)?, tempfile::tempdir()?);
    let project = folder.path().join("project");
    let (system, processor, _) = target.platforms[0].npm;
    let mut npm = Command::new("npm");
    registry.lend_to(&mut npm, folder.path());
    npm.args([format!("--os={system}"), format!("--cpu={processor}"), "--libc=glibc".to_owned()]);
    npm::install_by(npm, PACKAGES, &project)?;
    fs::copy(root().join(SCRIPT), project.join("installed.cjs"))?;
    // The Node.js of Windows cannot write into a pipe of Wine.
    let output = project.join("output");
    let mut node = emulator.node()?;
    node.arg("installed.cjs").current_dir(&project).stdin(Stdio::null());
    node.stdout(fs::File::create(&output)?).stderr(fs::OpenOptions::new().append(true).open(&output)?);
    let status = node.status().context("cannot start the emulator")?;
    ensure!(status.success(), "Node.js ended with {status}: {}", fs::read_to_string(&output)?);
    Ok(())
}

/// Fails unless exactly the package for this platform is installed, with all licences.
fn is_complete(modules: &Path) -> Result<()> {
    let names: Vec<String> = fs::read_dir(modules)
        .context("npm installed nothing")?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    let platforms = Target::here()?.platforms;
    let all = crate::targets::TARGETS.iter().flat_map(|target| target.platforms).map(Platform::package);
    let installed: Vec<String> = all.filter(|name| names.contains(name)).collect();
    ensure!(installed == [platforms[0].package()], "npm installed {installed:?}");
    for package in ["fuzzy-edit", "fuzzy-edit-wasm", &installed[0]] {
        for file in ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"] {
            ensure!(modules.join(package).join(file).is_file(), "{package} lacks {file}");
        }
    }
    for package in ["fuzzy-edit-wasm", &installed[0]] {
        ensure!(modules.join(package).join(notices::NAME).is_file(), "{package} lacks {}", notices::NAME);
    }
    Ok(())
}

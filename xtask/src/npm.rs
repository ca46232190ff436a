//! Packs, installs and downloads packages with npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::run;

/// The opencode version with which the plugin is tested, and whose code is measured.
const OPENCODE: &str = "opencode-ai@1.18.33";

/// Makes a new project with installed packages: tarballs, and packages from the registry.
///
/// Packages for other platforms are skipped, because no registry contains them before a release.
pub(crate) fn install(packages: &[PathBuf], project: &Path) -> Result<()> {
    if project.exists() {
        fs::remove_dir_all(project)?;
    }
    fs::create_dir_all(project)?;
    fs::write(project.join("package.json"), r#"{"name": "project", "private": true}"#)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]).args(packages);
    npm.current_dir(project);
    run(npm)
}

/// Returns a program of a package, which is installed below the target directory unless it is there in that version.
pub(crate) fn program(metadata: &Metadata, package: &str, name: &str) -> Result<PathBuf> {
    let folder = metadata.target_dir.join("npm").join(package.replace(['@', '/'], "-"));
    // Npm writes it at the end.
    if !folder.join("package-lock.json").is_file() {
        install(&[PathBuf::from(package)], &folder)?;
    }
    Ok(folder.join("node_modules/.bin").join(name))
}

/// Installs opencode in the target directory unless it is installed, and returns its program.
pub(crate) fn opencode(metadata: &Metadata) -> Result<PathBuf> {
    if find_opencode(metadata).is_none() {
        install(&[PathBuf::from(OPENCODE)], &opencode_folder(metadata))?;
    }
    find_opencode(metadata).with_context(|| format!("npm has no program of {OPENCODE} for this platform"))
}

/// Returns the program of opencode if it is installed.
pub(crate) fn find_opencode(metadata: &Metadata) -> Option<PathBuf> {
    for_this_platform(&opencode_folder(metadata).join("node_modules"), "bin/opencode")
}

/// Returns a program of a folder of packages, one for each platform, of which npm installs those for this one. A script of
/// that name is smaller.
pub(crate) fn for_this_platform(packages: &Path, program: &str) -> Option<PathBuf> {
    let programs = fs::read_dir(packages).ok()?.flatten().map(|package| package.path().join(program));
    programs.filter(|path| path.metadata().is_ok_and(|it| it.len() > 1 << 20)).min()
}

fn opencode_folder(metadata: &Metadata) -> PathBuf {
    metadata.target_dir.join("npm").join(OPENCODE.replace('@', "-"))
}

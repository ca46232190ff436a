//! Makes the scripts and manifests that install a release from its download address.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use fuzzy_tools::hex::hex;
use fuzzy_tools::run::root;
use sha2::{Digest, Sha256};

/// The folder of the templates. Their placeholders are `@VERSION@`, `@FROM@`, `@HOMEPAGE@` and `@SHA256 TARGET@`.
const TEMPLATES: &str = "packaging";

/// The names of the templates.
const NAMES: [&str; 7] = [
    "install.sh",
    "install.ps1",
    "fuzzy-edit.rb",
    "scoop.json",
    "winget/fuzzy-edit.fuzzy-edit.yaml",
    "winget/fuzzy-edit.fuzzy-edit.installer.yaml",
    "winget/fuzzy-edit.fuzzy-edit.locale.en-US.yaml",
];

/// Fills in the templates for the archives of a folder, and writes the files there.
pub(super) fn make(folder: &Path, from: &str) -> Result<()> {
    // The address is inserted between quotes of several languages.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ":/._~-+%".contains(c);
    ensure!(from.chars().all(is_plain) && !from.ends_with('/'), "{from:?} is not the address of a folder");
    for name in NAMES {
        let template = root().join(TEMPLATES).join(name);
        let text = fs::read_to_string(&template).with_context(|| format!("cannot read {}", template.display()))?;
        let text = filled(&text, folder, from).with_context(|| format!("{TEMPLATES}/{name}"))?;
        let file = Path::new(name).file_name().context("a file without a name")?;
        fs::write(folder.join(file), text).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}

/// Fills in the placeholders of a text.
fn filled(text: &str, folder: &Path, from: &str) -> Result<String> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('@') {
        filled.push_str(before);
        let (gap, after) = after.split_once('@').context("a gap without an end")?;
        match gap.split_once(' ').unwrap_or((gap, "")) {
            ("VERSION", _) => filled.push_str(env!("CARGO_PKG_VERSION")),
            ("FROM", _) => filled.push_str(from),
            // On the usual host, the releases belong to the page of the repository.
            ("HOMEPAGE", _) => filled.push_str(from.split("/releases/").next().unwrap_or(from)),
            ("SHA256", target) => filled.push_str(&sum(folder, target)?),
            _ => bail!("the gap {gap:?} is unknown"),
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Returns the SHA-256 sum of the archive for a target.
fn sum(folder: &Path, target: &str) -> Result<String> {
    let suffix = if target.contains("windows") { "zip" } else { "tar.gz" };
    let name = format!("fuzzy-edit-{}-{target}.{suffix}", env!("CARGO_PKG_VERSION"));
    let archive = fs::read(folder.join(&name)).with_context(|| format!("there is no {name}"))?;
    Ok(hex(&Sha256::digest(archive)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Output};

    use super::make;
    use crate::targets::{TARGETS, Target};

    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Makes a folder with an archive for every target; the archive for this machine contains a command.
    fn release() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for target in TARGETS {
            let suffix = if target.suffix.is_empty() { "tar.gz" } else { "zip" };
            fs::write(folder.path().join(format!("fuzzy-edit-{VERSION}-{}.{suffix}", target.name)), target.name)
                .unwrap();
        }
        let name = format!("fuzzy-edit-{VERSION}-{}", Target::here().unwrap().name);
        let inner = folder.path().join(&name);
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("fuzzy-edit"), "#!/bin/sh\necho fuzzy-edit 1.2.3\n").unwrap();
        let mut tar = Command::new("tar");
        tar.args(["-czf", &format!("{name}.tar.gz"), "--mode=755", &name]).current_dir(&folder);
        assert!(tar.status().unwrap().success());
        folder
    }

    /// Runs the install script of a release in its own home directory.
    fn install(release: &Path, home: &Path) -> Output {
        let mut sh = Command::new("sh");
        sh.arg(release.join("install.sh")).env("HOME", home).env_remove("FUZZY_EDIT_BIN");
        sh.output().unwrap()
    }

    #[test]
    fn the_script_installs_the_command_and_refuses_another_archive() {
        let (release, home) = (release(), tempfile::tempdir().unwrap());
        make(release.path(), &format!("file://{}", release.path().display())).unwrap();
        let output = install(release.path(), home.path());
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("installed fuzzy-edit 1.2.3 as "), "{output:?}");
        let command = home.path().join(".local/bin/fuzzy-edit");
        assert!(command.is_file());
        fs::remove_file(&command).unwrap();

        let archive = format!("fuzzy-edit-{VERSION}-{}.tar.gz", Target::here().unwrap().name);
        fs::write(release.path().join(archive), "another").unwrap();
        let output = install(release.path(), home.path());
        assert!(!output.status.success() && !command.exists(), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is not what was released"), "{output:?}");
    }

    #[test]
    fn every_gap_is_filled() {
        let release = release();
        make(release.path(), "https://a.org/b/releases/download/v1").unwrap();
        for name in super::NAMES {
            let text = fs::read_to_string(release.path().join(Path::new(name).file_name().unwrap())).unwrap();
            assert!(!text.contains('@'), "{name}: {text}");
        }
        let scoop = fs::read_to_string(release.path().join("scoop.json")).unwrap();
        let scoop: serde_json::Value = serde_json::from_str(&scoop).unwrap();
        assert_eq!(scoop["homepage"], "https://a.org/b");
        assert_eq!(scoop["architecture"]["64bit"]["hash"].as_str().unwrap().len(), 64);
    }

    #[test]
    fn an_address_that_would_end_its_quotes_is_refused() {
        let release = release();
        for address in ["https://a.org/'; rm -rf /", "https://a.org/", "https://a.org/$(x)"] {
            assert!(make(release.path(), address).is_err(), "{address}");
        }
    }
}

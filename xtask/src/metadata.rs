//! Reads what cargo knows about the workspace.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::run::{cargo, read};

/// Cargo features that no suite turns on by itself: they need a server or change how files are written.
const OPT_IN: &[&str] = &["postgres", "failpoints"];

/// A package of the build, a member of the workspace or not.
pub(crate) struct Package {
    /// The package's name.
    pub(crate) name: String,
    /// Its version, as written.
    pub(crate) version: String,
    /// What its manifest says of it.
    pub(crate) description: String,
    /// The names of its cargo features, sorted.
    pub(crate) features: Vec<String>,
    /// Whether it belongs to this workspace.
    pub(crate) member: bool,
    /// Names of its benchmark targets.
    pub(crate) benches: Vec<String>,
}

/// The packages of the build and the folder they are built in.
pub(crate) struct Metadata {
    /// Every package, dependencies included.
    pub(crate) packages: Vec<Package>,
    /// Where cargo puts what it builds.
    pub(crate) target_dir: PathBuf,
}

impl Metadata {
    /// Asks cargo; fails when `Cargo.lock` does not fit the manifests and `locked` is set.
    pub(crate) fn load(locked: bool) -> Result<Self> {
        let mut arguments = vec!["metadata", "--format-version", "1", "--all-features"];
        if locked {
            arguments.push("--locked");
        }
        let text = read(cargo(arguments))?;
        let value: Value = serde_json::from_str(&text).context("cargo metadata is not JSON")?;
        let members = value["workspace_members"].as_array().context("cargo metadata names no members")?;
        let packages = value["packages"]
            .as_array()
            .context("cargo metadata names no packages")?
            .iter()
            .map(|package| package_of(package, members.contains(&package["id"])))
            .collect::<Result<_>>()?;
        let target_dir = value["target_directory"].as_str().context("cargo metadata names no target directory")?.into();
        Ok(Self { packages, target_dir })
    }

    /// Returns the member of this name.
    pub(crate) fn member(&self, name: &str) -> Result<&Package> {
        self.packages
            .iter()
            .find(|package| package.member && package.name == name)
            .with_context(|| format!("the workspace has no package {name}"))
    }

    /// Lists `package/feature` for every feature of every member that is not opt-in.
    pub(crate) fn features(&self) -> Vec<String> {
        self.packages
            .iter()
            .filter(|package| package.member)
            .flat_map(|package| {
                package
                    .features
                    .iter()
                    .filter(|feature| *feature != "default" && !OPT_IN.contains(&feature.as_str()))
                    .map(|feature| format!("{}/{feature}", package.name))
            })
            .collect()
    }
}

fn package_of(value: &Value, member: bool) -> Result<Package> {
    let word = |key: &str| value[key].as_str().map(str::to_owned).with_context(|| format!("a package without {key}"));
    let benches = value["targets"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|target| target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "bench")))
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect();
    Ok(Package {
        name: word("name")?,
        version: word("version")?,
        description: value["description"].as_str().unwrap_or_default().to_owned(),
        features: value["features"].as_object().map(|features| features.keys().cloned().collect()).unwrap_or_default(),
        member,
        benches,
    })
}

//! Reads cargo's data about the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::run::{cargo, read};

/// A cargo feature for tests only: it lets them stop a program, or fail a write, at any step.
const OPT_IN: &str = "failpoints";

/// A member of the workspace.
pub struct Package {
    /// The package's name.
    pub name: String,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// The description in its manifest.
    pub description: String,
    /// Whether its manifest permits publishing.
    pub is_published: bool,
    /// The names of its cargo features, sorted.
    pub features: Vec<String>,
    /// Names of its benchmark targets.
    pub benches: Vec<String>,
    /// The members that it depends on, except those that only its tests need.
    pub needs: Vec<String>,
}

/// The members of the workspace, and its target directory.
pub struct Metadata {
    /// Every member.
    pub packages: Vec<Package>,
    /// The target directory of cargo.
    pub target_dir: PathBuf,
}

impl Metadata {
    /// Runs cargo to read the data.
    pub fn load() -> Result<Self> {
        let arguments = ["metadata", "--format-version", "1", "--no-deps"];
        let text = read(cargo(arguments))?;
        let value: Value = serde_json::from_str(&text).context("cargo metadata is not JSON")?;
        let packages = value["packages"]
            .as_array()
            .context("cargo metadata names no packages")?
            .iter()
            .map(package_of)
            .collect::<Result<_>>()?;
        let target_dir = value["target_directory"].as_str().context("cargo metadata names no target directory")?.into();
        Ok(Self { packages, target_dir })
    }

    /// Returns the member of this name.
    pub fn member(&self, name: &str) -> Result<&Package> {
        self.packages
            .iter()
            .find(|package| package.name == name)
            .with_context(|| format!("the workspace has no package {name}"))
    }

    /// Lists `package/feature` for every feature of every member, except opt-in ones.
    #[must_use]
    pub fn features(&self) -> Vec<String> {
        self.all_features().filter(|(_, feature)| *feature != OPT_IN).map(joined).collect()
    }

    /// Returns the command `cargo VERB` for the whole workspace with every feature, as all tests are built.
    ///
    /// Cargo builds a crate again for each set of features of its dependencies, and the sets depend on the named
    /// packages: so every suite names all of them.
    #[must_use]
    pub fn cargo_for_tests(&self, verb: &str) -> Command {
        let features: Vec<String> = self.all_features().map(joined).collect();
        cargo([verb, "--workspace", "--features", &features.join(",")])
    }

    fn all_features(&self) -> impl Iterator<Item = (&str, &str)> {
        self.packages.iter().flat_map(|package| {
            let features = package.features.iter().filter(|feature| *feature != "default");
            features.map(|feature| (package.name.as_str(), feature.as_str()))
        })
    }
}

fn joined((package, feature): (&str, &str)) -> String {
    format!("{package}/{feature}")
}

fn package_of(value: &Value) -> Result<Package> {
    let benches = value["targets"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|target| target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "bench")))
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect();
    let needs = value["dependencies"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|dependency| dependency["path"].is_string() && dependency["kind"] != "dev")
        .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
        .collect();
    Ok(Package {
        name: word(value, "name")?.to_owned(),
        folder: Path::new(word(value, "manifest_path")?).parent().context("a manifest without a folder")?.to_owned(),
        description: value["description"].as_str().unwrap_or_default().to_owned(),
        // If a manifest forbids publishing, the list of registries is empty.
        is_published: value["publish"].as_array().is_none_or(|registries| !registries.is_empty()),
        features: value["features"].as_object().map(|features| features.keys().cloned().collect()).unwrap_or_default(),
        benches,
        needs,
    })
}

/// Returns the value of a package under a key, or an error that names it.
fn word<'a>(package: &'a Value, key: &str) -> Result<&'a str> {
    package[key].as_str().with_context(|| format!("a package without {key}"))
}

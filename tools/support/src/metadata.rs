//! Cargo's data about the workspace.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;

use crate::run::{cargo, root};

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
        let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
        let packages = metadata.packages.into_iter().map(|package| Package {
            folder: package.manifest_path.parent().map(Into::into).unwrap_or_default(),
            description: package.description.unwrap_or_default(),
            // If a manifest forbids publishing, the list of registries is empty.
            is_published: package.publish.is_none_or(|registries| !registries.is_empty()),
            features: package.features.into_keys().collect(),
            name: package.name.to_string(),
        });
        Ok(Self { packages: packages.collect(), target_dir: metadata.target_directory.into() })
    }

    /// Returns the member of this name.
    pub fn member(&self, name: &str) -> Result<&Package> {
        let member = self.packages.iter().find(|package| package.name == name);
        member.with_context(|| format!("the workspace has no package {name}"))
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

//! Checks that the packages for npm and for hosts have the version of the workspace, and that registries find them and
//! name the repository.

use std::fs;

use anyhow::{Context, Result, bail};
use fuzzy_tools::run::root;
use serde_json::Value;

/// The version of the workspace, which is that of this crate.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files, and the places of the version in each, as JSON pointers.
const VERSIONS: &[(&str, &[&str])] = &[
    ("bindings/node/package/package.json", &["/version"]),
    ("crates/surfaces/fuzzy-hosts/src/hosts/claude_code/plugin.json", &["/version"]),
    ("integrations/claude-code/.claude-plugin/plugin.json", &["/version"]),
    ("integrations/gemini/gemini-extension.json", &["/version"]),
    ("integrations/opencode/package.json", &["/version", "/dependencies/fuzzy-edit"]),
    (SERVER, &["/version", "/packages/0/version", "/packages/1/version"]),
];

/// The packages for npm that are written by hand.
const PACKAGES: &[&str] = &[
    "bindings/node/package/package.json",
    "bindings/node/wasm-package/package.json",
    "integrations/opencode/package.json",
];

/// The description for the MCP registry.
const SERVER: &str = "server.json";

/// The manifest of the workspace, and that of the package for Python.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "bindings/python/pyproject.toml"];

/// Fails and names every version that is not the workspace's, and every package that the MCP registry would refuse.
pub(super) fn check() -> Result<()> {
    let mut faults = Vec::new();
    for (file, places) in VERSIONS {
        let json = read(file)?;
        for place in *places {
            let version = json.pointer(place).and_then(Value::as_str).unwrap_or_default();
            if version.trim_start_matches('^') != VERSION {
                faults.push(format!("{file}: {place} is {version:?}, not {VERSION}"));
            }
        }
    }
    // The registry compares the name with the names in the packages.
    let name = read(SERVER)?["name"].as_str().context("server.json has no name")?.to_owned();
    for (file, line) in [
        ("bindings/node/package/package.json", format!("\"mcpName\": \"{name}\"")),
        ("bindings/python/README.md", format!("<!-- mcp-name: {name} -->")),
    ] {
        if !fs::read_to_string(root().join(file))?.contains(&line) {
            faults.push(format!("{file} lacks {line}"));
        }
    }
    let [workspace, package] = MANIFESTS.map(|file| fs::read_to_string(root().join(file)));
    faults.extend(addresses(&workspace?, &package?)?);
    for package in PACKAGES {
        faults.extend(address_faults(package, &read(package)?, &name));
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("; "));
    }
    Ok(())
}

/// Says in what the package for Python names another repository than the workspace, which has none before its first release.
fn addresses(workspace: &str, package: &str) -> Result<Option<String>> {
    let [workspace, package]: [toml::Table; 2] = [toml::from_str(workspace)?, toml::from_str(package)?];
    let address = |table: &toml::Table, keys: [&str; 3]| {
        let value = table.get(keys[0])?.get(keys[1])?.get(keys[2])?;
        value.as_str().map(str::to_owned)
    };
    let ours = address(&workspace, ["workspace", "package", "repository"]);
    let theirs = address(&package, ["project", "urls", "Repository"]);
    let [file, other] = MANIFESTS;
    Ok((ours != theirs).then(|| format!("{file} has the repository {ours:?}, {other} has {theirs:?}")))
}

/// Returns the addresses in an npm package that differ from the repository in the MCP registry; `name` is
/// `io.github.OWNER/REPOSITORY`.
fn address_faults(file: &str, package: &Value, name: &str) -> Vec<String> {
    let repository = format!("https://github.com/{}", name.trim_start_matches("io.github."));
    let folder = file.trim_end_matches("/package.json");
    let wanted = [
        ("/homepage", format!("{repository}#readme")),
        ("/bugs", format!("{repository}/issues")),
        ("/repository/url", format!("git+{repository}.git")),
        ("/repository/directory", folder.to_owned()),
    ];
    let is_wrong = |place: &str, address: &String| package.pointer(place).and_then(Value::as_str) != Some(address);
    let wrong = wanted.into_iter().filter(|(place, address)| is_wrong(place, address));
    wrong.map(|(place, address)| format!("{file}: {place} is not {address}")).collect()
}

fn read(file: &str) -> Result<Value> {
    let text = fs::read_to_string(root().join(file)).with_context(|| format!("cannot read {file}"))?;
    serde_json::from_str(&text).with_context(|| format!("{file} is not JSON"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{address_faults, addresses};

    #[test]
    fn both_manifests_name_the_same_repository_or_none() {
        let (none, one) = ("[workspace.package]\n", "[workspace.package]\nrepository = \"https://a\"\n");
        let (silent, says) = ("[project]\n", "[project.urls]\nRepository = \"https://a\"\n");
        assert_eq!(addresses(none, silent).unwrap(), None);
        assert_eq!(addresses(one, says).unwrap(), None);
        assert!(addresses(none, says).unwrap().unwrap().contains("None"));
        assert!(addresses(one, silent).unwrap().unwrap().contains("https://a"));
        assert!(addresses(one, "[project.urls]\nRepository = \"https://b\"\n").unwrap().is_some());
    }

    #[test]
    fn a_package_of_another_repository_is_named() {
        let package = |owner: &str| {
            json!({
                "homepage": format!("https://github.com/{owner}/edit#readme"),
                "bugs": format!("https://github.com/{owner}/edit/issues"),
                "repository": { "url": format!("git+https://github.com/{owner}/edit.git"), "directory": "a/b" },
            })
        };
        let faults = |package| address_faults("a/b/package.json", &package, "io.github.me/edit");
        assert_eq!(faults(package("me")), Vec::<String>::new());
        assert_eq!(faults(package("you")).len(), 3);
        assert_eq!(faults(json!({})).len(), 4);
    }
}

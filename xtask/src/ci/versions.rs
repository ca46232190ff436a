//! Checks that the packages for npm and for hosts have the version of the workspace, and that registries find them.

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

/// The description for the MCP registry.
const SERVER: &str = "server.json";

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
    if !faults.is_empty() {
        bail!("{}", faults.join("; "));
    }
    Ok(())
}

fn read(file: &str) -> Result<Value> {
    let text = fs::read_to_string(root().join(file)).with_context(|| format!("cannot read {file}"))?;
    serde_json::from_str(&text).with_context(|| format!("{file} is not JSON"))
}

//! Checks tracked files: lines that belong to one machine, long files, paths in documents, versions in JSON, and the
//! commands of workflows.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{git, read, root};
use serde_json::Value;

/// Lines that a Rust file may have: one algorithm with its tests.
const LONGEST: usize = 800;

/// The start of an absolute path of one machine; a slash or a word before it makes it a part of another path.
const MACHINE: &[&str] = &["/root/", "/work/", "/home/", "/Users/"];

/// The file that spells such paths and owners in its tests.
const THIS: &str = "xtask/src/ci/tracked.rs";

/// Sections of a manifest or of cargo's configuration that name another registry.
const REGISTRIES: &[&str] = &["[source.", "[source]", "[registries", "[registry", "registry-index", "replace-with"];

/// The start of paths of this repository, which documents name in backticks.
const FOLDERS: &[&str] =
    &["crates/", "docs/", "xtask/", "tools/", "bindings/", "integrations/", "benches/", "playground/", "examples/"];

/// Files with the version of the workspace, and its places as JSON pointers.
const VERSIONS: &[(&str, &[&str])] = &[
    ("bindings/node/package/package.json", &["/version"]),
    ("crates/surfaces/fuzzy-hosts/src/hosts/claude_code/plugin.json", &["/version"]),
    ("integrations/claude-code/.claude-plugin/plugin.json", &["/version"]),
    ("integrations/gemini/gemini-extension.json", &["/version"]),
    ("integrations/opencode/package.json", &["/version", "/dependencies/fuzzy-edit"]),
    ("server.json", &["/version", "/packages/0/version", "/packages/1/version"]),
];

/// Fails and lists every fault.
pub(super) fn check(xtask: &clap::Command, metadata: &Metadata) -> Result<()> {
    let names = read(git(&["ls-files", "-z"]))?;
    let names: BTreeSet<&str> = names.split_terminator('\0').collect();
    let folders = names.iter().flat_map(|name| name.match_indices('/').map(|(at, _)| &name[..at]));
    let tracked = Tracked { paths: names.iter().copied().chain(folders).collect(), xtask, metadata };
    // Binary and deleted files have no lines.
    let texts = names.iter().filter_map(|name| Some((*name, fs::read_to_string(root().join(name)).ok()?)));
    let texts: BTreeMap<&str, String> = texts.collect();
    let mut faults: Vec<String> = texts.iter().flat_map(|(name, text)| tracked.faults(name, text)).collect();
    let owners: BTreeSet<&str> =
        texts.iter().filter(|(name, _)| **name != THIS).flat_map(|(_, text)| owners(text)).collect();
    if owners.len() > 1 {
        faults.push(format!("the repository has several owners: {owners:?}"));
    }
    for (file, places) in VERSIONS {
        let json: Value = serde_json::from_str(&texts[file]).with_context(|| format!("{file} is not JSON"))?;
        let version = |place: &&&str| json.pointer(place).and_then(Value::as_str).unwrap_or_default();
        let wrong = places.iter().filter(|place| version(place).trim_start_matches('^') != env!("CARGO_PKG_VERSION"));
        faults.extend(wrong.map(|place| format!("{file}: {place} is not the version of the workspace")));
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// The tracked files and their folders, and the valid arguments of commands.
struct Tracked<'a> {
    paths: BTreeSet<&'a str>,
    xtask: &'a clap::Command,
    metadata: &'a Metadata,
}

impl Tracked<'_> {
    /// Returns the faults of a file, with their lines.
    fn faults(&self, name: &str, text: &str) -> Vec<String> {
        let extension = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default();
        let mut faults = Vec::new();
        if extension == "rs" && text.lines().count() > LONGEST {
            faults.push(format!("{name} has more than {LONGEST} lines"));
        }
        let mut is_code = false;
        for (index, line) in text.lines().enumerate() {
            is_code ^= extension == "md" && line.trim_start().starts_with("```");
            let fault = match extension {
                _ if has_machine_path(line) && name != THIS => Some("has a path of one machine".into()),
                "toml" if REGISTRIES.iter().any(|word| line.trim_start().starts_with(word)) => {
                    Some("names a registry".to_owned())
                }
                "md" if !is_code && name != "CHANGELOG.md" => self.missing_path(line),
                "yml" if name.starts_with(".github/workflows/") => self.wrong_command(line),
                _ => None,
            };
            faults.extend(fault.map(|fault| format!("{name}:{}: {fault}", index + 1)));
        }
        faults
    }

    /// Returns the fault of a path in backticks; a path with a placeholder names several.
    fn missing_path(&self, line: &str) -> Option<String> {
        let codes = line.split('`').skip(1).step_by(2).filter_map(|code| code.split_whitespace().next());
        let mut paths = codes.filter(|path| FOLDERS.iter().any(|folder| path.starts_with(folder)));
        let is_placeholder =
            |part: &str| part.len() > 1 && part.chars().all(|mark| mark.is_ascii_uppercase()) && part != "LICENSE";
        let is_one = |path: &&str| !path.contains(['*', '<', '{', '…', '$']) && !path.split('/').any(is_placeholder);
        let missing = paths.find(|path| is_one(path) && !self.paths.contains(path.trim_end_matches('/')))?;
        Some(format!("{missing} is not tracked"))
    }

    /// Returns the fault of a cargo command in a workflow: no such command of xtask, or no such package.
    fn wrong_command(&self, line: &str) -> Option<String> {
        let line = line.trim_start().trim_start_matches("- ").trim_start_matches("run: ");
        line.split(" && ").find_map(|command| {
            let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches('"')).collect();
            let arguments = words.strip_prefix(&["cargo"])?;
            if let Some(at) = arguments.iter().position(|word| *word == "xtask") {
                return self.xtask.clone().try_get_matches_from(&arguments[at..]).err().map(|error| error.to_string());
            }
            let mut packages = arguments.windows(2).filter(|pair| matches!(pair[0], "-p" | "--package"));
            packages.find_map(|pair| self.metadata.member(pair[1]).err()).map(|error| error.to_string())
        })
    }
}

/// Returns whether a line has an absolute path of one machine, not a part of another path.
fn has_machine_path(line: &str) -> bool {
    let is_start =
        |at: usize| !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-/".contains(before));
    MACHINE.iter().any(|path| line.match_indices(path).any(|(at, _)| is_start(at)))
}

/// Returns the owners in addresses of this repository; registries compare them with that of the release.
fn owners(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices("/fuzzy-edit").map(|(at, _)| &text[..at]);
    ends.filter_map(|start| {
        let (address, owner) = start.split_at(start.rfind(['/', '.', '"', '`', ' '])?);
        (address.ends_with("github.com") || address.ends_with("io.github")).then_some(&owner[1..])
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use fuzzy_tools::metadata::Metadata;

    use super::{LONGEST, Tracked, owners};

    #[test]
    fn each_fault_is_found_once() {
        let (xtask, metadata) = (crate::Command::command(), Metadata::load().unwrap());
        let paths = ["crates/a", "crates/a/src/lib.rs"].into();
        let tracked = Tracked { paths, xtask: &xtask, metadata: &metadata };
        let (short, long) = ("\n".repeat(LONGEST), "\n".repeat(LONGEST + 1));
        for (name, text, is_wrong) in [
            ("a.rs", short.as_str(), false),
            ("a.rs", &long, true),
            ("a.md", &long, false),
            ("a.md", "see `/home/me/x`", true),
            ("a.md", "see docs/work/x and https://a.org/home/x", false),
            ("a.toml", "[source.crates-io]", true),
            ("a.toml", "[sources]", false),
            ("a.md", "`crates/a/src/lib.rs --all` in `crates/a/`, `crates/*/b`, `crates/NAME/b` and `target/a`", false),
            ("a.md", "`crates/a` and `crates/b`", true),
            ("a.md", "```\n`crates/b`\n```", false),
            ("CHANGELOG.md", "`crates/b`", false),
            (".github/workflows/a.yml", "      - run: cargo --locked xtask ci", false),
            (".github/workflows/a.yml", "      - run: cargo test -p fuzzy-core", false),
            (".github/workflows/a.yml", "      - run: cargo --locked xtask tests", true),
            (".github/workflows/a.yml", "      - run: true && cargo test -p fuzzy-cor", true),
        ] {
            assert_eq!(tracked.faults(name, text).len(), usize::from(is_wrong), "{text}");
        }
    }

    #[test]
    fn owners_are_those_of_this_repository() {
        let text =
            "`io.github.me/fuzzy-edit`, https://github.com/you/fuzzy-edit#readme, https://github.com/a/b/fuzzy-edit";
        assert_eq!(owners(text).collect::<Vec<_>>(), ["me", "you"]);
    }
}

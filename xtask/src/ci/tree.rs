//! Checks what is tracked: no machine of ours in it, no file that outgrew its idea.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use fuzzy_tools::run::root;

use super::tracked;

/// Lines that a Rust file may have: room for one algorithm with its tests.
const LONGEST: usize = 800;

/// Longer files, each with the reason why it does not fall apart into two ideas.
const LONGER: &[(&str, &str)] = &[];

/// How paths of one machine begin; the slash in front keeps relative paths out.
const MACHINE_PATHS: &[&str] = &["/root/", "/work/", "/home/", "/Users/"];

/// The file that must spell what it looks for.
const THIS: &str = "xtask/src/ci/tree.rs";

/// The only place packages may come from.
const REGISTRY: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

/// Words of a cargo configuration or a manifest that name another registry.
const OTHER_REGISTRIES: &[&str] = &["[source", "[registries", "[registry", "registry-index", "replace-with"];

/// Fails and names every file that breaks a rule.
pub(super) fn check() -> Result<()> {
    let root = root();
    let mut broken = Vec::new();
    for name in &tracked::names()? {
        // Binary files and files deleted in the tree hold no lines to check.
        if let Ok(text) = fs::read_to_string(root.join(name)) {
            broken.extend(faults(name, &text));
        }
    }
    if !broken.is_empty() {
        bail!("{}", broken.join("; "));
    }
    Ok(())
}

fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let extension = Path::new(name).extension().and_then(OsStr::to_str);
    let lines = text.lines().count();
    if extension == Some("rs") && lines > LONGEST && !LONGER.iter().any(|(listed, _)| *listed == name) {
        faults.push(format!("{name} has {lines} lines, {LONGEST} are allowed"));
    }
    for (index, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", index + 1);
        if name != THIS && holds_machine_path(line) {
            faults.push(format!("{place} holds a path of one machine"));
        }
        if extension == Some("lock") && line.starts_with("source") && line != REGISTRY {
            faults.push(format!("{place} takes a package from elsewhere"));
        }
        if extension == Some("toml") && OTHER_REGISTRIES.iter().any(|word| line.trim_start().starts_with(word)) {
            faults.push(format!("{place} names a registry"));
        }
    }
    faults
}

/// Returns whether a line holds an absolute path into a home or a workplace.
fn holds_machine_path(line: &str) -> bool {
    MACHINE_PATHS.iter().any(|path| {
        line.match_indices(path).any(|(at, _)| {
            // `docs/work/` and `a.com/home/` go on a path; a machine's path begins one.
            !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-/".contains(before))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, faults};

    #[test]
    fn finds_paths_of_a_machine() {
        assert_eq!(faults("a.md", "see `/home/me/x`").len(), 1);
        assert_eq!(faults("a.md", "in (/work/main)").len(), 1);
        assert!(faults("a.md", "see docs/work/x and https://a.org/home/x").is_empty());
    }

    #[test]
    fn finds_long_files() {
        assert!(faults("a.rs", &"\n".repeat(LONGEST)).is_empty());
        assert_eq!(faults("a.rs", &"\n".repeat(LONGEST + 1)).len(), 1);
        assert!(faults("a.md", &"\n".repeat(LONGEST + 1)).is_empty());
    }

    #[test]
    fn finds_other_sources() {
        assert!(faults("Cargo.lock", super::REGISTRY).is_empty());
        assert_eq!(faults("Cargo.lock", "source = \"git+https://a.org/b\"").len(), 1);
        assert_eq!(faults(".cargo/config.toml", "[source.crates-io]").len(), 1);
        assert_eq!(faults(".cargo/config.toml", "replace-with = \"other\"").len(), 1);
    }
}

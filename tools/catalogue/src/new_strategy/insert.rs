//! The lists that name every strategy, and the insertion of a new one.

use anyhow::{Context, Result};

/// A list of strategies in a file.
pub(super) struct List {
    /// The file, from the root of the workspace.
    pub(super) file: &'static str,
    /// Whether a line belongs to the list; the entry is inserted after the last one.
    belongs: fn(&str) -> bool,
    /// The new entry, with the template's placeholders.
    pub(super) entry: &'static str,
}

/// Every list, in the order of insertion.
pub(super) const LISTS: &[List] = &[
    List {
        file: "Cargo.toml",
        belongs: |line| line.contains("path = \"crates/strategies/"),
        entry: "fuzzy-{name} = { version = \"0.1.0\", path = \"crates/strategies/{name}\" }\n",
    },
    List {
        file: "crates/engine/fuzzy-pipeline/Cargo.toml",
        // Only the feature `all` has one name per line.
        belongs: |line| line.starts_with("    \""),
        entry: "    \"{name}\",\n",
    },
    List {
        file: "crates/engine/fuzzy-pipeline/Cargo.toml",
        belongs: |line| line.contains("= [\"dep:fuzzy-"),
        entry: "{name} = [\"dep:fuzzy-{name}\"]\n",
    },
    List {
        file: "crates/engine/fuzzy-pipeline/Cargo.toml",
        belongs: |line| line.starts_with("fuzzy-") && line.contains("optional = true"),
        entry: "fuzzy-{name} = { workspace = true, optional = true }\n",
    },
    List {
        file: "crates/engine/fuzzy-pipeline/src/link.rs",
        belongs: |line| line.starts_with("    fuzzy_") && line.ends_with("::link();"),
        entry: "    #[cfg(feature = \"{name}\")]\n    fuzzy_{module}::link();\n",
    },
    List {
        file: "crates/engine/fuzzy-pipeline/tests/registry.rs",
        // The ladders' lines end with a number.
        belongs: |line| line.starts_with("    (cfg!(feature = \"") && line.ends_with("\"),"),
        entry: "    (cfg!(feature = \"{name}\"), \"{name}\"),\n",
    },
];

impl List {
    /// Returns `text` with `entry` after the list's last line.
    pub(super) fn enter(&self, text: &str, entry: &str) -> Result<String> {
        let mut end = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            at += line.len();
            if (self.belongs)(line.trim_end()) {
                end = Some(at);
            }
        }
        let end = end.with_context(|| format!("{} has no list of strategies for `{}`", self.file, entry.trim()))?;
        let (before, after) = text.split_at(end);
        Ok(format!("{before}{entry}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fuzzy_tools::run::root;

    use super::LISTS;

    #[test]
    fn enters_behind_the_last_line_of_the_list() {
        let text = "a\n    fuzzy_a::link();\n    fuzzy_b::link();\n}\n";
        let list = LISTS.iter().find(|list| list.file.ends_with("link.rs")).unwrap();
        assert_eq!(
            list.enter(text, "    fuzzy_c::link();\n").unwrap(),
            "a\n    fuzzy_a::link();\n    fuzzy_b::link();\n    fuzzy_c::link();\n}\n"
        );
        assert!(list.enter("fn link() {}\n", "x").is_err());
    }

    #[test]
    fn every_list_is_in_its_file() {
        for list in LISTS {
            let text = fs::read_to_string(root().join(list.file)).unwrap();
            assert!(list.enter(&text, list.entry).is_ok(), "{}: {}", list.file, list.entry);
        }
    }
}

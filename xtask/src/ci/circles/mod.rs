//! Checks that the files of a crate, or of a folder of scripts, do not use each other in a circle.
//!
//! An arrow runs from a file to the file that defines a name in its code. Names are resolved through re-exports, so the
//! path to a name does not matter. The declaration of a module is no arrow, and neither is a re-export.
//!
//! The check sees imports and paths of Rust, also in macro calls and attributes, and imports of JavaScript and Python.
//! It does not see:
//!
//! - methods: the import of a trait counts, a call does not;
//! - names that only a macro writes, and names in strings, as in `format!("{LIMIT}")`;
//! - tests, benches and examples;
//! - scripts that a page or a worker loads by their address.

mod graph;
mod modules;
mod names;
mod scripts;
mod sources;

use std::path::Path;

use anyhow::{Result, bail};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::root;

/// Folders of JavaScript or Python, and the names of their modules.
const SCRIPTS: &[(&str, &str)] = &[
    ("integrations/opencode", "*.js"),
    ("bindings/node/package", "*.js"),
    ("bindings/python/python", "*.py"),
    ("playground/page", "*.js"),
];

/// Fails and lists every circle with the names that tie it.
pub(super) fn check(metadata: &Metadata) -> Result<()> {
    let mut found = Vec::new();
    for package in &metadata.packages {
        let folder = package.folder.strip_prefix(root())?.join("src");
        let sources = sources::read(&folder, "*.rs")?;
        for start in sources.keys().filter(|path| is_root(Path::new(path), &folder)) {
            let modules = modules::read(&sources, start)?;
            found.extend(graph::circles(&names::arrows(&modules)));
        }
    }
    for (folder, pattern) in SCRIPTS {
        let sources = sources::read(Path::new(folder), pattern)?;
        found.extend(graph::circles(&scripts::arrows(&sources)));
    }
    if !found.is_empty() {
        let circles: Vec<String> = found.iter().map(ToString::to_string).collect();
        bail!("{} import circles\n{}", circles.len(), circles.join("\n"));
    }
    Ok(())
}

/// Returns whether a crate begins with this file of a package's sources.
fn is_root(path: &Path, folder: &Path) -> bool {
    path == folder.join("lib.rs") || path == folder.join("main.rs") || path.parent() == Some(&folder.join("bin"))
}

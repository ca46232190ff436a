//! Writes the type stub of the package, which is made of the doc comments, so that a wheel from sources has it, too.

use std::path::Path;
use std::process::Command;

/// The stub. It is written again if it is missing.
const STUB: &str = "python/fuzzy_edit/__init__.pyi";

fn main() {
    for file in ["src", "tools/stub.py", "python/fuzzy_edit/__init__.py", STUB] {
        println!("cargo::rerun-if-changed={file}");
    }
    // A wheel is built by an interpreter; for a check of the crate alone, none is needed.
    let is_written = ["python3", "python"]
        .iter()
        .any(|python| Command::new(python).arg("tools/stub.py").status().is_ok_and(|status| status.success()));
    if !is_written && !Path::new(STUB).is_file() {
        println!("cargo::warning=without Python, no type stub was written: run tools/stub.py before a wheel is built");
    }
}

//! Texts of a directory, as material for generated edits.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Passes each text below a directory, with the extension of its name, in the order of the names; skips hidden, built and
/// installed files.
pub(crate) fn each_text_below(directory: &Path, mut add: impl FnMut(&str, String)) -> Result<()> {
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let entries = fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || matches!(&*name, "target" | "node_modules") || path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if let (Some(extension), Ok(text)) = (path.extension(), fs::read_to_string(&path)) {
                add(&extension.to_string_lossy(), text);
            }
        }
    }
    Ok(())
}

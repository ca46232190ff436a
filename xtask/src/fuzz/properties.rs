//! Runs every property test with many more cases than in the suite.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fuzzy_tools::metadata::{Metadata, Package};
use fuzzy_tools::run::{self, cargo};

/// The text that starts a group of property tests.
const PROPERTIES: &str = "proptest! {";

/// The property tests of one target: the package, and the cargo arguments that select the target and its modules.
type Target<'p> = (&'p Package, Vec<String>);

/// Runs the property tests of `packages`, or of all packages if the list is empty, with this number of cases each.
/// Starts rounds until the minutes have passed; the first one has the seed `first`.
pub(super) fn run(packages: &[String], cases: u32, minutes: u64, first: u64) -> Result<()> {
    let metadata = Metadata::load()?;
    for package in packages {
        metadata.member(package)?;
    }
    let mut targets = Vec::new();
    for package in &metadata.packages {
        if packages.is_empty() || packages.contains(&package.name) {
            targets.extend(targets_of(package)?);
        }
    }
    ensure!(!targets.is_empty(), "there are no property tests");
    let (started, time) = (Instant::now(), Duration::from_secs(minutes * 60));
    let cases = cases.to_string();
    for round in 1_u64.. {
        let seed = first.wrapping_add(round - 1).to_string();
        let mut failed = Vec::new();
        for (package, target) in &targets {
            // An unoptimised build detects overflows.
            let mut command = cargo(["test", "--quiet", "--package", &package.name]);
            // The second variable is read by the tests that edit files.
            command.args(target).env("PROPTEST_CASES", &cases).env("FUZZY_EDIT_CASES", &cases);
            command.env("PROPTEST_RNG_SEED", &seed);
            if run::run(command).is_err() {
                failed.push(format!("{} {}", package.name, target.join(" ")));
            }
        }
        println!("round {round}: {} targets, {cases} cases for each property, seed {seed}", targets.len());
        if !failed.is_empty() {
            bail!("{}; the smallest input that fails is printed above", failed.join(", "));
        }
        if started.elapsed() >= time {
            break;
        }
    }
    Ok(())
}

/// Returns the targets of a package that contain property tests.
fn targets_of(package: &Package) -> Result<Vec<Target<'_>>> {
    let mut targets = Vec::new();
    if has_properties(&package.folder.join("src"))? {
        targets.push((package, vec!["--lib".to_owned()]));
    }
    for path in entries(&package.folder.join("tests"))? {
        let is_target = path.join("main.rs").is_file() || path.extension().is_some_and(|extension| extension == "rs");
        if is_target && has_properties(&path)? {
            let mut target = vec!["--test".to_owned(), stem(&path)];
            target.extend(filters(&path)?);
            targets.push((package, target));
        }
    }
    Ok(targets)
}

/// Returns the arguments that skip the modules of a target without property tests.
///
/// There are none if the target is one file, or if its `main.rs` contains property tests.
fn filters(target: &Path) -> Result<Vec<String>> {
    if target.is_file() || has_properties(&target.join("main.rs"))? {
        return Ok(Vec::new());
    }
    let mut filters = vec!["--".to_owned()];
    for module in entries(target)? {
        if has_properties(&module)? {
            filters.push(format!("{}::", stem(&module)));
        }
    }
    Ok(filters)
}

/// Returns the name of a file or folder, without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns whether a file, or any file in a folder, contains property tests.
fn has_properties(path: &Path) -> Result<bool> {
    if path.is_file() {
        return Ok(String::from_utf8_lossy(&fs::read(path)?).lines().any(|line| line.trim() == PROPERTIES));
    }
    for entry in entries(path)? {
        if has_properties(&entry)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the entries of a folder, sorted; none if the folder does not exist.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use fuzzy_tools::run::root;

    use super::filters;

    #[test]
    fn modules_without_properties_are_left_out() {
        let tests = root().join("crates/engine/fuzzy-core/tests/it");
        let filters = filters(&tests).unwrap();
        assert_eq!(filters[0], "--");
        assert!(filters.contains(&"edits::".to_owned()), "{filters:?}");
        assert!(!filters.contains(&"weighed::".to_owned()), "{filters:?}");
        assert!(super::filters(&tests.join("edits.rs")).unwrap().is_empty());
    }
}

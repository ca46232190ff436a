//! Records the files on which a slow suite last passed, so that it runs again only after one of them changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::hex::hex;
use fuzzy_tools::run::{git_in, read};
use sha2::{Digest, Sha256};

/// The tracked file with one line per suite: its name and the tree hash of its last pass.
pub(super) const FILE: &str = "xtask/suites.lock";

/// The first lines of the file.
const HEAD: &str = "# The tree hash on which each of these suites last passed, written by `cargo xtask test`.\n\
                    # CONTRIBUTING.md lists the paths that a hash covers. Commit this file with the change.\n";

/// The recorded hashes of a checkout.
pub(super) struct Passes {
    root: PathBuf,
    hashes: BTreeMap<String, String>,
}

impl Passes {
    /// Reads the file; if it is missing, no suite has passed.
    pub(super) fn load(root: &Path) -> Result<Self> {
        let mut passes = Self { root: root.to_owned(), hashes: BTreeMap::new() };
        let path = root.join(FILE);
        if path.is_file() {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {FILE}"))?;
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let (suite, hash) = line.split_once(' ').with_context(|| format!("{FILE}: not a suite: {line:?}"))?;
                passes.hashes.insert(suite.to_owned(), hash.to_owned());
            }
        }
        Ok(passes)
    }

    /// Returns whether a suite passed on exactly this tree.
    pub(super) fn has(&self, suite: &str, hash: &str) -> bool {
        self.hashes.get(suite).is_some_and(|passed| passed == hash)
    }

    /// Records a pass in the file.
    pub(super) fn record(&mut self, suite: &str, hash: String) -> Result<()> {
        self.hashes.insert(suite.to_owned(), hash);
        let mut text = HEAD.to_owned();
        for (suite, hash) in &self.hashes {
            text.extend([suite, " ", hash, "\n"]);
        }
        fs::write(self.root.join(FILE), text).with_context(|| format!("cannot write {FILE}"))
    }
}

/// Hashes the files in these paths: names, execute bits and contents in the work tree.
///
/// Includes untracked files, and excludes ignored ones. The cost is one read of every file.
///
/// # Errors
///
/// Returns an error if one of the paths contains no file: a suite with a wrong path would never run again.
pub(super) fn tree_hash(root: &Path, paths: &[&str]) -> Result<String> {
    let mut names = Vec::new();
    for path in paths {
        let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", path];
        let listed = read(git_in(root, &arguments))?;
        let before = names.len();
        // A file that is deleted but still in the index counts as deleted.
        let there = listed.split_terminator('\0').filter(|name| root.join(name).symlink_metadata().is_ok());
        names.extend(there.map(str::to_owned));
        ensure!(names.len() > before, "{path} holds no file");
    }
    names.sort();
    names.dedup();
    let mut tree = Sha256::new();
    for name in names {
        let path = root.join(&name);
        let content = if path.is_symlink() {
            fs::read_link(&path)?.into_os_string().into_encoded_bytes()
        } else {
            fs::read(&path).with_context(|| format!("cannot read {name}"))?
        };
        // Each part has a fixed length or is preceded by its length, so that no two trees give the same bytes.
        tree.update((name.len() as u64).to_le_bytes());
        tree.update(&name);
        tree.update([kind(&path)?]);
        tree.update(Sha256::digest(content));
    }
    Ok(hex(&tree.finalize()))
}

/// Returns a number for the kind of a file: link, program or other file.
fn kind(path: &Path) -> Result<u8> {
    use std::os::unix::fs::PermissionsExt;

    let metadata = path.symlink_metadata()?;
    Ok(match () {
        () if metadata.is_symlink() => 2,
        () if metadata.permissions().mode() & 0o111 != 0 => 1,
        () => 0,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use fuzzy_tools::run::{git_in, run};
    use tempfile::TempDir;

    use super::{Passes, tree_hash};

    const COVERED: &[&str] = &["engine", "Cargo.lock"];

    fn tree() -> TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in [("engine/a.rs", "a"), ("engine/sub/b.rs", "b"), ("Cargo.lock", "1"), ("docs/c.md", "c")] {
            write(root.path(), name, text);
        }
        write(root.path(), ".gitignore", "*.log\n");
        run(git_in(root.path(), &["init", "--quiet"])).unwrap();
        run(git_in(root.path(), &["add", "."])).unwrap();
        root
    }

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn every_change_of_a_covered_file_changes_the_hash() {
        type Change = fn(&Path);
        let changes: [(&str, Change); 9] = [
            ("content", |root| write(root, "engine/a.rs", "A")),
            ("content further down", |root| write(root, "engine/sub/b.rs", "")),
            ("a path that is a file", |root| write(root, "Cargo.lock", "2")),
            ("a new file that git does not know", |root| write(root, "engine/new.rs", "")),
            ("a removed file", |root| fs::remove_file(root.join("engine/a.rs")).unwrap()),
            ("a new name", |root| fs::rename(root.join("engine/a.rs"), root.join("engine/c.rs")).unwrap()),
            ("contents in each other's place", |root| {
                write(root, "engine/a.rs", "b");
                write(root, "engine/sub/b.rs", "a");
            }),
            ("the execute bit", |root| {
                fs::set_permissions(root.join("engine/a.rs"), fs::Permissions::from_mode(0o755)).unwrap();
            }),
            ("a link in the place of a file", |root| {
                fs::remove_file(root.join("engine/a.rs")).unwrap();
                symlink("a", root.join("engine/a.rs")).unwrap();
            }),
        ];
        let mut seen = vec![tree_hash(tree().path(), COVERED).unwrap()];
        for (what, change) in changes {
            let root = tree();
            change(root.path());
            let hash = tree_hash(root.path(), COVERED).unwrap();
            assert!(!seen.contains(&hash), "{what}");
            seen.push(hash);
        }
    }

    #[test]
    fn other_files_and_the_index_do_not_change_the_hash() {
        let root = tree();
        let before = tree_hash(root.path(), COVERED).unwrap();
        write(root.path(), "docs/c.md", "other");
        write(root.path(), "engine/run.log", "ignored");
        run(git_in(root.path(), &["rm", "--quiet", "--cached", "engine/a.rs"])).unwrap();
        assert_eq!(tree_hash(root.path(), COVERED).unwrap(), before);
    }

    #[test]
    fn a_path_without_files_is_an_error() {
        let error = tree_hash(tree().path(), &["engine", "motor"]).unwrap_err().to_string();
        assert_eq!(error, "motor holds no file");
    }

    #[test]
    fn a_pass_holds_for_its_suite_and_its_tree_alone() {
        let root = tree();
        fs::create_dir(root.path().join("xtask")).unwrap();
        let mut passes = Passes::load(root.path()).unwrap();
        assert!(!passes.has("scale", "12"));
        passes.record("scale", "12".to_owned()).unwrap();
        passes.record("instructions", "34".to_owned()).unwrap();
        let passes = Passes::load(root.path()).unwrap();
        assert!(passes.has("scale", "12") && passes.has("instructions", "34"));
        assert!(!passes.has("scale", "34") && !passes.has("opencode", "12"));
    }
}

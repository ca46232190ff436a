//! A home with settings of hosts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_edit::State;
use fuzzy_hosts::{Changes, Host, Parts, Records, SettingsError, Site};
use tempfile::TempDir;

pub(crate) const DEFAULT: Parts = Parts { repair: true, turns: true, mcp: false };
pub(crate) const ALL: Parts = Parts { repair: true, turns: true, mcp: true };

/// A home, a project in it, and the state of a user.
pub(crate) struct Home {
    directory: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(directory.path().join("home/project")).expect("made");
        Self { directory }
    }

    pub(crate) fn site(&self, project: bool) -> Site {
        let home = self.directory.path().join("home");
        let project = project.then(|| home.join("project"));
        Site { home, project, program: "/opt/tools/fuzzy-edit".to_owned() }
    }

    pub(crate) fn state(&self) -> State {
        State::at(self.directory.path().join("state"))
    }

    pub(crate) fn records(&self) -> Records {
        Records::at(self.directory.path().join("records"))
    }

    /// Returns the paths of the files that our settings need, relative to the home, with their texts.
    pub(crate) fn needed(host: &'static Host, project: bool) -> Vec<(String, String)> {
        let home = Self::new();
        let site = home.site(project);
        let mut changes = Changes::new(&site, None);
        if changes.add(host, ALL).is_err() {
            return Vec::new();
        }
        let name = |path: &Path| path.strip_prefix(&site.home).expect("in the home").to_string_lossy().into_owned();
        changes.files().map(|file| (name(&file.path), file.after.clone().expect("a text"))).collect()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join("home").join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        fs::write(&path, text).expect("written");
        path
    }

    pub(crate) fn add(&self, host: &'static Host, project: bool, parts: Parts) -> Result<usize, SettingsError> {
        let (site, records) = (self.site(project), self.records());
        let mut changes = Changes::new(&site, Some(&records));
        changes.add(host, parts)?;
        changes.write(&self.state())?;
        Ok(changes.files().count())
    }

    pub(crate) fn remove(&self, host: &'static Host, project: bool) -> Result<usize, SettingsError> {
        let (site, records) = (self.site(project), self.records());
        let mut changes = Changes::new(&site, Some(&records));
        changes.remove(host)?;
        changes.write(&self.state())?;
        Ok(changes.files().count())
    }

    /// Returns every file and directory of the home, with the texts; the path of a directory ends with `/`.
    pub(crate) fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        add_entries(&self.directory.path().join("home"), "", &mut tree);
        tree
    }
}

/// Adds the entries of a directory, and of those in it.
pub(crate) fn add_entries(directory: &Path, above: &str, tree: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).expect("read") {
        let path = entry.expect("an entry").path();
        let name = format!("{above}{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            let name = format!("{name}/");
            add_entries(&path, &name, tree);
            tree.insert(name, String::new());
        } else {
            tree.insert(name, fs::read_to_string(path).expect("text"));
        }
    }
}

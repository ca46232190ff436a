//! Changes of the settings of hosts, before they are written.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::path::{Path, PathBuf};

use super::change::{FileChange, SettingsError};
use super::kind::{is_own, places, read};
use super::record::Records;
use super::{json, toml};
use crate::host::Host;
use crate::item::{Entry, Item, Parts, Site};

/// The state of a host's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Installed {
    /// They contain nothing of ours.
    No,
    /// They contain these parts, as this version writes them.
    Current(Parts),
    /// They contain entries of ours that this version would change.
    Outdated,
}

/// Changes of the settings of several hosts, before they are written.
#[derive(Debug)]
pub struct Changes<'s> {
    pub(super) site: &'s Site,
    pub(super) records: Option<&'s Records>,
    files: BTreeMap<PathBuf, FileChange>,
}

impl<'s> Changes<'s> {
    /// Returns an empty set of changes. With `records`, removing our entries restores the old bytes of files that did
    /// not change since.
    #[must_use]
    pub fn new(site: &'s Site, records: Option<&'s Records>) -> Self {
        Self { site, records, files: BTreeMap::new() }
    }

    /// Adds parts to those in the settings of a host. Entries that another version wrote are replaced.
    ///
    /// # Errors
    ///
    /// [`SettingsError`]; no file is changed then.
    pub fn add(&mut self, host: &'static Host, parts: Parts) -> Result<(), SettingsError> {
        let parts = match host.installed(self.site)? {
            Installed::Current(there) => parts.and(there),
            Installed::No | Installed::Outdated => parts,
        };
        self.add_only(host, parts)
    }

    /// Makes the settings of a host contain exactly these parts.
    fn add_only(&mut self, host: &'static Host, parts: Parts) -> Result<(), SettingsError> {
        let items = (host.settings)(self.site, parts);
        if items.is_empty() {
            let kind = if self.site.project.is_some() {
                "settings of a project for this"
            } else {
                "settings of a user for this"
            };
            return Err(SettingsError::Lacking { host: host.title, kind });
        }
        let mut entries = BTreeMap::<PathBuf, Vec<Entry>>::new();
        for item in items {
            match item {
                Item::Entry(path, entry) => entries.entry(path).or_default().push(entry),
                Item::Table(path, table, program) => {
                    let file = self.file(&path)?;
                    let after = toml::with(file.after.as_deref().unwrap_or_default(), table, &program);
                    file.after = Some(after.map_err(|why| SettingsError::Unreadable { path, why })?);
                }
                Item::File { path, text, executable } => {
                    let file = self.file(&path)?;
                    if file.before.as_deref().is_some_and(|text| !is_own(text)) {
                        return Err(SettingsError::Taken { path, host: host.title });
                    }
                    (file.after, file.executable) = (Some(text), executable);
                }
            }
        }
        for (path, entries) in entries {
            let file = self.file(&path)?;
            let after = json::with(file.after.as_deref(), host.name, &entries);
            file.after = Some(after.map_err(|why| SettingsError::Unreadable { path, why })?);
        }
        Ok(())
    }

    /// Removes all entries of ours from the settings of a host.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn remove(&mut self, host: &'static Host) -> Result<(), SettingsError> {
        for (path, kind) in places(host, self.site) {
            let records = self.records;
            let file = self.file(&path)?;
            let Some(text) = file.after.clone() else { continue };
            let unreadable = |why| SettingsError::Unreadable { path: path.clone(), why };
            if !kind.has(&text, host).map_err(unreadable)? {
                continue;
            }
            // A file that did not change since gets its old bytes.
            let record = records.and_then(|records| records.unchanged(&path, &text));
            let is_clean = |before: Option<&str>| before.is_none_or(|text| kind.has(text, host) == Ok(false));
            file.after = match record.filter(|record| is_clean(record.before.as_deref())) {
                Some(record) => record.before,
                None => kind.without(&text, host).map_err(unreadable)?,
            };
        }
        Ok(())
    }

    /// Returns the files that change, by path.
    pub fn files(&self) -> impl Iterator<Item = &FileChange> {
        self.files.values().filter(|file| file.before != file.after)
    }

    /// Returns the change of a file, which is empty at first.
    fn file(&mut self, path: &Path) -> Result<&mut FileChange, SettingsError> {
        match self.files.entry(path.to_owned()) {
            Slot::Occupied(file) => Ok(file.into_mut()),
            Slot::Vacant(slot) => {
                let text = read(path)?;
                let directories = match &text {
                    None => path.ancestors().skip(1).take_while(|directory| !directory.exists()).count(),
                    Some(text) => {
                        let record = self.records.and_then(|records| records.unchanged(path, text));
                        record.map_or(0, |record| record.directories)
                    }
                };
                let (path, before) = (path.to_owned(), text.clone());
                Ok(slot.insert(FileChange { path, before, after: text, executable: false, directories }))
            }
        }
    }
}

impl Host {
    /// Returns the state of the host's settings.
    ///
    /// # Errors
    ///
    /// A settings file cannot be read or parsed.
    pub fn installed(&'static self, site: &Site) -> Result<Installed, SettingsError> {
        for (path, kind) in places(self, site) {
            let Some(text) = read(&path)? else { continue };
            if kind.has(&text, self).map_err(|why| SettingsError::Unreadable { path, why })? {
                return Ok(self.parts(site).map_or(Installed::Outdated, Installed::Current));
            }
        }
        Ok(Installed::No)
    }

    /// Returns the parts in the settings; `None` if they differ from those that this version writes.
    fn parts(&'static self, site: &Site) -> Option<Parts> {
        let is_there = |parts: &Parts| {
            let mut changes = Changes::new(site, None);
            changes.add_only(self, *parts).is_ok() && changes.files().next().is_none()
        };
        // A part that the host lacks adds no item, so the first of the largest selections has no such part.
        let part = |bits: u8| Parts { repair: bits & 1 > 0, turns: bits & 2 > 0, mcp: bits & 4 > 0 };
        let all = (1..8).rev().map(part);
        all.filter(is_there).max_by_key(|parts| (self.settings)(site, *parts).len())
    }
}

//! Changes of the settings of hosts, before they are written.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::path::{Path, PathBuf};

use super::change::{FileChange, SettingsError};
use super::kind::{Kind, place, read, split_mark};
use super::own::Own;
use super::record::Records;
use super::{json, toml};
use crate::host::Host;
use crate::item::{Entry, Item, NAME, Parts, Site};

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
        let parts = match host.installed(self.site, self.records)? {
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
        let mut entries = BTreeMap::<(PathBuf, Kind), Vec<Entry>>::new();
        for item in items {
            let place = place(&item);
            match item {
                Item::Entry(_, entry) => entries.entry(place).or_default().push(entry),
                Item::File { path, text, executable } => {
                    let own = self.own(host);
                    let file = self.file(&path)?;
                    let is_other = |before: &str| before != text && !own.is_file(&path, before);
                    if file.before.as_deref().is_some_and(is_other) {
                        return Err(SettingsError::Taken { path, host: host.title });
                    }
                    (file.after, file.executable) = (Some(text), executable);
                }
            }
        }
        for ((path, kind), entries) in entries {
            self.edit(host, &path, kind, &entries)?;
        }
        Ok(())
    }

    /// Makes the entries of ours in a file exactly these. An entry of the user with the name of one is kept.
    fn edit(&mut self, host: &'static Host, path: &Path, kind: Kind, wanted: &[Entry]) -> Result<(), SettingsError> {
        let own = self.own(host);
        let made = own.record(path).map(|record| record.made).unwrap_or_default();
        let file = self.file(path)?;
        let unreadable = |why| SettingsError::Unreadable { path: path.to_owned(), why };
        let text = file.after.clone().unwrap_or_default();
        let (mark, text) = split_mark(&text);
        let found = own.found(path, kind, text).map_err(unreadable)?;
        let (kept, remove): (Vec<Entry>, Vec<Entry>) = found.own.into_iter().partition(|entry| wanted.contains(entry));
        let is_there = |entry: &&Entry| {
            kept.contains(entry) || found.others.iter().any(|other| other == *entry || other.is_at(entry))
        };
        let add: Vec<Entry> = wanted.iter().filter(|entry| !is_there(entry)).cloned().collect();
        if remove.is_empty() && add.is_empty() {
            return Ok(());
        }
        let edit = if kind == Kind::Toml { toml::edited } else { json::edited };
        let edited = edit(text, &remove, &add, made).map_err(unreadable)?;
        file.after = Some(format!("{mark}{}", edited.text));
        file.made = edited.made;
        file.entries = kept.into_iter().chain(add).filter(Entry::is_own).collect();
        Ok(())
    }

    /// Removes all entries of ours from the settings of a host: those that our records name, and those that this version
    /// writes for an absolute path.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn remove(&mut self, host: &'static Host) -> Result<(), SettingsError> {
        let own = self.own(host);
        for (path, kind) in own.places() {
            let Some(text) = self.file(&path)?.after.clone() else { continue };
            if kind == Kind::Own {
                if own.is_file(&path, &text) {
                    let record = self.records.and_then(|records| records.unchanged(&path, &text));
                    // A file of the user, before ours, is restored.
                    let before = record.and_then(|record| record.before);
                    self.file(&path)?.after = before.filter(|before| !own.is_file(&path, before));
                }
                continue;
            }
            self.edit(host, &path, kind, &[])?;
            // A file that did not change since gets its old bytes.
            let Some(record) = self.records.and_then(|records| records.unchanged(&path, &text)) else { continue };
            let is_clean =
                |text: &str| own.found(&path, kind, split_mark(text).1).is_ok_and(|found| found.own.is_empty());
            let file = self.file(&path)?;
            if file.after != file.before && record.before.as_deref().is_none_or(is_clean) {
                file.after = record.before;
            }
        }
        Ok(())
    }

    /// Returns the files of a host that contain the name of our command and that no change is planned for.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn left(&mut self, host: &'static Host) -> Result<Vec<PathBuf>, SettingsError> {
        let mut left = Vec::new();
        for (path, _) in self.own(host).places() {
            if self.file(&path)?.after.as_deref().is_some_and(|text| text.contains(NAME)) {
                left.push(path);
            }
        }
        Ok(left)
    }

    fn own(&self, host: &'static Host) -> Own<'s> {
        Own { host, site: self.site, records: self.records }
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
                let copy = text.as_deref().zip(self.records).and_then(|(text, records)| records.copy(path, text));
                let record = self.records.and_then(|records| records.read(path));
                let (entries, made) = record.map_or_else(Default::default, |record| (record.entries, record.made));
                let (path, before, executable) = (path.to_owned(), text.clone(), false);
                Ok(slot.insert(FileChange { path, before, after: text, executable, directories, copy, entries, made }))
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
    pub fn installed(&'static self, site: &Site, records: Option<&Records>) -> Result<Installed, SettingsError> {
        let own = Own { host: self, site, records };
        for (path, kind) in own.places() {
            if own.is_in(&path, kind)? {
                return Ok(self.parts(site, records).map_or(Installed::Outdated, Installed::Current));
            }
        }
        Ok(Installed::No)
    }

    /// Returns the parts in the settings; `None` if they differ from those that this version writes.
    fn parts(&'static self, site: &Site, records: Option<&Records>) -> Option<Parts> {
        let is_there = |parts: &Parts| {
            let mut changes = Changes::new(site, records);
            changes.add_only(self, *parts).is_ok() && changes.files().next().is_none()
        };
        // A part that the host lacks adds no item, so the first of the largest selections has no such part.
        Parts::each().filter(is_there).max_by_key(|parts| (self.settings)(site, *parts).len())
    }
}

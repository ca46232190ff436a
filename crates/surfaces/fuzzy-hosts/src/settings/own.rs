//! Decides what in the settings of a host is ours: what our record says, or what this version writes for a program with
//! an absolute path, at the place where it is written. A name alone proves nothing, because users enter our command by
//! hand, too.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::change::SettingsError;
use super::kind::{Kind, place, read, split_mark};
use super::record::{Record, Records};
use super::{json, toml};
use crate::host::Host;
use crate::item::{Entry, Item, NAME, Parts, Site};

/// A program that stands for any other one in a template. No shell and no JSON text quotes it.
const ANY: &str = "/-any-program-/fuzzy-edit";

/// The settings of a host at a site, with our records.
#[derive(Clone, Copy)]
pub(crate) struct Own<'s> {
    pub(crate) host: &'static Host,
    pub(crate) site: &'s Site,
    pub(crate) records: Option<&'s Records>,
}

/// The entries of a settings file at the places where we write.
#[derive(Default)]
pub(crate) struct Found {
    /// Entries that are ours.
    pub(crate) own: Vec<Entry>,
    /// Entries of the user.
    pub(crate) others: Vec<Entry>,
}

impl Own<'_> {
    /// Returns the files that may contain the settings of the host, each once.
    pub(crate) fn places(&self) -> Vec<(PathBuf, Kind)> {
        let items = Parts::each().flat_map(|parts| self.items(parts, &self.site.program));
        let mut places: Vec<(PathBuf, Kind)> = items.map(|item| place(&item)).collect();
        places.sort();
        places.dedup();
        places
    }

    /// Returns the record of a file, if there is one.
    pub(crate) fn record(&self, path: &Path) -> Option<Record> {
        self.records?.read(path)
    }

    /// Returns the entries of a file at our places.
    ///
    /// # Errors
    ///
    /// The reason why the settings cannot be read.
    pub(crate) fn found(&self, path: &Path, kind: Kind, text: &str) -> Result<Found, String> {
        let mut recorded = self.record(path).map(|record| record.entries).unwrap_or_default();
        let mut places = self.all_entries(path, &self.site.program);
        places.extend(recorded.iter().cloned());
        let entries = if kind == Kind::Toml { toml::found(text, &places)? } else { json::found(text, &places)? };
        let mut found = Found::default();
        // Of equal entries, the later ones are ours: we append.
        for entry in entries.into_iter().rev() {
            let known = recorded.iter().position(|own| *own == entry).map(|index| recorded.swap_remove(index));
            let side = if known.is_some() || self.writes(path, &entry) { &mut found.own } else { &mut found.others };
            side.push(entry);
        }
        Ok(found)
    }

    /// Returns whether a whole file is ours.
    pub(crate) fn is_file(&self, path: &Path, text: &str) -> bool {
        let is_written = |record: Record| record.after.as_deref() == Some(text);
        self.record(path).is_some_and(is_written) || self.writes_file(path, text)
    }

    /// Returns whether a file has anything of ours, or the entries of this version entered by hand.
    ///
    /// # Errors
    ///
    /// The file cannot be read or parsed.
    pub(crate) fn is_in(&self, path: &Path, kind: Kind) -> Result<bool, SettingsError> {
        let Some(text) = read(path)? else { return Ok(false) };
        if kind == Kind::Own {
            let mut texts = Parts::each().flat_map(|parts| self.texts(path, parts, &self.site.program));
            return Ok(self.is_file(path, &text) || texts.any(|(_, own)| own == text));
        }
        let unreadable = |why| SettingsError::Unreadable { path: path.to_owned(), why };
        let found = self.found(path, kind, split_mark(&text).1).map_err(unreadable)?;
        let entries = self.all_entries(path, &self.site.program);
        Ok(!found.own.is_empty() || entries.iter().any(|entry| entry.is_own() && found.others.contains(entry)))
    }

    /// Returns the command lines of our entries in a file.
    pub(crate) fn commands(&self, path: &Path, kind: Kind, text: &str) -> Vec<String> {
        let mut commands = Vec::new();
        if kind == Kind::Own {
            let settings: Value = serde_json::from_str(text).unwrap_or_default();
            collect(&settings, self.host.name, &mut commands);
        } else if let Ok(found) = self.found(path, kind, split_mark(text).1) {
            let entries = self.all_entries(path, &self.site.program);
            let others = found.others.iter().filter(|entry| entries.contains(entry));
            found.own.iter().chain(others).for_each(|entry| collect(&entry.value, self.host.name, &mut commands));
        }
        commands
    }

    /// Returns whether we write this entry for a program with an absolute path.
    fn writes(&self, path: &Path, entry: &Entry) -> bool {
        let mut programs = Vec::new();
        programs_in(&entry.value, &mut programs);
        programs.iter().any(|program| self.all_entries(path, program).contains(entry))
    }

    /// Returns whether we write this file for a program with an absolute path. A file without a program is ours if
    /// another file beside it is.
    fn writes_file(&self, path: &Path, text: &str) -> bool {
        Parts::each().any(|parts| {
            self.texts(path, parts, ANY).iter().any(|(_, template)| match programs_of(template, text) {
                Some(programs) => {
                    programs.iter().any(|program| self.texts(path, parts, program).iter().any(|(_, own)| own == text))
                }
                None => template == text && self.has_sibling(parts),
            })
        })
    }

    fn has_sibling(&self, parts: Parts) -> bool {
        let files = self.items(parts, ANY).into_iter().filter_map(|item| match item {
            Item::File { path, text, .. } if text.contains(ANY) => Some(path),
            _ => None,
        });
        files.into_iter().any(|path| read(&path).ok().flatten().is_some_and(|text| self.writes_file(&path, &text)))
    }

    fn items(&self, parts: Parts, program: &str) -> Vec<Item> {
        let site = Site { program: program.to_owned(), ..self.site.clone() };
        (self.host.settings)(&site, parts)
    }

    fn entries(&self, file: &Path, parts: Parts, program: &str) -> Vec<Entry> {
        let entry = |item| match item {
            Item::Entry(path, entry) => Some(entry).filter(|_| path == file),
            Item::File { .. } => None,
        };
        self.items(parts, program).into_iter().filter_map(entry).collect()
    }

    /// Returns the entries of a file in every selection of parts, each once.
    fn all_entries(&self, file: &Path, program: &str) -> Vec<Entry> {
        let mut all = Vec::new();
        for entry in Parts::each().flat_map(|parts| self.entries(file, parts, program)) {
            if !all.contains(&entry) {
                all.push(entry);
            }
        }
        all
    }

    fn texts(&self, file: &Path, parts: Parts, program: &str) -> Vec<(PathBuf, String)> {
        let text = |item| match item {
            Item::File { path, text, .. } => Some((path, text)).filter(|(path, _)| path == file),
            Item::Entry(..) => None,
        };
        self.items(parts, program).into_iter().filter_map(text).collect()
    }
}

/// Adds the command lines below a value that call us for a host.
fn collect(value: &Value, host: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, host, found)),
        Value::Object(items) => {
            let command = items.get("command").or_else(|| items.get("bash")).and_then(Value::as_str);
            let calls = |command: &&str| command.contains(&format!(" hook {host} "));
            found.extend(command.filter(calls).map(str::to_owned));
            items.values().for_each(|item| collect(item, host, found));
        }
        _ => {}
    }
}

/// Adds the absolute paths of our command in the texts below a value.
fn programs_in(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| programs_in(item, found)),
        Value::Object(items) => items.values().for_each(|item| programs_in(item, found)),
        Value::String(text) => found.extend(programs(text)),
        _ => {}
    }
}

/// Returns the absolute paths of our command that a text may name: as a whole, or quoted before the verb `hook`.
fn programs(text: &str) -> impl Iterator<Item = String> {
    let head = text.split(" hook ").next().unwrap_or_default();
    let word = shlex::split(head).and_then(|words| words.into_iter().next());
    let all = [Some(text.to_owned()), Some(head.trim_matches('"').to_owned()), word];
    all.into_iter().flatten().filter(|program| {
        let path = Path::new(program);
        path.is_absolute() && path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(NAME))
    })
}

/// Returns the programs for which a template may be this text; `None` if the template has no program.
fn programs_of(template: &str, text: &str) -> Option<Vec<String>> {
    let (head, rest) = template.split_once(ANY)?;
    let after = text.strip_prefix(head).unwrap_or_default();
    let middle = match rest.split_once(ANY) {
        Some((between, _)) => after.split_once(between).map(|(middle, _)| middle),
        None => after.strip_suffix(rest),
    };
    let middle = middle.unwrap_or_default();
    let unquoted = serde_json::from_str::<String>(&format!("\"{middle}\"")).ok();
    Some(
        [Some(middle.to_owned()), unquoted]
            .into_iter()
            .flatten()
            .flat_map(|text| programs(&text).collect::<Vec<_>>())
            .collect(),
    )
}

//! Puts our hooks into the settings of hosts, and takes them out again.

mod check;
mod json;
mod record;
mod toml;
mod write;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fuzzy_edit::{Encoding, TextFile};
use serde_json::json;

use crate::Host;

pub use check::Checked;
pub(crate) use json::Entry;
pub use record::Records;

/// The largest file of settings that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The seconds that a host waits for an answer of ours. We need far less than one; a machine under load needs more.
pub(crate) const TIMEOUT_S: u64 = 10;

/// The parts of us that a host is to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Repairs of edits before they run, and help after one failed.
    pub repair: bool,
    /// The server of tools.
    pub mcp: bool,
}

impl Parts {
    /// Returns the parts of both.
    const fn and(self, other: Self) -> Self {
        Self { repair: self.repair || other.repair, mcp: self.mcp || other.mcp }
    }
}

/// The place of settings: a user's home, or a project in it.
#[derive(Clone, Debug)]
pub struct Site {
    /// The home of the user.
    pub home: PathBuf,
    /// The project whose own settings are meant, if not those of the user.
    pub project: Option<PathBuf>,
    /// The name or the path of our command.
    pub program: String,
}

impl Site {
    /// Makes the site of this process's user; hosts call `program`.
    ///
    /// Returns nothing if the home is not known.
    #[must_use]
    pub fn from_environment(project: Option<PathBuf>, program: String) -> Option<Self> {
        let home = etcetera::home_dir().ok()?;
        Some(Self { home, project, program })
    }

    /// Returns the directory that holds the settings of a project or a user.
    pub(crate) fn base(&self) -> &Path {
        self.project.as_deref().unwrap_or(&self.home)
    }

    /// Returns a directory of settings: the one below the base, or for a user the one that a variable names.
    pub(crate) fn directory(&self, variable: &str, name: &str) -> PathBuf {
        let named = std::env::var_os(variable).filter(|_| self.project.is_none()).map(PathBuf::from);
        named.filter(|path| path.is_absolute()).unwrap_or_else(|| self.base().join(name))
    }

    /// Returns the directory of the user's settings on systems that follow the XDG directories.
    pub(crate) fn config(&self) -> PathBuf {
        self.directory("XDG_CONFIG_HOME", ".config")
    }

    /// Returns the command line by which the shell of a host calls us.
    pub(crate) fn call(&self, host: &str, event: &str) -> String {
        let quoted = if cfg!(windows) && self.program.contains(' ') {
            format!("\"{}\"", self.program)
        } else if cfg!(windows) {
            self.program.clone()
        } else {
            shlex::try_quote(&self.program).map_or_else(|_| self.program.clone(), Cow::into_owned)
        };
        format!("{quoted} hook {host} {event}")
    }
}

/// One thing that a host's settings need.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// An entry of a file of JSON.
    Entry(PathBuf, Entry),
    /// The entry of our server of tools in a table of a file of TOML, with the program that it runs.
    Table(PathBuf, &'static str, String),
    /// A file that is ours.
    File { path: PathBuf, text: String, executable: bool },
}

/// The shape of hooks that Claude Code and others share: a list of groups for each event, each with a list of commands.
pub(crate) fn group(event: &str, matcher: Option<&str>, command: &str, timeout: u64) -> Entry {
    let mut group = json!({ "hooks": [{ "type": "command", "command": command, "timeout": timeout }] });
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    Entry { path: vec!["hooks".to_owned(), event.to_owned()], name: None, value: group }
}

/// The entry of our server of tools, as most hosts have it.
pub(crate) fn server(site: &Site) -> Entry {
    let value = json!({ "command": site.program, "args": ["mcp"] });
    Entry { path: vec!["mcpServers".to_owned()], name: Some("fuzzy-edit".to_owned()), value }
}

/// Why settings cannot be changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A file cannot be read or understood; it stays as it is.
    #[error("`{path}`: {why}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file cannot be written.
    #[error("`{path}` cannot be written: {why}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file of the user has the name that ours needs.
    #[error("`{path}` is a hook of yours, and {host} runs one hook of that name")]
    Taken {
        /// The file.
        path: PathBuf,
        /// The host's name for people.
        host: &'static str,
    },
    /// The host has no settings of this kind.
    #[error("{host} has no {kind}")]
    Lacking {
        /// The host's name for people.
        host: &'static str,
        /// The kind.
        kind: &'static str,
    },
}

/// A file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// Its text now; nothing if there is no file.
    pub before: Option<String>,
    /// Its text after; nothing if the file goes.
    pub after: Option<String>,
    /// Whether the file is a program.
    pub executable: bool,
    /// The number of directories above that come or go with the file.
    pub directories: usize,
}

/// The state of a host's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Installed {
    /// They have nothing of ours.
    No,
    /// They have these parts, as this version of us writes them.
    Current(Parts),
    /// They have entries of ours that this version of us would change.
    Outdated,
}

/// Changes of the settings of several hosts, before any is written.
#[derive(Debug)]
pub struct Changes<'s> {
    site: &'s Site,
    records: Option<&'s Records>,
    files: BTreeMap<PathBuf, FileChange>,
}

impl<'s> Changes<'s> {
    /// Begins with no change. With `records`, settings that nobody changed since are taken back byte for byte.
    #[must_use]
    pub fn new(site: &'s Site, records: Option<&'s Records>) -> Self {
        Self { site, records, files: BTreeMap::new() }
    }

    /// Adds parts to those that the settings of a host have. Entries that another version of us wrote are replaced.
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

    /// Makes the settings of a host have these parts and no others.
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

    /// Takes everything of ours out of the settings of a host.
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
            // What nobody changed since is as it was, to the byte.
            let before = records.and_then(|records| records.before(&path, &text));
            let is_clean = |text: &Option<String>| text.as_deref().is_none_or(|text| kind.has(text, host) == Ok(false));
            file.after = match before.filter(is_clean) {
                Some(before) => before,
                None => kind.without(&text, host).map_err(unreadable)?,
            };
        }
        Ok(())
    }

    /// Returns the files that change, by path.
    pub fn files(&self) -> impl Iterator<Item = &FileChange> {
        self.files.values().filter(|file| file.before != file.after)
    }

    fn file(&mut self, path: &Path) -> Result<&mut FileChange, SettingsError> {
        if !self.files.contains_key(path) {
            let text = read(path)?;
            let directories = match &text {
                None => path.ancestors().skip(1).take_while(|directory| !directory.exists()).count(),
                Some(text) => self.records.map_or(0, |records| records.directories(path, text)),
            };
            let file =
                FileChange { path: path.to_owned(), before: text.clone(), after: text, executable: false, directories };
            self.files.insert(path.to_owned(), file);
        }
        // It was inserted if it was not there.
        Ok(self.files.entry(path.to_owned()).or_insert_with(|| unreachable!("the file is there")))
    }
}

impl Host {
    /// Returns the state of the host's settings.
    ///
    /// # Errors
    ///
    /// A file of settings cannot be read or understood.
    pub fn installed(&'static self, site: &Site) -> Result<Installed, SettingsError> {
        for (path, kind) in places(self, site) {
            let Some(text) = read(&path)? else { continue };
            if kind.has(&text, self).map_err(|why| SettingsError::Unreadable { path, why })? {
                return Ok(self.parts(site).map_or(Installed::Outdated, Installed::Current));
            }
        }
        Ok(Installed::No)
    }

    /// Returns the parts that the settings have; nothing if they are not as this version of us writes them.
    fn parts(&'static self, site: &Site) -> Option<Parts> {
        let is_there = |parts: &Parts| {
            let mut changes = Changes::new(site, None);
            changes.add_only(self, *parts).is_ok() && changes.files().next().is_none()
        };
        // A part that the host lacks adds nothing, so the first of the largest has no such part.
        let all = (1..4).rev().map(|bits| Parts { repair: bits & 1 > 0, mcp: bits & 2 > 0 });
        all.filter(is_there).max_by_key(|parts| (self.settings)(site, *parts).len())
    }

    /// Returns whether the host seems to be there: its program on the path, or its directory of settings.
    #[must_use]
    pub fn is_present(&self, site: &Site) -> bool {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let names = |program: &&str| [program.to_string(), format!("{program}.exe"), format!("{program}.cmd")];
        let on_path = |name: &String| std::env::split_paths(&paths).any(|directory| directory.join(name).is_file());
        let base = site.base();
        self.programs.iter().flat_map(names).any(|name| on_path(&name))
            || self.directories.iter().any(|directory| base.join(directory).is_dir())
    }
}

/// The kind of a file with settings.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Json,
    Toml(&'static str),
    Own,
}

impl Kind {
    /// Returns whether a text has something of ours for a host.
    fn has(self, text: &str, host: &Host) -> Result<bool, String> {
        match self {
            Self::Json => json::count(text, host.name).map(|count| count > 0),
            Self::Toml(table) => toml::has(text, table),
            Self::Own => Ok(is_own(text)),
        }
    }

    /// Returns a text without what is ours for a host; nothing if no file is left.
    fn without(self, text: &str, host: &Host) -> Result<Option<String>, String> {
        match self {
            Self::Json => json::without(text, host.name).map(Some),
            Self::Toml(table) => toml::without(text, table).map(Some),
            Self::Own => Ok(None),
        }
    }
}

/// Returns the files that the settings of a host may be in.
fn places(host: &Host, site: &Site) -> BTreeMap<PathBuf, Kind> {
    let all = Parts { repair: true, mcp: true };
    let items = (host.settings)(site, all).into_iter();
    items
        .map(|item| match item {
            Item::Entry(path, _) => (path, Kind::Json),
            Item::Table(path, table, _) => (path, Kind::Toml(table)),
            Item::File { path, .. } => (path, Kind::Own),
        })
        .collect()
}

/// Returns whether a file with the name of one of ours is ours.
fn is_own(text: &str) -> bool {
    text.contains("fuzzy-edit")
}

fn read(path: &Path) -> Result<Option<String>, SettingsError> {
    if !path.exists() && !path.is_symlink() {
        return Ok(None);
    }
    let unreadable = |why: String| SettingsError::Unreadable { path: path.to_owned(), why };
    let file = TextFile::read(path, MAX_BYTES).map_err(|error| unreadable(error.to_string()))?;
    if file.encoding() != Encoding::UTF_8 || !file.mark().is_empty() {
        return Err(unreadable("it is not UTF-8 without a byte order mark".to_owned()));
    }
    Ok(Some(file.text().to_owned()))
}

//! The parts that can be configured, the places of settings, and the entries in them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The name of our properties in the settings of hosts.
pub(crate) const NAME: &str = "fuzzy-edit";

/// The seconds that a host waits for our answer. We need far less than one second; a machine under load needs more.
pub(crate) const TIMEOUT_S: u64 = 10;

/// The parts that a host is configured to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Repairs of edits before they run, and hints after a failed edit.
    pub repair: bool,
    /// A checkpoint for every turn.
    pub turns: bool,
    /// The MCP server.
    pub mcp: bool,
}

impl Parts {
    /// Returns every selection of parts but the empty one, the largest first.
    pub(crate) fn each() -> impl Iterator<Item = Self> {
        (1..8_u8).rev().map(|bits| Self { repair: bits & 1 > 0, turns: bits & 2 > 0, mcp: bits & 4 > 0 })
    }

    /// Returns the parts of both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self { repair: self.repair || other.repair, turns: self.turns || other.turns, mcp: self.mcp || other.mcp }
    }
}

/// The place of settings: a user's home, or a project in it.
#[derive(Clone, Debug)]
pub struct Site {
    /// The home of the user.
    pub home: PathBuf,
    /// The project, for the settings of a project instead of those of the user.
    pub project: Option<PathBuf>,
    /// The name or the path of our command.
    pub program: String,
}

impl Site {
    /// Returns the site of the current user. Hosts call `program`.
    ///
    /// Returns `None` if the home is unknown.
    #[must_use]
    pub fn from_environment(project: Option<PathBuf>, program: String) -> Option<Self> {
        let home = etcetera::home_dir().ok()?;
        Some(Self { home, project, program })
    }

    /// Returns the directory that contains the settings of a project or a user.
    pub(crate) fn base(&self) -> &Path {
        self.project.as_deref().unwrap_or(&self.home)
    }

    /// Returns a directory of settings: the one below the base, or for a user the value of an environment variable.
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

/// One item that a host's settings need.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// An entry of a JSON file, or of a TOML file.
    Entry(PathBuf, Entry),
    /// A file that belongs to us.
    File { path: PathBuf, text: String, executable: bool },
}

/// Returns the entries of one file.
pub(crate) fn in_file(path: &Path, entries: Vec<Entry>) -> Vec<Item> {
    entries.into_iter().map(|entry| Item::Entry(path.to_owned(), entry)).collect()
}

/// Returns the entry of our MCP server in the format of most hosts.
pub(crate) fn server(site: &Site) -> Entry {
    Entry::property(&["mcpServers"], NAME, json!({ "command": site.program, "args": ["mcp"] }))
}

/// An entry of settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The names of the properties that lead to the list or the object.
    pub(crate) path: Vec<String>,
    /// The name of the property; `None` for an element of a list.
    pub(crate) name: Option<String>,
    pub(crate) value: Value,
}

impl Entry {
    /// Makes an element of the list at a path of names.
    pub(crate) fn element(path: &[&str], value: Value) -> Self {
        Self { path: path.iter().map(|name| (*name).to_owned()).collect(), name: None, value }
    }

    /// Makes a property of the object at a path of names.
    pub(crate) fn property(path: &[&str], name: &str, value: Value) -> Self {
        Self { name: Some(name.to_owned()), ..Self::element(path, value) }
    }

    /// Returns whether the entry is removed with us: not a property that a whole file needs, such as its version.
    pub(crate) fn is_own(&self) -> bool {
        self.name.as_deref().is_none_or(|name| name == NAME)
    }

    /// Returns whether this is the property of that entry.
    pub(crate) fn is_at(&self, other: &Self) -> bool {
        self.name.is_some() && (&self.path, &self.name) == (&other.path, &other.name)
    }
}

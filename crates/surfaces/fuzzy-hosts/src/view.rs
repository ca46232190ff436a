//! Views: the lines of files that agents were shown, each with its text.
//!
//! A view belongs to an agent of a session and a path. A line enters it if a tool showed it and the file had it at that
//! moment, and leaves it when the file no longer has it there. So a view that has all lines is a text that the file was.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fuzzy_pipeline::LineRange;
use fuzzy_safe_write::{State, open_to_read, sha256};
use fuzzy_system as sys;
use serde::{Deserialize, Serialize};

/// The largest views of a session, and of all sessions, in bytes; the newest stay.
const MAX_BYTES: [u64; 2] = [8 << 20, 20 << 20];

/// The age from which a view is deleted.
const MAX_AGE: Duration = Duration::from_hours(24);

/// The lines of a file that an agent was shown, which end in `\n`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct View {
    path: PathBuf,
    /// The lines, by their numbers from 0.
    lines: BTreeMap<usize, String>,
    /// The number of lines of the file.
    count: usize,
    /// The time since the last of them was shown.
    #[serde(skip)]
    age: Duration,
}

impl View {
    /// Returns a view of a file without lines.
    pub(crate) const fn of(path: PathBuf) -> Self {
        Self { path, lines: BTreeMap::new(), count: 0, age: Duration::ZERO }
    }

    /// Returns the text of the file, if all of its lines are seen.
    pub(crate) fn whole(&self) -> Option<String> {
        let lines: Vec<&str> = self.lines.values().map(String::as_str).collect();
        (self.lines.len() == self.count).then(|| lines.join("\n"))
    }

    /// Returns the first line of a file that was not seen, from 0.
    pub(crate) fn first_unseen(&self, file: &str) -> Option<usize> {
        file.split('\n')
            .enumerate()
            .find(|(at, line)| self.lines.get(at).is_none_or(|seen| seen != line))
            .map(|(at, _)| at)
    }

    /// Returns whether some lines are seen as a text has them, with the line before and after them.
    pub(crate) fn holds(&self, lines: &Range<usize>, text: &str) -> bool {
        let (first, last) = (lines.start.saturating_sub(1), lines.end + 1);
        let mut now = text.split('\n').enumerate().take(last).skip(first);
        now.all(|(at, line)| self.lines.get(&at).is_some_and(|seen| seen == line))
    }

    /// Adds lines that were shown from line `first`, if the file has these lines there now.
    pub(crate) fn see(&mut self, first: usize, shown: &str, file: &str) {
        let shown = shown.strip_prefix('\u{feff}').unwrap_or(shown).replace("\r\n", "\n");
        let now: Vec<&str> = file.split('\n').collect();
        let lines: Vec<&str> = shown.strip_suffix('\n').unwrap_or(&shown).split('\n').collect();
        let end = first + lines.len();
        if shown.is_empty() || now.get(first..end) != Some(&lines) {
            return;
        }
        self.lines.extend(lines.into_iter().enumerate().map(|(at, line)| (first + at, line.to_owned())));
        // Hosts do not show the empty line after the last line break.
        if end + 1 == now.len() && now.last() == Some(&"") {
            self.lines.insert(end, String::new());
        }
        self.keep(file);
    }

    /// Makes an edit of the agent in the view. The lines that the file has otherwise leave it.
    pub(crate) fn edit(&mut self, old: &str, new: &str, file: &str) {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
        if let Some(first) = self.place(&old) {
            let (head, tail) = self.around(first, &old);
            let written = [&head, &*new.join("\n"), &tail].concat();
            let after = self.lines.split_off(&first).split_off(&(first + old.len()));
            self.lines.extend(written.split('\n').enumerate().map(|(at, line)| (first + at, line.to_owned())));
            let end = first + new.len();
            self.lines.extend(after.into_iter().map(|(at, line)| (at - first - old.len() + end, line)));
        }
        self.keep(file);
    }

    /// Says what has changed since the agent saw the file: the lines of an old text that it quotes, or else the first line
    /// that differs, if it saw all.
    pub(crate) fn since(&self, old: &str, file: &str) -> Option<String> {
        let seconds = self.age.as_secs();
        let ago = if seconds < 120 { format!("{seconds} s ago") } else { format!("{} min ago", seconds / 60) };
        let old: Vec<&str> = old.strip_suffix('\n').unwrap_or(old).split('\n').collect();
        if let Some(first) = self.place(&old) {
            let lines = (first..first + old.len()).map(|at| self.lines.get(&at).map(String::as_str));
            let differ = !lines.eq(file.split('\n').skip(first).take(old.len()).map(Some));
            let lines = LineRange { first: first + 1, last: first + old.len() };
            let have = if old.len() == 1 { "it has" } else { "they have" };
            return differ.then(|| format!("You saw {lines} {ago}; {have} changed or moved since."));
        }
        let seen = self.whole().filter(|seen| seen != file)?;
        let at = seen.split('\n').zip(file.split('\n')).take_while(|(seen, now)| seen == now).count();
        Some(format!("You saw the file {ago}; it has changed since, from line {}.", at + 1))
    }

    /// Returns the line in which an old text begins, if that is one.
    fn place(&self, old: &[&str]) -> Option<usize> {
        let mut places = self.lines.keys().copied().filter(|first| self.has(*first, old));
        places.next().filter(|_| places.next().is_none())
    }

    /// Returns whether an old text begins in a line.
    fn has(&self, first: usize, old: &[&str]) -> bool {
        let line = |at: usize| self.lines.get(&(first + at)).map(String::as_str);
        let last = old.len() - 1;
        match old {
            [only] => line(0).is_some_and(|line| line.matches(only).count() == 1),
            [head, inner @ .., tail] => {
                line(0).is_some_and(|line| line.ends_with(head))
                    && inner.iter().enumerate().all(|(at, inner)| line(at + 1) == Some(inner))
                    && line(last).is_some_and(|line| line.starts_with(tail))
            }
            [] => false,
        }
    }

    /// Returns the parts of lines around an old text that begins in a line.
    fn around(&self, first: usize, old: &[&str]) -> (String, String) {
        let (head, tail) = (&self.lines[&first], &self.lines[&(first + old.len() - 1)]);
        let start = if let [only] = old { head.find(only).unwrap_or_default() } else { head.len() - old[0].len() };
        let end = if let [only] = old { start + only.len() } else { old[old.len() - 1].len() };
        (head[..start].to_owned(), tail[end..].to_owned())
    }

    /// Keeps the lines that a file has now.
    pub(crate) fn keep(&mut self, file: &str) {
        let now: Vec<&str> = file.split('\n').collect();
        self.count = now.len();
        self.lines.retain(|at, line| now.get(*at) == Some(&line.as_str()));
    }
}

/// The views of all sessions: a folder for each agent of a session, with a file for each path.
#[derive(Clone, Debug)]
pub struct Views {
    directory: PathBuf,
}

/// The agent that was shown something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Viewer {
    /// The host and its id of the session.
    pub(crate) session: [String; 2],
    /// The host's id of the agent in the session; empty for the first one.
    pub(crate) agent: String,
}

impl Views {
    /// Stores the views in `directory`, which is created when it is needed.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Stores the views in the user's state directory; returns `None` if that is unknown.
    #[must_use]
    pub fn from_environment() -> Option<Self> {
        State::lasting().map(|state| Self::at(state.join("views")))
    }

    /// Returns an agent's view of a file. Without an agent it is the only view that any agent of the host has.
    pub(crate) fn get(&self, host: &str, viewer: Option<&Viewer>, path: &Path) -> Option<View> {
        let name = name(path);
        let file = if let Some(viewer) = viewer {
            self.folder(viewer).join(name)
        } else {
            let is_own = |path: &PathBuf| {
                path.parent().and_then(Path::file_name).is_some_and(|name| {
                    name.to_string_lossy().strip_prefix(host).is_some_and(|rest| rest.starts_with('-'))
                })
            };
            let files = folders(&self.directory).into_iter().map(|folder| folder.join(&name));
            let mut files = files.filter(is_own).filter(|file| file.exists());
            files.next().filter(|_| files.next().is_none())?
        };
        let age = fs::metadata(&file).and_then(|data| data.modified()).ok()?.elapsed().ok()?;
        let view = read(&file).filter(|view| view.path == path && age < MAX_AGE)?;
        Some(View { age, ..view })
    }

    /// Replaces an agent's view of a file; with the first view of a file, deletes the oldest ones beyond the limits.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn put(&self, viewer: &Viewer, view: &View) -> io::Result<()> {
        let folder = self.folder(viewer);
        let file = folder.join(name(&view.path));
        if view.lines.is_empty() {
            let _ = fs::remove_file(file);
            return Ok(());
        }
        sys::make_private(&folder)?;
        let is_known = file.exists();
        let new = folder.join(format!("new-{}", std::process::id()));
        let text = serde_json::to_vec(view)?;
        sys::private_file().write(true).create(true).truncate(true).open(&new)?.write_all(&text)?;
        fs::rename(new, file)?;
        // All files are read for that, so not at each event.
        if !is_known {
            self.prune();
        }
        Ok(())
    }

    /// Returns whether a call, named by a hash, comes for the first time from an agent.
    ///
    /// # Errors
    ///
    /// The call cannot be noted.
    pub(crate) fn is_first(&self, viewer: &Viewer, call: &str) -> io::Result<bool> {
        let folder = self.folder(viewer);
        sys::make_private(&folder)?;
        match sys::private_file().write(true).create_new(true).open(folder.join(&call[..16])) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            noted => noted.map(|_| true),
        }
    }

    /// Deletes the views of a session: the host does not show its agent the same lines any longer.
    pub fn forget_session(&self, host: &str, session: &str) {
        let own = session_name(&[host.to_owned(), session.to_owned()]);
        let is_own = |folder: &PathBuf| session_of(folder) == own;
        folders(&self.directory).into_iter().filter(is_own).for_each(|folder| drop(fs::remove_dir_all(folder)));
    }

    /// Deletes the views of all files below a directory.
    pub fn forget_below(&self, directory: &Path) {
        for file in folders(&self.directory).iter().flat_map(|folder| folders(folder)) {
            if read(&file).is_none_or(|view| view.path.starts_with(directory)) {
                let _ = fs::remove_file(file);
            }
        }
    }

    fn folder(&self, Viewer { session, agent }: &Viewer) -> PathBuf {
        self.directory.join(format!("{}-{}", session_name(session), &sha256(agent.as_bytes())[..8]))
    }

    /// Deletes views that are too old, and the oldest of those that are too large together.
    fn prune(&self) {
        let files = folders(&self.directory).into_iter().flat_map(|folder| folders(&folder));
        let age = |file: PathBuf| {
            let data = fs::metadata(&file).ok()?;
            Some((data.modified().ok()?.elapsed().unwrap_or_default(), data.len(), file))
        };
        let mut files: Vec<_> = files.filter_map(age).collect();
        files.sort();
        let (mut all, mut sessions) = (0, BTreeMap::<String, u64>::new());
        for (age, bytes, file) in files {
            let Some(folder) = file.parent() else { continue };
            let own = sessions.entry(session_of(folder)).or_default();
            if age >= MAX_AGE || *own + bytes > MAX_BYTES[0] || all + bytes > MAX_BYTES[1] {
                let _ = fs::remove_file(&file);
                // A folder with other files stays.
                let _ = fs::remove_dir(folder);
            } else {
                *own += bytes;
                all += bytes;
            }
        }
    }
}

/// Returns the name of a session's folders, without that of the agent, from one of them.
fn session_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.rsplit_once('-').map_or_else(String::new, |(session, _)| session.to_owned())
}

/// Returns the name of a session's folders, without that of the agent.
fn session_name([host, session]: &[String; 2]) -> String {
    format!("{host}-{}", &sha256(session.as_bytes())[..16])
}

fn name(path: &Path) -> String {
    sha256(path.as_os_str().as_encoded_bytes())[..16].to_owned()
}

/// Returns the paths in a directory.
fn folders(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn read(file: &Path) -> Option<View> {
    serde_json::from_str(&io::read_to_string(open_to_read(file).ok()?).ok()?).ok()
}

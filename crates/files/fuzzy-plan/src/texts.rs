//! Files that are texts in memory.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use fuzzy_core::Replaced;
use fuzzy_report::{Failure, Operation, Report, Status, Success};

use crate::{Drafts, ModeChange, Options, Planner, Text, Timing, refusal};

/// The byte order mark of UTF-8, as a character.
const MARK: &str = "\u{feff}";

/// Files that are texts in memory, by their paths, which are compared without normalization.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: BTreeMap<PathBuf, String>,
    /// The files opened by operations, with their results.
    drafts: Vec<Draft>,
    by_path: HashMap<PathBuf, usize>,
}

/// A file opened by an operation.
#[derive(Clone, Debug)]
struct Draft {
    path: PathBuf,
    /// The whole text, with its byte order mark if it has one; `None` if there is no file.
    text: Option<String>,
    /// The requested executable bit.
    executable: Option<bool>,
}

impl Texts {
    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    /// Returns whether there is a file at `path` that no operation has opened yet.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Applies operations, all or none, and reports each in order.
    pub fn apply(&mut self, options: &Options<'_>, operations: &[Operation]) -> Vec<Report> {
        let mut planner = Planner::new(*options, std::mem::take(self));
        let mut outcomes = Vec::with_capacity(operations.len());
        for (number, operation) in operations.iter().enumerate() {
            let outcome = planner.step(number, operations, &mut Timing::default());
            outcomes.push(outcome.map_err(|failure| about(failure, operation)));
        }
        *self = planner.into_drafts();
        let is_sound = outcomes.iter().all(Result::is_ok);
        if !is_sound {
            self.drafts.clear();
            self.by_path.clear();
        }
        let status = if is_sound { Status::Applied } else { Status::NotWritten };
        outcomes.into_iter().map(|outcome| report(outcome, status)).collect()
    }

    /// Returns the files whose executable bit operations set or cleared; texts have no modes themselves.
    pub fn modes(&self) -> impl Iterator<Item = (&Path, bool)> {
        let drafts = self.by_path.iter().map(|(path, index)| (path.as_path(), &self.drafts[*index]));
        let there = drafts.filter(|(_, draft)| draft.text.is_some());
        there.filter_map(|(path, draft)| Some((path, draft.executable?))).collect::<BTreeMap<_, _>>().into_iter()
    }

    /// Returns the changed files by path, with their new texts; `None` for a removed file.
    pub fn changes(&self) -> impl Iterator<Item = (&Path, Option<&str>)> {
        let changed = self.by_path.iter().map(|(path, index)| (path.as_path(), self.drafts[*index].text.as_deref()));
        let changed = changed.filter(|(path, text)| self.files.get(*path).map(String::as_str) != *text);
        changed.collect::<BTreeMap<_, _>>().into_iter()
    }
}

/// Sets the file of a failure that has none.
fn about(failure: Box<Failure>, operation: &Operation) -> Box<Failure> {
    match failure.details.file_path {
        None => Box::new(failure.about(operation.path().to_string_lossy())),
        Some(_) => failure,
    }
}

fn report(outcome: Result<(usize, Success), Box<Failure>>, status: Status) -> Report {
    match outcome {
        // An operation that was already applied has a status of its own.
        Ok((_, success)) if success.status == Status::NotWritten => Report::Success(Success { status, ..success }),
        Ok((_, success)) => Report::Success(success),
        Err(failure) => Report::Failure(failure),
    }
}

impl Drafts for Texts {
    fn open(&mut self, path: &Path) -> Result<usize, Box<Failure>> {
        if let Some(index) = self.find(path) {
            return Ok(index);
        }
        let text = self.files.get(path).cloned();
        self.drafts.push(Draft { path: path.to_owned(), text, executable: None });
        self.by_path.insert(path.to_owned(), self.drafts.len() - 1);
        Ok(self.drafts.len() - 1)
    }

    fn find(&self, path: &Path) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    fn is_absent(&self, index: usize) -> bool {
        self.drafts[index].text.is_none()
    }

    fn before(&self, index: usize) -> Option<&[u8]> {
        self.files.get(&self.drafts[index].path).map(String::as_bytes)
    }

    fn text(&mut self, index: usize, path: &Path) -> Result<Text<'_>, Box<Failure>> {
        let text = self.drafts[index].text.as_deref().ok_or_else(|| refusal::missing(path))?;
        Ok(match text.strip_prefix(MARK) {
            Some(text) => Text { mark: MARK, text },
            None => Text { mark: "", text },
        })
    }

    fn put(&mut self, index: usize, text: String, _replaced: &[Replaced]) -> Result<(), Box<Failure>> {
        let draft = &mut self.drafts[index].text;
        let has_mark = draft.as_deref().is_some_and(|text| text.starts_with(MARK));
        *draft = Some(if has_mark { format!("{MARK}{text}") } else { text });
        Ok(())
    }

    fn create(&mut self, index: usize, text: String) {
        self.drafts[index].text = Some(text);
    }

    fn remove(&mut self, index: usize) {
        self.drafts[index].text = None;
        self.drafts[index].executable = None;
    }

    fn set_executable(&mut self, index: usize, executable: bool) -> Result<ModeChange, Box<Failure>> {
        self.drafts[index].executable = Some(executable);
        Ok(ModeChange::NotKept)
    }

    fn set_aside(&mut self, index: usize) -> usize {
        let draft = &mut self.drafts[index];
        let aside = Draft { path: draft.path.clone(), text: draft.text.take(), executable: draft.executable.take() };
        self.drafts.push(aside);
        self.drafts.len() - 1
    }

    fn rename(&mut self, from: usize, to: usize) -> Result<(), Box<Failure>> {
        self.drafts[to].text = self.drafts[from].text.take();
        self.drafts[to].executable = self.drafts[from].executable.take();
        Ok(())
    }
}

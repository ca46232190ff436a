//! The files of a plan with the results of the operations planned so far.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fuzzy_pipeline::Replaced;
use fuzzy_plan::{Drafts as _, ModeChange, Text, refusal};
use fuzzy_safe_write::{Attributes, Error, FilePlace, Mode, Snapshot, Step};

use crate::new_text::NewText;
use crate::{Encoding, Failure, FileError, TextFile, Workspace};

/// The content of a place.
#[derive(Clone, Debug)]
enum Content {
    /// No file.
    Absent,
    /// Bytes that were not decoded.
    Bytes(Arc<Vec<u8>>),
    /// Text in the encoding of this file: the new text if there is one, otherwise the file's own.
    Text(Arc<TextFile>, Option<NewText>),
}

/// A place with its current and its planned content.
#[derive(Debug)]
struct Draft {
    /// The path as the caller first gave it.
    path: PathBuf,
    place: FilePlace,
    before: Option<Arc<Vec<u8>>>,
    content: Content,
    /// The attributes of a file that was moved here.
    attributes: Option<Attributes>,
    /// Whether the file before all operations is executable.
    could_run: bool,
    /// Whether the planned file must be executable; `None` if no operation sets that.
    executable: Option<bool>,
    /// Whether this file was moved out of its place to make room and has no place now.
    is_aside: bool,
}

/// The files of a plan.
#[derive(Debug)]
pub(crate) struct Drafts<'w> {
    workspace: &'w Workspace,
    list: Vec<Draft>,
}

impl<'w> Drafts<'w> {
    /// Makes an empty set of drafts.
    pub(crate) const fn new(workspace: &'w Workspace) -> Self {
        Self { workspace, list: Vec::new() }
    }

    /// Returns whether `is_it` holds for the current text of a draft or for its planned text.
    pub(crate) fn has_text(&self, index: usize, is_it: impl Fn(&str) -> bool) -> bool {
        let Draft { path, place, content, .. } = &self.list[index];
        match content {
            Content::Absent => false,
            Content::Text(file, text) => is_it(file.text()) || text.as_ref().is_some_and(|new| is_it(&new.text)),
            Content::Bytes(bytes) => {
                let (path, target) = (path.clone(), place.target().to_owned());
                TextFile::decode(path, target, bytes.to_vec(), self.workspace.encoding)
                    .is_ok_and(|file| is_it(file.text()))
            }
        }
    }

    /// Returns the index of the draft of a place.
    fn at(&self, place: &FilePlace) -> Option<usize> {
        self.list.iter().position(|draft| !draft.is_aside && draft.place.target() == place.target())
    }

    /// Returns the absolute path of a draft's file.
    pub(crate) fn target(&self, index: usize) -> &Path {
        self.list[index].place.target()
    }

    /// Returns the planned bytes of a draft.
    pub(crate) fn after(&self, index: usize) -> Option<Cow<'_, [u8]>> {
        match &self.list[index].content {
            Content::Absent => None,
            Content::Bytes(bytes) => Some(Cow::Borrowed(bytes)),
            Content::Text(file, None) => Some(Cow::Borrowed(file.bytes())),
            Content::Text(file, Some(new)) => Some(file.encode(new)),
        }
    }

    /// Returns the encoding of a draft, and whether it is only likely.
    pub(crate) fn encoding(&self, index: usize) -> Option<(Encoding, bool)> {
        match &self.list[index].content {
            Content::Text(file, _) => Some((file.encoding(), file.is_encoding_detected())),
            Content::Absent | Content::Bytes(_) => None,
        }
    }

    /// Returns the number of drafts.
    pub(crate) const fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the steps for the disk, without files that do not change.
    pub(crate) fn steps(&self) -> Vec<Step<'_>> {
        let mut steps = Vec::new();
        for (index, draft) in self.list.iter().enumerate().filter(|(_, draft)| !draft.is_aside) {
            let (before, after) = (self.before(index), self.after(index));
            if after.as_deref() != before || (after.is_some() && draft.can_run() != draft.could_run) {
                steps.push(Step {
                    path: draft.path.clone(),
                    place: draft.place.clone(),
                    before: before.map(Cow::Borrowed),
                    after,
                    attributes: draft.attributes.clone(),
                    mode: draft.executable.map_or(Mode::Any, Mode::Executable),
                    directories: 0,
                });
            }
        }
        steps
    }

    /// Returns whether the file system did not keep the mode of a written draft.
    pub(crate) fn lacks_mode(&self, index: usize) -> bool {
        let draft = &self.list[index];
        let is_now = draft.executable.and_then(|_| draft.place.is_executable());
        is_now.is_some() && is_now != draft.executable
    }
}

impl Draft {
    /// Returns whether the planned file is executable.
    fn can_run(&self) -> bool {
        let moved = self.attributes.as_ref().map(Attributes::is_executable);
        self.executable.or(moved).unwrap_or(self.could_run)
    }
}

impl fuzzy_plan::Drafts for Drafts<'_> {
    fn open(&mut self, path: &Path) -> Result<usize, Box<Failure>> {
        let place = self.workspace.place(path)?;
        if let Some(index) = self.at(&place) {
            return Ok(index);
        }
        let mut could_run = false;
        let before = match Snapshot::read(path, place.clone(), self.workspace.limits().max_bytes) {
            Ok(snapshot) => {
                snapshot.check_writable(self.workspace.in_place).map_err(FileError::from)?;
                could_run = snapshot.is_executable();
                Some(Arc::new(snapshot.bytes))
            }
            Err(Error::Missing { .. }) => None,
            Err(error) => return Err(FileError::from(error).into()),
        };
        let content = before.clone().map_or(Content::Absent, Content::Bytes);
        let path = path.to_owned();
        let (attributes, executable, is_aside) = (None, None, false);
        self.list.push(Draft { path, place, before, content, attributes, could_run, executable, is_aside });
        Ok(self.list.len() - 1)
    }

    fn find(&self, path: &Path) -> Option<usize> {
        self.at(&self.workspace.place(path).ok()?)
    }

    fn is_absent(&self, index: usize) -> bool {
        matches!(self.list[index].content, Content::Absent)
    }

    fn before(&self, index: usize) -> Option<&[u8]> {
        self.list[index].before.as_ref().map(|bytes| bytes.as_slice())
    }

    fn text(&mut self, index: usize, path: &Path) -> Result<Text<'_>, Box<Failure>> {
        let draft = &mut self.list[index];
        if let Content::Bytes(bytes) = &draft.content {
            let target = draft.place.target().to_owned();
            let file = TextFile::decode(path.to_owned(), target, bytes.to_vec(), self.workspace.encoding)?;
            draft.content = Content::Text(Arc::new(file), None);
        }
        match &draft.content {
            Content::Text(file, text) => {
                Ok(Text { mark: file.mark(), text: text.as_ref().map_or_else(|| file.text(), |new| &new.text) })
            }
            Content::Absent | Content::Bytes(_) => Err(refusal::missing(path).into()),
        }
    }

    fn put(&mut self, index: usize, text: String, replaced: &[Replaced]) -> Result<(), Box<Failure>> {
        if let Content::Text(file, now) = &mut self.list[index].content {
            *now = Some(file.replaced(now.as_ref(), text, replaced)?);
        }
        Ok(())
    }

    fn create(&mut self, index: usize, text: String) {
        let draft = &mut self.list[index];
        let file = TextFile::new(&draft.path, draft.place.target());
        draft.content = Content::Text(Arc::new(file), Some(NewText::new(text)));
    }

    fn remove(&mut self, index: usize) {
        let draft = &mut self.list[index];
        draft.content = Content::Absent;
        (draft.attributes, draft.executable) = (None, None);
    }

    fn set_executable(&mut self, index: usize, executable: bool) -> Result<ModeChange, Box<Failure>> {
        let draft = &mut self.list[index];
        if draft.can_run() == executable {
            return Ok(ModeChange::Already);
        }
        draft.executable = Some(executable);
        Ok(ModeChange::Changed)
    }

    fn set_aside(&mut self, index: usize) -> usize {
        let draft = &mut self.list[index];
        let aside = Draft {
            path: draft.path.clone(),
            place: draft.place.clone(),
            before: draft.before.clone(),
            content: std::mem::replace(&mut draft.content, Content::Absent),
            attributes: draft.attributes.take(),
            could_run: draft.could_run,
            // The file that takes this place next is another file, not this one with other bytes.
            executable: draft.executable.replace(false),
            is_aside: true,
        };
        self.list.push(aside);
        self.list.len() - 1
    }

    fn rename(&mut self, from: usize, to: usize) -> Result<(), Box<Failure>> {
        let source = &self.list[from];
        let attributes = match (&source.attributes, &source.before) {
            (None, Some(_)) => Some(Attributes::at(&source.path, &source.place).map_err(FileError::from)?),
            (attributes, _) => attributes.clone(),
        };
        let source = &mut self.list[from];
        let content = std::mem::replace(&mut source.content, Content::Absent);
        source.attributes = None;
        // The file that takes this place next is another file, and a new file is not executable.
        let executable = source.executable.replace(false).or_else(|| attributes.is_none().then_some(false));
        let target = &mut self.list[to];
        (target.content, target.attributes, target.executable) = (content, attributes, executable);
        Ok(())
    }
}

//! The files of a plan, as the operations planned so far leave them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fuzzy_plan::{Drafts as _, Text, refusal};
use fuzzy_safe_write::{Attributes, Error, FilePlace, Snapshot, Step};

use crate::{Failure, FileError, TextFile, Workspace};

/// What is at a place.
#[derive(Clone, Debug)]
enum Content {
    /// No file.
    Absent,
    /// Bytes that were not looked at.
    Bytes(Arc<Vec<u8>>),
    /// Text, written as in this file; that of the file itself unless there is another.
    Text(Arc<TextFile>, Option<String>),
}

/// One place, with what is there and what is to be there.
#[derive(Debug)]
struct Draft {
    /// The path as the caller gave it first.
    path: PathBuf,
    place: FilePlace,
    before: Option<Arc<Vec<u8>>>,
    content: Content,
    /// What a file that was moved here has besides its bytes.
    attributes: Option<Attributes>,
}

/// The files of a plan.
#[derive(Debug)]
pub(crate) struct Drafts<'w> {
    workspace: &'w Workspace,
    list: Vec<Draft>,
}

impl<'w> Drafts<'w> {
    /// Begins with no file.
    pub(crate) const fn new(workspace: &'w Workspace) -> Self {
        Self { workspace, list: Vec::new() }
    }

    /// Returns whether `is_it` holds for the text that is at a draft's place, or for the one that is to be there.
    pub(crate) fn has_text(&self, index: usize, is_it: impl Fn(&str) -> bool) -> bool {
        let Draft { path, place, content, .. } = &self.list[index];
        match content {
            Content::Absent => false,
            Content::Text(file, text) => is_it(file.text()) || text.as_deref().is_some_and(is_it),
            Content::Bytes(bytes) => {
                let (path, target) = (path.clone(), place.target().to_owned());
                TextFile::decode(path, target, bytes.to_vec(), self.workspace.encoding)
                    .is_ok_and(|file| is_it(file.text()))
            }
        }
    }

    /// Returns the absolute path of a draft's file.
    pub(crate) fn target(&self, index: usize) -> &Path {
        self.list[index].place.target()
    }

    /// Returns the bytes that are to be at a draft's place.
    ///
    /// # Errors
    ///
    /// [`FileError::Unencodable`] if the file's encoding lacks a character of the new text.
    pub(crate) fn after(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, FileError> {
        match &self.list[index].content {
            Content::Absent => Ok(None),
            Content::Bytes(bytes) => Ok(Some(Cow::Borrowed(bytes))),
            Content::Text(file, None) => Ok(Some(Cow::Borrowed(file.bytes()))),
            Content::Text(file, Some(text)) => file.encode(text).map(Some),
        }
    }

    /// Returns how many places there are drafts of.
    pub(crate) const fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns what is to be done to the disk, files that stay as they are left out.
    ///
    /// # Errors
    ///
    /// As [`after`](Self::after).
    pub(crate) fn steps(&self) -> Result<Vec<Step<'_>>, FileError> {
        let mut steps = Vec::new();
        for (index, draft) in self.list.iter().enumerate() {
            let (before, after) = (self.before(index), self.after(index)?);
            if after.as_deref() != before {
                steps.push(Step {
                    path: draft.path.clone(),
                    place: draft.place.clone(),
                    before: before.map(Cow::Borrowed),
                    after,
                    attributes: draft.attributes.clone(),
                    directories: 0,
                });
            }
        }
        Ok(steps)
    }
}

impl fuzzy_plan::Drafts for Drafts<'_> {
    fn open(&mut self, path: &Path) -> Result<usize, Box<Failure>> {
        let place = self.workspace.place(path)?;
        if let Some(index) = self.list.iter().position(|draft| draft.place.target() == place.target()) {
            return Ok(index);
        }
        let before = match Snapshot::read(path, place.clone(), self.workspace.limits().max_bytes) {
            Ok(snapshot) => {
                snapshot.check_writable(self.workspace.in_place).map_err(FileError::from)?;
                Some(Arc::new(snapshot.bytes))
            }
            Err(Error::Missing { .. }) => None,
            Err(error) => return Err(FileError::from(error).into()),
        };
        let content = before.clone().map_or(Content::Absent, Content::Bytes);
        self.list.push(Draft { path: path.to_owned(), place, before, content, attributes: None });
        Ok(self.list.len() - 1)
    }

    fn find(&self, path: &Path) -> Option<usize> {
        let place = self.workspace.place(path).ok()?;
        self.list.iter().position(|draft| draft.place.target() == place.target())
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
                Ok(Text { mark: file.mark(), text: text.as_deref().unwrap_or_else(|| file.text()) })
            }
            Content::Absent | Content::Bytes(_) => Err(refusal::missing(path).into()),
        }
    }

    fn put(&mut self, index: usize, text: String) -> Result<(), Box<Failure>> {
        if let Content::Text(file, now) = &mut self.list[index].content {
            file.encode(&text)?;
            *now = Some(text);
        }
        Ok(())
    }

    fn create(&mut self, index: usize, text: String) {
        let draft = &mut self.list[index];
        let file = TextFile::new(&draft.path, draft.place.target());
        draft.content = Content::Text(Arc::new(file), Some(text));
    }

    fn remove(&mut self, index: usize) {
        self.list[index].content = Content::Absent;
        self.list[index].attributes = None;
    }

    fn rename(&mut self, from: usize, to: usize) -> Result<(), Box<Failure>> {
        let source = &self.list[from];
        let attributes = match (&source.attributes, &source.before) {
            (None, Some(_)) => Some(Attributes::at(&source.path, &source.place).map_err(FileError::from)?),
            (attributes, _) => attributes.clone(),
        };
        let content = std::mem::replace(&mut self.list[from].content, Content::Absent);
        self.list[from].attributes = None;
        self.list[to].content = content;
        self.list[to].attributes = attributes;
        Ok(())
    }
}

//! Finds the patches in a text: prose is passed, fences are noted, and each format is read by its own module.

use crate::cursor::{Cursor, Line};
use crate::hunk::{self, Frame, Header};
use crate::search_replace::{self, Marker};
use crate::{Action, Operation, ParseError, Patch, Problem, envelope, name, unified};

/// An open fence of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    mark: u8,
    length: usize,
}

impl Fence {
    /// Reads the line that opens a fence, and what stands behind it.
    fn open(line: &str) -> Option<(Self, &str)> {
        let line = line.trim_start();
        let mark = *line.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let length = line.bytes().take_while(|byte| *byte == mark).count();
        let info = &line[length..];
        (length >= 3 && !info.contains('`')).then_some((Self { mark, length }, info))
    }

    /// Says whether a line closes this fence.
    pub(crate) fn is_closed_by(self, line: &str) -> bool {
        // Inside a hunk a line that is indented is one to keep.
        !line.starts_with([' ', '\t'])
            && Self::open(line).is_some_and(|(fence, info)| {
                fence.mark == self.mark && fence.length >= self.length && info.trim().is_empty()
            })
    }
}

/// What is known between two patches.
struct Scan<'t> {
    cursor: Cursor<'t>,
    patch: Patch,
    target: Option<&'t str>,
    /// The name on the last line that was not blank, or in the first line of the fence.
    named: Option<String>,
    /// The file of the patch before.
    file: Option<String>,
    fence: Option<Fence>,
    /// Whether a hunk came before, and no fence since: a line with `+` or `-` may be a lost part of it.
    behind_hunk: bool,
}

/// Reads every patch in `text`; `target` is the file of those that name none.
pub(crate) fn read(text: &str, target: Option<&str>) -> Result<Patch, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scan = Scan {
        cursor: Cursor::new(text),
        patch: Patch::default(),
        target,
        named: None,
        file: None,
        fence: None,
        behind_hunk: false,
    };
    while let Some(line) = scan.cursor.peek() {
        scan.step(line)?;
    }
    if scan.patch.operations.is_empty() { Err(Problem::NoPatch.at(1)) } else { Ok(scan.patch) }
}

impl Scan<'_> {
    /// Reads the patch that begins with `line`, or passes the line.
    fn step(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let mut ahead = self.cursor;
        ahead.advance();
        if let Some(Marker::Head(length)) = Marker::of(line.bare()) {
            self.cursor = ahead;
            return self.block(line, length);
        }
        if envelope::begins(line) {
            let patch = &mut self.patch;
            envelope::read(&mut self.cursor, self.fence, |operation| patch.push(operation))?;
            self.name_last();
            return Ok(());
        }
        if unified::begins(line, ahead) {
            let operation = unified::read(&mut self.cursor, Frame::Diff(self.fence))?;
            self.patch.push(operation);
            self.behind_hunk = self.fence.is_none();
            self.name_last();
            return Ok(());
        }
        if line.text.starts_with("@@") {
            return self.lone_hunk(line);
        }
        self.cursor = ahead;
        self.pass(line)
    }

    /// Passes a line of prose or of a fence.
    fn pass(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let text = line.bare();
        if self.fence.is_some_and(|fence| fence.is_closed_by(text)) {
            self.fence = None;
            self.named = None;
        } else if let Some((fence, info)) = Fence::open(text) {
            self.fence = Some(fence);
            self.behind_hunk = false;
            self.named = name::of_fence(info).or_else(|| self.named.take());
        } else if Marker::is_stray(text) || envelope::is_stray(line) {
            return Err(Problem::StrayMarker { marker: text.trim().to_owned() }.at(line.number));
        } else if self.behind_hunk && is_lost(text) {
            return Err(Problem::StrayLine.at(line.number));
        } else if !line.is_blank() {
            self.named = name::alone(text);
        }
        Ok(())
    }

    fn block(&mut self, head: Line<'_>, length: usize) -> Result<(), ParseError> {
        let file = self.claim(head.number)?;
        let edit = search_replace::read(head, length, &mut self.cursor)?;
        let line = head.number;
        let action = match (edit.old.trim().is_empty(), edit.new.is_empty()) {
            (true, true) => return Err(Problem::EmptyHunk.at(line)),
            (true, false) => Action::Create { text: edit.new },
            (false, _) => Action::Update { edits: vec![edit], to: None, blob: None },
        };
        self.patch.push(Operation { file, line, action });
        self.behind_hunk = false;
        Ok(())
    }

    /// Reads a hunk that stands below no names.
    fn lone_hunk(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let file = self.claim(line.number)?;
        let header = Header::read(&mut self.cursor)?;
        let edit = hunk::read(header, line.number, line.has_return(), &mut self.cursor, Frame::Diff(self.fence))?;
        let action = Action::Update { edits: vec![edit], to: None, blob: None };
        self.patch.push(Operation { file, line: line.number, action });
        self.behind_hunk = self.fence.is_none();
        Ok(())
    }

    /// Returns the file of a patch that does not name one itself: the name above it, else that of the patch before,
    /// else the target.
    fn claim(&mut self, line: usize) -> Result<String, ParseError> {
        let named = self.named.take().or_else(|| self.file.take()).or_else(|| self.target.map(ToOwned::to_owned));
        let file = named.ok_or(Problem::NoFile.at(line))?;
        self.file = Some(file.clone());
        Ok(file)
    }

    /// Keeps the name of the last file for what follows and names none.
    fn name_last(&mut self) {
        self.named = None;
        self.file = self.patch.operations.last().and_then(|last| match &last.action {
            Action::Delete { .. } => None,
            Action::Update { to: Some(to), .. } => Some(to.clone()),
            _ => Some(last.file.clone()),
        });
    }
}

/// Says whether a line of prose looks like one of a hunk: not a rule and not a point of a list.
fn is_lost(text: &str) -> bool {
    let is_rule = text.trim().bytes().all(|byte| byte == b'-');
    let is_point = text.strip_prefix("- ").is_some_and(|point| point.starts_with(|c: char| !c.is_whitespace()));
    text.starts_with(['+', '-']) && !is_rule && !is_point
}

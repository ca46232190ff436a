//! Finds the patches in a text: skips prose, tracks fences, and calls the reader of each format.

use crate::cursor::{Cursor, Line};
use crate::fence::Fence;
use crate::hunk::{self, Frame, Header};
use crate::name::Prefixes;
use crate::naming::Naming;
use crate::search_replace::{self, Marker};
use crate::{Change, FilePatch, ParseError, Patch, Problem, envelope, unified};

/// The state between two patches.
struct Scan<'t> {
    cursor: Cursor<'t>,
    patch: Patch,
    naming: Naming<'t>,
    fence: Option<Fence>,
    /// The first line without indentation after an indented fence: no fence before it is indented as a whole.
    flush: usize,
    /// Whether a line with `+` or `-` may be a lost line of a hunk: in a fence of diffs, and after a hunk even if its
    /// fence is closed, because the closing line may have been a line of the hunk that lost its mark.
    in_diff: bool,
    prefixes: Prefixes,
}

/// Reads every patch in `text`. `target` is the file of patches without a name; `exists` returns whether a file has a
/// name.
pub(crate) fn read(
    text: &str,
    target: Option<&str>,
    exists: &dyn Fn(&str) -> bool,
    prefixes: Prefixes,
) -> Result<Patch, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scan = Scan {
        cursor: Cursor::new(text),
        patch: Patch::default(),
        naming: Naming::new(target, exists),
        fence: None,
        flush: 0,
        in_diff: false,
        prefixes,
    };
    while let Some(line) = scan.cursor.peek() {
        scan.step(line)?;
    }
    if scan.patch.files.is_empty() { Err(Problem::NoPatch.at(1)) } else { Ok(scan.patch) }
}

impl<'t> Scan<'t> {
    /// Reads the patch that begins with `line`, or skips the line.
    fn step(&mut self, line: Line<'t>) -> Result<(), ParseError> {
        let mut ahead = self.cursor;
        ahead.advance();
        if let Some(Marker::Head(length)) = Marker::of(line.bare()) {
            self.cursor = ahead;
            return self.block(line, length);
        }
        if envelope::begins(line) {
            let patch = &mut self.patch;
            envelope::read(&mut self.cursor, self.fence, |part| patch.push(part))?;
            self.follow_last();
            return Ok(());
        }
        if unified::begins(line, ahead) {
            let frame = Frame::Diff(self.fence);
            let part = unified::read(&mut self.cursor, frame, self.naming.target(), self.prefixes)?;
            self.patch.push(part);
            self.follow_last();
            return Ok(());
        }
        if line.text.starts_with("@@") {
            return self.lone_hunk(line);
        }
        check_shifted(line, ahead)?;
        self.cursor = ahead;
        self.pass(line)
    }

    /// Skips a line of prose or of a fence.
    fn pass(&mut self, line: Line<'t>) -> Result<(), ParseError> {
        let text = line.bare();
        if self.fence.is_some_and(|fence| fence.is_closed_by(text)) {
            self.fence = None;
            self.naming.close_fence();
        } else if let Some((fence, info)) = Fence::open(text) {
            self.fence = Some(fence);
            let kind = info.trim_start();
            self.in_diff = (self.in_diff && kind.is_empty()) || kind.starts_with("diff") || kind.starts_with("patch");
            self.naming.open_fence(info);
            self.dedent(fence, &text[..text.len() - text.trim_start().len()]);
        } else if Marker::is_stray(text) || envelope::is_stray(line) {
            return Err(Problem::StrayMarker { marker: text.trim().to_owned() }.at(line.number));
        } else if self.in_diff && is_lost(text) {
            return Err(Problem::StrayLine.at(line.number));
        } else if text.starts_with("Binary files ") && text.ends_with(" differ") {
            return Err(Problem::Unsupported { what: "a change of a binary file" }.at(line.number));
        } else if !line.is_blank() {
            self.naming.read_line(text, self.fence.is_some());
        }
        Ok(())
    }

    /// Removes the indentation of a fence from its lines.
    fn dedent(&mut self, fence: Fence, indent: &'t str) {
        let is_new = self.cursor.number() > self.flush && !self.cursor.is_dedenting();
        if is_new && !indent.is_empty() {
            self.flush = self.cursor.dedent(fence, indent).unwrap_or(self.flush);
        }
    }

    /// Reads the SEARCH/REPLACE block after its first marker.
    fn block(&mut self, head: Line<'_>, length: usize) -> Result<(), ParseError> {
        let file = self.naming.claim(head.number)?;
        let edit = search_replace::read(head, length, &mut self.cursor)?;
        let line = head.number;
        // A block without any lines creates an empty file.
        let change = if edit.old.trim().is_empty() {
            Change::Create { text: edit.new }
        } else {
            Change::Update { edits: vec![edit], to: None, blob: None }
        };
        self.patch.push(FilePatch { file, line, change, executable: None });
        self.in_diff = false;
        Ok(())
    }

    /// Reads a hunk without names above it.
    fn lone_hunk(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let file = self.naming.claim(line.number)?;
        let header = Header::read(&mut self.cursor)?;
        let edit = hunk::read(header, line.number, line.has_return(), &mut self.cursor, Frame::Diff(self.fence))?;
        let change = Change::Update { edits: vec![edit], to: None, blob: None };
        self.patch.push(FilePatch { file, line: line.number, change, executable: None });
        self.in_diff = true;
        Ok(())
    }

    /// Keeps the name of the last file as the default for later patches.
    fn follow_last(&mut self) {
        self.in_diff = true;
        self.naming.follow(self.patch.files.last().and_then(|last| match &last.change {
            Change::Delete { .. } => None,
            Change::Update { to: Some(to), .. } => Some(to.clone()),
            _ => Some(last.file.clone()),
        }));
    }
}

/// Rejects a line that would begin a patch without the text before its marker.
fn check_shifted(line: Line<'_>, ahead: Cursor<'_>) -> Result<(), ParseError> {
    let text = undecorated(line);
    if text.len() == line.bare().len() {
        return Ok(());
    }
    let is_marker = matches!(Marker::of(text.trim_end_matches(['*', '`'])), Some(Marker::Head(_)));
    let is_range = text.strip_prefix("@@ -").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let unquoted = Line { text: line.text.trim_start_matches(['>', ' ']), ..line };
    let begins = is_marker
        || is_range
        || text.starts_with("diff --git ")
        || (text.starts_with("--- ") && ahead.peek().is_some_and(|next| undecorated(next).starts_with("+++ ")))
        || envelope::begins(unquoted);
    if begins { Err(Problem::Shifted { text: line.bare().trim().to_owned() }.at(line.number)) } else { Ok(()) }
}

/// Returns a line without indentation, quotation marks and decoration of Markdown.
fn undecorated(line: Line<'_>) -> &str {
    line.bare().trim_start_matches([' ', '\t', '>', '`', '*'])
}

/// Returns whether a line of prose looks like a line of a hunk: neither a rule nor a list item.
fn is_lost(text: &str) -> bool {
    let is_rule = text.trim().bytes().all(|byte| byte == b'-');
    let is_point = text.strip_prefix("- ").is_some_and(|point| point.starts_with(|c: char| !c.is_whitespace()));
    text.starts_with(['+', '-']) && !is_rule && !is_point
}

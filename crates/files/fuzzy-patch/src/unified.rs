//! Unified diffs, as git and models write them.

use crate::cursor::{Cursor, Line};
use crate::hunk::{self, Frame, Header};
use crate::name::{self, NOTHING, Prefixes};
use crate::{Change, Edit, FilePatch, ParseError, Problem};

/// The lines between `diff --git` and the first hunk.
#[derive(Debug, Default)]
struct FileHeader {
    begin: usize,
    /// The line `---` or `+++` with the names.
    names_at: usize,
    git: Option<(String, String)>,
    old: Option<String>,
    new: Option<String>,
    from: Option<String>,
    to: Option<String>,
    creates: bool,
    deletes: bool,
    blob: Option<String>,
    /// Whether the dates after the names mark the file as missing before, and as missing after.
    is_absent: [bool; 2],
    /// Whether the file was executable before, according to its mode lines, and whether it is after.
    could_run: Option<bool>,
    can_run: Option<bool>,
    prefixes: Prefixes,
}

/// Returns whether a file of a diff begins with `line`; `ahead` is after it.
pub(crate) fn begins(line: Line<'_>, ahead: Cursor<'_>) -> bool {
    let text = line.bare();
    text.starts_with("diff --git ")
        || (text.starts_with("--- ") && (ahead.starts_with("+++ ") || ahead.starts_with("@@")))
        || (text.starts_with("+++ ") && ahead.starts_with("@@"))
}

/// Reads one file of a diff with all its hunks; `target` is the file if its two names differ.
pub(crate) fn read(
    cursor: &mut Cursor<'_>,
    frame: Frame,
    target: Option<&str>,
    prefixes: Prefixes,
) -> Result<FilePatch, ParseError> {
    let header = FileHeader { prefixes, ..FileHeader::read(cursor)? };
    let mut edits = Vec::new();
    if header.names_at > 0 {
        let mut ahead = *cursor;
        while ahead.peek().is_some_and(Line::is_blank) {
            ahead.advance();
        }
        let Some(line) = ahead.peek() else { return header.operation(edits, target) };
        if line.text.starts_with("@@") {
            *cursor = ahead;
        } else if line.number == cursor.number() && is_headless(line, ahead) {
            edits.push(hunk::read(Header::default(), line.number, line.has_return(), cursor, frame)?);
        }
    }
    while let Some(line) = cursor.peek().filter(|line| line.text.starts_with("@@")) {
        let (begin, returns) = (line.number, line.has_return());
        edits.push(hunk::read(Header::read(cursor)?, begin, returns, cursor, frame)?);
    }
    header.operation(edits, target)
}

/// Returns whether the line below the names belongs to a hunk without `@@`.
fn is_headless(line: Line<'_>, mut ahead: Cursor<'_>) -> bool {
    ahead.advance();
    line.text.starts_with([' ', '+', '-', '\t']) && !begins(line, ahead)
}

impl FileHeader {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        let mut header = Self { begin: cursor.number(), ..Self::default() };
        while let Some(line) = cursor.peek() {
            let number = line.number;
            if !header.add(line.bare(), number).map_err(|problem| problem.at(number))? {
                break;
            }
            cursor.advance();
        }
        Ok(header)
    }

    /// Reads one line; returns whether it belongs to the header.
    fn add(&mut self, text: &str, number: usize) -> Result<bool, Problem> {
        if let Some(rest) = text.strip_prefix("diff --git ") {
            if number != self.begin {
                return Ok(false);
            }
            self.git = name::of_git_line(rest);
        } else if let Some(rest) = text.strip_prefix("--- ") {
            if self.old.is_some() || self.new.is_some() {
                return Ok(false);
            }
            self.old = Some(name::of_header(rest)?);
            self.is_absent[0] = name::is_epoch(rest);
            self.names_at = number;
        } else if let Some(rest) = text.strip_prefix("+++ ") {
            if self.new.is_some() {
                return Ok(false);
            }
            self.new = Some(name::of_header(rest)?);
            self.is_absent[1] = name::is_epoch(rest);
            self.names_at = number;
        } else if self.old.is_some() || self.new.is_some() {
            return Ok(false);
        } else if let Some(rest) = text.strip_prefix("rename from ") {
            self.from = Some(name::plain(rest)?);
        } else if let Some(rest) = text.strip_prefix("rename to ") {
            self.to = Some(name::plain(rest)?);
        } else if let Some(mode) = text.strip_prefix("new file mode ") {
            self.can_run = Some(can_run(mode)?);
            self.creates = true;
        } else if let Some(mode) = text.strip_prefix("deleted file mode ") {
            self.could_run = Some(can_run(mode)?);
            self.deletes = true;
        } else if let Some(rest) = text.strip_prefix("index ") {
            if let Some((_, mode)) = rest.trim().split_once(' ') {
                can_run(mode)?;
            }
            let blob = rest.split("..").next().unwrap_or("");
            let is_id = blob.len() >= 7 && blob.bytes().all(|byte| byte.is_ascii_hexdigit());
            self.blob = is_id.then(|| blob.to_ascii_lowercase()).filter(|blob| blob.contains(|c| c != '0'));
        } else if let Some(mode) = text.strip_prefix("old mode ") {
            self.could_run = Some(can_run(mode)?);
        } else if let Some(mode) = text.strip_prefix("new mode ") {
            self.can_run = Some(can_run(mode)?);
        } else if text.starts_with("copy from ") || text.starts_with("copy to ") {
            return Err(Problem::Unsupported { what: "copying a file" });
        } else if text.starts_with("Binary files ") || text.starts_with("GIT binary patch") {
            return Err(Problem::Unsupported { what: "a change of a binary file" });
        } else {
            return Ok(text.starts_with("similarity index ") || text.starts_with("dissimilarity index "));
        }
        Ok(true)
    }

    /// Returns the part of the header and its hunks.
    fn operation(self, edits: Vec<Edit>, target: Option<&str>) -> Result<FilePatch, ParseError> {
        let line = self.begin;
        let (mut old, mut new) = self.names(target)?;
        // The dates count only if the lines agree with them.
        if self.is_absent[1] && !edits.is_empty() && edits.iter().all(|edit| edit.new.is_empty()) {
            NOTHING.clone_into(&mut new);
        } else if self.is_absent[0] && !edits.is_empty() && edits.iter().all(|edit| edit.old.is_empty()) {
            NOTHING.clone_into(&mut old);
        }
        if new == NOTHING {
            let change = Change::Delete { text: deleted_text(edits)? };
            return Ok(FilePatch { file: old, line, change, executable: self.could_run });
        }
        if old == NOTHING {
            let change = Change::Create { text: created_text(edits)? };
            return Ok(FilePatch { file: new, line, change, executable: self.can_run });
        }
        let to = (old != new).then_some(new);
        let executable = self.can_run.filter(|_| self.can_run != self.could_run);
        if edits.is_empty() && to.is_none() && executable.is_none() {
            return Err(Problem::EmptyUpdate { file: old }.at(line));
        }
        Ok(FilePatch { file: old, line, change: Change::Update { edits, to, blob: self.blob }, executable })
    }

    /// Returns the names before and after; either may be [`NOTHING`].
    fn names(&self, target: Option<&str>) -> Result<(String, String), ParseError> {
        let at = if self.names_at > 0 { self.names_at } else { self.begin };
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            return Ok((from.clone(), to.clone()));
        }
        if self.from.is_some() || self.to.is_some() {
            return Err(Problem::Unsupported { what: "a rename without both names" }.at(at));
        }
        let named = match (&self.old, &self.new, &self.git) {
            // A single name does not reveal whether it has a prefix; git's line has two.
            (Some(old), Some(new), Some((_, name))) if old == NOTHING && name::may_be_same(new, name) => {
                Some((old.clone(), name.clone()))
            }
            (Some(old), Some(new), Some((name, _))) if new == NOTHING && name::may_be_same(old, name) => {
                Some((name.clone(), new.clone()))
            }
            (Some(old), Some(new), _) => {
                let (old, new) = self.prefixes.off(old, new);
                Some((old.to_owned(), new.to_owned()))
            }
            (Some(old), None, _) => {
                let (old, _) = self.prefixes.off(old, NOTHING);
                Some((old.to_owned(), old.to_owned()))
            }
            (None, Some(new), _) => {
                let (_, new) = self.prefixes.off(NOTHING, new);
                Some((new.to_owned(), new.to_owned()))
            }
            (None, None, git) => git.clone(),
        };
        let (old, new) = named.ok_or(Problem::NoFile.at(at))?;
        match (old == NOTHING, new == NOTHING) {
            (true, true) => Err(Problem::NoFile.at(at)),
            (true, false) | (false, true) => Ok((old, new)),
            (false, false) if self.creates => Ok((NOTHING.to_owned(), new)),
            (false, false) if self.deletes => Ok((old, NOTHING.to_owned())),
            (false, false) if old == new => Ok((old, new)),
            (false, false) if target.is_some() => {
                let target = target.unwrap_or_default().to_owned();
                Ok((target.clone(), target))
            }
            (false, false) => Err(Problem::NamesDiffer { old, new }.at(at)),
        }
    }
}

/// Returns whether a file with this mode is executable. Git has no other modes of regular files; its early versions
/// wrote modes with write permission for the group.
fn can_run(mode: &str) -> Result<bool, Problem> {
    let mode = mode.trim();
    let kind = match mode {
        "100644" | "100664" => return Ok(false),
        "100755" | "100775" => return Ok(true),
        "120000" => "a symbolic link",
        "160000" => "a submodule",
        "040000" => "a directory",
        _ => "no kind of file that git supports",
    };
    Err(Problem::Mode { mode: excerpt(mode), kind })
}

/// Returns the first characters of a mode, which may be any text.
fn excerpt(mode: &str) -> String {
    mode.chars().take(12).collect()
}

/// Returns the text of a new file, whose hunks may only have added lines.
fn created_text(edits: Vec<Edit>) -> Result<String, ParseError> {
    let mut text = String::new();
    for edit in edits {
        if !edit.old.is_empty() {
            return Err(Problem::OldLinesOfNewFile.at(edit.line));
        }
        text.push_str(&edit.new);
    }
    Ok(text)
}

/// Returns the text of a deleted file, whose hunks may only have removed lines; `None` without hunks.
fn deleted_text(edits: Vec<Edit>) -> Result<Option<String>, ParseError> {
    let mut text = None;
    for edit in edits {
        if !edit.new.is_empty() {
            return Err(Problem::NewLinesOfDeletedFile.at(edit.line));
        }
        text.get_or_insert_with(String::new).push_str(&edit.old);
    }
    Ok(text)
}

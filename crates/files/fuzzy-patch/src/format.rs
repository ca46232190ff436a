//! Writes patches.

use std::fmt::Write;

use crate::name::{self, NOTHING};
use crate::search_replace::{MAX_LOOSE_MARKER, Marker};
use crate::{Change, Edit, FilePatch, Patch, parse};

/// A format of patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// SEARCH/REPLACE blocks, each below the name of its file.
    SearchReplace,
    /// A unified diff in the style of git.
    Unified,
    /// One envelope, from `*** Begin Patch` to `*** End Patch`.
    Envelope,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::SearchReplace, Self::Unified, Self::Envelope];
}

/// The reason why a patch cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The format cannot express this; another one may.
    #[error("part {part}: {format:?} cannot express {what}")]
    Inexpressible {
        /// Index of the part.
        part: usize,
        /// The format.
        format: Format,
        /// The inexpressible part.
        what: &'static str,
    },
    /// A text or a name looks like the format's own marks, and the result would be read as another patch.
    #[error("the patch would be read as another one: a text or a name looks like a mark of {format:?}")]
    LooksLikeMarks {
        /// The format.
        format: Format,
    },
}

/// Writes `patch` in `format`, so that [`parse`] reads the same patch from it: the same files, edits and hints.
///
/// Neighbouring updates of one file become one part, and line numbers of the patch are those of the new text.
///
/// # Errors
///
/// Returns [`FormatError`] if the format cannot express all of it; try another format, or a patch without hints.
///
/// # Examples
///
/// ```
/// use fuzzy_patch::{Format, format, parse};
///
/// let patch = parse("a.md\n<<<<<<< SEARCH\none\n=======\ntwo\n=====\n>>>>>>> REPLACE\n", None)?;
/// let diff = format(&patch, Format::Unified)?;
/// assert_eq!(diff, "--- a/a.md\n+++ b/a.md\n@@ @@\n-one\n+two\n+=====\n");
/// assert_eq!(parse(&diff, None)?.files.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn format(patch: &Patch, format: Format) -> Result<String, FormatError> {
    let mut text = String::new();
    if format == Format::Envelope {
        text.push_str("*** Begin Patch\n");
    }
    for (index, part) in patch.files.iter().enumerate() {
        let written = match format {
            Format::SearchReplace => search_replace(part, &mut text),
            Format::Unified => unified(part, &mut text),
            Format::Envelope => envelope(part, &mut text),
        };
        written.map_err(|what| FormatError::Inexpressible { part: index, format, what })?;
    }
    if format == Format::Envelope {
        text.push_str("*** End Patch\n");
    }
    // Reading the result finds every text that looks like a mark; a list of marks could be incomplete.
    match parse(&text, None) {
        Ok(read) if read.normal() == patch.normal() => Ok(text),
        _ => Err(FormatError::LooksLikeMarks { format }),
    }
}

/// The name of a part that a format cannot express.
type What = &'static str;

const PARTIAL_LINE: What = "a last line without its line break";
const HINT: What = "this hint";

/// Returns whether a text consists of whole lines.
fn is_lines(text: &str) -> bool {
    text.is_empty() || text.ends_with('\n')
}

fn push(text: &mut String, parts: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(parts);
}

fn search_replace(part: &FilePatch, text: &mut String) -> Result<(), What> {
    let file = &part.file;
    check_mode(part)?;
    match &part.change {
        Change::Create { text: content } => block(file, None, "", content, text),
        Change::Delete { .. } => Err("the deletion of a file"),
        Change::Update { to: Some(_), .. } => Err("the move of a file"),
        Change::Update { blob: Some(_), .. } => Err("the id of the old file"),
        Change::Update { edits, .. } => edits.iter().try_for_each(|edit| {
            if !edit.hint.anchors.is_empty() || edit.hint.at_end {
                return Err(HINT);
            }
            block(file, edit.hint.line, &edit.old, &edit.new, text)
        }),
    }
}

/// Rejects modes, which only a diff of git can express.
fn check_mode(part: &FilePatch) -> Result<(), What> {
    match (&part.change, part.executable) {
        (Change::Update { .. }, None) | (Change::Create { .. } | Change::Delete { .. }, None | Some(false)) => Ok(()),
        _ => Err("the executable bit"),
    }
}

/// Returns the mode of an executable or of another file.
const fn mode(executable: bool) -> &'static str {
    if executable { "100755" } else { "100644" }
}

/// Writes one SEARCH/REPLACE block, with the line number of its old text if it is known.
fn block(file: &str, line: Option<usize>, old: &str, new: &str, text: &mut String) -> Result<(), What> {
    if !is_lines(old) || !is_lines(new) {
        return Err(PARTIAL_LINE);
    }
    let length = marker_length(old).max(marker_length(new));
    push(text, format_args!("{file}\n{} SEARCH\n", "<".repeat(length)));
    if let Some(line) = line {
        push(text, format_args!(":start_line:{line}\n-------\n"));
    }
    push(text, format_args!("{old}{}\n{new}{} REPLACE\n", "=".repeat(length), ">".repeat(length)));
    Ok(())
}

/// Returns a marker length that no line of `text` has: seven, otherwise an unambiguous one.
fn marker_length(text: &str) -> usize {
    // In characters: the length that models learn, and that git's conflict markers have.
    const USUAL_MARKER: usize = 7;
    let lengths = text.lines().filter_map(|line| match Marker::of(line)? {
        Marker::Head(length) | Marker::Divider(length) | Marker::Tail(length) => Some(length),
    });
    lengths.max().map_or(USUAL_MARKER, |longest| longest.max(MAX_LOOSE_MARKER) + 1)
}

/// The lines of an edit: the common start of both texts, the removed lines, the added lines and the common end. All are
/// whole lines, except a last line without a line break.
struct Body<'e> {
    head: &'e str,
    removed: &'e str,
    added: &'e str,
    tail: &'e str,
}

impl<'e> Body<'e> {
    fn of(Edit { old, new, .. }: &'e Edit) -> Self {
        let head = shared_bytes(old.split_inclusive('\n').zip(new.split_inclusive('\n')));
        let (old_rest, new_rest) = (&old[head..], &new[head..]);
        let tail = shared_bytes(old_rest.split_inclusive('\n').rev().zip(new_rest.split_inclusive('\n').rev()));
        let (removed, tail) = old_rest.split_at(old_rest.len() - tail);
        Self { head: &old[..head], removed, added: &new_rest[..new_rest.len() - tail.len()], tail }
    }

    fn write(&self, text: &mut String) {
        for (mark, lines) in [(' ', self.head), ('-', self.removed), ('+', self.added), (' ', self.tail)] {
            for line in lines.split_inclusive('\n') {
                text.push(mark);
                text.push_str(line);
                if !line.ends_with('\n') {
                    text.push_str("\n\\ No newline at end of file\n");
                }
            }
        }
    }
}

/// Returns the number of bytes of the equal pairs before the first unequal one.
fn shared_bytes<'t>(pairs: impl Iterator<Item = (&'t str, &'t str)>) -> usize {
    pairs.take_while(|(old, new)| old == new).map(|(line, _)| line.len()).sum()
}

fn unified(part: &FilePatch, text: &mut String) -> Result<(), What> {
    let (old, new) = (prefixed("a/", &part.file), prefixed("b/", &part.file));
    let whole_mode = mode(part.executable == Some(true));
    match &part.change {
        Change::Create { text: content } => {
            push(text, format_args!("diff --git {old} {new}\nnew file mode {whole_mode}\n"));
            if !content.is_empty() {
                push(text, format_args!("--- {NOTHING}\n+++ {new}\n"));
                let whole = Edit { new: content.clone(), ..Edit::default() };
                hunk(&whole, Some(FirstLines { old: 0, new: 1 }), text)?;
            }
        }
        Change::Delete { text: content } => {
            push(text, format_args!("diff --git {old} {new}\ndeleted file mode {whole_mode}\n"));
            if let Some(content) = content {
                push(text, format_args!("--- {old}\n+++ {NOTHING}\n"));
                let whole = Edit { old: content.clone(), ..Edit::default() };
                hunk(&whole, Some(FirstLines { old: 1, new: 0 }), text)?;
            }
        }
        Change::Update { edits, to, blob } => {
            let modes = part.executable.map(|executable| [mode(!executable), mode(executable)]);
            if to.is_some() || modes.is_some() || blob.is_some() {
                let target = to.as_ref().map_or_else(|| new.clone(), |to| prefixed("b/", to));
                push(text, format_args!("diff --git {old} {target}\n"));
            }
            if let Some([before, after]) = modes {
                push(text, format_args!("old mode {before}\nnew mode {after}\n"));
            }
            if let Some(to) = to {
                let (from, to) = (name::quote(&part.file), name::quote(to));
                push(text, format_args!("rename from {from}\nrename to {to}\n"));
            }
            if let Some(blob) = blob {
                push(text, format_args!("index {blob}..{}\n", "0".repeat(blob.len())));
            }
            if !edits.is_empty() {
                let new = to.as_ref().map_or(new, |to| prefixed("b/", to));
                push(text, format_args!("--- {old}\n+++ {new}\n"));
            }
            let mut shift = 0;
            for edit in edits {
                // Earlier edits move a line down or up.
                let lines = edit.hint.line.map(|old| FirstLines { old, new: old.saturating_add_signed(shift) });
                hunk(edit, lines, text)?;
                shift += count(&edit.new).cast_signed() - count(&edit.old).cast_signed();
            }
        }
    }
    Ok(())
}

/// Returns the name of a file with its prefix, quoted if necessary.
fn prefixed(prefix: &str, name: &str) -> String {
    name::quote(&format!("{prefix}{name}"))
}

/// Returns the number of lines of a text.
fn count(text: &str) -> usize {
    text.split_inclusive('\n').count()
}

/// The first lines of a hunk in the old and in the new file, counted from 1.
#[derive(Clone, Copy)]
struct FirstLines {
    old: usize,
    new: usize,
}

/// Returns the range of one side for the header of a hunk. An empty range has the number of the line above it.
fn range(first: usize, side: &str) -> String {
    let count = count(side);
    format!("{},{count}", if count == 0 { first.saturating_sub(1) } else { first })
}

/// Writes one hunk of a diff, with its line numbers if they are known.
fn hunk(edit: &Edit, lines: Option<FirstLines>, text: &mut String) -> Result<(), What> {
    if edit.hint.at_end || edit.hint.anchors.len() > 1 {
        return Err(HINT);
    }
    if edit.old.is_empty() && edit.new.is_empty() {
        return Err("an edit without text");
    }
    if let Some(FirstLines { old, new }) = lines {
        push(text, format_args!("@@ -{} +{} @@", range(old, &edit.old), range(new, &edit.new)));
    } else {
        text.push_str("@@ @@");
    }
    if let Some(anchor) = edit.hint.anchors.first() {
        push(text, format_args!(" {anchor}"));
    }
    text.push('\n');
    Body::of(edit).write(text);
    Ok(())
}

fn envelope(part: &FilePatch, text: &mut String) -> Result<(), What> {
    let file = name::quote(&part.file);
    check_mode(part)?;
    match &part.change {
        Change::Create { text: content } => {
            if !is_lines(content) {
                return Err(PARTIAL_LINE);
            }
            push(text, format_args!("*** Add File: {file}\n"));
            for line in content.split_inclusive('\n') {
                push(text, format_args!("+{line}"));
            }
        }
        Change::Delete { text: Some(_) } => return Err("the content of a deleted file"),
        Change::Delete { text: None } => push(text, format_args!("*** Delete File: {file}\n")),
        Change::Update { blob: Some(_), .. } => return Err("the id of the old file"),
        Change::Update { edits, to, .. } => {
            push(text, format_args!("*** Update File: {file}\n"));
            if let Some(to) = to {
                push(text, format_args!("*** Move to: {}\n", name::quote(to)));
            }
            for edit in edits {
                if edit.hint.line.is_some() {
                    return Err(HINT);
                }
                if !is_lines(&edit.old) || !is_lines(&edit.new) {
                    return Err(PARTIAL_LINE);
                }
                text.push_str("@@");
                let anchors: Vec<String> = edit.hint.anchors.iter().map(|anchor| format!(" {anchor}\n")).collect();
                text.push_str(if anchors.is_empty() { "\n" } else { "" });
                text.push_str(&anchors.join("@@"));
                Body::of(edit).write(text);
                if edit.hint.at_end {
                    text.push_str("*** End of File\n");
                }
            }
        }
    }
    Ok(())
}

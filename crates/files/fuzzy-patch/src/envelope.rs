//! Envelopes: files to add, delete, update and move between `*** Begin Patch` and `*** End Patch`.

use crate::bounds::{ADD, BEGIN, Bounds, DELETE, END, END_OF_FILE, MOVE, UPDATE, is};
use crate::cursor::{Cursor, Line};
use crate::fence::Fence;
use crate::hunk::{self, Frame, Header};
use crate::name;
use crate::{Change, Edit, FilePatch, ParseError, Problem};

/// Returns whether an envelope begins here, or a file section of an envelope without its first line.
pub(crate) fn begins(line: Line<'_>) -> bool {
    is(line, BEGIN) || [ADD, DELETE, UPDATE].iter().any(|marker| line.text.starts_with(marker))
}

/// Returns whether a line outside all envelopes looks like one of an envelope.
pub(crate) fn is_stray(line: Line<'_>) -> bool {
    let text = line.text.trim();
    [BEGIN, END, END_OF_FILE].contains(&text) || [ADD, DELETE, UPDATE, MOVE].iter().any(|it| text.starts_with(it))
}

/// Reads an envelope to its end.
pub(crate) fn read(
    cursor: &mut Cursor<'_>,
    fence: Option<Fence>,
    mut add: impl FnMut(FilePatch),
) -> Result<(), ParseError> {
    let begin = cursor.number();
    let has_begin = cursor.peek().is_some_and(|line| is(line, BEGIN));
    if has_begin {
        cursor.advance();
    }
    let bounds = Bounds::of(*cursor, has_begin, fence);
    while let Some(line) = cursor.peek() {
        if bounds.is_end(line) {
            cursor.advance();
            return Ok(());
        }
        if fence.is_some_and(|fence| fence.is_closed_by(line.bare())) {
            break;
        }
        if line.is_blank() {
            cursor.advance();
            continue;
        }
        if !has_begin && !begins(line) {
            // An envelope without its first line may lack its last one too; then the first line of prose ends it.
            return Ok(());
        }
        add(file(cursor, bounds)?);
    }
    if has_begin { Err(Problem::UnclosedEnvelope { begin }.at(cursor.number().saturating_sub(1))) } else { Ok(()) }
}

/// Reads the section of one file.
fn file(cursor: &mut Cursor<'_>, bounds: Bounds) -> Result<FilePatch, ParseError> {
    let Some(line) = cursor.advance() else { return Err(Problem::NoPatch.at(cursor.number())) };
    let number = line.number;
    // Between two files an indented marker is unambiguous.
    let text = line.bare().trim_start();
    if let Some(raw) = text.strip_prefix(ADD) {
        let (file, change) = (file_name(raw, number)?, Change::Create { text: added(line, cursor, bounds)? });
        return Ok(FilePatch { file, line: number, change, executable: None });
    }
    if let Some(raw) = text.strip_prefix(DELETE) {
        let (file, change) = (file_name(raw, number)?, Change::Delete { text: None });
        return Ok(FilePatch { file, line: number, change, executable: None });
    }
    let Some(raw) = text.strip_prefix(UPDATE) else {
        let problem = if text.starts_with("***") {
            Problem::UnknownMarker { marker: text.trim_end().to_owned() }
        } else {
            Problem::StrayLine
        };
        return Err(problem.at(number));
    };
    let file = file_name(raw, number)?;
    let mut to = None;
    if let Some(next) = cursor.peek().filter(|next| next.bare().starts_with(MOVE)) {
        to = Some(file_name(&next.bare()[MOVE.len()..], next.number)?);
        cursor.advance();
    }
    let edits = hunks(&file, line.has_return(), cursor, bounds)?;
    if edits.is_empty() && to.is_none() {
        return Err(Problem::EmptyUpdate { file }.at(number));
    }
    Ok(FilePatch { file, line: number, change: Change::Update { edits, to, blob: None }, executable: None })
}

/// Returns the name after the marker on line `number`.
fn file_name(raw: &str, number: usize) -> Result<String, ParseError> {
    name::plain(raw).map_err(|problem| problem.at(number))
}

/// Reads the lines of a new file.
fn added(marker: Line<'_>, cursor: &mut Cursor<'_>, bounds: Bounds) -> Result<String, ParseError> {
    let mut text = String::new();
    let mut empty = 0;
    while let Some(line) = cursor.peek() {
        let mut ahead = *cursor;
        ahead.advance();
        if bounds.ends_section(line, ahead) {
            break;
        }
        let content = line.content(marker.has_return());
        if line.is_blank() && !content.starts_with('+') {
            // An empty line that lost its `+`, if more lines follow.
            empty += 1;
        } else if let Some(content) = content.strip_prefix('+') {
            text.extend(std::iter::repeat_n('\n', std::mem::take(&mut empty)));
            text.push_str(content);
            text.push('\n');
        } else {
            return Err(Problem::NoPlus.at(line.number));
        }
        cursor.advance();
    }
    Ok(text)
}

/// Reads the hunks of an update; the first one needs no `@@`.
fn hunks(file: &str, returns: bool, cursor: &mut Cursor<'_>, bounds: Bounds) -> Result<Vec<Edit>, ParseError> {
    let mut edits: Vec<Edit> = Vec::new();
    while let Some(line) = cursor.peek() {
        if is(line, END_OF_FILE) {
            let Some(last) = edits.last_mut() else {
                return Err(Problem::UnknownMarker { marker: END_OF_FILE.to_owned() }.at(line.number));
            };
            last.hint.at_end = true;
            cursor.advance();
            continue;
        }
        let mut ahead = *cursor;
        ahead.advance();
        if bounds.ends_section(line, ahead) {
            break;
        }
        if line.is_blank() {
            // Empty lines between two sections belong to neither; before lines of a hunk they belong to the hunk.
            let mut ahead = *cursor;
            while ahead.peek().is_some_and(Line::is_blank) {
                ahead.advance();
            }
            let after_blanks = ahead;
            let is_last = ahead.advance().is_none_or(|next| bounds.ends_section(next, ahead));
            if is_last || after_blanks.starts_with("@@") {
                *cursor = after_blanks;
                continue;
            }
        }
        if edits.is_empty() && is_named_again(file, line, *cursor) {
            cursor.advance();
            cursor.advance();
        }
        let begin = cursor.number();
        let header = Header::read(cursor)?;
        edits.push(hunk::read(header, begin, returns, cursor, Frame::Envelope(bounds))?);
    }
    Ok(edits)
}

/// Returns whether the names of a diff are above the first hunk, both for the updated file.
fn is_named_again(file: &str, line: Line<'_>, mut ahead: Cursor<'_>) -> bool {
    ahead.advance();
    let next = ahead.peek().map_or("", Line::bare);
    hunk::begins_file(line.bare(), ahead)
        && name::after("--- ", line.bare())
            .zip(name::after("+++ ", next))
            .is_some_and(|(old, new)| name::without_prefixes(&old, &new) == (file, file))
}

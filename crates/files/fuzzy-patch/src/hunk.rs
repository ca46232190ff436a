//! Hunks of context, removed and added lines, as in unified diffs and envelopes.

use crate::bounds::Bounds;
use crate::cursor::{Cursor, Line};
use crate::fence::Fence;
use crate::search_replace::Marker;
use crate::{Edit, Hint, Mark, ParseError, Problem, name};

/// The surroundings of a hunk, which decide its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// An envelope, whose markers end the hunk.
    Envelope(Bounds),
    /// A diff, perhaps inside this fence.
    Diff(Option<Fence>),
}

impl Frame {
    /// Returns whether the surroundings have an explicit end, so that a line without its mark cannot be prose.
    const fn is_closed(self) -> bool {
        matches!(self, Self::Envelope(_) | Self::Diff(Some(_)))
    }

    /// Returns whether `line` ends the hunk. With `is_due`, its counts still expect a removed and an added line.
    fn ends_at(self, line: Line<'_>, ahead: Cursor<'_>, is_due: bool) -> bool {
        let text = line.bare();
        if text.starts_with("@@") {
            return true;
        }
        match self {
            Self::Envelope(bounds) => bounds.ends_section(line, ahead),
            Self::Diff(fence) => {
                fence.is_some_and(|fence| fence.is_closed_by(text))
                    || text.starts_with("diff -")
                    || text.starts_with("Index: ")
                    || text.starts_with("*** Begin Patch")
                    || (text.starts_with('<') && matches!(Marker::of(text), Some(Marker::Head(_))))
                    || (begins_file(text, ahead) && (!is_due || names_one_file(text, ahead)))
            }
        }
    }
}

/// Returns whether `text` and the lines at `ahead` are the two names and the first hunk of a file. The names alone may
/// be a removed and an added line.
pub(crate) fn begins_file(text: &str, mut ahead: Cursor<'_>) -> bool {
    if !text.starts_with("--- ") || !ahead.starts_with("+++ ") {
        return false;
    }
    ahead.advance();
    ahead.starts_with("@@")
}

/// Returns whether `text` and the line after it would name one file, or a created or removed one. Such lines count as
/// names even if the counts of the hunk above expect more lines: counts are often wrong by one, while edits of the
/// names in a diff are rare, and lines in the wrong file are worse than a rejection.
fn names_one_file(text: &str, ahead: Cursor<'_>) -> bool {
    let next = ahead.peek().map_or("", Line::bare);
    name::after("--- ", text).zip(name::after("+++ ", next)).is_some_and(|(old, new)| {
        let (old, new) = name::without_prefixes(&old, &new);
        old == new || [old, new].contains(&name::NOTHING)
    })
}

/// The content of the lines that begin with `@@`.
#[derive(Debug, Default)]
pub(crate) struct Header {
    /// The ranges of the old and the new lines, if they are numbers.
    ranges: Option<[Range; 2]>,
    anchors: Vec<String>,
}

/// The lines of one side according to the header, counted from 1.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: usize,
    count: usize,
}

impl Range {
    /// Reads `12,5`, or `12` for a single line.
    fn read(text: &str) -> Option<Self> {
        let (first, count) = text.split_once(',').unwrap_or((text, "1"));
        Some(Self { first: first.parse().ok()?, count: count.parse().ok()? })
    }
}

impl Header {
    /// Reads all headers above the next lines of a hunk: several headers describe a place from the outside in.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        let mut header = Self::default();
        while let Some(line) = cursor.peek().filter(|line| line.text.starts_with("@@")) {
            header.add(line)?;
            cursor.advance();
        }
        Ok(header)
    }

    fn add(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let text = line.bare();
        if text.starts_with("@@@") {
            return Err(Problem::Unsupported { what: "a diff of a merge" }.at(line.number));
        }
        let rest = &text[2..];
        let (inside, heading) = rest.split_once("@@").unwrap_or((rest, ""));
        let (ranges, inside) = numbers(inside.trim());
        if ranges.is_some() && self.ranges.is_some() {
            return Err(Problem::EmptyHunk.at(line.number - 1));
        }
        self.ranges = self.ranges.or(ranges);
        let anchors = [inside.trim(), heading.trim()].into_iter().filter(|text| !matches!(*text, "" | "..." | "…"));
        self.anchors.extend(anchors.map(str::to_owned));
        Ok(())
    }

    /// Returns the first line of the hunk, unless its counts contradict its lines.
    fn line(&self, has_old_lines: bool) -> Option<usize> {
        let [old, _] = self.ranges?;
        match (old.count == 0, has_old_lines) {
            // An empty range has the number of the line above it.
            (true, false) => old.first.checked_add(1),
            (false, true) if old.first > 0 => Some(old.first),
            _ => None,
        }
    }
}

/// Reads `-12,5 +12,6`; also returns the text after it. Without both ranges everything is text; ranges without numbers
/// (`-?,? +?,?`) are ignored.
fn numbers(text: &str) -> (Option<[Range; 2]>, &str) {
    let mut words = text.splitn(3, ' ');
    let (Some(old), Some(new)) = (words.next(), words.next()) else { return (None, text) };
    let (Some(old), Some(new)) = (old.strip_prefix('-'), new.strip_prefix('+')) else { return (None, text) };
    if old.is_empty() || new.is_empty() {
        return (None, text);
    }
    (Range::read(old).zip(Range::read(new)).map(|(old, new)| [old, new]), words.next().unwrap_or(""))
}

/// One side of a hunk.
#[derive(Debug, Default)]
struct Side {
    text: String,
    lines: usize,
    /// Whether its last line has no line break.
    is_ended: bool,
}

impl Side {
    fn add(&mut self, line: &str, number: usize) -> Result<(), ParseError> {
        if self.is_ended {
            return Err(Problem::LineAfterEnd.at(number));
        }
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
        Ok(())
    }

    /// Removes the line break of the last line.
    fn end(&mut self) {
        self.is_ended = self.text.pop().is_some();
    }
}

/// The lines of a hunk read so far.
#[derive(Debug, Default)]
struct Body {
    old: Side,
    new: Side,
    /// The kind of each line.
    marks: Vec<Mark>,
    /// Empty lines so far: they are context lines that lost their blank, if more of the hunk follows.
    empty: usize,
}

impl Body {
    fn add(&mut self, text: &str, mark: Mark, number: usize) -> Result<(), ParseError> {
        for _ in 0..std::mem::take(&mut self.empty) {
            self.add("", Mark::Keep, number)?;
        }
        if mark != Mark::Add {
            self.old.add(text, number)?;
        }
        if mark != Mark::Remove {
            self.new.add(text, number)?;
        }
        self.marks.push(mark);
        Ok(())
    }

    /// Returns the number of lines per side that the header's counts still expect.
    fn due(&self, header: &Header) -> Option<(usize, usize)> {
        let [old, new] = header.ranges?;
        Some((old.count.checked_sub(self.old.lines)?, new.count.checked_sub(self.new.lines)?))
    }
}

/// The kind of a line in a hunk.
enum Kind<'t> {
    Keep(&'t str),
    Remove(&'t str),
    Add(&'t str),
    /// `\ No newline at end of file`.
    NoNewline,
    /// An empty line.
    Empty,
    /// A line without its mark.
    Bare(&'t str),
}

/// Returns the kind of a line by its first character.
fn kind(content: &str) -> Kind<'_> {
    match content.as_bytes().first() {
        None => Kind::Empty,
        Some(b'\r') if content.len() == 1 => Kind::Empty,
        Some(b' ') => Kind::Keep(&content[1..]),
        Some(b'-') => Kind::Remove(&content[1..]),
        Some(b'+') => Kind::Add(&content[1..]),
        Some(b'\\') => Kind::NoNewline,
        // The blank before a context line with a tab is often lost; there is no other reading.
        Some(b'\t') => Kind::Keep(content),
        Some(_) => Kind::Bare(content),
    }
}

/// Reads the lines of the hunk with this `header`. `begin` is the number of its first line; with `returns` the patch
/// was sent with `\r\n`.
pub(crate) fn read(
    header: Header,
    begin: usize,
    returns: bool,
    cursor: &mut Cursor<'_>,
    frame: Frame,
) -> Result<Edit, ParseError> {
    let mut body = Body::default();
    while let Some(line) = cursor.peek() {
        let mut ahead = *cursor;
        ahead.advance();
        let is_due = body.due(&header).is_some_and(|(old, new)| old.min(new) > 0);
        if frame.ends_at(line, ahead, is_due) || is_signature(line, ahead, &body, &header) {
            break;
        }
        let number = line.number;
        // After all lines that the header counts and an empty line, prose follows, unless the surroundings have an
        // explicit end.
        if body.empty > 0 && !frame.is_closed() && !line.is_blank() && body.due(&header) == Some((0, 0)) {
            break;
        }
        match kind(line.content(returns)) {
            Kind::Keep(text) => body.add(text, Mark::Keep, number)?,
            Kind::Remove(text) => body.add(text, Mark::Remove, number)?,
            Kind::Add(text) => body.add(text, Mark::Add, number)?,
            Kind::Empty => body.empty += 1,
            Kind::NoNewline => {
                let last = body.marks.last();
                if last.is_some_and(|mark| *mark != Mark::Add) {
                    body.old.end();
                }
                if last.is_some_and(|mark| *mark != Mark::Remove) {
                    body.new.end();
                }
            }
            Kind::Bare(text) => {
                let is_due = body.due(&header).is_some_and(|(old, new)| old.min(new) > body.empty);
                if frame.is_closed() || is_due {
                    body.add(text, Mark::Keep, number)?;
                } else if body.empty > 0 {
                    break;
                } else {
                    return Err(Problem::StrayLine.at(number));
                }
            }
        }
        cursor.advance();
    }
    finish(body, header, begin)
}

/// Makes the edit of a complete hunk.
fn finish(mut body: Body, header: Header, begin: usize) -> Result<Edit, ParseError> {
    // Empty lines at the end belong to the hunk only if its counts require them.
    if let Some((old, new)) = body.due(&header)
        && old == new
        && old <= body.empty
    {
        body.empty = 0;
        for _ in 0..old {
            body.add("", Mark::Keep, begin)?;
        }
    }
    if body.old.lines + body.new.lines == 0 {
        return Err(Problem::EmptyHunk.at(begin));
    }
    let left_out = body.due(&header).filter(|(old, new)| old == new && *old > 0);
    let hint = Hint {
        line: header.line(body.old.lines > 0),
        old_lines: left_out.map(|(old, _)| body.old.lines + old),
        anchors: header.anchors,
        at_end: false,
    };
    Ok(Edit { old: body.old.text, new: body.new.text, marks: body.marks, hint, line: begin })
}

/// Returns whether the line is `-- ` and the next one git's version: the end of a patch that was sent by mail.
fn is_signature(line: Line<'_>, ahead: Cursor<'_>, body: &Body, header: &Header) -> bool {
    let is_due = body.due(header).is_some_and(|(old, new)| old > 0 && old >= new);
    line.text.trim_end() == "--"
        && !is_due
        && ahead
            .peek()
            .is_some_and(|next| next.text.starts_with(|c: char| c.is_ascii_digit()) && next.text.contains('.'))
}

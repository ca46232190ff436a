//! SEARCH/REPLACE blocks: the old and the new text between three markers.
//!
//! A marker is a run of at least five characters and a word. If the three markers of a block have the same length, a
//! line that looks like a marker of another length is text. Otherwise any length from five to nine is accepted, if the
//! result is unambiguous. A block with longer markers has no other ones.

use crate::cursor::{Cursor, Line};
use crate::{Edit, Hint, ParseError, Problem};

/// The shortest run of a marker, in characters: a marker has seven, and models miscount by one or two. The line `----`
/// and shorter ones are common in texts.
const MIN_MARKER: usize = 5;

/// The longest run of a marker with another length, in characters: seven, miscounted by two. A longer run is
/// intentional.
pub(crate) const MAX_LOOSE_MARKER: usize = 9;

/// The kind of a marker line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    /// `<<<<<<< SEARCH`, with its length.
    Head(usize),
    /// `=======`.
    Divider(usize),
    /// `>>>>>>> REPLACE`.
    Tail(usize),
}

impl Marker {
    /// Reads a marker at the start of a line.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let first = *line.as_bytes().first()?;
        if !matches!(first, b'<' | b'>' | b'=' | b'-' | b'+') {
            return None;
        }
        let length = line.bytes().take_while(|byte| *byte == first).count();
        if length < MIN_MARKER {
            return None;
        }
        let rest = line[length..].trim();
        let word = rest.trim_end_matches([':', '>', '<']);
        match first {
            b'=' if rest.is_empty() => Some(Self::Divider(length)),
            b'<' | b'-' if is_one_of(word, ["SEARCH", "ORIGINAL"]) => Some(Self::Head(length)),
            b'>' if rest.is_empty() => Some(Self::Tail(length)),
            b'>' | b'+' if is_one_of(word, ["REPLACE", "UPDATED"]) => Some(Self::Tail(length)),
            _ => None,
        }
    }

    /// Returns whether a line outside all blocks looks like a marker: ignoring it could drop an edit.
    pub(crate) fn is_stray(line: &str) -> bool {
        let text = line.trim();
        match Self::of(text) {
            Some(Self::Head(_)) => true,
            // A run alone may be a quotation.
            Some(Self::Tail(_)) => text.ends_with(|c: char| c != '>'),
            Some(Self::Divider(_)) => false,
            // `<<<<<<< FIND`: a head with an unknown word. `<<< SEARCH`: a head that is too short.
            None => {
                let run = text.bytes().take_while(|byte| *byte == b'<').count();
                (MIN_MARKER..=MAX_LOOSE_MARKER).contains(&run) || (run > 1 && Self::of(&format!("<<<{text}")).is_some())
            }
        }
    }
}

/// Returns whether `word` is one of the spellings of a marker's word, in any case.
fn is_one_of(word: &str, spellings: [&str; 2]) -> bool {
    spellings.iter().any(|spelling| word.eq_ignore_ascii_case(spelling))
}

/// The lines of the markers of a block.
#[derive(Default)]
struct Marks {
    /// Dividers of the head's length: the first and the second.
    dividers: [Option<usize>; 2],
    /// Dividers of another length.
    loose_dividers: [Option<usize>; 2],
    tail: Option<usize>,
}

/// Records the number of a line, if it is the first or the second: two already make a block ambiguous.
fn note(found: &mut [Option<usize>; 2], number: usize) {
    if found[0].is_none() {
        found[0] = Some(number);
    } else if found[1].is_none() {
        found[1] = Some(number);
    }
}

/// Returns whether a run may be a marker of a block whose head has this `length`.
fn is_loose(run: usize, length: usize) -> bool {
    run.max(length) <= MAX_LOOSE_MARKER
}

impl Marks {
    /// Searches the end of the block whose head has this `length`, from `ahead` on.
    fn find(mut ahead: Cursor<'_>, length: usize) -> Self {
        let mut marks = Self::default();
        // The block if the first tail of another length ends it.
        let mut loose: Option<Self> = None;
        while let Some(line) = ahead.advance() {
            match Marker::of(line.bare()) {
                Some(Marker::Divider(run)) if run == length => note(&mut marks.dividers, line.number),
                Some(Marker::Divider(run)) if is_loose(run, length) => note(&mut marks.loose_dividers, line.number),
                Some(Marker::Tail(run)) if run == length => {
                    marks.tail = Some(line.number);
                    return marks;
                }
                Some(Marker::Tail(run)) if is_loose(run, length) && loose.is_none() => {
                    loose = Some(Self { tail: Some(line.number), ..marks });
                }
                // The next block begins. A shorter head may be text, but not after a possible end of this block.
                Some(Marker::Head(run)) if run >= length || loose.is_some() => break,
                _ => {}
            }
        }
        loose.unwrap_or(marks)
    }

    /// Returns the lines of the divider and of the end.
    fn settle(&self, begin: usize) -> Result<(usize, usize), ParseError> {
        let tail = self.tail.ok_or(Problem::UnclosedBlock { begin }.at(begin))?;
        let candidates = if self.dividers[0].is_some() { self.dividers } else { self.loose_dividers };
        match candidates {
            [Some(divider), None] => Ok((divider, tail)),
            [Some(_), Some(second)] => Err(Problem::SeveralDividers { begin }.at(second)),
            _ => Err(Problem::NoDivider { begin }.at(tail)),
        }
    }
}

/// Reads the block after `head`.
pub(crate) fn read(head: Line<'_>, length: usize, cursor: &mut Cursor<'_>) -> Result<Edit, ParseError> {
    let (divider, tail) = Marks::find(*cursor, length).settle(head.number)?;
    let returns = head.has_return();
    let hint = Hint { line: start_line(cursor), ..Hint::default() };
    let mut edit = Edit { hint, line: head.number, ..Edit::default() };
    while let Some(line) = cursor.advance() {
        if line.number == tail {
            break;
        }
        if line.number != divider {
            let text = if line.number < divider { &mut edit.old } else { &mut edit.new };
            text.push_str(line.content(returns));
            text.push('\n');
        }
    }
    Ok(edit)
}

/// Reads the lines with the line number of the old text, if there are any: `:start_line:12`, `:end_line:14`, `-------`.
fn start_line(cursor: &mut Cursor<'_>) -> Option<usize> {
    let mut ahead = *cursor;
    let start = number_after(":start_line:", ahead.advance()?)?;
    let mut next = ahead.advance()?;
    if number_after(":end_line:", next).is_some() {
        next = ahead.advance()?;
    }
    let rule = next.text.trim();
    (rule.len() >= MIN_MARKER && rule.bytes().all(|byte| byte == b'-')).then(|| {
        *cursor = ahead;
        start
    })
}

/// Returns the number after `key`, if the line has nothing else.
fn number_after(key: &str, line: Line<'_>) -> Option<usize> {
    line.text.trim().strip_prefix(key)?.trim().parse().ok()
}

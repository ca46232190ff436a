//! SEARCH/REPLACE blocks: the old text and the new one between three markers.
//!
//! A marker is a run of at least five characters and a word. Markers of a block should be of one length; where they
//! are, a line of the text that looks like a marker of another length is text. Where they are not, any length from
//! five to nine will do, if it is clear which line is meant. A block with longer markers has no other ones.

use crate::cursor::{Cursor, Line};
use crate::{Edit, Hint, ParseError, Problem};

/// The shortest run that makes a marker, in characters: a marker has seven, and models miscount by one or two. The line
/// `----` and shorter ones are common in texts.
const MIN_MARKER: usize = 5;

/// The longest run, in characters, that may be meant as a marker of another length: seven, and two miscounted. A longer
/// one was written on purpose.
pub(crate) const MAX_LOOSE_MARKER: usize = 9;

/// What a line is in a block.
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
    /// Reads a line that begins with its run.
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

    /// Returns whether a line outside all blocks shows that a block was meant: silence would drop an edit.
    pub(crate) fn is_stray(line: &str) -> bool {
        let text = line.trim();
        match Self::of(text) {
            Some(Self::Head(_)) => true,
            // A run alone may be a quotation.
            Some(Self::Tail(_)) => text.ends_with(|c: char| c != '>'),
            Some(Self::Divider(_)) => false,
            // `<<<<<<< FIND`: a head with a word that is not known. `<<< SEARCH`: one that is too short.
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

/// Where the markers of a block are.
#[derive(Default)]
struct Marks {
    /// Dividers of the head's length: the first and, if there is one, the second.
    dividers: [Option<usize>; 2],
    /// Dividers of another length that may have been meant.
    loose_dividers: [Option<usize>; 2],
    tail: Option<usize>,
}

/// Notes the number of a line, if it is the first or the second: what is found more often is no clearer.
fn note(found: &mut [Option<usize>; 2], number: usize) {
    if found[0].is_none() {
        found[0] = Some(number);
    } else if found[1].is_none() {
        found[1] = Some(number);
    }
}

/// Returns whether a run may be meant as a marker of the block whose head has the `length`.
fn is_loose(run: usize, length: usize) -> bool {
    run.max(length) <= MAX_LOOSE_MARKER
}

impl Marks {
    /// Looks for the end of the block whose head has the `length`, which is before `ahead`.
    fn find(mut ahead: Cursor<'_>, length: usize) -> Self {
        let mut marks = Self::default();
        // As the block would be if the first tail of another length ends it.
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
                // The next block begins. A shorter head may be text, but not after what may be the end of this block.
                Some(Marker::Head(run)) if run >= length || loose.is_some() => break,
                _ => {}
            }
        }
        loose.unwrap_or(marks)
    }

    /// Returns the line that divides the block and the one that ends it.
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

/// Reads the block that begins with `head`, which `cursor` has passed.
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

/// Passes the lines that may say where the old text begins: `:start_line:12`, `:end_line:14`, `-------`.
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

/// Returns the number that is all a line has after `key`.
fn number_after(key: &str, line: Line<'_>) -> Option<usize> {
    line.text.trim().strip_prefix(key)?.trim().parse().ok()
}

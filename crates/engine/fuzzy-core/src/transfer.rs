//! Moves and copies lines to another place, in their text or in another one.
//!
//! The lines get the depth of their new place. Blank lines around both places stay as a person leaves them: a removed
//! part takes the blank lines on one of its sides along, and a part that blank lines separated from its neighbours is
//! separated from the new ones.

use std::ops::Range;

use crate::landing::Splice;
use crate::outcome::Failure;
use crate::ranges::depth::Depths;
use crate::ranges::lines::{FileLines, body, has_word, lead, tokens, width};
use crate::ranges::{break_above, ends};
use crate::{Document, RangeRefusal, Span};

/// Whether lines leave their old place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// They leave it.
    Move,
    /// They stay there, too.
    Copy,
}

/// What an edit does with its lines instead of replacing them: their new place is beside other lines of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transfer<'e> {
    /// Whether the lines leave their old place.
    pub kind: TransferKind,
    /// The quote of the lines beside the new place.
    pub anchor: &'e str,
    /// Whether the new place is below these lines; otherwise it is above them.
    pub is_below: bool,
}

impl<'e> Transfer<'e> {
    /// Makes a transfer to the place below some lines, or above them.
    #[must_use]
    pub const fn new(kind: TransferKind, anchor: &'e str, is_below: bool) -> Self {
        Self { kind, anchor, is_below }
    }
}

/// The lines beside a new place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// A span in these lines.
    pub lines: Span,
    /// Whether the new place is below them; otherwise it is above them.
    pub is_below: bool,
}

/// The new place of lines.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Destination<'d> {
    /// Beside other lines of their text.
    Same(Beside),
    /// Beside lines of another text.
    Other(&'d Document<'d>, Beside),
    /// A text without lines.
    Empty,
}

/// The changes that move or copy lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transferred {
    /// The moved or copied lines, without the last line break.
    pub lines: Span,
    /// The changes of their text, top to bottom, without overlaps.
    pub source: Vec<Splice>,
    /// The change of the other text, if there is one.
    pub target: Option<Splice>,
}

/// Moves or copies lines of a text.
///
/// # Errors
///
/// Returns [`Failure::AlreadyApplied`] if the lines are there already, and a [`RangeRefusal`] if the new place is inside
/// them, or their indentation there is not certain.
///
/// # Complexity
///
/// One pass over the lines of both texts.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Beside, Destination, Document, Span, TransferKind, transfer};
///
/// let text = Document::new("a\nb\nc\n");
/// let below_c = Beside { lines: Span::new(4, 5), is_below: true };
/// let moved = transfer(&text, Span::new(0, 1), Destination::Same(below_c), TransferKind::Move).unwrap();
/// assert_eq!((moved.source[0].span, moved.source[1].text.as_str()), (Span::new(0, 2), "a\n"));
/// ```
pub fn transfer(
    source: &Document<'_>,
    lines: Span,
    destination: Destination<'_>,
    kind: TransferKind,
) -> Result<Transferred, Failure> {
    let from = FileLines::new(source.text(), source.lines());
    let part = Part::of(from, from.touched(lines));
    let (to, beside) = match destination {
        Destination::Same(beside) => (from, beside),
        Destination::Other(target, beside) => (FileLines::new(target.text(), target.lines()), beside),
        Destination::Empty => {
            let text = part.fitted("", from.line_break(0).unwrap_or("\n"))?;
            let target = Some(Splice { span: Span::new(0, 0), text: text.closed() });
            let source = if kind == TransferKind::Move { vec![part.removal()] } else { Vec::new() };
            return Ok(Transferred { lines: part.span(), source, target });
        }
    };
    let is_same = matches!(destination, Destination::Same(_));
    let anchor = to.touched(beside.lines);
    if is_same && anchor.start < part.lines.end && part.lines.start < anchor.end {
        let is_edge = if beside.is_below { anchor.end == part.lines.end } else { anchor.start == part.lines.start };
        if kind == TransferKind::Move || !is_edge {
            return Err(RangeRefusal::IntoItself { beside: to.span(&anchor) }.into());
        }
    }
    let leaves = is_same && kind == TransferKind::Move;
    let removed = if leaves { part.removed() } else { 0..0 };
    let place = NewPlace::beside(to, &anchor, beside.is_below, &removed);
    let there = place.lead(&part).ok_or(RangeRefusal::NewDepth { line: None })?;
    let line_break = to.line_break(anchor.start).or_else(|| from.line_break(0)).unwrap_or("\n");
    let fitted = part.fitted(there, line_break)?;
    if kind == TransferKind::Copy
        && let Some(lines) = place.has(&fitted.lines)
        && !(is_same && lines.start < part.lines.end && part.lines.start < lines.end)
    {
        return Err(Failure::AlreadyApplied { span: to.span(&lines) });
    }
    let blanks = place.blanks(&part, width(there));
    let inserted = [vec![String::new(); blanks.0], fitted.lines, vec![String::new(); blanks.1]].concat();
    let inserted = Fitted { lines: inserted, line_break };
    if leaves && (removed.start..=removed.end).contains(&place.at) {
        // Both places are one.
        let span = to.span(&removed);
        let text = inserted.open();
        if text == span.text(to.text()) {
            return Err(Failure::AlreadyApplied { span: part.span() });
        }
        return Ok(Transferred { lines: part.span(), source: vec![Splice { span, text }], target: None });
    }
    let added = place.insertion(&inserted);
    let mut source = if kind == TransferKind::Move { vec![part.removal()] } else { Vec::new() };
    let target = if is_same {
        source.push(added);
        source.sort_by_key(|splice| splice.span.start());
        None
    } else {
        Some(added)
    };
    Ok(Transferred { lines: part.span(), source, target })
}

/// Lines at the indentation of their new place, without line breaks.
struct Fitted<'l> {
    lines: Vec<String>,
    line_break: &'l str,
}

impl Fitted<'_> {
    /// Returns the text of the lines without the last line break.
    fn open(&self) -> String {
        self.lines.join(self.line_break)
    }

    /// Returns the text of the lines with the last line break.
    fn closed(&self) -> String {
        self.open() + self.line_break
    }
}

/// The lines to move or copy, in their text.
struct Part<'t> {
    text: FileLines<'t>,
    lines: Range<usize>,
    /// The numbers of blank lines above and below.
    blank: (usize, usize),
    /// Whether the lines begin a block or the text, and whether they end one.
    is_edge: (bool, bool),
    /// The least indentation of a line.
    lead: &'t str,
}

impl<'t> Part<'t> {
    fn of(text: FileLines<'t>, lines: Range<usize>) -> Self {
        let solid = lines.clone().filter(|at| !text.is_blank(*at));
        let lead = solid.map(|at| lead(text.line(at))).min_by_key(|lead| width(lead)).unwrap_or_default();
        let above = (0..lines.start).rev().find(|at| !text.is_blank(*at));
        let below = (lines.end..text.len()).find(|at| !text.is_blank(*at));
        let is_outside = |at: usize| text.depth(at) < width(lead);
        Self {
            blank: (lines.start - above.map_or(0, |above| above + 1), below.unwrap_or_else(|| text.len()) - lines.end),
            is_edge: (above.is_none_or(is_outside), below.is_none_or(is_outside)),
            text,
            lines,
            lead,
        }
    }

    fn span(&self) -> Span {
        self.text.span(&self.lines)
    }

    /// Returns the lines that leave the text: these, and the blank lines on one side.
    fn removed(&self) -> Range<usize> {
        let (above, below) = self.blank;
        let takes_below = match self.is_edge {
            _ if self.lines.end + below == self.text.len() => false,
            (true, false) => true,
            (false, true) => false,
            _ => above >= below,
        };
        if takes_below { self.lines.start..self.lines.end + below } else { self.lines.start - above..self.lines.end }
    }

    fn removal(&self) -> Splice {
        let removed = self.removed();
        let (text, start) = (self.text.text(), self.text.start(removed.start));
        let span = match self.text.after_break(removed.end - 1) {
            Some(end) => Span::new(start, end),
            // The line above is the last one then, and ends as the text did.
            None => Span::new(break_above(text, start), text.len()),
        };
        Splice { span, text: String::new() }
    }

    /// Returns the number of blank lines that separate the lines from others; none if there are no others.
    fn separation(&self) -> Option<usize> {
        let above = (!self.is_edge.0).then_some(self.blank.0);
        let below = (!self.is_edge.1).then_some(self.blank.1);
        above.into_iter().chain(below).min()
    }

    /// Returns the lines with another least indentation.
    fn fitted<'l>(&self, there: &str, line_break: &'l str) -> Result<Fitted<'l>, RangeRefusal> {
        let depths = Depths { quoted: self.lead, there };
        let fitted = self.lines.clone().map(|at| {
            let line = self.text.line(at);
            let own = lead(line);
            if self.text.is_blank(at) {
                return Ok(line.to_owned());
            }
            let moved = depths
                .moved(own)
                .ok_or_else(|| RangeRefusal::NewDepth { line: Some(self.text.span(&(at..at + 1))) })?;
            Ok(moved + &line[own.len()..])
        });
        Ok(Fitted { lines: fitted.collect::<Result<_, _>>()?, line_break })
    }
}

/// The place of new lines.
struct NewPlace<'t> {
    text: FileLines<'t>,
    /// The line before which they are inserted.
    at: usize,
    is_below: bool,
    /// The next lines above and below that are not blank and stay.
    above: Option<usize>,
    below: Option<usize>,
    /// The number of blank lines between these that stay.
    gap: usize,
}

impl<'t> NewPlace<'t> {
    /// Makes the place beside some lines, in a text without the removed ones.
    fn beside(text: FileLines<'t>, anchor: &Range<usize>, is_below: bool, removed: &Range<usize>) -> Self {
        let stays = |at: &usize| !removed.contains(at);
        let at = if is_below { anchor.end } else { anchor.start };
        let is_solid = |at: &usize| !text.is_blank(*at);
        let above = (0..at).rev().filter(stays).find(is_solid);
        let below = (at..text.len()).filter(stays).find(is_solid);
        let between = above.map_or(0, |above| above + 1)..below.unwrap_or_else(|| text.len());
        Self { text, at, is_below, above, below, gap: between.filter(stays).count() }
    }

    /// Returns the indentation of a part that is inserted here; none if it is not certain.
    fn lead(&self, part: &Part<'_>) -> Option<&'t str> {
        let lead_of = |at: usize| lead(self.text.line(at));
        let below = self.below.map_or("", lead_of);
        let Some(above) = self.above.map(lead_of) else { return Some(below) };
        if width(above) <= width(below) {
            return Some(below);
        }
        // The place is at the end of one block or of several.
        let mut enclosing = vec![above];
        for at in (0..self.above?).rev().filter(|at| !self.text.is_blank(*at)) {
            let (known, lead) = (width(enclosing[enclosing.len() - 1]), lead_of(at));
            if width(lead) < known && width(lead) >= width(below) {
                enclosing.push(lead);
            }
        }
        if let Some(own) = enclosing.iter().chain([&below]).find(|lead| **lead == part.lead) {
            return Some(own);
        }
        let has_style_of = |lead: &str| lead.chars().all(|c| part.lead.is_empty() || part.lead.starts_with(c));
        let beside = if self.is_below { above } else { below };
        enclosing.iter().all(|lead| has_style_of(lead)).then_some(beside)
    }

    /// Returns the lines beside the anchor, if they are these already.
    fn has(&self, lines: &[String]) -> Option<Range<usize>> {
        let start = if self.is_below { self.below? } else { (self.above? + 1).checked_sub(lines.len())? };
        let range = start..start + lines.len();
        let is_there =
            range.end <= self.text.len() && range.clone().zip(lines).all(|(at, line)| self.text.line(at) == line);
        is_there.then_some(range)
    }

    /// Returns the numbers of blank lines to add above and below a part of some depth.
    fn blanks(&self, part: &Part<'_>, depth: usize) -> (usize, usize) {
        let is_inside = |at: usize| self.text.depth(at) >= depth && has_body(self.text.line(at));
        let are_inside = [self.above, self.below].iter().all(|at| at.is_some_and(is_inside));
        let first_word = |line| tokens(line).next();
        let beside = if self.is_below { self.above } else { self.below };
        let is_of_kind = |at: usize| first_word(self.text.line(at)) == first_word(part.text.line(part.lines.start));
        let joins = self.gap == 0 && are_inside || beside.is_some_and(is_of_kind);
        let separation = match part.separation() {
            Some(0) => 0,
            // A line joins two that touch, or another one of its kind, such as an import.
            _ if part.lines.len() == 1 && joins => 0,
            // As the new neighbours are.
            _ if self.gap > 0 && are_inside => self.gap,
            Some(separation) => separation,
            // Nothing shows how a lone block is separated.
            None => usize::from(ends::is_block(part.span().text(part.text.text())) && part.lines.len() > 1),
        };
        let wanted = |at: Option<usize>| if at.is_some_and(is_inside) { separation } else { 0 };
        let (above, below) = (wanted(self.above), wanted(self.below));
        if self.is_below { (above, below.saturating_sub(self.gap)) } else { (above.saturating_sub(self.gap), below) }
    }

    fn insertion(&self, inserted: &Fitted<'_>) -> Splice {
        let text = self.text.text();
        if self.at < self.text.len() {
            let start = self.text.start(self.at);
            return Splice { span: Span::new(start, start), text: inserted.closed() };
        }
        let end = Span::new(text.len(), text.len());
        // A text that ends without a line break still does.
        let is_closed = text.is_empty() || text.ends_with('\n');
        let text = if is_closed { inserted.closed() } else { inserted.line_break.to_owned() + &inserted.open() };
        Splice { span: end, text }
    }
}

/// Returns whether a line is more than marks that close a block.
fn has_body(line: &str) -> bool {
    has_word(line) || !body(line).starts_with(['}', ')', ']'])
}

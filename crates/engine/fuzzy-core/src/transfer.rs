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
use crate::structure::levels::{Block, chosen, levels};
use crate::structure::separators::{self, Separation, Sequence};
use crate::structure::{Arranged, Inside, Outline};
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
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Edit, Transfer, TransferKind};
///
/// let below = Transfer::new(TransferKind::Move, "use std::fs;", true);
/// let edit = Edit::range("use std::io;", "use std::io;", "").with_transfer(Some(below));
/// assert!(edit.transfer.is_some());
/// ```
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
    /// The changes of the other text, if there is one, in the same order.
    pub target: Vec<Splice>,
    /// The other changed or moved lines. The separators of the other text, if there is one, are not among them.
    pub arranged: Arranged,
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
    let part = Part::of(Outline::new(from), from.touched(lines));
    let is_move = kind == TransferKind::Move;
    let (to, beside) = match destination {
        Destination::Same(beside) => (part.text.clone(), beside),
        Destination::Other(target, beside) => (Outline::new(FileLines::new(target.text(), target.lines())), beside),
        Destination::Empty => {
            let text = part.fitted("", from.line_break(0).unwrap_or("\n"))?;
            let target = vec![Splice { span: Span::new(0, 0), text: text.closed() }];
            let source = if is_move { part.removal()? } else { Vec::new() };
            return Ok(Transferred { lines: part.span(), source, target, arranged: part.arranged(false, &[]) });
        }
    };
    let is_same = matches!(destination, Destination::Same(_));
    let anchor = to.lines.touched(beside.lines);
    if is_same && anchor.start < part.lines.end && part.lines.start < anchor.end {
        let is_edge = if beside.is_below { anchor.end == part.lines.end } else { anchor.start == part.lines.start };
        if is_move || !is_edge {
            return Err(RangeRefusal::IntoItself { beside: to.lines.span(&anchor) }.into());
        }
    }
    let leaves = is_same && is_move;
    let removed = if leaves { part.removed() } else { 0..0 };
    let place = NewPlace::beside(to, &anchor, beside.is_below, &removed, &part)?;
    let to = place.text.lines;
    let line_break = to.line_break(anchor.start).or_else(|| from.line_break(0)).unwrap_or("\n");
    let fitted = part.fitted(place.lead, line_break)?;
    if !is_move
        && let Some(lines) = place.has(&fitted.lines)
        && !(is_same && lines.start < part.lines.end && part.lines.start < lines.end)
    {
        return Err(Failure::AlreadyApplied { span: to.span(&lines) });
    }
    let separation = place.separation(&part, &fitted)?;
    let blanks = place.blanks(&part, width(place.lead));
    let inserted = [vec![String::new(); blanks.0], fitted.lines, vec![String::new(); blanks.1]].concat();
    let mut inserted = Fitted { lines: inserted, line_break };
    if leaves && (removed.start..=removed.end).contains(&place.at) {
        // Both places are one.
        let span = to.span(&removed);
        let text = inserted.open();
        if text == span.text(to.text()) {
            return Err(Failure::AlreadyApplied { span: part.span() });
        }
        let arranged = part.arranged(place.is_behind, &[]);
        return Ok(Transferred {
            lines: part.span(),
            source: vec![Splice { span, text }],
            target: Vec::new(),
            arranged,
        });
    }
    if let Some(is_separated) = separation.own {
        let last = inserted.lines.iter_mut().rfind(|line| !line.is_empty());
        if let Some(last) = last {
            *last = separators::fitted(last, is_separated).ok_or_else(|| part.separator_refusal())?;
        }
    }
    let mut source = if is_move { part.removal()? } else { Vec::new() };
    // The line above is before the new lines, also at the end of a text.
    let above = separation.above.map(|line| separators::changed(&place.text, line, true));
    let left = source.len().saturating_sub(1);
    let changed: Vec<Span> = source[..left].iter().chain(above.iter().filter(|_| is_same)).map(|s| s.span).collect();
    let arranged = part.arranged(place.is_behind, &changed);
    let added = above.into_iter().chain([place.insertion(&inserted)]);
    let target = if is_same {
        source.extend(added);
        source.sort_by_key(|splice| splice.span.start());
        Vec::new()
    } else {
        added.collect()
    };
    Ok(Transferred { lines: part.span(), source, target, arranged })
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

/// The lines to move or copy, in their text, with the lines that hang on them.
struct Part<'t> {
    text: Outline<'t>,
    lines: Range<usize>,
    /// The first line that is named: what hangs on it is above.
    named: usize,
    /// The line that begins their block.
    head: usize,
    /// The numbers of blank lines above and below.
    blank: (usize, usize),
    /// Whether the lines begin a block or the text, and whether they end one.
    is_edge: (bool, bool),
    /// The least indentation of a line.
    lead: &'t str,
}

impl<'t> Part<'t> {
    fn of(text: Outline<'t>, named: Range<usize>) -> Self {
        let text = text.at(named.start);
        let lines = text.with_hanging(&named);
        let of_lines = text.lines;
        let leads = text.shown(&named).map(|at| text.lead(at));
        let lead = leads.min_by_key(|lead| width(lead)).unwrap_or_default();
        let above = (0..lines.start).rev().find(|at| !of_lines.is_blank(*at));
        let below = (lines.end..of_lines.len()).find(|at| !of_lines.is_blank(*at));
        let is_outside = |at: usize| of_lines.depth(at) < width(lead);
        Self {
            blank: (
                lines.start - above.map_or(0, |above| above + 1),
                below.unwrap_or_else(|| of_lines.len()) - lines.end,
            ),
            is_edge: (above.is_none_or(is_outside), below.is_none_or(is_outside)),
            named: named.start,
            head: text.head(&named),
            text,
            lines,
            lead,
        }
    }

    fn span(&self) -> Span {
        self.text.lines.span(&self.lines)
    }

    /// Returns the lines that leave the text: these, and the blank lines on one side.
    fn removed(&self) -> Range<usize> {
        let (above, below) = self.blank;
        let takes_below = match self.is_edge {
            _ if self.lines.end + below == self.text.lines.len() => false,
            (true, false) => true,
            (false, true) => false,
            _ => above >= below,
        };
        if takes_below { self.lines.start..self.lines.end + below } else { self.lines.start - above..self.lines.end }
    }

    /// Returns the changes that remove the lines, top to bottom.
    fn removal(&self) -> Result<Vec<Splice>, RangeRefusal> {
        let removed = self.removed();
        let lines = self.text.lines;
        if let Some(head) = self.emptied() {
            return Err(RangeRefusal::EmptyBlock { head: lines.span(&(head..head + 1)) });
        }
        let (text, start) = (lines.text(), lines.start(removed.start));
        let span = match lines.after_break(removed.end - 1) {
            Some(end) => Span::new(start, end),
            // The line above is the last one then, and ends as the text did.
            None => Span::new(break_above(text, start), text.len()),
        };
        let left = self.sequence().left_behind(self.lines.end)?;
        let left = left.map(|line| separators::changed(&self.text, line, false));
        Ok(left.into_iter().chain([Splice { span, text: String::new() }]).collect())
    }

    /// Returns the line whose block has no other lines, if nothing closes it: such a block cannot be empty.
    fn emptied(&self) -> Option<usize> {
        let depth = width(self.lead);
        let is_solid = |at: &usize| self.text.is_item(*at);
        let above = (0..self.lines.start).rev().find(is_solid).filter(|at| self.text.depth(*at) < depth)?;
        let below = (self.lines.end..self.text.lines.len()).find(is_solid);
        let is_only = below.is_none_or(|at| self.text.depth(at) < depth && !self.text.is_closing(at));
        let line = self.text.body(above);
        // A key of a mapping may have no value.
        let is_key =
            self.text.kind(above).is_key() && !["else", "try", "finally"].iter().any(|word| line.starts_with(word));
        (is_only && line.ends_with(':') && !is_key).then_some(above)
    }

    fn sequence(&self) -> Sequence<'_, 't> {
        Sequence { outline: &self.text, depth: width(self.lead), at: self.lines.start, stays: &|_| true }
    }

    /// Returns whether separators part the lines from their neighbours.
    fn is_separated(&self) -> bool {
        let last = self.text.body(self.lines.end - 1);
        separators::has_separator(last) || self.sequence().left_behind(self.lines.end).is_ok_and(|left| left.is_some())
    }

    fn arranged(&self, is_behind: bool, separators: &[Span]) -> Arranged {
        let hanging = (self.lines.start < self.named).then(|| self.text.lines.span(&(self.lines.start..self.named)));
        Arranged { hanging, is_behind, separators: separators.to_vec() }
    }

    fn separator_refusal(&self) -> RangeRefusal {
        RangeRefusal::Separator { line: self.text.lines.span(&(self.lines.end - 1..self.lines.end)) }
    }

    /// Returns the number of blank lines that separate the lines from others; none if there are no others.
    fn separation(&self) -> Option<usize> {
        let above = (!self.is_edge.0).then_some(self.blank.0);
        let below = (!self.is_edge.1).then_some(self.blank.1);
        above.into_iter().chain(below).min()
    }

    /// Returns the lines with another least indentation. The lines of a value keep theirs, and so do comments left of it.
    fn fitted<'l>(&self, there: &str, line_break: &'l str) -> Result<Fitted<'l>, RangeRefusal> {
        let depths = Depths { quoted: self.lead, there };
        let lines = self.text.lines;
        let is_free = |at: usize| self.text.is_comment(at) && self.text.depth(at) < width(self.lead);
        let mut fitted: Vec<String> = Vec::with_capacity(self.lines.len());
        for at in self.lines.clone() {
            let line = lines.line(at);
            let own = lead(line);
            let is_kept = match self.text.inside(at) {
                Inside::Value => true,
                // Documentation left of its block is where its author wants it.
                Inside::Documentation => depths.moved(own).is_none(),
                Inside::Nothing => is_free(at),
            };
            if lines.is_blank(at) || is_kept {
                fitted.push(line.to_owned());
                continue;
            }
            let moved =
                depths.moved(own).ok_or_else(|| RangeRefusal::NewDepth { line: Some(lines.span(&(at..at + 1))) })?;
            fitted.push(moved + &line[own.len()..]);
        }
        Ok(Fitted { lines: fitted, line_break })
    }
}

/// The place of new lines.
struct NewPlace<'t> {
    text: Outline<'t>,
    /// The indentation of new lines.
    lead: &'t str,
    /// The line before which they are inserted.
    at: usize,
    /// Whether that is behind lines that close a block.
    is_behind: bool,
    is_below: bool,
    /// The lines that leave the text.
    removed: Range<usize>,
    /// The next lines above and below that are not blank and stay.
    above: Option<usize>,
    below: Option<usize>,
    /// The number of blank lines between these that stay.
    gap: usize,
    /// The line that shows the depth.
    sibling: Option<usize>,
}

impl<'t> NewPlace<'t> {
    /// Finds the place of a part beside some lines, in a text without the removed ones.
    fn beside(
        text: Outline<'t>,
        anchor: &Range<usize>,
        is_below: bool,
        removed: &Range<usize>,
        part: &Part<'_>,
    ) -> Result<Self, RangeRefusal> {
        let stays = |at: &usize| !removed.contains(at);
        let lines = text.lines;
        let text = text.at(anchor.start);
        let line = if is_below { anchor.end } else { text.with_hanging(anchor).start };
        let above = (0..line).rev().filter(stays).find(|at| text.is_code(*at));
        let below = |from: usize| (from..lines.len()).filter(stays).find(|at| text.is_code(*at));
        let mut levels = levels(&text, line, above, below, is_below);
        let before = (!is_below).then_some(anchor.start).filter(|at| text.is_code(*at) && !text.is_closing(*at));
        if let Some(at) = before {
            let own = text.depth(at);
            levels.retain(|level| level.depth == own);
        }
        let block = Block::of(&part.text, part.head, width(part.lead));
        let quoted = text.depth(if is_below { text.statement(anchor.end - 1) } else { anchor.start });
        let level = match (before, chosen(&text, &levels, &block, quoted)) {
            (_, Some(level)) => level,
            (Some(at), None) => {
                crate::structure::levels::Level { lead: text.lead(at), depth: text.depth(at), head: Some(at), at: line }
            }
            (None, None) => {
                let depths =
                    levels.iter().filter_map(|level| level.head).map(|head| lines.span(&(head..head + 1))).collect();
                return Err(RangeRefusal::UnknownDepth { depths });
            }
        };
        let is_solid = |at: &usize| !lines.is_blank(*at);
        let above = (0..level.at).rev().filter(stays).find(is_solid);
        let below = (level.at..lines.len()).filter(stays).find(is_solid);
        let between = above.map_or(0, |above| above + 1)..below.unwrap_or_else(|| lines.len());
        Ok(Self {
            lead: level.lead,
            at: level.at,
            is_behind: is_below && level.at > anchor.end,
            is_below,
            removed: removed.clone(),
            above,
            below,
            gap: between.filter(stays).count(),
            sibling: level.head,
            text,
        })
    }

    /// Returns what the separators around the new lines have to be.
    fn separation(&self, part: &Part<'_>, fitted: &Fitted<'_>) -> Result<Separation, RangeRefusal> {
        let stays = |at: usize| !self.removed.contains(&at);
        let sequence = Sequence { outline: &self.text, depth: width(self.lead), at: self.at, stays: &stays };
        let first = fitted.lines.iter().find(|line| !line.is_empty());
        sequence.separation(first.map_or("", |line| body(line)), part.is_separated())
    }

    /// Returns the lines beside the anchor, if they are these already.
    fn has(&self, lines: &[String]) -> Option<Range<usize>> {
        let start = if self.is_below { self.below? } else { (self.above? + 1).checked_sub(lines.len())? };
        let range = start..start + lines.len();
        let is_there = range.end <= self.text.lines.len()
            && range.clone().zip(lines).all(|(at, line)| self.text.lines.line(at) == line);
        is_there.then_some(range)
    }

    /// Returns the numbers of blank lines to add above and below a part of some depth.
    fn blanks(&self, part: &Part<'_>, depth: usize) -> (usize, usize) {
        // Marks above close a sibling, and marks below the block.
        let is_inside =
            |at: usize| self.text.depth(at) >= depth && (Some(at) == self.above || has_body(self.text.lines.line(at)));
        let are_inside = [self.above, self.below].iter().all(|at| at.is_some_and(is_inside));
        let first_word = |line| tokens(line).next();
        let beside = if self.is_below { self.above } else { self.below };
        let is_of_kind =
            |at: usize| first_word(self.text.lines.line(at)) == first_word(part.text.lines.line(part.head));
        let joins = self.gap == 0 && are_inside || beside.is_some_and(is_of_kind);
        let separation = match part.separation() {
            Some(0) => 0,
            // A line joins two that touch, or another one of its kind, such as an import.
            _ if part.lines.len() == 1 && joins => 0,
            // As the new neighbours are.
            _ if self.gap > 0 && are_inside => self.gap,
            Some(separation) => self.between_siblings().unwrap_or(separation),
            // Nothing shows how a lone block is separated.
            None => usize::from(ends::is_block(part.span().text(part.text.lines.text())) && part.lines.len() > 1),
        };
        let wanted = |at: Option<usize>| if at.is_some_and(is_inside) { separation } else { 0 };
        let (above, below) = (wanted(self.above), wanted(self.below));
        if self.is_below { (above, below.saturating_sub(self.gap)) } else { (above.saturating_sub(self.gap), below) }
    }

    /// Returns the number of blank lines above the sibling that shows the depth, if it is a block and not the first one.
    fn between_siblings(&self) -> Option<usize> {
        let sibling = self.sibling.filter(|at| self.text.opens(*at) && self.text.depth(*at) == width(self.lead))?;
        let first = self.text.hanging(sibling, true);
        let stays = |at: &usize| !self.removed.contains(at);
        let above = (0..first).rev().filter(stays).find(|at| !self.text.lines.is_blank(*at))?;
        (self.text.depth(above) >= width(self.lead)).then(|| (above + 1..first).filter(stays).count())
    }

    fn insertion(&self, inserted: &Fitted<'_>) -> Splice {
        let text = self.text.lines.text();
        if self.at < self.text.lines.len() {
            let start = self.text.lines.start(self.at);
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

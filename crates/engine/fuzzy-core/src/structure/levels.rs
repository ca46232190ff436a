//! The depth of a block at a place.
//!
//! Between two lines several depths are possible: that of each block that is open there, and behind the lines that close
//! these blocks. The depth where the nearest siblings of the block are is the one that belongs to it.

use std::ops::Range;

use super::heads::{Kind, is_rest};
use super::{Outline, brackets, continues, is_closing};

/// A depth at which lines can stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level<'t> {
    pub(crate) lead: &'t str,
    pub(crate) depth: usize,
    /// The nearest line above at this depth that closes no block: a sibling, or its head.
    pub(crate) head: Option<usize>,
    /// The line before which lines at this depth stand.
    pub(crate) at: usize,
}

/// The features of a block that show the depth to which it belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'t> {
    pub(crate) kind: Kind<'t>,
    /// The kind of the line in whose block it was; none at the top.
    pub(crate) parent: Option<Kind<'t>>,
    /// Whether it is a statement, which has no block or stays where it is in spite of it.
    pub(crate) is_statement: bool,
}

impl Outline<'_> {
    /// Returns whether brackets open in a line, or its block with a mark on the next one.
    pub(crate) fn opens_bracket(&self, at: usize) -> bool {
        brackets(self.body(at)) > 0 || self.kind(at).opening == Some('{')
    }

    /// Returns the line behind those that close the block of some lines, down to the depth of a new line. A closing line is
    /// not behind it, and neither is a label such as `case` behind the line that closes a block at its depth.
    pub(crate) fn behind(&self, lines: &Range<usize>, new: &str, depth: usize) -> usize {
        if is_closing(new) || continues(new) {
            return lines.end;
        }
        let last = lines.clone().rev().find(|at| self.is_code(*at));
        let own = last.map_or(0, |last| self.depth(self.statement(last)));
        let mut above = (0..lines.end).rev().filter(|at| self.is_code(*at) && self.depth(*at) <= depth);
        let label = above.next().filter(|at| self.depth(*at) == depth && self.kind(*at).has_word_of(&Kind::of(new)));
        let depth = depth + usize::from(label.is_some_and(|at| !self.opens_bracket(at)));
        let closes = |at: &usize| self.is_closing(*at) && (depth..own).contains(&self.depth(*at));
        let mut at = lines.end;
        while let Some(closing) = self.below(at).filter(closes) {
            at = closing + 1;
        }
        at
    }
}

impl<'t> Block<'t> {
    /// Returns what some lines of a text show; `lead` is the depth of the first one.
    pub(crate) fn of(outline: &Outline<'t>, head: usize, depth: usize) -> Self {
        let kind = outline.kind(head);
        let parent = outline.parent_of(head, depth).map(|at| outline.kind(at));
        Self { kind, parent, is_statement: kind.is_statement || kind.opening.is_none() }
    }
}

/// Returns the depths that are possible between the code above and below a line, the innermost first.
pub(crate) fn levels<'t>(
    outline: &Outline<'t>,
    at: usize,
    above: Option<usize>,
    below: impl Fn(usize) -> Option<usize>,
    passes_closing: bool,
) -> Vec<Level<'t>> {
    let next = below(at);
    let lead_below = next.map_or("", |at| outline.lead(at));
    let only = |lead, depth| vec![Level { lead, depth, head: above, at }];
    let Some(above) = above else { return only(lead_below, next.map_or(0, |at| outline.depth(at))) };
    let first = outline.statement(above);
    // A mark at the depth of the quoted line closes another block.
    let closes = |at: usize| outline.is_closing(at) && outline.depth(at) < outline.depth(first);
    let is_end = |at: usize| closes(at) || is_left(outline, at, &below);
    let is_closed = next.is_some_and(is_end);
    let depth_below = next.map_or(0, |at| outline.depth(at));
    if outline.depth(above) < depth_below || (outline.depth(above) == depth_below && !is_closed) {
        return only(lead_below, depth_below);
    }
    let mut open: Vec<Level<'t>> = Vec::new();
    for line in (0..=first).rev().filter(|at| outline.is_code(*at)) {
        let depth = outline.depth(line);
        let is_head = !outline.is_closing(line) && !is_rest(outline.body(line));
        let head = is_head.then(|| outline.first_of_head(line));
        match open.last_mut() {
            Some(last) if depth == last.depth && last.head.is_none() => last.head = head,
            Some(last) if depth >= last.depth => {}
            // A comment left of its block shows no depth.
            Some(_) if outline.is_comment(line) => {}
            _ => open.push(Level { lead: outline.lead(line), depth, head, at }),
        }
        if open.last().is_some_and(|last| last.depth == 0 && last.head.is_some()) {
            break;
        }
    }
    let mut possible: Vec<Level<'t>> = Vec::new();
    let (mut place, mut under) = (at, usize::MAX);
    let mut next = next;
    loop {
        let end = next.filter(|at| is_end(*at));
        // The block that a bracket closes begins where one opens: a label at its depth is inside.
        let is_label = |at: usize, level: &Level<'_>| {
            let is_bracket = outline.body(at).starts_with(['}', ')', ']']);
            is_bracket && level.head.is_some_and(|head| !outline.opens_bracket(head))
        };
        let is_open = |level: &&Level<'_>| {
            let floor = next.map_or(0, |at| {
                let is_bound = (closes(at) && !is_label(at, level)) || outline.continues(at);
                outline.depth(at) + usize::from(is_bound)
            });
            level.depth >= floor && level.depth < under
        };
        possible.extend(open.iter().filter(is_open).map(|level| Level { at: place, ..*level }));
        let has_label =
            |level: &&mut Level<'t>| end.is_some_and(|end| outline.depth(end) == level.depth && is_label(end, level));
        if let Some(level) = open.iter_mut().find(has_label) {
            let mut above = (0..level.head.unwrap_or_default()).rev();
            level.head =
                above.find(|at| outline.depth(*at) == level.depth && outline.opens_bracket(*at)).or(level.head);
        }
        match end.filter(|_| passes_closing) {
            Some(end) => {
                (under, place) = (outline.depth(end) + usize::from(outline.is_closing(end)), end + 1);
                next = below(place);
            }
            None => break,
        }
    }
    if possible.is_empty() { only(lead_below, depth_below) } else { possible }
}

/// Returns whether a line is a comment at the end of its block: the code below it is less deep.
fn is_left(outline: &Outline<'_>, at: usize, below: impl Fn(usize) -> Option<usize>) -> bool {
    let mut next = below(at + 1);
    while let Some(comment) = next.filter(|at| outline.is_comment(*at)) {
        next = below(comment + 1);
    }
    outline.is_comment(at) && outline.depth(at) > next.map_or(0, |next| outline.depth(next))
}

/// Returns the depth that belongs to a block: the only one; that of the nearest sibling whose block ends here; for a statement
/// the quoted one; where its parent was; or that of the nearest sibling above. None if nothing shows it.
pub(crate) fn chosen<'t>(
    outline: &Outline<'t>,
    levels: &[Level<'t>],
    block: &Block<'_>,
    quoted: usize,
) -> Option<Level<'t>> {
    if let [only] = levels {
        return Some(*only);
    }
    let is_sibling = |at: usize, has: &dyn Fn(&Kind<'_>, &Kind<'_>) -> bool| {
        let kind = outline.kind(at);
        let are_calls = block.kind.has_call && kind.has_call;
        let is_alike = kind.opening.is_some() == block.kind.opening.is_some()
            || block.kind.is_item()
            || (are_calls && !block.is_statement);
        let are_members = block.kind.is_key() && kind.is_key() && outline.is_member(at);
        (is_alike && has(&block.kind, &kind)) || are_members
    };
    let ending = |has: &dyn Fn(&Kind<'_>, &Kind<'_>) -> bool| {
        levels.iter().find(|level| level.head.is_some_and(|head| is_sibling(head, has))).copied()
    };
    let by_word = |one: &Kind<'_>, other: &Kind<'_>| one.has_word_of(other);
    let by_form = |one: &Kind<'_>, other: &Kind<'_>| one.has_form_of(other);
    if let Some(level) = ending(&by_word).filter(|_| !block.kind.is_statement) {
        return Some(level);
    }
    // One with a block of its own may have been outside all others.
    if block.is_statement && (block.parent.is_some() || block.kind.opening.is_none()) {
        return levels.iter().find(|level| level.depth == quoted).or_else(|| levels.first()).copied();
    }
    if let Some(level) = ending(&by_form) {
        return Some(level);
    }
    let with_parent = levels.iter().find(|level| {
        let parent = level.head.and_then(|head| {
            (0..head)
                .rev()
                .find(|at| outline.is_code(*at) && outline.depth(*at) < level.depth && !outline.is_closing(*at))
        });
        match (parent.map(|at| outline.kind(at)), &block.parent) {
            (None, None) => level.depth == 0,
            (Some(one), Some(other)) => one.has_word_of(other) || one.has_form_of(other),
            _ => false,
        }
    });
    if let Some(level) = with_parent {
        return Some(*level);
    }
    let mut least = usize::MAX;
    let above = levels.first()?.head?;
    (0..=above).rev().filter(|at| outline.is_code(*at)).find_map(|at| {
        least = least.min(outline.depth(at));
        let level = levels.iter().find(|level| level.depth == outline.depth(at) && level.depth == least)?;
        is_sibling(at, &by_word).then_some(*level)
    })
}

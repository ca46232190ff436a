//! What is written next to what: pieces taken apart into tokens, with where each occurs in the three texts.

use crate::align::texts::Texts;
use crate::pieces::{Piece, Pieces};
use crate::render::Style;
use crate::text::gap::Gap;
use crate::text::tokens::Tokens;

/// A position in a text: 0 is its beginning, 1 the first token, and the last one its end.
pub(crate) type Position = Option<usize>;

/// What is written next to what: a token in each of the texts that have it, or the beginning or the end of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'t> {
    pub(crate) file: Position,
    pub(crate) needle: Position,
    pub(crate) new: Position,
    /// Whether new text takes over the file's blank lines before it, and after it.
    pub(crate) takes: (bool, bool),
    /// The needle's gap in which new text is inserted.
    pub(crate) gap: Option<Gap<'t>>,
}

impl Item<'_> {
    const fn at(file: Position, needle: Position, new: Position) -> Self {
        Self { file, needle, new, takes: (true, true), gap: None }
    }

    pub(crate) fn is_fresh(&self) -> bool {
        self.file.is_none()
    }
}

pub(crate) fn items<'t>(texts: &Texts<'t>, pieces: &Pieces) -> Vec<Item<'t>> {
    let kept = |file: usize| {
        let (needle, new) = (texts.of_file[file], pieces.new_of_file[file]);
        Item::at(Some(file + 1), needle.map(|index| index + 1), new.map(|index| index + 1))
    };
    let fresh = |&new: &usize| Item::at(None, None, Some(new + 1));
    let mut items = vec![Item::at(Some(0), Some(0), Some(0))];
    let mut inserted = Vec::new();
    for piece in &pieces.list {
        match piece {
            Piece::Keep { file } => items.extend(file.clone().map(kept)),
            Piece::Delete { .. } => {}
            Piece::Replace { new, .. } => items.extend(new.iter().map(fresh)),
            Piece::Insert { new, .. } => {
                inserted.push(items.len()..items.len() + new.len());
                items.extend(new.iter().map(fresh));
            }
        }
    }
    let [file, needle, new] = [&texts.file, &texts.needle, &texts.new].map(|tokens| Some(tokens.len() + 1));
    items.push(Item::at(file, needle, new));
    for run in inserted {
        let (before, after) = (items[run.start - 1], items[run.end]);
        let gap = match (before.needle, after.needle) {
            (Some(before), _) => gap_after(&texts.needle, before),
            (_, Some(after)) => gap_before(&texts.needle, after),
            (None, None) => Gap::NONE,
        };
        let takes = takes(texts, before, (items[run.start], items[run.end - 1]), after, gap);
        for at in [run.start, run.end - 1] {
            items[at].takes = takes;
            items[at].gap = Some(gap);
        }
    }
    items
}

/// Returns which of the two gaps around an insertion takes over what makes the file's gap special: only one of them
/// can.
fn takes(
    texts: &Texts<'_>,
    before: Item<'_>,
    (first, last): (Item<'_>, Item<'_>),
    after: Item<'_>,
    needle: Gap<'_>,
) -> (bool, bool) {
    let keeps = |new: Gap<'_>| if needle.breaks > 1 { new.has_blank_lines_of(needle) } else { new.same(needle) };
    let left = first.new.is_some_and(|new| keeps(gap_before(&texts.new, new)));
    let right = last.new.is_some_and(|new| keeps(gap_after(&texts.new, new)));
    match (before.file == Some(0), after.file == Some(texts.file.len() + 1), left, right) {
        (true, true, ..) => (true, true),
        (true, false, ..) => (true, false),
        // The blank lines beside what the needle leaves out belong to it.
        (false, false, true, true) if before.needle.is_none() => (true, false),
        (false, true, ..) | (_, _, true, true) => (false, true),
        _ => (left, right),
    }
}

/// Returns the gap before a position; nothing before the beginning.
pub(crate) fn gap_before<'t>(tokens: &Tokens<'t>, position: usize) -> Gap<'t> {
    position.checked_sub(1).map_or(Gap::NONE, |token| Gap::new(tokens.gap(token)))
}

/// Returns the gap after a position; nothing after the end.
pub(crate) fn gap_after<'t>(tokens: &Tokens<'t>, position: usize) -> Gap<'t> {
    if position > tokens.len() { Gap::NONE } else { Gap::new(tokens.gap(position)) }
}

/// Returns the gap between two positions that are neighbours.
pub(crate) fn gap_between<'t>(tokens: &Tokens<'t>, before: Position, after: Position) -> Option<Gap<'t>> {
    let (before, after) = (before?, after?);
    (before + 1 == after).then(|| gap_before(tokens, after))
}

/// Returns the indentation of each new line, by its first token. Lines that were added together keep their depths
/// relative to each other.
pub(crate) fn fresh_indents(texts: &Texts<'_>, items: &[Item<'_>], style: &Style<'_>) -> Vec<(usize, String)> {
    let indent = |position: usize| gap_before(&texts.new, position).indent();
    let line = |position: usize| texts.new.items[position - 1].line;
    let opens = |&at: &usize| {
        let position = items[at].new.filter(|&new| items[at].is_fresh() && gap_before(&texts.new, new).breaks > 0);
        position.map(|position| (at, position))
    };
    let lines: Vec<(usize, usize)> = (0..items.len()).filter_map(|at| opens(&at)).collect();
    let mut found = Vec::new();
    // Blank lines between new ones do not part them.
    let joined = |one: &(usize, usize), next: &(usize, usize)| {
        let gap = gap_before(&texts.new, next.1).breaks;
        line(next.1) as usize <= line(one.1) as usize + gap
    };
    for run in lines.chunk_by(joined) {
        let (at, first) = run[0];
        let Some(least) = run.iter().map(|line| line.1).min_by_key(|&position| (indent(position).len(), position))
        else {
            continue;
        };
        let (from, base) = match replaced_indent(texts, items, at) {
            Some(file) => (indent(first), file.to_owned()),
            None => (indent(least), style.indents.place(indent(least), line(least) as f32)),
        };
        let placed = |&(_, position): &(usize, usize)| (position, style.indents.shifted(&base, from, indent(position)));
        found.extend(run.iter().map(placed));
    }
    found
}

/// Returns the file's indentation where a new line begins as a line of the needle did.
fn replaced_indent<'t>(texts: &Texts<'t>, items: &[Item<'t>], at: usize) -> Option<&'t str> {
    let before = items[at - 1];
    let (file, needle) = (gap_after(&texts.file, before.file?), gap_after(&texts.needle, before.needle?));
    let new = gap_before(&texts.new, items[at].new?);
    let same = before.file != Some(0) && file.breaks > 0 && needle.breaks > 0 && new.indent() == needle.indent();
    // The line of the needle that comes next goes, or goes on with the new text.
    let (next, line) = (before.needle?, before.file?);
    let partner = texts.in_file.get(next).copied().flatten() == Some(line);
    let stays = items[at..].iter().find(|item| item.file == Some(line + 1));
    let opens = |item: &Item<'_>| item.new.is_some_and(|new| gap_before(&texts.new, new).breaks > 0);
    (same && partner && !stays.is_some_and(opens)).then(|| file.indent())
}

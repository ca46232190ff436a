//! The written tokens in order, each with its positions in the three texts.

use crate::align::column::Column;
use crate::align::three_way::Texts;
use crate::hunks::Change;
use crate::merge::Merge;
use crate::style::Style;
use crate::text::tokens::{Class, Tokens};
use crate::text::whitespace::{Gap, both_end_lines};

/// A position in a text: 0 is its beginning, 1 the first token, and the last one its end.
pub(crate) type Position = Option<usize>;

/// A written token in each of the texts that have it, or the beginning or the end of all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'t> {
    pub(crate) file: Position,
    pub(crate) old: Position,
    pub(crate) new: Position,
    /// Whether new text takes over the file's blank lines before it.
    pub(crate) takes_before: bool,
    /// Whether new text takes over the file's blank lines after it.
    pub(crate) takes_after: bool,
    /// The old text's gap in which new text is inserted.
    pub(crate) gap: Option<Gap<'t>>,
}

impl Slot<'_> {
    /// Makes a slot of a token of the file that stays.
    fn kept(merge: &Merge<'_, '_>, file: usize) -> Self {
        let Column { old, new, .. } = merge.columns.of_file(merge.texts, file);
        Self::at(Some(file + 1), old.map(|index| index + 1), new.map(|index| index + 1))
    }

    /// Makes a slot of a token of the new text.
    fn fresh(new: usize) -> Self {
        Self::at(None, None, Some(new + 1))
    }

    /// Returns the position of the token in the new text, if it begins a line there.
    fn new_line(&self, texts: &Texts<'_>) -> Position {
        self.new.filter(|&new| gap_before(&texts.new, new).breaks > 0)
    }

    const fn at(file: Position, old: Position, new: Position) -> Self {
        Self { file, old, new, takes_before: true, takes_after: true, gap: None }
    }

    pub(crate) fn is_fresh(&self) -> bool {
        self.file.is_none()
    }
}

/// Returns all that is written, slot by slot.
pub(crate) fn slots<'t>(merge: &Merge<'_, 't>) -> Vec<Slot<'t>> {
    let texts = merge.texts;
    let mut slots = vec![Slot::at(Some(0), Some(0), Some(0))];
    let mut inserted = Vec::new();
    let mut from = 0;
    for hunk in &merge.hunks {
        let file = match &hunk.change {
            Change::Keep => continue,
            Change::Delete { file, .. } | Change::Replace { file, .. } => file.clone(),
            Change::Insert { at, .. } => *at..*at,
        };
        slots.extend((from..file.start).map(|file| Slot::kept(merge, file)));
        if file.is_empty() {
            inserted.push(slots.len()..slots.len() + hunk.inserted().len());
        }
        slots.extend(hunk.inserted().iter().copied().map(Slot::fresh));
        from = file.end;
    }
    slots.extend((from..texts.file.len()).map(|file| Slot::kept(merge, file)));
    let [file, old, new] = [&texts.file, &texts.old, &texts.new].map(|tokens| Some(tokens.len() + 1));
    slots.push(Slot::at(file, old, new));
    for run in inserted {
        let (before, after) = (slots[run.start - 1], slots[run.end]);
        // The old text may have more between the two than the file.
        let beside = slots[run.start].new.and_then(|new| texts.new_to_old[new.checked_sub(2)?]);
        let gap = match (beside.map(|token| token + 1).or(before.old), after.old) {
            (Some(before), _) => gap_after(&texts.old, before),
            (_, Some(after)) => gap_before(&texts.old, after),
            (None, None) => Gap::NONE,
        };
        let (takes_before, takes_after) = takes(texts, &slots[run.start - 1..=run.end], gap);
        for at in [run.start, run.end - 1] {
            slots[at] = Slot { takes_before, takes_after, gap: Some(gap), ..slots[at] };
        }
    }
    slots
}

/// Returns whether the gap before an insertion takes over what makes the file's gap special, and whether the one after
/// it does: only one of them can. `around` are the slots that come in, with those beside them.
fn takes(texts: &Texts<'_>, around: &[Slot<'_>], old: Gap<'_>) -> (bool, bool) {
    let [before, first, .., after] = around else { return (true, true) };
    let last = &around[around.len() - 2];
    let (begins, ends) =
        (first.new.map(|new| gap_before(&texts.new, new)), last.new.map(|new| gap_after(&texts.new, new)));
    let both = |is_kept: &dyn Fn(Gap<'_>) -> bool| (begins.map(is_kept) == Some(true), ends.map(is_kept) == Some(true));
    let (mut left, mut right) = both(&|new| is_kept_gap(new, old));
    // The new text may have the file's blank lines where the old text has others.
    let file = gap_between(&texts.file, before.file, after.file).filter(|file| file.breaks > 1);
    if let Some(file) = file.filter(|_| !(left || right)) {
        (left, right) = both(&|new| new.has_blank_lines_of(file));
    }
    match (before.file == Some(0), after.file == Some(texts.file.len() + 1), left, right) {
        (true, true, ..) => (true, true),
        (true, false, ..) => (true, false),
        // The blank lines beside what the old text leaves out belong to it.
        (false, false, true, true) if before.old.is_none() => (true, false),
        (false, true, ..) | (_, _, true, true) => (false, true),
        _ => (left, right),
    }
}

/// Returns whether a gap of the new text has what makes the old text's special: its blank lines, or all of it where it has
/// none.
fn is_kept_gap(new: Gap<'_>, old: Gap<'_>) -> bool {
    if old.breaks > 1 { new.has_blank_lines_of(old) } else { new.same(old) }
}

/// Returns the gap before a position; nothing before the beginning.
pub(crate) fn gap_before<'t>(tokens: &Tokens<'t>, position: usize) -> Gap<'t> {
    position.checked_sub(1).map_or(Gap::NONE, |token| Gap::new(tokens.gap(token)))
}

/// Returns the gap after a position; nothing after the end.
pub(crate) fn gap_after<'t>(tokens: &Tokens<'t>, position: usize) -> Gap<'t> {
    if position > tokens.len() { Gap::NONE } else { Gap::new(tokens.gap(position)) }
}

/// Returns the class of the token at a position, if there is one.
pub(crate) fn class_at(tokens: &Tokens<'_>, position: Position) -> Option<Class> {
    position?.checked_sub(1).map(|token| tokens.class(token))
}

/// Returns the gap between two positions that are neighbours.
pub(crate) fn gap_between<'t>(tokens: &Tokens<'t>, before: Position, after: Position) -> Option<Gap<'t>> {
    let (before, after) = (before?, after?);
    (before + 1 == after).then(|| gap_before(tokens, after))
}

/// Returns the indentation of each new line, by its first token. Lines that were added together keep their depths
/// relative to each other.
pub(crate) fn fresh_indents(texts: &Texts<'_>, slots: &[Slot<'_>], style: &Style<'_>) -> Vec<(usize, String)> {
    let fresh = slots.iter().enumerate().filter(|(_, slot)| slot.is_fresh());
    let lines: Vec<FreshLine<'_>> =
        fresh.filter_map(|(at, slot)| Some(FreshLine::new(texts, at, slot.new_line(texts)?))).collect();
    let mut found = Vec::new();
    // Blank lines between new ones do not part them.
    for run in lines.chunk_by(|one, next| next.number <= one.number + next.breaks) {
        let Some(least) = run.iter().min_by_key(|line| (line.indent.len(), line.position)) else { continue };
        let known = replaced_indent(texts, slots, run[0].at).or_else(|| last_indent(texts, slots, &run[0]));
        let (from, base) = match known {
            Some(file) => (run[0].indent, file.to_owned()),
            None => (least.indent, style.indents.place(least.indent, least.number as f32)),
        };
        found.extend(run.iter().map(|line| (line.position, style.indents.shifted(&base, from, line.indent))));
    }
    found
}

/// A line that the edit brings.
struct FreshLine<'t> {
    /// The slot that it begins with.
    at: usize,
    /// The position of that token in the new text.
    position: usize,
    /// The number of the line in the new text.
    number: usize,
    /// The number of line breaks before it.
    breaks: usize,
    indent: &'t str,
}

impl<'t> FreshLine<'t> {
    fn new(texts: &Texts<'t>, at: usize, position: usize) -> Self {
        let gap = gap_before(&texts.new, position);
        let number = texts.new.line_number(position - 1);
        Self { at, position, number, breaks: gap.breaks, indent: gap.indent() }
    }
}

/// Returns the file's indentation where a new line begins as a line of the old text did.
fn replaced_indent<'t>(texts: &Texts<'t>, slots: &[Slot<'t>], at: usize) -> Option<&'t str> {
    let before = slots[at - 1];
    let line = before.file.filter(|&line| line > 0)?;
    // The line of the old text that comes next is deleted, or goes on with the new text.
    let next = before.old.filter(|&next| texts.old_to_file.get(next).copied().flatten() == Some(line))?;
    let stays = slots[at..].iter().find(|slot| slot.file == Some(line + 1));
    if stays.and_then(|slot| slot.new_line(texts)).is_some() {
        return None;
    }
    let (file, old) = (gap_after(&texts.file, line), gap_after(&texts.old, next));
    let new = gap_before(&texts.new, slots[at].new?);
    (both_end_lines(file, old) && new.indent() == old.indent()).then(|| file.indent())
}

/// Returns the file's indentation for a new line that ends a list and is written as deep as the file has the slot before
/// it, though the old text has that slot at another depth: what follows a slot is never deeper than the slot.
fn last_indent<'t>(texts: &Texts<'t>, slots: &[Slot<'t>], line: &FreshLine<'t>) -> Option<&'t str> {
    let (file, new) = (&texts.file, &texts.new);
    let before = slots[line.at - 1];
    let (theirs, ours) = (file.line_of(before.file?.checked_sub(1)?), before.new?.checked_sub(1)?);
    let start = new.line_of(ours).start;
    let after = slots[line.at..].iter().find(|slot| !slot.is_fresh())?;
    let ends_item = new.class(ours) == Class::Separator && new.depth(start..ours) == 0;
    let ends_list = after.new_line(texts).and_then(|_| class_at(new, after.new)) == Some(Class::Closer);
    let indent = Some(file.indent(theirs.start)).filter(|&indent| indent == line.indent);
    indent.filter(|indent| ends_item && ends_list && indent.len() > new.indent(start).len())
}

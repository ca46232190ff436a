//! Slots: the written tokens in order, each with its positions in the three texts.

use rustc_hash::FxHashMap;

use crate::align::three_way::Texts;
use crate::mechanisms::{LAST_INDENT, REPLACED_INDENT};
use crate::merge::Merge;
use crate::style::Style;
use crate::text::tokens::{Class, Tokens};
use crate::text::whitespace::{Gap, both_end_lines};

/// A position in a text, if the text has one: 0 is its beginning, 1 the first token, and the last one its end.
pub(crate) type Position = Option<usize>;

/// A written token, or the beginning or the end of all texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) file: Position,
    pub(crate) old: Position,
    pub(crate) new: Position,
    /// Whether the gap before new text is based on the file's.
    pub(crate) owns_gap_before: bool,
    /// Whether the gap after new text is based on the file's.
    pub(crate) owns_gap_after: bool,
    /// The old text's token after the gap of an insertion.
    pub(crate) gap: Option<usize>,
}

impl Slot {
    fn kept(merge: &Merge<'_, '_>, file: usize) -> Self {
        let (old, new) = (merge.texts.file_to_old[file], merge.columns.file_to_new[file]);
        Self::at(Some(file + 1), old.map(|index| index + 1), new.map(|index| index + 1))
    }

    fn inserted(new: usize) -> Self {
        Self::at(None, None, Some(new + 1))
    }

    /// Returns the position of the token in the new text, if it begins a line there.
    fn new_line(&self, texts: &Texts<'_>) -> Position {
        self.new.filter(|_| gap_before(&texts.new, self.new).is_some_and(|gap| gap.breaks > 0))
    }

    const fn at(file: Position, old: Position, new: Position) -> Self {
        Self { file, old, new, owns_gap_before: true, owns_gap_after: true, gap: None }
    }

    /// Returns whether the token is the new text's.
    pub(crate) fn is_new(&self) -> bool {
        self.file.is_none()
    }
}

/// Returns the slots of a merge.
pub(crate) fn slots(merge: &Merge<'_, '_>) -> Vec<Slot> {
    let texts = merge.texts;
    let mut slots = vec![Slot::at(Some(0), Some(0), Some(0))];
    let mut inserted = Vec::new();
    let mut from = 0;
    for hunk in &merge.hunks {
        let Some(file) = hunk.place() else { continue };
        slots.extend((from..file.start).map(|file| Slot::kept(merge, file)));
        if file.is_empty() {
            inserted.push(slots.len()..slots.len() + hunk.inserted().len());
        }
        slots.extend(hunk.inserted().iter().copied().map(Slot::inserted));
        from = file.end;
    }
    slots.extend((from..texts.file.len()).map(|file| Slot::kept(merge, file)));
    let [file, old, new] = [&texts.file, &texts.old, &texts.new].map(|tokens| Some(tokens.len() + 1));
    slots.push(Slot::at(file, old, new));
    for run in inserted {
        let (before, after) = (slots[run.start - 1], slots[run.end]);
        // The old text may have more between the two than the file.
        let beside = slots[run.start].new.and_then(|new| texts.new_to_old[new.checked_sub(2)?]);
        let gap = beside.map(|token| token + 1).or(before.old).or_else(|| after.old?.checked_sub(1));
        let old = gap.map_or(Gap::NONE, |token| Gap::new(texts.old.gap(token)));
        let (owns_gap_before, owns_gap_after) = gap_owner(texts, &slots[run.start - 1..=run.end], old);
        for at in [run.start, run.end - 1] {
            slots[at] = Slot { owns_gap_before, owns_gap_after, gap, ..slots[at] };
        }
    }
    slots
}

/// Returns whether the gap before an insertion is based on the file's gap, and whether the one after it is: not both,
/// except at the ends. `around` are the inserted slots and those beside them.
fn gap_owner(texts: &Texts<'_>, around: &[Slot], old: Gap<'_>) -> (bool, bool) {
    let [before, first, .., after] = around else { return (true, true) };
    let last = &around[around.len() - 2];
    let is_old = |gap: Option<Gap<'_>>| {
        gap.is_none_or(|gap| if old.breaks > 1 { gap.has_blank_lines_of(old) } else { gap.same(old) })
    };
    let left = is_old(gap_before(&texts.new, first.new));
    let right = is_old(gap_after(&texts.new, last.new));
    match (before.file == Some(0), after.file == Some(texts.file.len() + 1), left, right) {
        (true, is_end, ..) => (true, is_end),
        // Blank lines beside tokens that the old text lacks belong to these.
        (_, false, true, true) if before.old.is_none() => (true, false),
        (_, true, ..) | (.., true, true) => (false, true),
        _ => (left, right),
    }
}

/// Returns the gap before a position; an empty one before the beginning.
pub(crate) fn gap_before<'t>(tokens: &Tokens<'t>, position: Position) -> Option<Gap<'t>> {
    Some(position?.checked_sub(1).map_or(Gap::NONE, |token| Gap::new(tokens.gap(token))))
}

/// Returns the gap after a position; an empty one after the end.
pub(crate) fn gap_after<'t>(tokens: &Tokens<'t>, position: Position) -> Option<Gap<'t>> {
    position.map(|position| if position > tokens.len() { Gap::NONE } else { Gap::new(tokens.gap(position)) })
}

pub(crate) fn class_at(tokens: &Tokens<'_>, position: Position) -> Option<Class> {
    position?.checked_sub(1).map(|token| tokens.class(token))
}

/// Returns the gap between two positions, if they are neighbours.
pub(crate) fn gap_between<'t>(tokens: &Tokens<'t>, before: Position, after: Position) -> Option<Gap<'t>> {
    gap_before(tokens, after.filter(|after| before.map(|before| before + 1) == Some(*after)))
}

/// Returns the indentation of each new line by the position of its first token. Neighbouring lines keep their depths
/// relative to each other.
pub(crate) fn new_line_indents(texts: &Texts<'_>, slots: &[Slot], style: &Style<'_>) -> FxHashMap<usize, String> {
    let new_slots = slots.iter().enumerate().filter(|(_, slot)| slot.is_new());
    let lines: Vec<NewLine<'_>> =
        new_slots.filter_map(|(at, slot)| Some(NewLine::new(texts, at, slot.new_line(texts)?))).collect();
    let mut found = FxHashMap::default();
    // Blank lines between new ones do not separate them.
    for run in lines.chunk_by(|one, next| next.number <= one.number + next.breaks) {
        let Some(least) = run.iter().min_by_key(|line| (line.indent.len(), line.position)) else { continue };
        let left_out = texts.run.left_out;
        let replaced = left_out.found(&REPLACED_INDENT, || replaced_indent(texts, slots, run[0].at));
        let known = replaced.or_else(|| left_out.found(&LAST_INDENT, || last_indent(texts, slots, &run[0])));
        let (from, base) = match known {
            Some(file) => (run[0].indent, file.to_owned()),
            None => (least.indent, style.indentation.translate(least.indent, least.number as f32)),
        };
        let shifted = |line: &NewLine<'_>| (line.position, style.indentation.shifted(&base, from, line.indent));
        found.extend(run.iter().map(shifted));
    }
    found
}

/// An inserted line.
struct NewLine<'t> {
    /// The index of its first slot.
    at: usize,
    /// The position of its first token in the new text.
    position: usize,
    /// Its number in the new text.
    number: usize,
    /// The number of line breaks before it.
    breaks: usize,
    indent: &'t str,
}

impl<'t> NewLine<'t> {
    fn new(texts: &Texts<'t>, at: usize, position: usize) -> Self {
        let (number, gap) = (texts.new.line_number(position - 1), Gap::new(texts.new.gap(position - 1)));
        Self { at, position, number, breaks: gap.breaks, indent: gap.indent() }
    }
}

/// Returns the file's indentation of the line of the old text that a new line replaces, if both begin alike.
fn replaced_indent<'t>(texts: &Texts<'t>, slots: &[Slot], at: usize) -> Option<&'t str> {
    let before = slots[at - 1];
    let line = before.file.filter(|&line| line > 0)?;
    // The next line of the old text is deleted, or continues with the new text.
    before.old.filter(|&next| texts.old_to_file.get(next).copied().flatten() == Some(line))?;
    let kept = slots[at..].iter().find(|slot| slot.file == Some(line + 1));
    if kept.and_then(|slot| slot.new_line(texts)).is_some() {
        return None;
    }
    let (file, old) = (gap_after(&texts.file, before.file)?, gap_after(&texts.old, before.old)?);
    let new = gap_before(&texts.new, slots[at].new)?;
    (both_end_lines(file, old) && new.indent() == old.indent()).then(|| file.indent())
}

/// Returns the file's indentation for a new line that ends a list and is as deep as the file's line before it, though
/// the old text has that line at another depth: a line is never deeper than the item before it.
fn last_indent<'t>(texts: &Texts<'t>, slots: &[Slot], line: &NewLine<'t>) -> Option<&'t str> {
    let (file, new) = (&texts.file, &texts.new);
    let before = slots[line.at - 1];
    let (in_file, in_new) = (before.file?.checked_sub(1)?, before.new?.checked_sub(1)?);
    let start = new.line_of(in_new).start;
    let after = slots[line.at..].iter().find(|slot| !slot.is_new())?;
    let ends_item = new.class(in_new) == Class::Separator && new.depth(start..in_new) == 0;
    let ends_list = after.new_line(texts).and_then(|_| class_at(new, after.new)) == Some(Class::Closer);
    let indent = Some(file.indent(file.line_of(in_file).start)).filter(|&indent| indent == line.indent);
    indent.filter(|indent| ends_item && ends_list && indent.len() > new.indent(start).len())
}

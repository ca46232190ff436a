//! Writes the gaps between slots with deleted tokens between them, or that are neighbours in no text.

use crate::text::whitespace::{Gap, three};
use crate::write::gaps::{Blank, Writer};
use crate::write::slots::{Slot, gap_after, gap_before};

impl<'t> Writer<'_, 't> {
    /// Writes the gap between two kept slots when all tokens between them are deleted. `old` overrides the old text's
    /// gaps after the first slot and before the second.
    pub(super) fn around_deleted(
        &mut self,
        new: Gap<'t>,
        before: Slot<'t>,
        after: Slot<'t>,
        old: [Option<Gap<'t>>; 2],
    ) {
        let ((left, left_old), (right, right_old)) = (self.after(before), self.before(after));
        // A line break that the old text lacks is kept.
        let has_break = |file: Gap<'t>| move |old: &Gap<'t>| old.breaks > 0 || file.breaks == 0;
        let left_old = old[0].or(left_old).filter(has_break(left)).unwrap_or(left);
        let right_old = old[1].or(right_old).unwrap_or(right);
        let at_end = self.is_end(after);
        if new.breaks + left.breaks + right.breaks == 0 {
            let (first, second) = (new.same(left_old), new.same(right_old));
            let raw = match (first, second) {
                (true, true) if left.same(right) => left.raw,
                (true, false) => left.raw,
                (false, true) => right.raw,
                _ => new.raw,
            };
            return self.inline(raw, [left.raw, new.raw], after);
        }
        // The edit changes the number of blank lines.
        let mut count = (new.breaks + left.breaks + right.breaks).saturating_sub(left_old.breaks + right_old.breaks);
        let is_first = before.file == Some(0);
        match (at_end, is_first) {
            // A deleted line is deleted with its ending.
            (true, true) if right_old.breaks == 0 && right.breaks > 0 => count = count.saturating_sub(1).max(1),
            (true, true) => count = count.max(1),
            (true, false) => count = self.at_end(count, right),
            (false, _) => {
                let most = new.breaks.max(left.breaks).max(right.breaks);
                count = count.clamp(new.breaks.min(1), most.max(1));
            }
        }
        if count == 0 {
            return self.push(if new.breaks == 0 { new.raw } else { "" });
        }
        let trail = match left_old.breaks {
            _ if is_first => "",
            0 => new.trail(),
            _ => three(new.trail(), left_old.trail(), left.trail()),
        };
        let is_corrected = right_old.indent() != right.indent() && new.indent() == right.indent();
        let is_as_first = new.indent() == left_old.indent();
        let indent = match (new.breaks, right.breaks) {
            _ if at_end => right.indent().to_owned(),
            (0, _) => new.raw.to_owned(),
            // The new first line is indented as the old one, right or wrong.
            _ if is_first && is_as_first && !is_corrected => left.indent().to_owned(),
            (_, 0) if is_as_first => left.indent().to_owned(),
            (_, 0) => self.translated(new, after),
            _ => self.kept_indent(new, after),
        };
        // Writes the gap with the blank lines that the edit keeps.
        let sides = [(left, left_old), (right, right_old)];
        let kept = sides.into_iter().find(|(file, old)| Blank::are_kept(count, *file, *old, new));
        let blank = kept.map_or(Blank::New(new), |(file, _)| Blank::File(file));
        self.lines(left.ending().or(right.ending()), trail, count, blank, &indent);
    }

    /// Writes a gap between two slots that are neighbours neither in the file nor in the new text.
    pub(super) fn between_strangers(&mut self, before: Slot<'t>, after: Slot<'t>) {
        let texts = self.texts;
        let (new_after, new_before) = (gap_after(&texts.new, before.new), gap_before(&texts.new, after.new));
        let file = (self.after(before).0, self.before(after).0);
        match (before.is_new(), after.is_new(), new_before) {
            // New text continues the line after unknown tokens.
            (false, true, Some(_)) if file.0.breaks == 0 => self.push(file.0.raw),
            (false, true, Some(new)) => self.before_new(new, before, after),
            (true, false, _) if file.1.breaks.min(new_after.unwrap_or(Gap::NONE).breaks) > 0 => {
                self.after_new(new_after.unwrap_or(Gap::NONE), before, after);
            }
            (false, false, Some(new)) if file.0.breaks > 0 => {
                match (self.gap_before_deleted(after), self.gap_after_deleted(before), new_after) {
                    (Some(old), ..) => self.around_deleted(new, before, after, [Some(old), None]),
                    (_, Some(old), Some(new)) => self.around_deleted(new, before, after, [None, Some(old)]),
                    _ => self.of_both_sides(before, after),
                }
            }
            _ => self.of_both_sides(before, after),
        }
    }

    /// Returns the old text's gap after the deleted tokens right after a slot, if there are any.
    fn gap_after_deleted(&self, before: Slot<'t>) -> Option<Gap<'t>> {
        let start = before.old?;
        let deleted = (start..self.texts.old.len()).take_while(|&token| !self.texts.is_kept(token)).count();
        (deleted > 0).then(|| Gap::new(self.texts.old.gap(start + deleted)))
    }

    /// Returns the old text's gap before the deleted tokens right before a slot, if there are any.
    fn gap_before_deleted(&self, after: Slot<'t>) -> Option<Gap<'t>> {
        let end = after.old?.checked_sub(1)?;
        let deleted = (0..end).rev().take_while(|&token| !self.texts.is_kept(token)).count();
        (deleted > 0).then(|| Gap::new(self.texts.old.gap(end - deleted)))
    }

    /// Writes a gap made of the file's gaps after the first slot and before the second, or of the new text's.
    fn of_both_sides(&mut self, before: Slot<'t>, after: Slot<'t>) {
        let (left, _) = self.after(before);
        if after.file.is_some() {
            let (right, _) = self.before(after);
            let new = gap_after(&self.texts.new, before.new).unwrap_or(Gap::NONE);
            let raw = match (left.breaks, right.breaks) {
                _ if before.is_new() => right.raw,
                // More blank lines are before the deleted text than after it, and the new text has as many.
                (more, 1..) if more > right.breaks && new.breaks >= more => {
                    return self.lines(left.ending(), left.trail(), more, Blank::File(left), right.indent());
                }
                (1.., 0) => left.raw,
                (0, 0) if right.raw.is_empty() => left.raw,
                _ => right.raw,
            };
            return self.push(raw);
        }
        let Some(new) = gap_before(&self.texts.new, after.new) else { return };
        if new.breaks == 0 {
            return self.push(new.raw);
        }
        let trail = if before.is_new() || left.breaks == 0 { new.trail() } else { left.trail() };
        let indent = self.new_line_indent(new, after);
        self.lines(left.ending(), trail, new.breaks, Blank::New(new), &indent);
    }
}

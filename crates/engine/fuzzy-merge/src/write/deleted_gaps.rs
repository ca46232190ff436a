//! Writes the gaps where what was between two tokens went, or where they are neighbours in no text.

use crate::text::whitespace::{Gap, three};
use crate::write::gaps::{Blank, Writer};
use crate::write::slots::{Slot, gap_after, gap_before};

impl<'t> Writer<'_, 't> {
    /// Writes the one gap that is left of two when everything between them went. The old text's gaps are those beside the
    /// two, unless it has more between them than the file.
    pub(super) fn closed(&mut self, new: Gap<'t>, before: Slot<'t>, after: Slot<'t>, old: [Option<Gap<'t>>; 2]) {
        let ((left, left_old), (right, right_old)) = (self.after(before), self.before(after));
        // A line break that the old text has forgotten stays.
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
        // The new text has the file's blank lines where the old text has others, or the old text's as the edit changes them.
        let sides = [(left, left_old), (right, right_old)];
        let mut differing = sides.iter().filter(|(file, old)| file.breaks > 1 && file.breaks != old.breaks);
        let mut count = match differing.any(|(file, _)| file.breaks == new.breaks) {
            true => new.breaks,
            false => (new.breaks + left.breaks + right.breaks).saturating_sub(left_old.breaks + right_old.breaks),
        };
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
            return self.written.text.push_str(if new.breaks == 0 { new.raw } else { "" });
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
            // The new first line is indented as the old one was, rightly or wrongly.
            _ if is_first && is_as_first && !is_corrected => left.indent().to_owned(),
            (_, 0) if is_as_first => left.indent().to_owned(),
            (_, 0) => self.placed(new, after),
            _ => self.kept_indent(new, after),
        };
        // Of two gaps that the edit leaves one of, the one that looks like the new text's in the old text stays.
        let kept = sides.into_iter().find(|(file, old)| Blank::stay(count, *file, *old, new));
        let blank = kept.map_or(Blank::New(new), |(file, _)| Blank::File(file));
        self.lines(left.ending().or(right.ending()), trail, count, blank, &indent);
    }

    /// Writes a gap between two slots that are neighbours neither in the file nor in the new text.
    pub(super) fn parted(&mut self, before: Slot<'t>, after: Slot<'t>) {
        let texts = self.texts;
        let (new_after, new_before) =
            (before.new.map(|new| gap_after(&texts.new, new)), after.new.map(|new| gap_before(&texts.new, new)));
        let file = (self.after(before).0, self.before(after).0);
        match (before.is_fresh(), after.is_fresh(), new_before) {
            // What only the file has goes on with new text on its line.
            (false, true, Some(_)) if file.0.breaks == 0 => self.written.text.push_str(file.0.raw),
            (false, true, Some(new)) => self.opening(new, before, after),
            (true, false, _) if file.1.breaks.min(new_after.unwrap_or(Gap::NONE).breaks) > 0 => {
                self.closing(new_after.unwrap_or(Gap::NONE), before, after);
            }
            (false, false, Some(new)) if file.0.breaks > 0 => {
                match (self.gap_before_deleted(after), self.gap_after_deleted(before), new_after) {
                    (Some(old), ..) => self.closed(new, before, after, [Some(old), None]),
                    (_, Some(old), Some(new)) => self.closed(new, before, after, [None, Some(old)]),
                    _ => self.joined(before, after),
                }
            }
            _ => self.joined(before, after),
        }
    }

    /// Returns the old text's gap after what the edit takes away right after a slot.
    fn gap_after_deleted(&self, before: Slot<'t>) -> Option<Gap<'t>> {
        let start = before.old?;
        let gone = (start..self.texts.old.len()).take_while(|&token| !self.texts.is_kept(token)).count();
        (gone > 0).then(|| Gap::new(self.texts.old.gap(start + gone)))
    }

    /// Returns the old text's gap before what the edit takes away right before a slot.
    fn gap_before_deleted(&self, after: Slot<'t>) -> Option<Gap<'t>> {
        let end = after.old?.checked_sub(1)?;
        let gone = (0..end).rev().take_while(|&token| !self.texts.is_kept(token)).count();
        (gone > 0).then(|| Gap::new(self.texts.old.gap(end - gone)))
    }

    /// Writes a gap between two slots that are neighbours in no text.
    fn joined(&mut self, before: Slot<'t>, after: Slot<'t>) {
        let (left, _) = self.after(before);
        if after.file.is_some() {
            let (right, _) = self.before(after);
            let new = before.new.map_or(Gap::NONE, |new| gap_after(&self.texts.new, new));
            let raw = match (left.breaks, right.breaks) {
                _ if before.is_fresh() => right.raw,
                // There were more blank lines before the deleted text than after it, and the new text has as many.
                (more, 1..) if more > right.breaks && new.breaks >= more => {
                    return self.lines(left.ending(), left.trail(), more, Blank::File(left), right.indent());
                }
                (1.., 0) => left.raw,
                (0, 0) if right.raw.is_empty() => left.raw,
                _ => right.raw,
            };
            return self.written.text.push_str(raw);
        }
        let Some(new) = after.new.map(|new| gap_before(&self.texts.new, new)) else { return };
        if new.breaks == 0 {
            return self.written.text.push_str(new.raw);
        }
        let trail = if before.is_fresh() || left.breaks == 0 { new.trail() } else { left.trail() };
        let indent = self.fresh_indent(new, after);
        self.lines(left.ending(), trail, new.breaks, Blank::New(new), &indent);
    }
}

//! Writes what lies between two anchors when the edit changes something there.

use std::ops::Range;

use crate::Doubt;
use crate::gap::{Gap, Sides};
use crate::merge::{Anchor, Merge};

/// Bounds the tokens of the three texts that lie between two anchors.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) new: Range<usize>,
    pub(crate) needle: Range<usize>,
    pub(crate) file: Range<usize>,
    /// Tells whether an "and so on" line stands before it, and behind it.
    pub(crate) opens: bool,
    pub(crate) closes: bool,
}

/// Divides the file's tokens of a slot: what stays before the change, and what behind it.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
    /// Tells whether the slot is the needle's beginning.
    pub(crate) opens_needle: bool,
    /// Tells whether tokens of the file go.
    pub(crate) replaced: bool,
    /// Tells whether the new tokens are one line, or part of one.
    pub(crate) one_line: bool,
}

impl<'t> Merge<'t> {
    /// Writes a slot in which the edit changes something; `fresh` lists its new tokens.
    pub(crate) fn change(&mut self, slot: &Slot, fresh: &[usize], right: &Anchor) {
        let parts = self.parts(slot, fresh);
        self.copy_with_gap(parts.before.clone());
        let left = Sides {
            new: Gap::new(self.new.gap(slot.new.start)),
            needle: Gap::new(self.needle.gap(slot.needle.start)),
            file: Gap::new(self.file.gap(parts.before.end)),
        };
        let behind = Sides {
            new: Gap::new(self.new.gap(slot.new.end)),
            needle: Gap::new(self.needle.gap(slot.needle.end)),
            file: Gap::new(self.file.gap(parts.after.start)),
        };
        if fresh.is_empty() {
            if !parts.after.is_empty() && behind.file.breaks == 0 {
                // What only the file has follows on the same line.
                self.out.push_str(left.file.raw);
            } else {
                self.closed_gap(left, behind, slot, right);
            }
            if !parts.after.is_empty() {
                self.copy(parts.after);
                self.out.push_str(self.file.gap(slot.file.end));
            }
            return;
        }
        let (take_left, take_right) = takes(slot, right, &parts, left, behind);
        self.fresh(slot, fresh, &parts, (take_left, left));
        let inserted = !parts.replaced;
        if parts.after.is_empty() {
            if behind.is_inside() && self.out.ends_with(['(', '[', '{', '.']) {
                // The blanks behind an opening mark are the mark's.
                self.out.push_str(behind.new.raw);
            } else if take_right {
                self.kept_gap(behind, right, inserted);
            } else {
                self.free_gap(behind, right);
            }
            return;
        }
        if inserted && behind.file.breaks > 0 {
            // The insertion stands between lines of the file.
            if take_right {
                self.push_with_trail(behind.new, behind.file);
            } else {
                let sides = Sides { file: Gap::NONE, ..behind };
                self.write_gap(behind.new.trail(), behind.new.breaks.max(1), sides, behind.file.indent());
            }
            self.copy(parts.after);
        } else if inserted && behind.new.breaks > 0 && !self.continues(fresh[0]) {
            // The insertion ends its line; what only the file has follows on the next.
            self.free_gap(behind, right);
            self.copy(parts.after);
        } else {
            self.copy_with_gap(parts.after);
        }
        self.out.push_str(self.file.gap(slot.file.end));
    }

    /// Writes the new tokens of a slot with their gaps.
    fn fresh(&mut self, slot: &Slot, fresh: &[usize], parts: &Parts, (take, left): (bool, Sides<'t>)) {
        let line_before = |index: usize, lines: &crate::tokens::Tokens<'_>| match index {
            0 => 0,
            _ => lines.items[index - 1].line,
        };
        let base = line_before(slot.needle.start, &self.needle);
        let new_base = line_before(slot.new.start, &self.new);
        let lines = (line_before(slot.new.end, &self.new) + 1 - new_base) as f32;
        for (nth, &index) in fresh.iter().enumerate() {
            // New lines stand between two lines of the needle, however many they are.
            let at = base as f32 + (self.new.items[index].line - new_base) as f32 / lines;
            let gap = Gap::new(self.new.gap(index));
            if nth == 0 {
                let new = if index == slot.new.start { left.new } else { gap };
                self.first_gap(take, Sides { new, ..left }, at, (parts, self.new.get(index)));
            } else if gap.breaks == 0 {
                self.out.push_str(gap.raw);
            } else {
                if self.lost_step(index, gap.indent()) {
                    self.doubts.push(Doubt::Indentation);
                }
                let indent = self.fresh_indent(gap.indent(), at, parts);
                let sides = Sides { new: gap, needle: Gap::NONE, file: Gap::NONE };
                self.write_gap(gap.trail(), gap.breaks, sides, &indent);
            }
            self.out.push_str(self.swaps.dressed(&self.new, index));
        }
    }

    /// Gives the indentation of a new line. Where the needle has lost all differences of indentation, the
    /// lines between which the new ones stand must show it.
    pub(crate) fn fresh_indent(&mut self, wanted: &str, at: f32, parts: &Parts) -> String {
        let placed = self.indents.place(wanted, at);
        let (Some(before), after) = (parts.before.end.checked_sub(1), parts.after.start) else { return placed };
        if parts.replaced || !parts.one_line || after >= self.file.len() || !self.indents.is_all_flattened(wanted) {
            return placed;
        }
        let line = self.file.on_line(self.file.items[before].line as usize);
        let (above, below) = (self.file.indent(line.start), self.file.indent(after));
        let closes = matches!(self.file.get(after), "}" | "]" | ")" | "end");
        if !self.file.opens_line(after) || above == below || closes {
            return above.to_owned();
        }
        if matches!(self.file.get(before), ":" | "{" | "(" | "[") && below.len() > above.len() {
            return below.to_owned();
        }
        self.doubts.push(Doubt::Indentation);
        placed
    }

    /// Tells whether a new line should be deeper than the one before it, which opens a block, and
    /// the needle's way of indenting does not show how deep.
    fn lost_step(&self, index: usize, indent: &str) -> bool {
        let before = index - 1;
        let line = self.new.on_line(self.new.items[before].line as usize);
        let opens = matches!(self.new.get(before), ":" | "{" | "(" | "[");
        opens && self.new.indent(line.start) == indent && self.indents.is_flattened(indent)
    }

    /// Decides which tokens of the file's side of a slot stay before the change, which go, and
    /// which stay behind it.
    fn parts(&mut self, slot: &Slot, fresh: &[usize]) -> Parts {
        let deleted: Vec<usize> = slot.needle.clone().filter(|&index| self.in_new[index].is_none()).collect();
        let gone: Vec<usize> =
            deleted.iter().filter_map(|&index| self.in_file[index]).filter(|index| slot.file.contains(index)).collect();
        if deleted.iter().any(|&index| self.is_another(index) && !self.is_made(index, fresh)) {
            self.doubts.push(Doubt::Absent);
        }
        let opens_needle = slot.needle.start == 0;
        let line_of = |index: Option<&usize>| index.map(|&index| self.new.items[index].line);
        let one_line = line_of(fresh.first()) == line_of(fresh.last());
        if let (Some(&first), Some(&last)) = (gone.first(), gone.last()) {
            let last = if fresh.is_empty() { self.with_rest(slot, first..last + 1) - 1 } else { last };
            self.check_middle(first..last + 1);
            self.check_sides(slot, slot.file.start..first, last + 1..slot.file.end);
            return Parts {
                before: slot.file.start..first,
                after: last + 1..slot.file.end,
                opens_needle,
                replaced: true,
                one_line,
            };
        }
        if !deleted.is_empty() && !fresh.is_empty() {
            self.doubts.push(Doubt::Absent);
        }
        let split = self.insertion_point(slot, fresh);
        Parts { before: slot.file.start..split, after: split..slot.file.end, opens_needle, replaced: false, one_line }
    }

    /// Tells whether one of the `fresh` tokens stands in the file where the needle has a token: the
    /// change was made already.
    fn is_made(&self, index: usize, fresh: &[usize]) -> bool {
        let theirs = self.in_file[index].map(|partner| self.file.items[partner].id);
        fresh.iter().any(|&index| Some(self.new.items[index].id) == theirs)
    }

    /// Adds to deleted tokens what only the file has behind them, if it ends their line: a semicolon or
    /// a comment goes with the statement. Of anything else no line of punctuation may be left.
    fn with_rest(&mut self, slot: &Slot, gone: Range<usize>) -> usize {
        let line = self.file.on_line(self.file.items[gone.end - 1].line as usize);
        let rest = gone.end..line.end.min(slot.file.end);
        if line.start < gone.start || rest.end < line.end {
            return gone.end;
        }
        if self.file.comment(line).is_some_and(|comment| comment <= rest.start) {
            return rest.end;
        }
        if rest.clone().any(|index| self.file.items[index].word) {
            return gone.end;
        }
        if rest.clone().any(|index| !matches!(self.file.get(index), ";" | ",")) {
            self.doubts.push(Doubt::ForgottenLines);
        }
        rest.end
    }

    /// Tells whether a token begins a line that goes on with the statement of the line before.
    fn continues(&self, fresh: usize) -> bool {
        const OPERATORS: &[&str] = &["&&", "||", "&", "|", "and", "or", "+", ".", "?", ":", "??"];
        let text = self.new.get(fresh);
        OPERATORS.iter().any(|operator| text.eq_ignore_ascii_case(operator))
    }

    /// Tells whether tokens that only the file has begin with what ends a statement, and with it their line.
    fn ends_line(&self, tokens: Range<usize>) -> bool {
        let first = tokens.start;
        !tokens.is_empty()
            && matches!(self.file.get(first), ";" | ",")
            && (first + 1 >= self.file.len() || self.file.opens_line(first + 1))
    }

    /// Raises a doubt when whole lines that the needle does not know stand among deleted ones.
    fn check_middle(&mut self, range: Range<usize>) {
        let known: rustc_hash::FxHashSet<u32> =
            range.clone().filter(|&index| self.placed[index]).map(|index| self.file.items[index].line).collect();
        if range.clone().any(|index| !known.contains(&self.file.items[index].line)) {
            self.doubts.push(Doubt::ForgottenLines);
        }
    }

    /// Raises a doubt when lines that the needle does not know stand between two lines that the edit
    /// changes: they may well have to change, too.
    fn check_sides(&mut self, slot: &Slot, before: Range<usize>, after: Range<usize>) {
        let touched = |index: Option<usize>| {
            index.and_then(|index| self.needle.items.get(index)).is_some_and(|token| self.touched[token.line as usize])
        };
        let left = touched(slot.needle.start.checked_sub(1)) && self.has_whole_line(before);
        let right = touched(Some(slot.needle.end)) && self.has_whole_line(after);
        if left || right {
            self.doubts.push(Doubt::ForgottenLines);
        }
    }

    /// Tells whether some line of the file lies in a range of tokens as a whole.
    fn has_whole_line(&self, tokens: Range<usize>) -> bool {
        tokens.clone().any(|index| {
            let line = self.file.on_line(self.file.items[index].line as usize);
            tokens.start <= line.start && line.end <= tokens.end
        })
    }

    /// Finds where to insert among tokens that only the file has.
    fn insertion_point(&mut self, slot: &Slot, fresh: &[usize]) -> usize {
        if slot.file.is_empty() || fresh.is_empty() {
            return slot.file.start;
        }
        let line_of = |index: usize| self.file.items[index].line;
        let mut low = slot.file.start;
        let mut high = slot.file.end;
        let starts_line = Gap::new(self.new.gap(fresh[0])).breaks > 0;
        let ends_line = Gap::new(self.new.gap(slot.new.end)).breaks > 0;
        if starts_line && low > 0 && !(self.continues(fresh[0]) && self.ends_line(low..high)) {
            let line = line_of(low - 1);
            while low < high && line_of(low) == line {
                low += 1;
            }
        }
        if ends_line && high < self.file.len() {
            let line = line_of(high);
            while high > low && line_of(high - 1) == line {
                high -= 1;
            }
        }
        // What goes on with a line, or is gone on with, stands right there.
        if !starts_line && low > 0 {
            high = (low..high).find(|&index| self.file.opens_line(index)).unwrap_or(high);
        }
        if !ends_line && high < self.file.len() {
            low = (low..=high).rev().find(|&index| self.file.opens_line(index)).unwrap_or(low);
        }
        if low == 0 {
            // Before the first line that the needle knows.
            return high;
        }
        if high == self.file.len() {
            return low;
        }
        if low == high {
            return low;
        }
        // A blank line that the edit keeps on one side tells the place: it stands in the file too.
        let needle = Gap::new(self.needle.gap(slot.needle.end)).breaks;
        let mut alike = (low..=high).filter(|&index| {
            (index == low || self.file.opens_line(index)) && Gap::new(self.file.gap(index)).breaks == needle
        });
        match (alike.next(), alike.next()) {
            (Some(only), None) if slot.needle.is_empty() && needle > 0 => only,
            _ => {
                self.doubts.push(Doubt::InsertionPoint);
                low
            }
        }
    }
}

/// Says which of the two gaps around new text takes over what makes the file's gap special. An
/// insertion splits one gap in two, and only one of them can.
fn takes(slot: &Slot, right: &Anchor, parts: &Parts, left: Sides<'_>, behind: Sides<'_>) -> (bool, bool) {
    if parts.replaced || !slot.needle.is_empty() {
        return (true, true);
    }
    let needle = left.needle;
    let keeps = |new: Gap<'_>| if needle.breaks > 1 { new.has_blank_lines_of(needle) } else { new.same(needle) };
    let (first, second) = (keeps(left.new), keeps(behind.new));
    let (at_start, at_end) = (slot.needle.end == 0, right.needle.is_empty());
    match (at_start, at_end, first, second) {
        (true, true, ..) => (true, true),
        (true, false, ..) => (true, false),
        // The blank lines beside what is left out belong to it.
        (false, false, true, true) if slot.opens && !slot.closes => (true, false),
        (false, true, ..) | (_, _, true, true) => (false, true),
        _ => (first, second),
    }
}

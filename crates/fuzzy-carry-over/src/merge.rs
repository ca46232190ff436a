//! Merges needle, replacement and file: what the edit keeps comes from the file, what it changes
//! comes from the replacement, dressed as the file is.
//!
//! The file's tokens that an edit keeps are anchors. Between two anchors lies either nothing but
//! what the file has, or a change: tokens deleted from the needle, tokens new in the replacement,
//! and perhaps tokens that only the file has.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::gap::{Gap, breaks, three};
use crate::indent::{Indents, Seen};
use crate::lines::is_elision;
use crate::pair::{Likeness, likeness, looks_like, pair};
use crate::tokens::{Interner, Tokens};
use crate::{Doubt, Evidence};

/// A stretch that the edit keeps: tokens of needle and replacement, and what they are in the file.
#[derive(Clone, Debug)]
struct Anchor {
    new: Range<usize>,
    needle: Range<usize>,
    file: Range<usize>,
    /// Marks an "and so on" line; the file's tokens are those that it stands for.
    elision: bool,
}

/// Holds the three texts and how their tokens belong together.
pub(crate) struct Merge<'t> {
    needle: Tokens<'t>,
    new: Tokens<'t>,
    file: Tokens<'t>,
    /// Gives the file's token for each of the needle's.
    in_file: Vec<Option<usize>>,
    /// Gives the replacement's token for each of the needle's.
    in_new: Vec<Option<usize>>,
    /// Gives the needle's token for each of the replacement's.
    from_needle: Vec<Option<usize>>,
    indents: Indents<'t>,
    swaps: FxHashMap<u32, usize>,
    ending: &'static str,
    out: String,
    doubts: Vec<Doubt>,
    evidence: Evidence,
}

impl<'t> Merge<'t> {
    /// Aligns the texts. `unit` is the file's step of indentation, `ending` its line ending, and
    /// `known` tells whether a word stands in the file.
    pub(crate) fn new(
        file: &'t str,
        needle: &'t str,
        new: &'t str,
        unit: &str,
        ending: &'static str,
        known: impl Fn(&str) -> bool,
    ) -> Self {
        let mut interner = Interner::default();
        let file = Tokens::new(file, &mut interner);
        let needle = Tokens::new(needle, &mut interner);
        let new = Tokens::new(new, &mut interner);
        let in_file = pair(&needle, &file, Likeness::Miscopied);
        let in_new = pair(&needle, &new, Likeness::Equal);
        let mut from_needle = vec![None; new.len()];
        for (index, partner) in in_new.iter().enumerate() {
            if let Some(partner) = *partner {
                from_needle[partner] = Some(index);
            }
        }
        let seen = (0..needle.len())
            .filter(|&index| needle.opens_line(index))
            .filter_map(|index| {
                let partner = in_file[index]?;
                file.opens_line(partner).then(|| Seen {
                    needle_line: needle.items[index].line as usize,
                    needle: needle.indent(index),
                    file: file.indent(partner),
                })
            })
            .collect();
        let indents = Indents::new(seen, unit);
        let swaps = swaps(&needle, &file, &in_file, known);
        Self {
            out: String::with_capacity(file.text.len() + new.text.len()),
            needle,
            new,
            file,
            in_file,
            in_new,
            from_needle,
            indents,
            swaps,
            ending,
            doubts: Vec::new(),
            evidence: Evidence::default(),
        }
    }

    /// Writes the merged text.
    pub(crate) fn run(mut self) -> (String, Vec<Doubt>, Evidence) {
        self.weigh();
        let anchors = self.anchors();
        for window in anchors.windows(2) {
            let (left, right) = (&window[0], &window[1]);
            self.between(left, right);
            self.keep(right);
        }
        (self.out, self.doubts, self.evidence)
    }

    /// Sums how much of what the edit touches, and of all the needle, stands in the file.
    fn weigh(&mut self) {
        let mut changed = vec![false; self.needle.lines()];
        for (index, partner) in self.in_new.iter().enumerate() {
            changed[self.needle.items[index].line as usize] |= partner.is_none();
        }
        for index in 0..self.needle.len() {
            let length = self.needle.get(index).chars().count() as f32;
            let token = self.needle.items[index];
            let alike = match self.in_file[index] {
                Some(partner) if self.file.items[partner].id == token.id => 1.0,
                Some(partner) if self.file.items[partner].fold == token.fold => 0.9,
                Some(partner) => {
                    // Half alike is what any two words are.
                    let alike = likeness(self.needle.get(index), self.file.get(partner));
                    (2.0 * alike - 1.0).max(0.0)
                }
                None => 0.0,
            };
            self.evidence.needle += length;
            self.evidence.needle_found += length * alike;
            if changed[token.line as usize] {
                self.evidence.touched += length;
                self.evidence.touched_found += length * alike;
            }
        }
        let placed: rustc_hash::FxHashSet<usize> = self.in_file.iter().flatten().copied().collect();
        for index in 0..self.file.len() {
            if !placed.contains(&index) {
                self.evidence.file_only += self.file.get(index).chars().count() as f32;
            }
        }
    }

    fn anchors(&self) -> Vec<Anchor> {
        let mut anchors = vec![Anchor {
            new: 0..0,
            needle: 0..0,
            file: 0..0,
            elision: false,
        }];
        let elisions = self.elisions();
        let mut elisions = elisions.iter().peekable();
        for index in 0..self.needle.len() {
            if let Some(elision) = elisions.peek() {
                if index == elision.needle.end - 1 {
                    anchors.push((*elision).clone());
                    elisions.next();
                    continue;
                }
            }
            if let (Some(new), Some(file)) = (self.in_new[index], self.in_file[index]) {
                anchors.push(Anchor {
                    new: new..new + 1,
                    needle: index..index + 1,
                    file: file..file + 1,
                    elision: false,
                });
            }
        }
        anchors.push(Anchor {
            new: self.new.len()..self.new.len(),
            needle: self.needle.len()..self.needle.len(),
            file: self.file.len()..self.file.len(),
            elision: false,
        });
        anchors
    }

    /// Finds the "and so on" lines that the edit keeps and that stand for something in the file.
    fn elisions(&self) -> Vec<Anchor> {
        let mut found = Vec::new();
        for (number, text) in self.needle.text.split('\n').enumerate() {
            if !is_elision(text) {
                continue;
            }
            let tokens = self.needle.on_line(number);
            if tokens.is_empty() || tokens.clone().any(|index| self.in_file[index].is_some()) {
                continue;
            }
            let (Some(first), Some(last)) =
                (self.in_new[tokens.start], self.in_new[tokens.end - 1])
            else {
                continue;
            };
            let from = self.in_file[..tokens.start].iter().rev().find_map(|&p| p);
            let to = self.in_file[tokens.end..].iter().find_map(|&p| p);
            let file = from.map_or(0, |index| index + 1)..to.unwrap_or(self.file.len());
            if !file.is_empty() && from.is_some() && to.is_some() {
                found.push(Anchor {
                    new: first..last + 1,
                    needle: tokens,
                    file,
                    elision: true,
                });
            }
        }
        found
    }

    /// Copies a kept stretch; the gap before it has been written.
    fn keep(&mut self, anchor: &Anchor) {
        self.copy(anchor.file.clone());
    }

    /// Copies tokens of the file with the gaps between them.
    fn copy(&mut self, tokens: Range<usize>) {
        if tokens.is_empty() {
            return;
        }
        let start = self.file.items[tokens.start].start as usize;
        let end = self.file.items[tokens.end - 1].end as usize;
        self.out.push_str(&self.file.text[start..end]);
    }

    /// Copies the file's gap before token `index` and the tokens from there on.
    fn copy_with_gap(&mut self, tokens: Range<usize>) {
        if !tokens.is_empty() {
            self.out.push_str(self.file.gap(tokens.start));
            self.copy(tokens);
        }
    }

    /// Writes everything between two anchors, up to the first token of the second one.
    fn between(&mut self, left: &Anchor, right: &Anchor) {
        let mut slot = Slot {
            new: left.new.end..right.new.start,
            needle: left.needle.end..right.needle.start,
            file: left.file.end..right.file.start,
            opens: left.elision,
            closes: right.elision,
        };
        let fresh: Vec<usize> = slot
            .new
            .clone()
            .filter(|&index| self.from_needle[index].is_none())
            .collect();
        let deleted = slot
            .needle
            .clone()
            .any(|index| self.in_new[index].is_none());
        if fresh.is_empty() && !deleted {
            self.copy_with_gap(slot.file.clone());
            let file = Gap::new(self.file.gap(slot.file.end));
            if slot.file.is_empty() && slot.needle.is_empty() {
                let new = Gap::new(self.new.gap(slot.new.end));
                let needle = Gap::new(self.needle.gap(slot.needle.end));
                self.kept_gap(new, needle, file, right, false);
            } else {
                self.out.push_str(file.raw);
            }
            return;
        }
        self.check_edge(&slot, left, right);
        if !deleted && self.made_already(&slot, &fresh) {
            self.copy_with_gap(slot.file.clone());
            self.out.push_str(self.file.gap(slot.file.end));
            return;
        }
        self.trim(&mut slot);
        self.change(&slot, &fresh, right);
    }

    /// Raises a doubt when a change at an end of the needle touches lines that the file lacks: the
    /// end of the place is then not known.
    fn check_edge(&mut self, slot: &Slot, left: &Anchor, right: &Anchor) {
        if !left.needle.is_empty() && !right.needle.is_empty() {
            return;
        }
        let lost = slot.needle.clone().any(|index| {
            let line = self.needle.items[index].line as usize;
            self.needle.on_line(line).all(|token| self.in_file[token].is_none())
        });
        if lost {
            self.doubts.push(Doubt::Unpinned);
        }
    }

    /// Tells whether the file has what the edit inserts, and nothing else there.
    fn made_already(&self, slot: &Slot, fresh: &[usize]) -> bool {
        fresh.len() == slot.file.len()
            && fresh
                .iter()
                .zip(slot.file.clone())
                .all(|(&new, file)| self.new.items[new].id == self.file.items[file].id)
    }

    /// Takes tokens off the ends of a slot that the edit keeps and the file does not have: a comma
    /// too many in the needle belongs to what stands before it.
    fn trim(&self, slot: &mut Slot) {
        let kept = |needle: usize, new: usize| self.in_new[needle] == Some(new);
        while !slot.new.is_empty() && !slot.needle.is_empty() && kept(slot.needle.start, slot.new.start) {
            slot.needle.start += 1;
            slot.new.start += 1;
        }
        while !slot.new.is_empty() && !slot.needle.is_empty() && kept(slot.needle.end - 1, slot.new.end - 1) {
            slot.needle.end -= 1;
            slot.new.end -= 1;
        }
    }

    /// Merges the gap before a kept token. With `fresh`, a new token stands before the gap, and
    /// the blanks that end its line are its own.
    fn kept_gap(&mut self, new: Gap<'_>, needle: Gap<'_>, file: Gap<'_>, right: &Anchor, fresh: bool) {
        if new.same(needle) || new.same(file) {
            if fresh && file.breaks > 0 {
                self.out.push_str(new.trail());
                self.out.push_str(&file.raw[file.trail().len()..]);
            } else {
                self.out.push_str(file.raw);
            }
            return;
        }
        let count = breaks(new.breaks, needle.breaks, file.breaks);
        if count == 0 {
            let raw = if new.breaks == 0 { new.raw } else { " " };
            self.out.push_str(raw);
            return;
        }
        // Where only the needle had blanks at the end of the line, the edit did not remove any.
        let trail = if fresh {
            new.trail()
        } else if file.breaks > 0 && needle.trail() != file.trail() {
            file.trail()
        } else {
            three(new.trail(), needle.trail(), file.trail())
        };
        let indent = self.kept_indent(new, needle, file, right);
        self.write_gap(trail, count, [new, needle, file], &indent);
    }

    fn kept_indent(&self, new: Gap<'_>, needle: Gap<'_>, file: Gap<'_>, right: &Anchor) -> String {
        if right.needle.is_empty() {
            // Behind the last token stands the next line of the file.
            return file.indent().to_owned();
        }
        if needle.breaks == 0 && file.breaks > 0 && new.breaks == 0 {
            return file.indent().to_owned();
        }
        let line = self.needle.items[right.needle.start].line as f32;
        if file.breaks > 0 && (needle.breaks > 0 || right.needle.start == 0) {
            return self
                .indents
                .moved(file.indent(), needle.indent(), new.indent(), line);
        }
        self.indents.place(new.indent(), line)
    }

    /// Writes a gap of `count` line breaks. Its blank lines are the file's where it had as many
    /// and the edit left them alone.
    fn write_gap(&mut self, trail: &str, count: usize, [new, needle, file]: [Gap<'_>; 3], indent: &str) {
        self.out.push_str(trail);
        let untouched = new.breaks != count || new.blank_lines().eq(needle.blank_lines());
        if count == file.breaks && untouched {
            for line in file.blank_lines() {
                self.out.push_str(self.ending);
                self.out.push_str(line);
            }
        } else if count == new.breaks {
            let lines: Vec<String> = new
                .blank_lines()
                .map(|line| self.indents.blank(line))
                .collect();
            for line in lines {
                self.out.push_str(self.ending);
                self.out.push_str(&line);
            }
        } else {
            for _ in 1..count {
                self.out.push_str(self.ending);
            }
        }
        self.out.push_str(self.ending);
        self.out.push_str(indent);
    }

    /// Writes a slot in which the edit changes something.
    fn change(&mut self, slot: &Slot, fresh: &[usize], right: &Anchor) {
        let parts = self.parts(slot, fresh);
        self.copy_with_gap(parts.before.clone());

        let left_new = Gap::new(self.new.gap(slot.new.start));
        let right_new = Gap::new(self.new.gap(slot.new.end));
        let left_needle = Gap::new(self.needle.gap(slot.needle.start));
        let right_needle = Gap::new(self.needle.gap(slot.needle.end));
        let left_file = Gap::new(self.file.gap(parts.before.end));
        let right_file = Gap::new(self.file.gap(parts.after.start));

        if fresh.is_empty() {
            let whole = right.needle.is_empty() && slot.needle.start == 0;
            self.closed_gap(
                [left_new, left_needle, left_file],
                [right_needle, right_file],
                right,
                (!parts.after.is_empty(), slot, whole),
            );
            self.rest(&parts, right, slot);
            return;
        }

        let inserted = !parts.replaced;
        // A gap of the file that an insertion splits in two leaves what makes it special on one
        // side only.
        let (mut take_left, mut take_right) = (true, true);
        if inserted && slot.needle.is_empty() {
            let first = left_new.same(left_needle);
            let second = right_new.same(left_needle);
            let (at_start, at_end) = (slot.needle.end == 0, right.needle.is_empty());
            (take_left, take_right) = match (at_start, at_end, first, second) {
                (true, true, ..) => (true, true),
                (true, false, ..) => (true, false),
                // The blank lines beside what is left out belong to it.
                (false, false, true, true) if slot.opens && !slot.closes => (true, false),
                (false, true, ..) | (_, _, true, true) => (false, true),
                _ => (first, second),
            };
        }
        self.fresh(slot, fresh, &parts, (take_left, left_new, left_needle, left_file));

        if parts.after.is_empty() {
            if take_right {
                self.kept_gap(right_new, right_needle, right_file, right, inserted);
            } else {
                self.free_gap(right_new, right_needle, right_file, right);
            }
        } else {
            if inserted && right_file.breaks > 0 {
                // The insertion stands between lines of the file.
                if take_right {
                    self.out.push_str(right_new.trail());
                    self.out.push_str(&right_file.raw[right_file.trail().len()..]);
                } else {
                    let count = right_new.breaks.max(1);
                    let indent = right_file.indent();
                    self.write_gap(right_new.trail(), count, [right_new, right_needle, Gap::new("")], indent);
                }
                self.copy(parts.after.clone());
            } else if right_file.breaks == 0 && right_new.breaks > 0 && inserted {
                // The insertion ends its line; what only the file has follows on the next.
                self.free_gap(right_new, right_needle, right_file, right);
                self.copy(parts.after.clone());
            } else {
                self.copy_with_gap(parts.after.clone());
            }
            self.out.push_str(self.file.gap(slot.file.end));
        }
    }

    /// Writes the new tokens of a slot with their gaps.
    fn fresh(
        &mut self,
        slot: &Slot,
        fresh: &[usize],
        parts: &Parts,
        (take, new, needle, file): (bool, Gap<'_>, Gap<'_>, Gap<'_>),
    ) {
        let base = slot
            .needle
            .start
            .checked_sub(1)
            .map_or(0, |index| self.needle.items[index].line);
        let new_base = slot
            .new
            .start
            .checked_sub(1)
            .map_or(0, |index| self.new.items[index].line);
        for (nth, &index) in fresh.iter().enumerate() {
            let at = base as f32 + (self.new.items[index].line - new_base) as f32;
            let gap = Gap::new(self.new.gap(index));
            if nth == 0 {
                let gap = if index == slot.new.start { new } else { gap };
                self.first_gap(take, gap, needle, file, at, parts);
            } else if gap.breaks == 0 {
                self.out.push_str(gap.raw);
            } else {
                let indent = self.indents.place(gap.indent(), at);
                self.write_gap(gap.trail(), gap.breaks, [gap, Gap::new(""), Gap::new("")], &indent);
            }
            let text = self.dressed(index);
            self.out.push_str(text);
        }
    }

    /// Gives the text of a new token, in the file's kind of quotes and with its names.
    fn dressed(&self, index: usize) -> &'t str {
        let text = self.new.get(index);
        let Some(&other) = self.swaps.get(&self.new.items[index].id) else {
            return text;
        };
        // A line with two kinds of quotes needs both.
        let quotes = ["\"", "'", "`"];
        let mixed = quotes.contains(&text) && {
            let line = self.new.on_line(self.new.items[index].line as usize);
            line.clone().any(|token| quotes.contains(&self.new.get(token)) && self.new.get(token) != text)
        };
        if mixed { text } else { self.file.get(other) }
    }

    /// Writes the gap between what precedes a change and the first new token.
    fn first_gap(&mut self, take: bool, new: Gap<'_>, needle: Gap<'_>, file: Gap<'_>, at: f32, parts: &Parts) {
        if take && (new.same(needle) || new.same(file)) {
            self.out.push_str(file.raw);
            return;
        }
        let count = if take {
            breaks(new.breaks, needle.breaks, file.breaks)
        } else {
            new.breaks
        };
        let at_start = parts.before.is_empty() && parts.slot_start == 0;
        if at_start {
            // Before the first line: what the file has there already stays.
            let kept = &file.raw[..file.raw.rfind('\n').map_or(0, |at| at + 1)];
            let lines = kept.split_inclusive('\n');
            for line in lines.skip(file.breaks.saturating_sub(count)) {
                self.out.push_str(line);
            }
            for _ in file.breaks..count {
                self.out.push_str(self.ending);
            }
            let indent = if new.breaks == needle.breaks && new.indent() == needle.indent() {
                file.indent().to_owned()
            } else if parts.replaced {
                self.indents.shifted(file.indent(), needle.indent(), new.indent())
            } else {
                self.indents.place(new.indent(), at)
            };
            self.out.push_str(&indent);
            return;
        }
        if count == 0 {
            let raw = if new.breaks == 0 { new.raw } else { " " };
            self.out.push_str(raw);
            return;
        }
        let trail = if file.breaks > 0 && needle.breaks > 0 {
            three(new.trail(), needle.trail(), file.trail())
        } else if file.breaks > 0 {
            file.trail()
        } else {
            new.trail()
        };
        let indent = if new.breaks > 0 {
            self.indents.place(new.indent(), at)
        } else {
            file.indent().to_owned()
        };
        let like = if take { file } else { Gap::new("") };
        self.write_gap(trail, count, [new, needle, like], &indent);
    }

    /// Writes the gap before a kept token where the file's gap has gone elsewhere.
    fn free_gap(&mut self, new: Gap<'_>, needle: Gap<'_>, file: Gap<'_>, right: &Anchor) {
        if new.breaks == 0 {
            self.out.push_str(new.raw);
            return;
        }
        let indent = if file.breaks > 0 || right.needle.start == 0 {
            self.kept_indent(new, needle, file, right)
        } else {
            self.indents.place(new.indent(), 0.0)
        };
        self.write_gap(new.trail(), new.breaks, [new, needle, Gap::new("")], &indent);
    }

    /// Writes the one gap that is left of two when everything between them was deleted.
    fn closed_gap(
        &mut self,
        [new, left_needle, left_file]: [Gap<'_>; 3],
        [right_needle, right_file]: [Gap<'_>; 2],
        right: &Anchor,
        (more, slot, whole): (bool, &Slot, bool),
    ) {
        let edge = slot.needle.start == 0 || right.needle.is_empty();
        if new.breaks == 0 && left_file.breaks == 0 && right_file.breaks == 0 {
            let raw = if new.same(left_needle) {
                left_file.raw
            } else if new.same(right_needle) {
                right_file.raw
            } else {
                new.raw
            };
            self.out.push_str(raw);
            return;
        }
        if more && right_file.breaks == 0 {
            // What only the file has follows on the same line.
            self.out.push_str(left_file.raw);
            return;
        }
        let sum = new.breaks + left_file.breaks + right_file.breaks;
        let mut count = sum.saturating_sub(left_needle.breaks + right_needle.breaks);
        if whole && left_needle.breaks + right_needle.breaks == 0 && right_file.breaks > 0 {
            // A line that goes away takes its ending with it.
            count = count.saturating_sub(1);
        }
        if !edge {
            let most = new.breaks.max(left_file.breaks).max(right_file.breaks);
            count = count.clamp(new.breaks.min(1), most.max(1));
        }
        if slot.needle.start == 0 {
            // Nothing before: the lines left are blank ones.
            count = count.min(left_file.breaks + right_file.breaks);
            let mut left = count;
            let mut text = String::new();
            for gap in [left_file, right_file] {
                for piece in gap.raw.split_inclusive('\n') {
                    if piece.ends_with('\n') && left > 0 && gap.breaks > 0 {
                        let first_of_right = std::ptr::eq(gap.raw, right_file.raw)
                            && std::ptr::eq(piece.as_ptr(), gap.raw.as_ptr());
                        if first_of_right && left < right_file.breaks + 1 && count < left_file.breaks + right_file.breaks {
                            continue;
                        }
                        text.push_str(piece);
                        left -= 1;
                    }
                }
            }
            self.out.push_str(&text);
            if right.needle.is_empty() {
                self.out.push_str(right_file.indent());
            } else if new.indent() == left_needle.indent() {
                // The new first line is indented as the old one was, rightly or wrongly.
                self.out.push_str(left_file.indent());
            } else {
                let indent = self.kept_indent(new, right_needle, right_file, right);
                self.out.push_str(&indent);
            }
            return;
        }
        if count == 0 {
            let raw = if new.breaks == 0 { new.raw } else { "" };
            self.out.push_str(raw);
            return;
        }
        let trail = if left_needle.breaks > 0 {
            three(new.trail(), left_needle.trail(), left_file.trail())
        } else {
            new.trail()
        };
        let indent = if new.breaks == 0 && !right.needle.is_empty() {
            new.raw.to_owned()
        } else {
            self.kept_indent(new, right_needle, right_file, right)
        };
        let like = if count == left_file.breaks { left_file } else { right_file };
        self.write_gap(trail, count, [new, right_needle, like], &indent);
    }

    /// Writes what only the file has behind a deletion, up to the next anchor.
    fn rest(&mut self, parts: &Parts, right: &Anchor, slot: &Slot) {
        let _ = right;
        if !parts.after.is_empty() {
            self.copy(parts.after.clone());
            self.out.push_str(self.file.gap(slot.file.end));
        }
    }

    /// Decides which tokens of the file's side of a slot stay before the change, which go, and
    /// which stay behind it.
    fn parts(&mut self, slot: &Slot, fresh: &[usize]) -> Parts {
        let deleted: Vec<usize> = slot
            .needle
            .clone()
            .filter(|&index| self.in_new[index].is_none())
            .collect();
        let gone: Vec<usize> = deleted
            .iter()
            .filter_map(|&index| self.in_file[index])
            .filter(|index| slot.file.contains(index))
            .collect();
        let slot_start = slot.needle.start;
        if let (Some(&first), Some(&last)) = (gone.first(), gone.last()) {
            self.check_middle(first..last + 1);
            return Parts {
                before: slot.file.start..first,
                after: last + 1..slot.file.end,
                slot_start,
                replaced: true,
            };
        }
        if !deleted.is_empty() && !fresh.is_empty() {
            self.doubts.push(Doubt::Absent);
        }
        let split = self.insertion_point(slot, fresh);
        Parts {
            before: slot.file.start..split,
            after: split..slot.file.end,
            slot_start,
            replaced: false,
        }
    }

    /// Raises a doubt when whole lines that the needle does not know stand among deleted ones.
    fn check_middle(&mut self, range: Range<usize>) {
        let known: rustc_hash::FxHashSet<u32> = range
            .clone()
            .filter(|&index| self.in_file.contains(&Some(index)))
            .map(|index| self.file.items[index].line)
            .collect();
        if range.clone().any(|index| !known.contains(&self.file.items[index].line)) {
            self.doubts.push(Doubt::ForgottenLines);
        }
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
        if starts_line && low > 0 {
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

/// The three sides of what lies between two anchors.
#[derive(Debug)]
struct Slot {
    new: Range<usize>,
    needle: Range<usize>,
    file: Range<usize>,
    /// Tells whether an "and so on" line stands before it, and behind it.
    opens: bool,
    closes: bool,
}

/// Divides the file's side of a slot.
#[derive(Debug)]
struct Parts {
    before: Range<usize>,
    after: Range<usize>,
    slot_start: usize,
    replaced: bool,
}

/// Finds tokens that the needle writes consistently in another way than the file: kinds of
/// quotes, letter case, a misremembered name. New text written in the same breath has them too.
fn swaps(
    needle: &Tokens<'_>,
    file: &Tokens<'_>,
    in_file: &[Option<usize>],
    known: impl Fn(&str) -> bool,
) -> FxHashMap<u32, usize> {
    let mut found: FxHashMap<u32, Option<usize>> = FxHashMap::default();
    for (index, partner) in in_file.iter().enumerate() {
        let Some(partner) = *partner else { continue };
        let (a, b) = (needle.items[index], file.items[partner]);
        let alike = a.fold == b.fold || (a.word && b.word && looks_like(needle.get(index), file.get(partner)));
        found
            .entry(a.id)
            .and_modify(|target| {
                if target.is_none_or(|old| file.items[old].id != b.id) {
                    *target = None;
                }
            })
            .or_insert((a.id != b.id && alike).then_some(partner));
    }
    let texts: FxHashMap<u32, usize> = needle
        .items
        .iter()
        .enumerate()
        .map(|(index, token)| (token.id, index))
        .collect();
    found
        .into_iter()
        .filter_map(|(id, target)| {
            let text = needle.get(texts[&id]);
            let target = target?;
            let word = needle.items[texts[&id]].word;
            (!word || !known(text)).then_some((id, target))
        })
        .collect()
}

//! Writes slots and the gaps between them.
//!
//! If two slots are neighbours in file and new text, their gap is merged three ways. If they are neighbours in only one
//! text, the gap is that text's. Else it is made of the gap after the first slot and the gap before the second.
//!
//! A line break was put before each text, so that its first line begins like any other.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::align::three_way::Texts;
use crate::mechanisms::{BEFORE_FORGOTTEN, EDITED_GAPS, INDENTATION_STEP, Mechanism, SLIP_GAP};
use crate::merge::Merge;
use crate::style::Style;
use crate::style::spelling::slip_of;
use crate::text::whitespace::{Gap, both_end_lines, is_inside_line, merged_breaks, three};
use crate::write::slots::{Position, Slot, class_at, gap_after, gap_before, gap_between, new_line_indents, slots};

/// The gap with the blank lines to write, and its text.
#[derive(Clone, Copy)]
pub(super) enum Blank<'t> {
    File(Gap<'t>),
    New(Gap<'t>),
}

impl<'t> Blank<'t> {
    /// Returns the blank lines of a gap of `count` line breaks: the file's, unless the edit changes them.
    fn merged(count: usize, file: Gap<'t>, old: Gap<'t>, new: Gap<'t>) -> Self {
        if Self::are_kept(count, file, old, new) { Self::File(file) } else { Self::New(new) }
    }

    /// Returns the number of line breaks beside new lines, and their blank lines: merged if the old text has a gap
    /// there, too, and the file ends a line.
    fn between_lines(file: Gap<'t>, old: Option<Gap<'t>>, new: Gap<'t>) -> (usize, Self) {
        let Some(old) = old.filter(|_| file.breaks > 0) else { return (new.breaks, Self::New(new)) };
        let count = merged_breaks(new.breaks, old.breaks, file.breaks);
        (count, Self::merged(count, file, old, new))
    }

    /// Returns whether the file's blank lines fit into a gap of `count` line breaks, and the edit does not change them.
    pub(super) fn are_kept(count: usize, file: Gap<'_>, old: Gap<'_>, new: Gap<'_>) -> bool {
        count == file.breaks && (new.breaks != count || new.blank_lines().eq(old.blank_lines()))
    }
}

/// The number of slots that are written between two checks for a cancelled merge.
const SLOTS_PER_CHECK: usize = 256;

/// The merged text, and its guesses.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// The tokens of the new text that insert foreign names.
    pub(crate) foreign_names: Vec<usize>,
    /// Whether the indentation of a forgotten line is a guess.
    pub(crate) has_unknown_indentation: bool,
    /// Whether the depth of a new line inside a block is a guess.
    pub(crate) has_unknown_step: bool,
    /// The names of the slips that were undone in new text, each once.
    pub(crate) undone: Vec<&'static str>,
    /// The positions of the kept tokens of the file, and their bytes in the text; in order.
    pub(crate) kept: Vec<(usize, Range<usize>)>,
}

impl Written {
    /// Notes that a slip was undone.
    fn undoes(&mut self, slip: &Mechanism) {
        if !self.undone.contains(&slip.name) {
            self.undone.push(slip.name);
        }
    }
}

/// Writes the text of a merge.
pub(crate) fn write(merge: &Merge<'_, '_>, style: &Style<'_>) -> Written {
    let texts = merge.texts;
    let slots = slots(merge);
    let indents = new_line_indents(texts, &slots, style);
    let kept = Vec::with_capacity(slots.len());
    let mut written = Written { kept, has_unknown_step: indents.has_guess, ..Written::default() };
    if style.indentation.is_scaled() && !indents.by_position.is_empty() {
        written.undoes(&INDENTATION_STEP);
    }
    let mut writer = Writer { texts, style, indents: indents.by_position, written, after_word: false };
    for (at, pair) in slots.windows(2).enumerate() {
        if at % SLOTS_PER_CHECK == 0 && !texts.run.is_needed() {
            break;
        }
        writer.gap(pair[0], pair[1], &slots[at + 2..]);
        writer.token(pair[1]);
    }
    writer.written
}

/// Writes a text token by token.
pub(super) struct Writer<'r, 't> {
    pub(super) texts: &'r Texts<'t>,
    pub(super) style: &'r Style<'t>,
    /// The indentation of new lines, by the positions of their first tokens.
    indents: FxHashMap<usize, String>,
    pub(super) written: Written,
    /// Whether the last written token is a word.
    after_word: bool,
}

impl<'t> Writer<'_, 't> {
    pub(super) fn push(&mut self, text: &str) {
        self.written.text.push_str(text);
    }

    /// Writes the token of a slot.
    fn token(&mut self, slot: Slot<'t>) {
        self.after_word = self.is_word(slot);
        let texts = self.texts;
        match (slot.file, slot.new) {
            (Some(file), _) if file <= texts.file.len() => {
                let start = self.written.text.len();
                self.push(texts.file.get(file - 1));
                self.written.kept.push((file, start..self.written.text.len()));
            }
            (None, Some(new)) => {
                if self.style.spelling.is_foreign(&texts.new, new - 1) {
                    self.written.foreign_names.push(new - 1);
                }
                let start = self.written.text.len();
                self.style.spelling.write(&texts.new, new - 1, &mut self.written.text);
                let (own, written) = (texts.new.get(new - 1), &self.written.text[start..]);
                if own != written {
                    self.written.undoes(slip_of(own, written));
                }
            }
            _ => {}
        }
    }

    /// Writes the gap between two slots; `rest` are the slots after them.
    fn gap(&mut self, before: Slot<'t>, after: Slot<'t>, rest: &[Slot<'t>]) {
        let texts = self.texts;
        let file = gap_between(&texts.file, before.file, after.file);
        let old = gap_between(&texts.old, before.old, after.old);
        let new = gap_between(&texts.new, before.new, after.new);
        match (file, new) {
            // After a token that only the old text lacks, the old text's gap is the one before the next token.
            (Some(file), Some(new))
                if new.breaks != file.breaks || (texts.run.uses(&SLIP_GAP) && self.is_slip(before)) =>
            {
                self.between_kept(file, old.or_else(|| self.before(after).1), new, after);
            }
            (Some(file), Some(new)) => self.between_kept(file, old, new, after),
            // Neighbours in the file alone: nothing between them was edited.
            (Some(file), None) if texts.run.uses(&BEFORE_FORGOTTEN) && file.breaks > 0 && after.old.is_none() => {
                self.before_forgotten(file, rest);
            }
            (Some(file), None) if !texts.run.uses(&EDITED_GAPS) => self.push(file.raw),
            (Some(file), None) => match self.edited_gaps(after) {
                Some((old, new)) => self.between_kept(file, Some(old), new, after),
                None => self.push(file.raw),
            },
            // Neighbours in the new text alone: one of them is new, or the tokens between them in the file are deleted.
            (None, Some(new)) => match (before.is_new(), after.is_new()) {
                (true, true) => self.between_new(new, after),
                (false, true) => self.before_new(new, before, after),
                (true, false) => self.after_new(new, before, after),
                (false, false) => self.around_deleted(new, before, after, [None, None]),
            },
            (None, None) => self.between_strangers(before, after),
        }
    }

    /// Returns whether a slot is the end of the place.
    pub(super) fn is_end(&self, slot: Slot<'t>) -> bool {
        slot.file == Some(self.texts.file.len() + 1)
    }

    /// Returns the number of line breaks at the end of the place, if the edit has `count` there: the next line of the
    /// document is never joined to the last line.
    pub(super) fn at_end(&self, count: usize, file: Gap<'_>) -> usize {
        let ends_text = self.style.blank_after || self.texts.after.is_empty();
        if ends_text { count } else { count.max(file.breaks.min(1)) }
    }

    /// Returns whether a slot is a token that only the old text lacks, after one that all texts have.
    fn is_slip(&self, slot: Slot<'t>) -> bool {
        let before = |position: Position| position?.checked_sub(2);
        let pair = before(slot.file).zip(before(slot.new)).filter(|_| slot.old.is_none());
        pair.is_some_and(|(file, new)| self.texts.is_same_old_token(new, file))
    }

    /// Writes the gap between neighbours in file and new text.
    fn between_kept(&mut self, file: Gap<'t>, old: Option<Gap<'t>>, new: Gap<'t>, after: Slot<'t>) {
        let Some(old) = old else {
            // The indentation of a forgotten line is a guess if the edit reindents.
            self.written.has_unknown_indentation |=
                both_end_lines(file, new) && self.translated(new, after) != file.indent();
            return self.push(file.raw);
        };
        if self.is_unchanged(file, old, new) {
            return self.push(file.raw);
        }
        let at_end = self.is_end(after);
        // A blank line inserted after the end of the old text is added to one that follows in the file.
        let count = merged_breaks(new.breaks, old.breaks, file.breaks);
        let count = if at_end { self.at_end(count, file) } else { count };
        if count == 0 {
            return self.push(if new.breaks == 0 { new.raw } else { " " });
        }
        // If only the old text has trailing blanks, the edit does not remove any.
        let trail = if file.breaks > 0 && old.trail() != file.trail() {
            file.trail()
        } else {
            three(new.trail(), old.trail(), file.trail())
        };
        let indent = if at_end { file.indent().to_owned() } else { self.kept_indent(new, after) };
        let blank = Blank::merged(count, file, old, new);
        self.lines(file.ending(), trail, count, blank, &indent);
    }

    /// Returns whether a gap of all texts is kept as in the file: the edit keeps it, or changes it to the file's.
    fn is_unchanged(&self, file: Gap<'_>, old: Gap<'_>, new: Gap<'_>) -> bool {
        (new.same(old) || new.same(file))
            && (file.breaks == 0 || self.style.indentation.is_unmoved(file.indent(), old.indent(), new.indent()))
    }

    /// Writes the gap before unknown tokens that begin a line, reindented if the edit reindents the line.
    fn before_forgotten(&mut self, file: Gap<'t>, rest: &[Slot<'t>]) {
        // The evidence is the next token that all texts have, on this line or at the beginning of a later one.
        if let Some(next) = rest.iter().position(|slot| slot.new.and(slot.old).is_some()) {
            let slot = rest[next];
            let is_on_line = !rest[..=next].iter().any(|slot| self.opens_line(*slot));
            let change = self.reindented_gaps(slot, file.indent());
            if let Some((old, new)) = change.filter(|_| is_on_line) {
                let at = self.line(slot);
                let indent = self.style.indentation.reindent(file.indent(), old.indent(), new.indent(), at);
                return self.lines(file.ending(), file.trail(), file.breaks, Blank::File(file), &indent);
            }
            if self.opens_line(slot) && self.reindented_gaps(slot, self.before(slot).0.indent()).is_some() {
                self.written.has_unknown_indentation = true;
            }
        }
        self.push(file.raw);
    }

    /// Returns the gaps before a slot in old and new text, if both begin a line which the edit reindents from `indent`.
    fn reindented_gaps(&self, slot: Slot<'t>, indent: &str) -> Option<(Gap<'t>, Gap<'t>)> {
        let (old, new) = (gap_before(&self.texts.old, slot.old)?, gap_before(&self.texts.new, slot.new)?);
        // A first line that the old text begins inside has no indentation there.
        let is_cut = slot.old == Some(1) && !self.opens_line(slot) && old.indent() == new.indent();
        let is_unmoved = is_cut || self.style.indentation.is_unmoved(indent, old.indent(), new.indent());
        Some((old, new)).filter(|_| both_end_lines(old, new) && !is_unmoved)
    }

    /// Returns the gaps before a slot in old and new text, if both have the same token before it and the file lacks it.
    fn edited_gaps(&self, after: Slot<'t>) -> Option<(Gap<'t>, Gap<'t>)> {
        let (old, new) = (after.old?.checked_sub(2)?, after.new?.checked_sub(2)?);
        let gaps = (gap_before(&self.texts.old, after.old)?, gap_before(&self.texts.new, after.new)?);
        (self.texts.old_to_new[old] == Some(new)).then_some(gaps)
    }

    /// Writes the gap between two new tokens.
    fn between_new(&mut self, new: Gap<'t>, after: Slot<'t>) {
        if new.breaks == 0 {
            return self.push(new.raw);
        }
        self.check_step(after);
        let indent = self.new_line_indent(new, after);
        self.lines(None, new.trail(), new.breaks, Blank::New(new), &indent);
    }

    /// Writes the gap between a kept token and a new one.
    pub(super) fn before_new(&mut self, new: Gap<'t>, before: Slot<'t>, after: Slot<'t>) {
        let (file, old) = self.after(before);
        let old = after.gap.or(old).or_else(|| self.before_replaced(before));
        if new.breaks == 0 {
            let is_alike = self.is_alike(before.file.map(|file| file + 1), after.new);
            return self.inside_line(file, old.filter(|_| is_alike && after.owns_gap_before), new, after);
        }
        let trail = match old {
            _ if file.breaks == 0 => new.trail(),
            Some(old) if old.breaks > 0 => three(new.trail(), old.trail(), file.trail()),
            _ => file.trail(),
        };
        let is_first = before.file == Some(0);
        let (count, blank) = Blank::between_lines(file, old.filter(|_| after.owns_gap_before), new);
        // The old text may begin inside a line: then so does the new one, and replaces the file's first line.
        let indent = match old {
            Some(old) if is_first && new.indent() == old.indent() && after.owns_gap_before => file.indent().to_owned(),
            _ => self.new_line_indent(new, after),
        };
        self.lines(file.ending(), trail, count, blank, &indent);
    }

    /// Writes the gap between a new token and a kept one.
    pub(super) fn after_new(&mut self, new: Gap<'t>, before: Slot<'t>, after: Slot<'t>) {
        let (file, old) = self.before(after);
        let old = before.gap.or(old).or_else(|| self.after_replaced(after));
        if self.is_end(after) {
            let same = old.is_some_and(|old| new.same(old));
            let old = old.unwrap_or(Gap::NONE);
            let is_added = self.style.blank_after && !new.same(old);
            let count = match is_added {
                _ if same => file.breaks,
                false if new.breaks == file.breaks => file.breaks,
                _ => merged_breaks(new.breaks, old.breaks, file.breaks),
            };
            let count = self.at_end(count, file);
            if count == 0 {
                return self.push(if same { file.raw } else { new.raw });
            }
            let blank = Blank::merged(count, file, old, new);
            return self.lines(file.ending(), new.trail(), count, blank, file.indent());
        }
        if new.breaks == 0 {
            let is_alike = self.is_alike(after.file.and_then(|file| file.checked_sub(1)), before.new);
            return self.inside_line(file, old.filter(|_| is_alike && before.owns_gap_after), new, after);
        }
        self.check_step(after);
        let (count, blank) = Blank::between_lines(file, old.filter(|_| before.owns_gap_after), new);
        // Lines that the file lacks may follow the new ones: the kept line is indented after those.
        let line = gap_before(&self.texts.new, after.new).filter(|line| line.breaks > 0).unwrap_or(new);
        let indent = self.kept_indent(line, after);
        self.lines(file.ending(), new.trail(), count, blank, &indent);
    }

    /// Returns the old text's gap before the partner of the file's token after a slot.
    fn before_replaced(&self, before: Slot<'t>) -> Option<Gap<'t>> {
        let replaced = self.texts.file_to_old.get(before.file?).copied().flatten()?;
        gap_before(&self.texts.old, Some(replaced + 1))
    }

    /// Returns the old text's gap after the partner of the file's token before a slot.
    fn after_replaced(&self, after: Slot<'t>) -> Option<Gap<'t>> {
        let replaced = self.texts.file_to_old[after.file?.checked_sub(2)?]?;
        gap_after(&self.texts.old, Some(replaced + 1))
    }

    /// Writes a gap beside new text inside a line: the file's if old and new text have the same.
    fn inside_line(&mut self, file: Gap<'t>, old: Option<Gap<'t>>, new: Gap<'t>, after: Slot<'t>) {
        let is_kept = old.is_some_and(|old| new.same(old)) && file.breaks == 0;
        self.inline(if is_kept { file.raw } else { new.raw }, [new.raw, file.raw], after);
    }

    /// Writes a gap inside a line; if it is empty between two words, the first of the others with blanks, or a blank.
    pub(super) fn inline(&mut self, raw: &str, others: [&str; 2], after: Slot<'t>) {
        let glues = raw.is_empty() && self.after_word && self.is_word(after);
        let blanks = others.into_iter().find(|other| is_inside_line(other)).unwrap_or(" ");
        self.push(if glues { blanks } else { raw });
    }

    /// Returns whether the written token of a slot is a word.
    fn is_word(&self, slot: Slot<'t>) -> bool {
        let texts = self.texts;
        let (tokens, position) = if slot.is_new() { (&texts.new, slot.new) } else { (&texts.file, slot.file) };
        let token = position.and_then(|position| tokens.items.get(position.checked_sub(1)?));
        token.is_some_and(|token| token.word)
    }

    /// Returns whether a token of the file and its replacement have the same class, and so the same blanks beside them.
    fn is_alike(&self, file: Position, new: Position) -> bool {
        class_at(&self.texts.file, file) == class_at(&self.texts.new, new)
    }

    /// Returns whether a slot begins a line of the file.
    pub(super) fn opens_line(&self, slot: Slot<'t>) -> bool {
        self.before(slot).0.breaks > 0
    }

    /// Returns the gaps after a slot in the file and in the old text.
    pub(super) fn after(&self, slot: Slot<'t>) -> (Gap<'t>, Option<Gap<'t>>) {
        let file = gap_after(&self.texts.file, slot.file).unwrap_or(Gap::NONE);
        (file, gap_after(&self.texts.old, slot.old))
    }

    /// Returns the gaps before a slot in the file and in the old text.
    pub(super) fn before(&self, slot: Slot<'t>) -> (Gap<'t>, Option<Gap<'t>>) {
        let file = gap_before(&self.texts.file, slot.file).unwrap_or(Gap::NONE);
        (file, gap_before(&self.texts.old, slot.old))
    }

    /// Returns the indentation of a kept line: the file's, changed as the edit changes it.
    pub(super) fn kept_indent(&self, new: Gap<'t>, slot: Slot<'t>) -> String {
        let (file, old) = self.before(slot);
        match old {
            _ if file.breaks == 0 => self.translated(new, slot),
            _ if new.breaks == 0 => file.indent().to_owned(),
            Some(old) if old.breaks > 0 => {
                self.style.indentation.reindent(file.indent(), old.indent(), new.indent(), self.line(slot))
            }
            None if slot.new.is_none() => file.indent().to_owned(),
            // The old text has the slot inside a line.
            _ => self.translated(new, slot),
        }
    }

    /// Returns the new text's indentation of a line, translated to the file's.
    pub(super) fn translated(&self, new: Gap<'t>, slot: Slot<'t>) -> String {
        self.style.indentation.translate(new.indent(), self.line(slot))
    }

    /// Returns the number of a slot's line in the new text.
    fn line(&self, slot: Slot<'t>) -> f32 {
        let token = slot.new.unwrap_or(0).min(self.texts.new.len()).checked_sub(1);
        token.map_or(0.0, |token| self.texts.new.items[token].line as f32)
    }

    /// Returns the indentation of a new line.
    pub(super) fn new_line_indent(&self, new: Gap<'t>, slot: Slot<'t>) -> String {
        let known = slot.new.and_then(|position| self.indents.get(&position));
        known.map_or_else(|| self.translated(new, slot), Clone::clone)
    }

    /// Marks the step as unknown if a line follows a new one, is not as deep because one of them begins or ends a block,
    /// and the new text has lost the depths of both.
    fn check_step(&mut self, slot: Slot<'t>) {
        let Some(token) = slot.new.and_then(|new| (new - 1).checked_sub(1)) else { return };
        let new = &self.texts.new;
        let line = new.line_of(token);
        let indent = new.indent(token + 1);
        let is_step = new.begins_block(token) || self.ends_block(slot);
        let is_flat = is_step && new.indent(line.start) == indent;
        self.written.has_unknown_step |= is_flat && self.style.indentation.is_lost(indent);
    }

    /// Returns whether a slot is new, and its line only ends a block.
    fn ends_block(&self, slot: Slot<'t>) -> bool {
        let token = slot.new.filter(|_| slot.is_new()).and_then(|new| new.checked_sub(1));
        token.is_some_and(|token| self.texts.new.is_block_end(&self.texts.new.line_of(token)))
    }

    /// Writes a gap of `count` line breaks: trailing blanks, the line ending of a kept line, blank lines (those of
    /// `blank` if it has as many), and an indentation.
    pub(super) fn lines(&mut self, ending: Option<&str>, trail: &str, count: usize, blank: Blank<'t>, indent: &str) {
        self.push(trail);
        self.push(ending.unwrap_or(self.style.ending));
        let (Blank::File(gap) | Blank::New(gap)) = blank;
        let mut lines = gap.blank_lines().filter(|_| gap.breaks == count);
        for _ in 1..count {
            let line = lines.next().unwrap_or("");
            match blank {
                Blank::File(_) => self.push(line),
                Blank::New(_) => self.push(&self.style.indentation.blank_line(line)),
            }
            self.push(self.style.ending);
        }
        self.push(indent);
    }
}

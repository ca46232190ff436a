//! Writes pieces: the file's tokens as they are, new ones in the file's dress, and the gaps between them.
//!
//! A gap belongs to its two neighbours. Where they are neighbours in the file and in the new text, it is merged three
//! ways; where only one text has them side by side, it is that text's; where none has, it is put together from the
//! gap after the first and the gap before the second.
//!
//! Every text begins with a line break here, so that its first line begins like any other.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::merge::Merge;
use crate::text::tokens::Class;
use crate::text::whitespace::{Gap, both_end_lines, is_inside_line, merged_breaks, three};
use crate::write::slots::{Position, Slot, class_at, fresh_indents, gap_after, gap_before, gap_between, slots};

use crate::style::Style;

/// Blank lines, and whose they are.
#[derive(Clone, Copy)]
pub(super) enum Blank<'t> {
    File(Gap<'t>),
    New(Gap<'t>),
}

impl<'t> Blank<'t> {
    /// Merges the blank lines of a gap of `count` line breaks: the file's, unless the edit changes them.
    fn merged(count: usize, file: Gap<'t>, old: Gap<'t>, new: Gap<'t>) -> Self {
        if Self::stay(count, file, old, new) { Self::File(file) } else { Self::New(new) }
    }

    /// Returns the number of line breaks beside new lines, and their blank lines: merged where the old text has a gap
    /// there, too, and the file ends a line.
    fn between_lines(file: Gap<'t>, old: Option<Gap<'t>>, new: Gap<'t>) -> (usize, Self) {
        let Some(old) = old.filter(|_| file.breaks > 0) else { return (new.breaks, Self::New(new)) };
        let count = merged_breaks(new.breaks, old.breaks, file.breaks);
        (count, Self::merged(count, file, old, new))
    }

    /// Returns whether the file's blank lines fit into a gap of `count` line breaks, and the edit leaves them.
    pub(super) fn stay(count: usize, file: Gap<'_>, old: Gap<'_>, new: Gap<'_>) -> bool {
        count == file.breaks && (new.breaks != count || new.blank_lines().eq(old.blank_lines()))
    }
}

/// How many slots are written between two questions whether someone waits.
const ITEMS_PER_QUESTION: usize = 256;

/// The merged text, and the parts of it that are guesses.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// The inserted names, as tokens of the new text, for which the file has others.
    pub(crate) foreign_names: Vec<usize>,
    /// Whether a line that the old text forgot may have to be indented anew.
    pub(crate) has_unknown_indentation: bool,
    /// Whether the depth of a new line inside a block is unknown.
    pub(crate) has_unknown_step: bool,
    /// The positions of the file's tokens that stay, and their bytes in the text; in order.
    pub(crate) kept: Vec<(usize, Range<usize>)>,
}

/// Writes the text of a merge.
pub(crate) fn write(merge: &Merge<'_, '_>, style: &Style<'_>) -> Written {
    let texts = merge.texts;
    let slots = slots(merge);
    let indents = fresh_indents(texts, &slots, style);
    let written = Written { kept: Vec::with_capacity(slots.len()), ..Written::default() };
    let mut writer = Writer { texts, style, indents, written, after_word: false };
    for (at, pair) in slots.windows(2).enumerate() {
        if at % ITEMS_PER_QUESTION == 0 && !texts.cancel.is_needed() {
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
    /// The indentation of new lines, by the position of their first token.
    indents: Vec<(usize, String)>,
    pub(super) written: Written,
    /// Whether the last token written is a word.
    after_word: bool,
}

impl<'t> Writer<'_, 't> {
    /// Writes the token of a slot: the file's as it is, a new one in the file's dress.
    fn token(&mut self, slot: Slot<'t>) {
        self.after_word = self.is_word(slot);
        let texts = self.texts;
        match (slot.file, slot.new) {
            (Some(file), _) if file <= texts.file.len() => {
                let start = self.written.text.len();
                self.written.text.push_str(texts.file.get(file - 1));
                self.written.kept.push((file, start..self.written.text.len()));
            }
            (None, Some(new)) => {
                if self.style.spelling.is_foreign(&texts.new, new - 1) {
                    self.written.foreign_names.push(new - 1);
                }
                self.style.spelling.write(&texts.new, new - 1, &mut self.written.text);
            }
            _ => {}
        }
    }

    /// Writes the gap between two slots that are written one after the other; `rest` comes after them.
    fn gap(&mut self, before: Slot<'t>, after: Slot<'t>, rest: &[Slot<'t>]) {
        let texts = self.texts;
        let file = gap_between(&texts.file, before.file, after.file);
        let old = gap_between(&texts.old, before.old, after.old);
        let new = gap_between(&texts.new, before.new, after.new);
        match (file, new) {
            // After a mark or a line that the old text has forgotten, or written otherwise, it has the gap all the same.
            (Some(file), Some(new)) if new.breaks != file.breaks || self.is_slip(before) => {
                self.merged(file, old.or_else(|| self.before(after).1), new, after);
            }
            (Some(file), Some(new)) => self.merged(file, old, new, after),
            // Only the file has the two side by side: nothing between them was edited.
            (Some(file), None) if file.breaks > 0 && after.old.is_none() => self.forgotten(file, rest),
            (Some(file), None) => match self.edited(after) {
                Some((old, new)) => self.merged(file, Some(old), new, after),
                None => self.written.text.push_str(file.raw),
            },
            // Only the new text has: one of them is new, or what the file has between them went.
            (None, Some(new)) => match (before.is_fresh(), after.is_fresh()) {
                (true, true) => self.fresh(new, after),
                (false, true) => self.opening(new, before, after),
                (true, false) => self.closing(new, before, after),
                (false, false) => self.closed(new, before, after, [None, None]),
            },
            (None, None) => self.parted(before, after),
        }
    }

    /// Returns whether a slot is the end of the place.
    pub(super) fn is_end(&self, slot: Slot<'t>) -> bool {
        slot.file == Some(self.texts.file.len() + 1)
    }

    /// Returns how many line breaks end the place where the edit leaves `count`: what comes after it is never joined to
    /// its last line, though only one of old text and new text has the break there.
    pub(super) fn at_end(&self, count: usize, file: Gap<'_>) -> usize {
        let ends_text = self.style.blank_after || self.texts.after.is_empty();
        if ends_text { count } else { count.max(file.breaks.min(1)) }
    }

    /// Returns whether a slot is one token that the old text has not, after one that all texts have.
    fn is_slip(&self, slot: Slot<'t>) -> bool {
        let before = |position: Position| position?.checked_sub(2);
        let pair = before(slot.file).zip(before(slot.new)).filter(|_| slot.old.is_none());
        pair.is_some_and(|(file, new)| self.texts.goes_through_old(new, file))
    }

    /// Writes a gap that file and new text have.
    fn merged(&mut self, file: Gap<'t>, old: Option<Gap<'t>>, new: Gap<'t>, after: Slot<'t>) {
        let Some(old) = old else {
            // Whether the edit indents a forgotten line anew is a guess.
            self.written.has_unknown_indentation |=
                both_end_lines(file, new) && self.placed(new, after) != file.indent();
            return self.written.text.push_str(file.raw);
        };
        if self.is_settled(file, old, new) {
            return self.written.text.push_str(file.raw);
        }
        let at_end = self.is_end(after);
        // A blank line put after the old text's end is one more, where one follows that the old text does not have.
        let count = merged_breaks(new.breaks, old.breaks, file.breaks);
        let count = if at_end { self.at_end(count, file) } else { count };
        if count == 0 {
            return self.written.text.push_str(if new.breaks == 0 { new.raw } else { " " });
        }
        // Where only the old text had blanks at the end of the line, the edit did not remove any.
        let trail = if file.breaks > 0 && old.trail() != file.trail() {
            file.trail()
        } else {
            three(new.trail(), old.trail(), file.trail())
        };
        let indent = if at_end { file.indent().to_owned() } else { self.kept_indent(new, after) };
        let blank = Blank::merged(count, file, old, new);
        self.lines(file.ending(), trail, count, blank, &indent);
    }

    /// Returns whether a gap that all texts have stays as the file has it: the edit leaves it, or makes it the file's.
    fn is_settled(&self, file: Gap<'_>, old: Gap<'_>, new: Gap<'_>) -> bool {
        (new.same(old) || new.same(file))
            && (file.breaks == 0 || self.style.indents.stays(file.indent(), old.indent(), new.indent()))
    }

    /// Writes the gap before what only the file has at the start of a line: where the edit indents the line anew, and
    /// the lines around it, that, too.
    fn forgotten(&mut self, file: Gap<'t>, rest: &[Slot<'t>]) {
        // The first token that all texts have tells: one on this line, or one that begins a later line.
        if let Some(next) = rest.iter().position(|slot| slot.new.and(slot.old).is_some()) {
            let slot = rest[next];
            let is_on_line = !rest[..=next].iter().any(|slot| self.opens_line(*slot));
            let anew = self.indented_anew(slot, file.indent());
            if let Some((old, new)) = anew.filter(|_| is_on_line) {
                let at = self.line(slot);
                let indent = self.style.indents.moved(file.indent(), old.indent(), new.indent(), at);
                return self.lines(file.ending(), file.trail(), file.breaks, Blank::File(file), &indent);
            }
            if self.opens_line(slot) && self.indented_anew(slot, self.before(slot).0.indent()).is_some() {
                // How deep this line is then is a guess.
                self.written.has_unknown_indentation = true;
            }
        }
        self.written.text.push_str(file.raw);
    }

    /// Returns the gaps before a slot in old text and new text, if it begins a line there and the edit indents that line
    /// anew, which the file indents by `indent`.
    fn indented_anew(&self, slot: Slot<'t>, indent: &str) -> Option<(Gap<'t>, Gap<'t>)> {
        let (old, new) = (gap_before(&self.texts.old, slot.old?), gap_before(&self.texts.new, slot.new?));
        // Of a first line that is cut out of the file's the old text does not know the indentation.
        let is_cut = slot.old == Some(1) && !self.opens_line(slot) && old.indent() == new.indent();
        let stays = is_cut || self.style.indents.stays(indent, old.indent(), new.indent());
        Some((old, new)).filter(|_| both_end_lines(old, new) && !stays)
    }

    /// Returns the gaps before a slot in old text and new text, if both have the same token before it, which the file has
    /// not.
    fn edited(&self, after: Slot<'t>) -> Option<(Gap<'t>, Gap<'t>)> {
        let (old, new) = (after.old?, after.new?);
        let [ours, theirs] = [old.checked_sub(2)?, new.checked_sub(2)?];
        let is_same = self.texts.old_to_new[ours] == Some(theirs);
        is_same.then(|| (gap_before(&self.texts.old, old), gap_before(&self.texts.new, new)))
    }

    /// Writes the gap between two new tokens.
    fn fresh(&mut self, new: Gap<'t>, after: Slot<'t>) {
        if new.breaks == 0 {
            return self.written.text.push_str(new.raw);
        }
        self.check_step(after);
        let indent = self.fresh_indent(new, after);
        self.lines(None, new.trail(), new.breaks, Blank::New(new), &indent);
    }

    /// Writes the gap between what stays and the first new token.
    pub(super) fn opening(&mut self, new: Gap<'t>, before: Slot<'t>, after: Slot<'t>) {
        let (file, old) = self.after(before);
        let old = after.gap.or(old).or_else(|| self.before_replaced(before));
        if new.breaks == 0 {
            let is_alike = self.is_alike(before.file.map(|file| file + 1), after.new);
            return self.inside_line(file, old.filter(|_| is_alike && after.takes_before), new, after);
        }
        let trail = match old {
            _ if file.breaks == 0 => new.trail(),
            Some(old) if old.breaks > 0 => three(new.trail(), old.trail(), file.trail()),
            _ => file.trail(),
        };
        let is_first = before.file == Some(0);
        let (count, blank) = Blank::between_lines(file, old.filter(|_| after.takes_before), new);
        let indent = match old {
            // The old text may begin inside a line: then so does the new text.
            Some(old) if is_first && new.indent() == old.indent() => self.first_indent(file, old, after),
            _ => self.fresh_indent(new, after),
        };
        self.lines(file.ending(), trail, count, blank, &indent);
    }

    /// Writes the gap between the last new token and what stays.
    pub(super) fn closing(&mut self, new: Gap<'t>, before: Slot<'t>, after: Slot<'t>) {
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
                return self.written.text.push_str(if same { file.raw } else { new.raw });
            }
            let blank = Blank::merged(count, file, old, new);
            return self.lines(file.ending(), new.trail(), count, blank, file.indent());
        }
        if new.breaks == 0 {
            let is_alike = self.is_alike(after.file.and_then(|file| file.checked_sub(1)), before.new);
            return self.inside_line(file, old.filter(|_| is_alike && before.takes_after), new, after);
        }
        let (count, blank) = Blank::between_lines(file, old.filter(|_| before.takes_after), new);
        let indent = self.kept_indent(new, after);
        self.lines(file.ending(), new.trail(), count, blank, &indent);
    }

    /// Returns the old text's gap before what it has for the file's token after a slot.
    fn before_replaced(&self, before: Slot<'t>) -> Option<Gap<'t>> {
        let gone = self.texts.file_to_old.get(before.file?).copied().flatten()?;
        Some(gap_before(&self.texts.old, gone + 1))
    }

    /// Returns the old text's gap after what it has for the file's token before a slot.
    fn after_replaced(&self, after: Slot<'t>) -> Option<Gap<'t>> {
        let gone = self.texts.file_to_old[after.file?.checked_sub(2)?]?;
        Some(gap_after(&self.texts.old, gone + 1))
    }

    /// Writes a gap beside new text inside a line: the file's if the new text keeps that of the old text.
    fn inside_line(&mut self, file: Gap<'t>, old: Option<Gap<'t>>, new: Gap<'t>, after: Slot<'t>) {
        let is_kept = old.is_some_and(|old| new.same(old)) && file.breaks == 0;
        self.inline(if is_kept { file.raw } else { new.raw }, [new.raw, file.raw], after);
    }

    /// Writes a gap inside a line; where it would make one word of two, the first of the others that does not.
    pub(super) fn inline(&mut self, raw: &str, others: [&str; 2], after: Slot<'t>) {
        let glues = raw.is_empty() && self.after_word && self.is_word(after);
        let parted = others.into_iter().find(|other| is_inside_line(other)).unwrap_or(" ");
        self.written.text.push_str(if glues { parted } else { raw });
    }

    /// Returns whether what is written for a slot is a word.
    fn is_word(&self, slot: Slot<'t>) -> bool {
        let (tokens, position) = match (slot.file, slot.new) {
            (Some(file), _) => (&self.texts.file, file),
            (None, Some(new)) => (&self.texts.new, new),
            (None, None) => return false,
        };
        let token = position.checked_sub(1).filter(|&token| token < tokens.len());
        token.is_some_and(|token| tokens.is_word(token))
    }

    /// Returns whether a token of the file and a new one that takes its place have the same class: the blanks beside a
    /// mark are the mark's.
    fn is_alike(&self, file: Position, new: Position) -> bool {
        class_at(&self.texts.file, file) == class_at(&self.texts.new, new)
    }

    /// Returns whether a slot is at the start of a line of the file.
    pub(super) fn opens_line(&self, slot: Slot<'t>) -> bool {
        slot.file.is_some_and(|file| gap_before(&self.texts.file, file).breaks > 0)
    }

    /// Returns the gaps after a slot in the file and in the old text.
    pub(super) fn after(&self, slot: Slot<'t>) -> (Gap<'t>, Option<Gap<'t>>) {
        let file = slot.file.map_or(Gap::NONE, |file| gap_after(&self.texts.file, file));
        (file, slot.old.map(|old| gap_after(&self.texts.old, old)))
    }

    /// Returns the gaps before a slot in the file and in the old text.
    pub(super) fn before(&self, slot: Slot<'t>) -> (Gap<'t>, Option<Gap<'t>>) {
        let file = slot.file.map_or(Gap::NONE, |file| gap_before(&self.texts.file, file));
        (file, slot.old.map(|old| gap_before(&self.texts.old, old)))
    }

    /// Returns the indentation of a line that stays: the file's, changed as the edit changes it.
    pub(super) fn kept_indent(&self, new: Gap<'t>, slot: Slot<'t>) -> String {
        let (file, old) = self.before(slot);
        match old {
            _ if file.breaks == 0 => self.placed(new, slot),
            _ if new.breaks == 0 => file.indent().to_owned(),
            Some(old) if old.breaks > 0 => {
                self.style.indents.moved(file.indent(), old.indent(), new.indent(), self.line(slot))
            }
            None if slot.new.is_none() => file.indent().to_owned(),
            // The old text goes on with the line before.
            _ => self.placed(new, slot),
        }
    }

    /// Returns the indentation of a line that is indented as the new text has it.
    pub(super) fn placed(&self, new: Gap<'t>, slot: Slot<'t>) -> String {
        self.style.indents.place(new.indent(), self.line(slot))
    }

    /// Returns the line of the new text that a slot is on.
    fn line(&self, slot: Slot<'t>) -> f32 {
        let token = slot.new.unwrap_or(0).min(self.texts.new.len()).checked_sub(1);
        token.map_or(0.0, |token| self.texts.new.items[token].line as f32)
    }

    /// Returns the indentation of a new line, which it shares with those that came with it.
    pub(super) fn fresh_indent(&self, new: Gap<'t>, slot: Slot<'t>) -> String {
        let known = self.indents.iter().find(|(position, _)| Some(*position) == slot.new);
        known.map_or_else(|| self.placed(new, slot), |(_, indent)| indent.clone())
    }

    /// Returns the indentation of a new first line that is indented as the old text's first line.
    fn first_indent(&self, file: Gap<'t>, old: Gap<'t>, slot: Slot<'t>) -> String {
        let known = self.fresh_indent(old, slot);
        // It takes the place of the file's first line, or it comes before that and is placed like any other.
        if slot.takes_before { file.indent().to_owned() } else { known }
    }

    /// Raises a doubt when a new line should be deeper than the one before it, which opens a block, and the old text's
    /// way of indenting does not show how deep.
    fn check_step(&mut self, slot: Slot<'t>) {
        let Some(token) = slot.new.and_then(|new| (new - 1).checked_sub(1)) else { return };
        let new = &self.texts.new;
        let line = new.line_of(token);
        let indent = new.indent(token + 1);
        let opens = new.class(token) == Class::Opener || new.get(token) == ":";
        if opens && new.indent(line.start) == indent && self.style.indents.is_flattened(indent) {
            self.written.has_unknown_step = true;
        }
    }

    /// Writes a gap of `count` line breaks: the blanks that end a line, blank lines as `blank` has them where it has as
    /// many, and an indentation. A line that stays keeps its ending.
    pub(super) fn lines(&mut self, ending: Option<&str>, trail: &str, count: usize, blank: Blank<'t>, indent: &str) {
        self.written.text.push_str(trail);
        self.written.text.push_str(ending.unwrap_or(self.style.ending));
        let (Blank::File(gap) | Blank::New(gap)) = blank;
        let mut lines = gap.blank_lines().filter(|_| gap.breaks == count);
        for _ in 1..count {
            let line = lines.next().unwrap_or("");
            match blank {
                Blank::File(_) => self.written.text.push_str(line),
                Blank::New(_) => self.written.text.push_str(&self.style.indents.blank(line)),
            }
            self.written.text.push_str(self.style.ending);
        }
        self.written.text.push_str(indent);
    }
}

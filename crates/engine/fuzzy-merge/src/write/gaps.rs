//! Writes slots and the gaps between them.
//!
//! A gap has four attributes: the blanks at the end of a line, the number of line breaks with the blank lines, the
//! indentation of the next line, and the blanks inside a line. Each is merged three ways, from the gaps that file and old
//! text have beside the two slots: one gap if the slots are neighbours in the file or one of them is new, two gaps if
//! the tokens between them are deleted, and none between two new tokens.
//!
//! A line break was put before each text, so that its first line begins like any other.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::align::three_way::Texts;
use crate::mechanisms::{INDENTATION_STEP, Mechanism};
use crate::merge::Merge;
use crate::style::Style;
use crate::style::spelling::slip_of;
use crate::text::tokens::Class;
use crate::text::whitespace::{Gap, both_end_lines, is_inside_line};
use crate::write::slots::{Slot, class_at, gap_after, gap_before, gap_between, new_line_indents, slots};

/// The gap with the blank lines to write, and its text.
#[derive(Clone, Copy)]
enum Blank<'t> {
    File(Gap<'t>),
    New(Gap<'t>),
}

/// A gap of the file that a written gap is merged with.
#[derive(Clone, Copy)]
struct Edge<'t> {
    file: Gap<'t>,
    /// The old text's gap there.
    old: Option<Gap<'t>>,
    /// Whether the written gap is this one, changed: not the gap on the other side of an insertion.
    is_owned: bool,
}

impl<'t> Edge<'t> {
    /// Returns the old text's gap, if it counts.
    fn old(&self) -> Option<Gap<'t>> {
        self.old.filter(|_| self.is_owned)
    }

    /// Returns the blanks at the end of the line before the gap. If only one of file and old text has blanks there, the
    /// edit does not remove any.
    fn trail(&self, new: Gap<'t>) -> &'t str {
        let is_known = self.old.is_some_and(|old| old.breaks > 0 && old.trail() == self.file.trail());
        if is_known || self.file.breaks == 0 { new.trail() } else { self.file.trail() }
    }

    /// Returns whether the file's blank lines fit into a gap of `count` line breaks, and the edit does not change them.
    fn keeps_blank_lines(&self, count: usize, new: Gap<'_>) -> bool {
        let is_changed = |old: Gap<'_>| new.breaks == count && !new.blank_lines().eq(old.blank_lines());
        count == self.file.breaks && self.old().is_some_and(|old| !is_changed(old))
    }
}

/// The number of slots that are written between two checks for a cancelled merge.
const SLOTS_PER_CHECK: usize = 256;

/// The merged text, and its guesses.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// Whether the indentation of a reindented line is a guess.
    pub(crate) has_unknown_indentation: bool,
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
    let mut written = Written { kept, ..Written::default() };
    if style.indentation.is_scaled() && !indents.is_empty() {
        written.undoes(&INDENTATION_STEP);
    }
    let mut writer = Writer { texts, style, indents, written, after_word: false };
    for (at, pair) in slots.windows(2).enumerate() {
        if at % SLOTS_PER_CHECK == 0 && !texts.run.is_needed() {
            break;
        }
        writer.gap(pair[0], pair[1]);
        writer.token(pair[1]);
    }
    writer.written
}

/// Writes a text token by token.
struct Writer<'r, 't> {
    texts: &'r Texts<'t>,
    style: &'r Style<'t>,
    /// The indentation of new lines, by the positions of their first tokens.
    indents: FxHashMap<usize, String>,
    written: Written,
    /// Whether the last written token is a word.
    after_word: bool,
}

impl<'t> Writer<'_, 't> {
    fn push(&mut self, text: &str) {
        self.written.text.push_str(text);
    }

    /// Writes the token of a slot.
    fn token(&mut self, slot: Slot) {
        self.after_word = self.is_word(slot);
        let texts = self.texts;
        match (slot.file, slot.new) {
            (Some(file), _) if file <= texts.file.len() => {
                let start = self.written.text.len();
                self.push(texts.file.get(file - 1));
                self.written.kept.push((file, start..self.written.text.len()));
            }
            (None, Some(new)) => {
                let written = self.style.spelling.of(&texts.new, new - 1);
                let own = texts.new.get(new - 1);
                if own != written {
                    self.written.undoes(slip_of(own));
                }
                self.push(&written);
            }
            _ => {}
        }
    }

    /// Writes the gap between two slots.
    fn gap(&mut self, before: Slot, after: Slot) {
        let texts = self.texts;
        let file = gap_between(&texts.file, before.file, after.file);
        let old = gap_between(&texts.old, before.old, after.old);
        let new = gap_between(&texts.new, before.new, after.new);
        match (file, new) {
            (Some(file), Some(new)) if self.begins_block(file, old, new, after) => {
                self.lines(None, "", 1, Blank::New(new), &self.translated(new, after));
            }
            (Some(file), Some(new)) => {
                let old = old.or_else(|| self.before(after).1.filter(|_| new.breaks != file.breaks));
                self.between_kept(file, old, new, before, after);
            }
            // Neighbours in the file alone: nothing between them was edited.
            (Some(file), None) => self.reindented(file, after),
            // Neighbours in the new text alone: one of them is new, or the tokens between them in the file are deleted.
            (None, Some(new)) => self.merged(&self.edges(before, after), new, before, after),
            (None, None) => self.between_strangers(before, after),
        }
    }

    /// Returns whether the file has a block on the line of its head, which both texts have on a line of its own, and the
    /// edit adds a line after it: the block needs lines of its own.
    fn begins_block(&self, file: Gap<'_>, old: Option<Gap<'_>>, new: Gap<'_>, after: Slot) -> bool {
        let (tokens, Some(first)) = (&self.texts.new, after.new.and_then(|position| position.checked_sub(1))) else {
            return false;
        };
        let is_joined = file.breaks == 0 && new.breaks == 1 && old.is_some_and(|old| old.breaks == 1);
        let is_head = |end: usize| matches!(tokens.class(end), Class::Other | Class::Separator | Class::Opener);
        if !is_joined || first == 0 || first >= tokens.len() || !is_head(first - 1) || tokens.get(first - 1) == "," {
            return false;
        }
        let depth = |token: usize| tokens.indent(tokens.line_of(token).start).len();
        let next = tokens.line_of(first).end;
        // A line that continues the one before is no statement of its own.
        if tokens.class(next) == Class::Continuer {
            return false;
        }
        self.indents.contains_key(&(next + 1))
            && tokens.class(first) != Class::Closer
            && depth(first - 1) < depth(first)
            && depth(first) <= depth(next)
    }

    /// Writes the file's gap before a slot, reindented if the edit reindents the slot's line.
    fn reindented(&mut self, file: Gap<'t>, after: Slot) {
        let new = gap_before(&self.texts.new, after.old.and(after.new));
        let indent = new.filter(|new| both_end_lines(file, *new)).map(|new| self.kept_indent(new, after));
        match indent.filter(|indent| indent != file.indent()) {
            Some(indent) => self.lines(file.ending(), file.trail(), file.breaks, Blank::File(file), &indent),
            None => self.push(file.raw),
        }
    }

    /// Writes the gap between two slots that are neighbours neither in the file nor in the new text: merged if a line of
    /// all texts ends there, else the file's.
    fn between_strangers(&mut self, before: Slot, after: Slot) {
        let (edges, texts) = (self.edges(before, after), self.texts);
        // The edit's gap is beside the token that the edit leaves in its place.
        let is_moved = after.old.and_then(|old| old.checked_sub(2)).is_some_and(|token| texts.is_kept(token));
        let (first, second) = (gap_before(&texts.new, after.new), gap_after(&texts.new, before.new));
        let new = if is_moved { second.or(first) } else { first.or(second) }.unwrap_or(Gap::NONE);
        let is_known = after.is_new() || (new.breaks > 0 && (before.is_new() || after.new.is_some()));
        if is_known && edges.first().is_none_or(|edge| edge.file.breaks > 0) {
            return self.merged(&edges, new, before, after);
        }
        match edges[..] {
            // The next token is unknown: the wider gap is kept if the new text has as wide a one.
            [left, right]
                if right.file.breaks > 0 && (right.file.breaks + 1..=new.breaks).contains(&left.file.breaks) =>
            {
                let (file, indent) = (left.file, right.file.indent());
                self.lines(file.ending(), file.trail(), file.breaks, Blank::File(file), indent);
            }
            [left, right] if right.file.breaks == 0 && left.file.breaks > 0 => self.push(left.file.raw),
            _ => self.push(edges.last().map_or("", |edge| edge.file.raw)),
        }
    }

    /// Returns the gaps of the file after a kept slot and before a kept slot. Around a deletion, a line break that the old
    /// text lacks is kept.
    fn edges(&self, before: Slot, after: Slot) -> Vec<Edge<'t>> {
        let is_deletion = !before.is_new() && !after.is_new();
        let inserted = before.gap.or(after.gap).map(|token| Gap::new(self.texts.old.gap(token)));
        let mut edges = Vec::with_capacity(2);
        if !before.is_new() {
            let (file, old) = self.after(before);
            let old = inserted.or(old).or_else(|| self.before_replaced(before));
            let has_break = |old: &Gap<'_>| !is_deletion || old.breaks > 0 || file.breaks == 0;
            edges.push(Edge { file, old: old.filter(has_break), is_owned: after.owns_gap_before });
        }
        if !after.is_new() {
            let (file, old) = self.before(after);
            let old = inserted.or(old).or_else(|| self.after_replaced(after));
            edges.push(Edge { file, old, is_owned: before.owns_gap_after });
        }
        if is_deletion {
            for edge in &mut edges {
                edge.old = edge.old.or(Some(edge.file));
            }
        }
        edges
    }

    /// Returns the old text's gap before the partner of the file's token after a slot.
    fn before_replaced(&self, before: Slot) -> Option<Gap<'t>> {
        let replaced = self.texts.file_to_old.get(before.file?).copied().flatten()?;
        gap_before(&self.texts.old, Some(replaced + 1))
    }

    /// Returns the old text's gap after the partner of the file's token before a slot.
    fn after_replaced(&self, after: Slot) -> Option<Gap<'t>> {
        let replaced = self.texts.file_to_old[after.file?.checked_sub(2)?]?;
        gap_after(&self.texts.old, Some(replaced + 1))
    }

    /// Returns whether a slot is the end of the place.
    fn is_end(&self, slot: Slot) -> bool {
        slot.file == Some(self.texts.file.len() + 1)
    }

    /// Returns the number of line breaks at the end of the place, if the edit has `count` there: the next line of the
    /// document is never joined to the last line.
    fn at_end(&self, count: usize, file: Gap<'_>) -> usize {
        let ends_text = self.style.blank_after || self.texts.after.is_empty();
        if ends_text { count } else { count.max(file.breaks.min(1)) }
    }

    /// Writes the gap between neighbours in the file, and in the new text or with an edit between them.
    fn between_kept(&mut self, file: Gap<'t>, old: Option<Gap<'t>>, new: Gap<'t>, before: Slot, after: Slot) {
        match old {
            Some(old) if !self.is_unchanged(file, old, new) => {
                self.merged(&[Edge { file, old: Some(old), is_owned: true }], new, before, after);
            }
            Some(_) => self.push(file.raw),
            None => {
                // Without the old text's gap, the indentation is a guess if the edit reindents.
                self.written.has_unknown_indentation |=
                    both_end_lines(file, new) && self.translated(new, after) != file.indent();
                self.push(file.raw);
            }
        }
    }

    /// Writes a gap of the new text, merged with those of the file.
    fn merged(&mut self, edges: &[Edge<'t>], new: Gap<'t>, before: Slot, after: Slot) {
        let count = self.breaks(edges, new, before, after);
        if count == 0 {
            return self.inside_line(edges, new, before, after);
        }
        let trail = edges.first().filter(|_| !before.is_new()).map_or(new.trail(), |edge| edge.trail(new));
        let indent = self.indent(edges, new, before, after);
        let ending = edges.iter().find_map(|edge| edge.file.ending());
        let kept = edges.iter().find(|edge| edge.keeps_blank_lines(count, new));
        let blank = kept.map_or(Blank::New(new), |edge| Blank::File(edge.file));
        self.lines(ending, trail, count, blank, &indent);
    }

    /// Returns the number of line breaks: the file's, and the difference of new and old text.
    fn breaks(&self, edges: &[Edge<'t>], new: Gap<'t>, before: Slot, after: Slot) -> usize {
        let known = edges.iter().filter_map(|edge| Some((edge.file.breaks, edge.old()?.breaks)));
        let (file, old) = known.clone().fold((0, 0), |sum, known| (sum.0 + known.0, sum.1 + known.1));
        let most = known.fold(new.breaks, |most, known| most.max(known.0));
        let count = (new.breaks + file).saturating_sub(old).min(most);
        match edges.last().filter(|_| self.is_end(after)) {
            // The line break that was put before the texts stays.
            Some(edge) => self.at_end(count, edge.file).max(usize::from(before.file == Some(0))),
            None => count.max(new.breaks.min(1)),
        }
    }

    /// Returns the indentation of the line after a gap.
    fn indent(&self, edges: &[Edge<'t>], new: Gap<'t>, before: Slot, after: Slot) -> String {
        let last = edges.last();
        // A line break of the file alone is kept with its indentation.
        let kept = edges.iter().rfind(|edge| new.breaks == 0 && edge.file.breaks > 0);
        if let Some(edge) = last.filter(|_| self.is_end(after)).or(kept) {
            return edge.file.indent().to_owned();
        }
        // The new first line is indented as the old one, right or wrong, and so is a line that takes the place of another.
        let replaces = |edge: &&Edge<'t>| edge.old().is_some_and(|old| old.indent() == new.indent());
        let next = last.filter(|_| edges.len() > 1);
        let continues = next.is_some_and(|edge| edge.file.breaks == 0);
        let is_corrected = next.is_some_and(|edge| {
            edge.file.indent() == new.indent() && edge.old.is_some_and(|old| old.indent() != new.indent())
        });
        match edges.first().filter(replaces) {
            Some(edge) if continues || (before.file == Some(0) && !is_corrected) => edge.file.indent().to_owned(),
            _ if after.is_new() => self.new_line_indent(new, after),
            _ => {
                // Lines that the file lacks may follow the new ones: the kept line is indented after those.
                let line = gap_before(&self.texts.new, after.new).filter(|line| line.breaks > 0);
                self.kept_indent(line.unwrap_or(new), after)
            }
        }
    }

    /// Writes a gap inside a line: the file's if old and new text have the same; if it is empty between two words, one
    /// with blanks.
    fn inside_line(&mut self, edges: &[Edge<'t>], new: Gap<'t>, before: Slot, after: Slot) {
        let inside = edges.iter().filter(|edge| edge.file.breaks == 0);
        let is_kept = |edge: &&Edge<'t>| edge.old().is_some_and(|old| new.same(old)) && self.is_alike(before, after);
        let raw = if new.breaks > 0 {
            inside.map(|edge| edge.file.raw).next().unwrap_or("")
        } else {
            let mut kept = inside.filter(is_kept).map(|edge| edge.file.raw);
            kept.next().filter(|raw| kept.all(|other| other == *raw)).unwrap_or(new.raw)
        };
        let glues = raw.is_empty() && self.after_word && self.is_word(after);
        let mut others = edges.iter().map(|edge| edge.file.raw).chain([new.raw, " "]);
        let blanks = others.find(|other| is_inside_line(other)).filter(|_| glues);
        self.push(blanks.unwrap_or(raw));
    }

    /// Returns whether a gap of all texts is kept as in the file.
    fn is_unchanged(&self, file: Gap<'_>, old: Gap<'_>, new: Gap<'_>) -> bool {
        (new.same(old) || new.same(file))
            && (file.breaks == 0 || self.style.indentation.is_unmoved(file.indent(), old.indent(), new.indent()))
    }

    /// Returns whether the written token of a slot is a word.
    fn is_word(&self, slot: Slot) -> bool {
        let texts = self.texts;
        let (tokens, position) = if slot.is_new() { (&texts.new, slot.new) } else { (&texts.file, slot.file) };
        let token = position.and_then(|position| tokens.items.get(position.checked_sub(1)?));
        token.is_some_and(|token| token.word)
    }

    /// Returns whether a new token and the token of the file that it replaces, if there is one, have the same class, and
    /// so the same blanks beside them.
    fn is_alike(&self, before: Slot, after: Slot) -> bool {
        let (file, new) = match (before.file, after.file) {
            (Some(before), None) => (Some(before + 1), after.new),
            (None, Some(after)) => (after.checked_sub(1), before.new),
            _ => return true,
        };
        class_at(&self.texts.file, file) == class_at(&self.texts.new, new)
    }

    /// Returns the gaps after a slot in the file and in the old text.
    fn after(&self, slot: Slot) -> (Gap<'t>, Option<Gap<'t>>) {
        let file = gap_after(&self.texts.file, slot.file).unwrap_or(Gap::NONE);
        (file, gap_after(&self.texts.old, slot.old))
    }

    /// Returns the gaps before a slot in the file and in the old text.
    fn before(&self, slot: Slot) -> (Gap<'t>, Option<Gap<'t>>) {
        let file = gap_before(&self.texts.file, slot.file).unwrap_or(Gap::NONE);
        (file, gap_before(&self.texts.old, slot.old))
    }

    /// Returns the indentation of a kept line: the file's, changed as the edit changes it.
    fn kept_indent(&self, new: Gap<'t>, slot: Slot) -> String {
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
    fn translated(&self, new: Gap<'t>, slot: Slot) -> String {
        self.style.indentation.translate(new.indent(), self.line(slot))
    }

    /// Returns the number of a slot's line in the new text.
    fn line(&self, slot: Slot) -> f32 {
        let token = slot.new.unwrap_or(0).min(self.texts.new.len()).checked_sub(1);
        token.map_or(0.0, |token| self.texts.new.items[token].line as f32)
    }

    /// Returns the indentation of a new line.
    fn new_line_indent(&self, new: Gap<'t>, slot: Slot) -> String {
        let known = slot.new.and_then(|position| self.indents.get(&position));
        known.map_or_else(|| self.translated(new, slot), Clone::clone)
    }

    /// Writes a gap of `count` line breaks: trailing blanks, the line ending of a kept line, blank lines (those of
    /// `blank` if it has as many), and an indentation.
    fn lines(&mut self, ending: Option<&str>, trail: &str, count: usize, blank: Blank<'t>, indent: &str) {
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

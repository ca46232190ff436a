//! Merges needle, replacement and file: what the edit keeps comes from the file, what it changes
//! comes from the replacement, dressed as the file is.
//!
//! The file's tokens that an edit keeps are anchors. Between two anchors lies either nothing but
//! what the file has, or a change: tokens deleted from the needle, tokens new in the replacement,
//! and perhaps tokens that only the file has.

use std::ops::Range;

use crate::gap::{Gap, Sides};
use crate::indent::{Indents, Seen};
use crate::lines::is_elision;
use crate::pair::{Likeness, pair};
use crate::slot::Slot;
use crate::swaps::{Swaps, swaps};
use crate::tokens::{Interner, Tokens};
use crate::weigh::elsewhere;
use crate::{Doubt, Evidence};

/// A stretch that the edit keeps: tokens of needle and replacement, and what they are in the file.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(crate) new: Range<usize>,
    pub(crate) needle: Range<usize>,
    pub(crate) file: Range<usize>,
    /// Marks an "and so on" line; the file's tokens are those that it stands for.
    pub(crate) elision: bool,
}

/// Holds the three texts and how their tokens belong together.
pub(crate) struct Merge<'t> {
    pub(crate) needle: Tokens<'t>,
    pub(crate) new: Tokens<'t>,
    pub(crate) file: Tokens<'t>,
    /// Gives the file's token for each of the needle's.
    pub(crate) in_file: Vec<Option<usize>>,
    /// Tells for each of the file's tokens whether the needle has it.
    pub(crate) placed: Vec<bool>,
    /// Tells for each of the needle's lines whether the edit takes something away from it.
    pub(crate) touched: Vec<bool>,
    /// Gives the replacement's token for each of the needle's.
    pub(crate) in_new: Vec<Option<usize>>,
    /// Gives the needle's token for each of the replacement's.
    pub(crate) from_needle: Vec<Option<usize>>,
    /// Tells for each of the needle's tokens whether the file has another word for it, though it knows this one.
    pub(crate) elsewhere: Vec<bool>,
    pub(crate) indents: Indents<'t>,
    pub(crate) swaps: Swaps<'t>,
    pub(crate) ending: &'static str,
    /// Tells whether a blank line follows in the file.
    pub(crate) blank_behind: bool,
    pub(crate) out: String,
    pub(crate) doubts: Vec<Doubt>,
    pub(crate) evidence: Evidence,
}

impl<'t> Merge<'t> {
    /// Aligns the texts. `unit` is the file's step of indentation, `ending` its line ending, `blank_behind`
    /// tells whether a blank line follows in the file, and `known` whether a word stands in it.
    pub(crate) fn new(
        file: &'t str,
        needle: &'t str,
        new: &'t str,
        unit: &str,
        ending: &'static str,
        blank_behind: bool,
        known: impl Fn(&str) -> bool,
    ) -> Self {
        let mut interner = Interner::default();
        let file = Tokens::new(file, &mut interner);
        let needle = Tokens::new(needle, &mut interner);
        let new = Tokens::new(new, &mut interner);
        let in_file = pair(&needle, &file, Likeness::Miscopied);
        let mut placed = vec![false; file.len()];
        for &partner in in_file.iter().flatten() {
            placed[partner] = true;
        }
        let in_new = pair(&needle, &new, Likeness::Equal);
        let mut touched = vec![false; needle.lines()];
        for (token, partner) in needle.items.iter().zip(&in_new) {
            touched[token.line as usize] |= partner.is_none();
        }
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
        let indents = Indents::new(seen, unit, new.text);
        let elsewhere = elsewhere(&needle, &file, &in_file, &known);
        let swaps = swaps(&needle, &file, &in_file, new.text, known);
        Self {
            out: String::with_capacity(file.text.len() + new.text.len()),
            needle,
            new,
            file,
            in_file,
            elsewhere,
            placed,
            touched,
            in_new,
            from_needle,
            indents,
            swaps,
            ending,
            blank_behind,
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

    fn anchors(&self) -> Vec<Anchor> {
        let mut anchors = vec![Anchor { new: 0..0, needle: 0..0, file: 0..0, elision: false }];
        let elisions = self.elisions();
        let mut elisions = elisions.iter().peekable();
        for index in 0..self.needle.len() {
            if let Some(elision) = elisions.peek()
                && index == elision.needle.end - 1
            {
                anchors.push((*elision).clone());
                elisions.next();
                continue;
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
            let (Some(first), Some(last)) = (self.in_new[tokens.start], self.in_new[tokens.end - 1]) else {
                continue;
            };
            let from = self.in_file[..tokens.start].iter().rev().find_map(|&p| p);
            let to = self.in_file[tokens.end..].iter().find_map(|&p| p);
            let file = from.map_or(0, |index| index + 1)..to.unwrap_or(self.file.len());
            if !file.is_empty() && from.is_some() && to.is_some() {
                found.push(Anchor { new: first..last + 1, needle: tokens, file, elision: true });
            }
        }
        found
    }

    /// Copies a kept stretch; the gap before it has been written.
    fn keep(&mut self, anchor: &Anchor) {
        self.copy(anchor.file.clone());
    }

    /// Copies tokens of the file with the gaps between them.
    pub(crate) fn copy(&mut self, tokens: Range<usize>) {
        if tokens.is_empty() {
            return;
        }
        let start = self.file.items[tokens.start].start as usize;
        let end = self.file.items[tokens.end - 1].end as usize;
        self.out.push_str(&self.file.text[start..end]);
    }

    /// Copies the file's gap before token `index` and the tokens from there on.
    pub(crate) fn copy_with_gap(&mut self, tokens: Range<usize>) {
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
        let fresh: Vec<usize> = slot.new.clone().filter(|&index| self.from_needle[index].is_none()).collect();
        let deleted = slot.needle.clone().any(|index| self.in_new[index].is_none());
        if fresh.is_empty() && !deleted {
            self.copy_with_gap(slot.file.clone());
            let file = Gap::new(self.file.gap(slot.file.end));
            if slot.file.is_empty() && slot.needle.is_empty() {
                let new = Gap::new(self.new.gap(slot.new.end));
                let needle = Gap::new(self.needle.gap(slot.needle.end));
                self.kept_gap(Sides { new, needle, file }, right, false);
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
}

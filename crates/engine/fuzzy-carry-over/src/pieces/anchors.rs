//! Finds what stays in all three texts: the anchors between which everything else is merged.

use std::ops::Range;

use crate::align::texts::Texts;
use crate::text::lines::is_elision;

/// A stretch that the edit keeps: tokens of the three texts.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(crate) new: Range<usize>,
    pub(crate) needle: Range<usize>,
    /// The file's tokens; those that an "and so on" line stands for.
    pub(crate) file: Range<usize>,
    pub(crate) elision: bool,
}

/// Returns the anchors in order, the beginning and the end of all texts among them.
pub(crate) fn anchors(texts: &Texts<'_>) -> Vec<Anchor> {
    without_crossed(texts, all(texts))
}

/// Returns the tokens that all three texts have, "and so on" lines, and the ends of the texts.
fn all(texts: &Texts<'_>) -> Vec<Anchor> {
    let mut anchors = vec![Anchor { new: 0..0, needle: 0..0, file: 0..0, elision: false }];
    let mut elisions = elisions(texts).into_iter().peekable();
    for index in 0..texts.needle.len() {
        if let Some(elision) = elisions.next_if(|elision| index == elision.needle.end - 1) {
            anchors.push(elision);
        } else if let (Some(new), Some(file)) = (texts.in_new[index], texts.in_file[index]) {
            anchors.push(Anchor { new: new..new + 1, needle: index..index + 1, file: file..file + 1, elision: false });
        }
    }
    let (new, needle, file) = (texts.new.len(), texts.needle.len(), texts.file.len());
    anchors.push(Anchor { new: new..new, needle: needle..needle, file: file..file, elision: false });
    anchors
}

/// Leaves out the anchors on lines of the needle from which both the file and the new text differ.
///
/// Which of several equal tokens the needle's one is, is a guess there, and two alignments may guess differently: the
/// file and the new text are compared with each other instead.
fn without_crossed(texts: &Texts<'_>, mut anchors: Vec<Anchor>) -> Vec<Anchor> {
    let mut by_file = vec![false; texts.needle.lines()];
    let mut by_new = vec![false; texts.needle.lines()];
    for (index, token) in texts.needle.items.iter().enumerate() {
        by_file[token.line as usize] |= texts.in_file[index].is_none_or(|file| texts.file.items[file].id != token.id);
        by_new[token.line as usize] |= !texts.is_kept(index);
    }
    for pair in anchors.windows(2) {
        let sides = [
            (&texts.file, pair[0].file.end..pair[1].file.start, &texts.of_file, &mut by_file),
            (&texts.new, pair[0].new.end..pair[1].new.start, &texts.of_new, &mut by_new),
        ];
        for (tokens, between, known, lines) in sides {
            for index in between.clone().filter(|&index| known[index].is_none()) {
                let needle = pair[0].needle.end..pair[1].needle.start;
                let own = tokens.line_of(index);
                if needle.start > 0 && own.start < between.start {
                    lines[texts.needle.line_number(needle.start - 1)] = true;
                }
                if needle.end < texts.needle.len() && between.end < own.end {
                    lines[texts.needle.line_number(needle.end)] = true;
                }
            }
        }
    }
    let is_crossed: Vec<bool> = by_file.iter().zip(&by_new).map(|(by_file, by_new)| *by_file && *by_new).collect();
    anchors.retain(|anchor| {
        anchor.elision || !anchor.needle.clone().any(|index| is_crossed[texts.needle.line_number(index)])
    });
    anchors
}

/// Returns the "and so on" lines that the edit keeps and that stand for something in the file.
fn elisions(texts: &Texts<'_>) -> Vec<Anchor> {
    let mut found = Vec::new();
    for (number, text) in texts.needle.text.split('\n').enumerate() {
        if !is_elision(text) {
            continue;
        }
        let tokens = texts.needle.on_line(number);
        if tokens.is_empty() || tokens.clone().any(|index| texts.in_file[index].is_some()) {
            continue;
        }
        let (Some(first), Some(last)) = (texts.in_new[tokens.start], texts.in_new[tokens.end - 1]) else { continue };
        let from = texts.in_file[..tokens.start].iter().rev().find_map(|&partner| partner);
        let to = texts.in_file[tokens.end..].iter().find_map(|&partner| partner);
        if let (Some(from), Some(to)) = (from, to)
            && from + 1 < to
        {
            found.push(Anchor { new: first..last + 1, needle: tokens, file: from + 1..to, elision: true });
        }
    }
    found
}

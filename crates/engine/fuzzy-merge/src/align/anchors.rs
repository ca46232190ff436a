//! Finds what stays in all three texts: the anchors between which everything else is merged.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::text::lines::is_elision;

/// A stretch that the edit keeps: tokens of the three texts.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(crate) new: Range<usize>,
    pub(crate) old: Range<usize>,
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
    let mut anchors = vec![Anchor { new: 0..0, old: 0..0, file: 0..0, elision: false }];
    let mut elisions = elisions(texts).into_iter().peekable();
    for index in 0..texts.old.len() {
        if let Some(elision) = elisions.next_if(|elision| index == elision.old.end - 1) {
            anchors.push(elision);
        } else if let (Some(new), Some(file)) = (texts.old_to_new[index], texts.old_to_file[index]) {
            anchors.push(Anchor { new: new..new + 1, old: index..index + 1, file: file..file + 1, elision: false });
        }
    }
    let (new, old, file) = (texts.new.len(), texts.old.len(), texts.file.len());
    anchors.push(Anchor { new: new..new, old: old..old, file: file..file, elision: false });
    anchors
}

/// Leaves out the anchors on lines of the old text from which both the file and the new text differ.
///
/// Which of several equal tokens the old text's one is, is a guess there, and two alignments may guess differently: the
/// file and the new text are compared with each other instead.
fn without_crossed(texts: &Texts<'_>, mut anchors: Vec<Anchor>) -> Vec<Anchor> {
    let mut by_file = vec![false; texts.old.lines()];
    let mut by_new = vec![false; texts.old.lines()];
    for (index, token) in texts.old.items.iter().enumerate() {
        by_file[token.line as usize] |=
            texts.old_to_file[index].is_none_or(|file| texts.file.items[file].id != token.id);
        by_new[token.line as usize] |= !texts.is_kept(index);
    }
    for pair in anchors.windows(2) {
        let sides = [
            (&texts.file, pair[0].file.end..pair[1].file.start, &texts.file_to_old, &mut by_file),
            (&texts.new, pair[0].new.end..pair[1].new.start, &texts.new_to_old, &mut by_new),
        ];
        for (tokens, between, known, lines) in sides {
            let before = pair[0].old.end.checked_sub(1);
            let after = Some(pair[1].old.start).filter(|&after| after < texts.old.len());
            for index in between.clone().filter(|&index| known[index].is_none()) {
                let own = tokens.line_of(index);
                let before = before.filter(|_| own.start < between.start);
                let after = after.filter(|_| between.end < own.end);
                for beside in before.into_iter().chain(after) {
                    lines[texts.old.line_number(beside)] = true;
                }
            }
        }
    }
    let is_crossed: Vec<bool> = by_file.iter().zip(&by_new).map(|(by_file, by_new)| *by_file && *by_new).collect();
    anchors
        .retain(|anchor| anchor.elision || !anchor.old.clone().any(|index| is_crossed[texts.old.line_number(index)]));
    anchors
}

/// Returns the "and so on" lines that the edit keeps and that stand for something in the file.
fn elisions(texts: &Texts<'_>) -> Vec<Anchor> {
    let mut found = Vec::new();
    for (number, text) in texts.old.text.split('\n').enumerate() {
        if !is_elision(text) {
            continue;
        }
        let tokens = texts.old.on_line(number);
        if tokens.is_empty() || tokens.clone().any(|index| texts.old_to_file[index].is_some()) {
            continue;
        }
        let (Some(first), Some(last)) = (texts.old_to_new[tokens.start], texts.old_to_new[tokens.end - 1]) else {
            continue;
        };
        let from = texts.old_to_file[..tokens.start].iter().rev().find_map(|&partner| partner);
        let to = texts.old_to_file[tokens.end..].iter().find_map(|&partner| partner);
        if let (Some(from), Some(to)) = (from, to)
            && from + 1 < to
        {
            found.push(Anchor { new: first..last + 1, old: tokens, file: from + 1..to, elision: true });
        }
    }
    found
}

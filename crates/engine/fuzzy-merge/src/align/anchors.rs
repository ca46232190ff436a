//! Finds the anchors: tokens that all three texts share. Everything else is merged between them.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::align::vetoes::are_unpaired;
use crate::mechanisms::CROSSED_ANCHORS;
use crate::text::lines::is_elision;

/// Kept tokens, one of each text; of an elision, all tokens.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(crate) new: Range<usize>,
    pub(crate) old: Range<usize>,
    /// The tokens of the file that an elision is for, if this is one.
    pub(crate) file: Range<usize>,
    pub(crate) is_elision: bool,
}

/// Returns the anchors in order, with the beginnings and the ends of the texts.
pub(crate) fn anchors(texts: &Texts<'_>) -> Vec<Anchor> {
    if !texts.run.uses(&CROSSED_ANCHORS) {
        return all(texts);
    }
    without_crossed(texts, all(texts))
}

/// Returns the shared tokens, elisions, and the ends of the texts.
fn all(texts: &Texts<'_>) -> Vec<Anchor> {
    let mut anchors = vec![Anchor { new: 0..0, old: 0..0, file: 0..0, is_elision: false }];
    let mut elisions = elisions(texts).peekable();
    for index in 0..texts.old.len() {
        if let Some(elision) = elisions.next_if(|elision| index == elision.old.end - 1) {
            anchors.push(elision);
        } else if let (Some(new), Some(file)) = (texts.old_to_new[index], texts.old_to_file[index]) {
            anchors.push(Anchor { new: new..new + 1, old: index..index + 1, file: file..file + 1, is_elision: false });
        }
    }
    let (new, old, file) = (texts.new.len(), texts.old.len(), texts.file.len());
    anchors.push(Anchor { new: new..new, old: old..old, file: file..file, is_elision: false });
    anchors
}

/// Leaves out the anchors on lines of the old text from which both file and new text differ.
///
/// Among equal tokens, each of the two alignments may have paired another one with the file or the new text. There,
/// file and new text are compared directly.
fn without_crossed(texts: &Texts<'_>, mut anchors: Vec<Anchor>) -> Vec<Anchor> {
    let mut by_file = vec![false; texts.old.lines()];
    let mut by_new = vec![false; texts.old.lines()];
    for (index, token) in texts.old.items.iter().enumerate() {
        by_file[token.line as usize] |=
            texts.old_to_file[index].map(|file| texts.file.items[file].id) != Some(token.id);
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
                let line = tokens.line_of(index);
                let before = before.filter(|_| line.start < between.start);
                let after = after.filter(|_| between.end < line.end);
                for beside in before.into_iter().chain(after) {
                    lines[texts.old.line_number(beside)] = true;
                }
            }
        }
    }
    let is_crossed: Vec<bool> = by_file.iter().zip(&by_new).map(|(by_file, by_new)| *by_file && *by_new).collect();
    anchors.retain(|anchor| {
        anchor.is_elision || !anchor.old.clone().any(|index| is_crossed[texts.old.line_number(index)])
    });
    anchors
}

/// Returns the kept elisions that are for tokens of the file.
fn elisions<'r>(texts: &'r Texts<'_>) -> impl Iterator<Item = Anchor> + 'r {
    let lines = texts.old.text.split('\n').enumerate().filter(|(_, text)| is_elision(text));
    lines.filter_map(|(number, _)| elision(texts, texts.old.on_line(number)))
}

/// Returns the anchor of an elision that the edit keeps: in the file, everything between the lines around it.
fn elision(texts: &Texts<'_>, line: Range<usize>) -> Option<Anchor> {
    if line.is_empty() || !are_unpaired(&texts.old_to_file[line.clone()]) {
        return None;
    }
    let (first, last) = (texts.old_to_new[line.start]?, texts.old_to_new[line.end - 1]?);
    let from = texts.old_to_file[..line.start].iter().rev().find_map(|&partner| partner)? + 1;
    let to = texts.old_to_file[line.end..].iter().find_map(|&partner| partner)?;
    (from < to).then(|| Anchor { new: first..last + 1, old: line, file: from..to, is_elision: true })
}

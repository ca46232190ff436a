//! The edit changes something beside a line that ends a block, and in the file that line may end another block.
//!
//! Such lines are equal, and only their depth distinguishes them: old text and file differ in the depth relative to the
//! line before, or after the first line.
//!
//! Example: file `if a {  if b {  go()  }  }`, old `go()  }` with the outer `}`, new `go()  halt()  }`.

use crate::align::three_way::Texts;
use crate::merge::Merge;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>) -> Option<Part> {
    let (texts, old) = (merge.texts, &merge.texts.old);
    let ends = old.full_lines().filter(|line| old.is_block_end(line)).map(|line| line.start);
    let mut doubtful = ends.filter(|&first| is_doubtful(texts, first));
    let first = doubtful.find(|&first| is_changed_beside(texts, first))?;
    let line = texts.old_to_file[first].map_or(0..0, |partner| texts.file.line_of(partner));
    Some([line, old.line_of(first), 0..0])
}

/// Returns whether a line of the old text that ends a block may be another line than its partner in the file.
fn is_doubtful(texts: &Texts<'_>, first: usize) -> bool {
    let (file, old) = (&texts.file, &texts.old);
    let Some(partner) = texts.old_to_file[first] else {
        // The end of a block is not paired with a token of a longer line.
        return !texts.is_lost_line(first);
    };
    if !file.opens_line(partner) {
        return false;
    }
    let is_in_file = |&token: &usize| line_in_file(texts, token).is_some();
    let before = old.line_starts(0..first).rev().find(is_in_file);
    let beside = before.or_else(|| old.line_starts(first + 1..old.len()).find(is_in_file));
    let Some((beside, beside_file)) = beside.and_then(|token| Some((token, texts.old_to_file[token]?))) else {
        return false;
    };
    let between = beside_file.min(partner)..beside_file.max(partner);
    let has_forgotten_line = file.line_starts(between).any(|token| texts.is_forgotten_line(token));
    let depths = [old.indent(first).len(), file.indent(partner).len()];
    let bases = [old.indent(beside).len(), file.indent(beside_file).len()];
    if bases[0] != bases[1] {
        return has_forgotten_line && depths[0].cmp(&bases[0]) != depths[1].cmp(&bases[1]);
    }
    let is_nearer = |is_after| is_nearest(texts, old.line_text(old.line_of(first)), is_after);
    depths[0] != depths[1]
        && (has_forgotten_line || (!is_indented_otherwise(texts, first) && is_nearer(before.is_some())))
}

/// Returns the partner of the first token of a line of the old text, if it begins a line of the file.
fn line_in_file(texts: &Texts<'_>, token: usize) -> Option<usize> {
    texts.old_to_file[token].filter(|&partner| texts.file.opens_line(partner))
}

/// Returns whether the old text indents another line otherwise than the file: then depths are no evidence.
fn is_indented_otherwise(texts: &Texts<'_>, except: usize) -> bool {
    let (file, old) = (&texts.file, &texts.old);
    let others = old.line_starts(0..old.len()).filter(|&token| token != except);
    let mut pairs = others.filter_map(|token| Some((token, line_in_file(texts, token)?)));
    pairs.any(|(token, partner)| file.indent(partner) != old.indent(token))
}

/// Returns whether the nearest line beside the place that is at most as deep as `text` equals it.
fn is_nearest(texts: &Texts<'_>, text: &str, is_after: bool) -> bool {
    let lines: Box<dyn Iterator<Item = &str>> =
        if is_after { Box::new(texts.after.lines()) } else { Box::new(texts.before.lines().rev()) };
    let mut lines = lines.filter(|line| !line.trim().is_empty()).take(MAX_LINES_BESIDE);
    let nearest = lines.find(|line| depth(line) <= depth(text));
    nearest.is_some_and(|line| line.trim() == text.trim() && depth(line) == depth(text))
}

/// The most lines beside a place in which the end of a block is searched: longer blocks are rare.
const MAX_LINES_BESIDE: usize = 200;

/// Returns whether the edit deletes a line of the old text, or changes something right before or after it.
fn is_changed_beside(texts: &Texts<'_>, first: usize) -> bool {
    let line = texts.old.line_of(first);
    let [start, end] = [line.start, line.end - 1].map(|token| texts.old_to_new[token]);
    let Some(start) = start else { return true };
    let beside = [
        (&texts.old_to_new, line.start.checked_sub(1)),
        (&texts.old_to_new, Some(line.end)),
        (&texts.new_to_old, start.checked_sub(1)),
        (&texts.new_to_old, end.map(|token| token + 1)),
    ];
    beside.into_iter().any(|(partners, token)| is_unpaired(partners, token))
}

/// Returns whether a token exists and has no partner.
fn is_unpaired(partners: &[Option<usize>], token: Option<usize>) -> bool {
    token.and_then(|token| partners.get(token)) == Some(&None)
}

/// Returns the bytes of a line's indentation.
fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

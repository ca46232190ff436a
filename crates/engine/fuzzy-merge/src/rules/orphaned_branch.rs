//! A line such as `else:` or `} catch (e) {` that the old text lacks would lose its block, or get another one.
//!
//! The edit deletes the line that the branch continues, or writes a line between the two. A new line that may have the
//! branch, such as `if b:`, takes the deleted one's place.
//!
//! Example: file `if a:  go()  else:  halt()`, old `if a:  go()`, new `wait()`.

use crate::merge::Merge;
use crate::text::blocks::{depth, has_code, is_branch, lines_up, may_have_branch};
use crate::write::Written;

use super::Part;

pub(super) fn check(merge: &Merge<'_, '_>, written: &Written) -> Option<Part> {
    let (texts, file) = (merge.texts, &merge.texts.file);
    let forgotten = written.kept.iter().filter_map(|(position, at)| Some((position.checked_sub(1)?, at.start)));
    let mut forgotten = forgotten.filter(|&(token, _)| {
        file.opens_line(token) && texts.is_unknown(token) && is_branch(file.line_text(file.line_of(token)))
    });
    let orphaned = forgotten.find(|&(token, at)| is_orphaned(merge, written, file.indent(token).len(), token, at));
    let orphaned = orphaned.map(|(token, _)| file.line_of(token)).or_else(|| {
        let mut after = branches_after(texts.after);
        after.any(|depth| is_orphaned(merge, written, depth, file.len(), written.text.len())).then_some(0..0)
    });
    Some([orphaned?, 0..0, 0..0])
}

/// Returns whether a branch has another line before it, as deep or less, than in the file. It is before token `token`
/// of the place, and byte `at` of the merged text.
fn is_orphaned(merge: &Merge<'_, '_>, written: &Written, level: usize, token: usize, at: usize) -> bool {
    let file = &merge.texts.file;
    let line_at = |start: usize| file.line_text(file.line_of(start));
    let is_head = |line: &str| has_code(line) && depth(line) <= level;
    let mut heads = file.line_starts(0..token).rev().filter(|&start| is_head(line_at(start)));
    let Some((start, line)) = lines_up(&written.text[..at]).find(|(_, line)| is_head(line)) else {
        // The file has no head in the place, or only branches that the edit deletes with it.
        return heads.any(|start| !is_branch(line_at(start)));
    };
    let start = start + depth(line);
    let kept = written.kept.binary_search_by_key(&start, |(_, bytes)| bytes.start);
    let kept = kept.ok().and_then(|kept| written.kept[kept].0.checked_sub(1));
    match kept.filter(|&token| line_at(token).trim_end() == line.trim_end()) {
        Some(kept) => {
            !heads.by_ref().take_while(|&start| start >= kept).all(|start| start == kept || is_branch(line_at(start)))
        }
        None => !may_have_branch(line),
    }
}

/// Returns the depths of the branches after a place that continue a block which begins before them.
fn branches_after(after: &str) -> impl Iterator<Item = usize> {
    let lines = after.lines().take(MAX_LINES_AFTER).scan(usize::MAX, |least, line| {
        // No line is less deep than column 0.
        (*least > 0).then(|| {
            let depth = depth(line);
            let is_outer = depth < *least && has_code(line);
            *least = if is_outer { depth } else { *least };
            (is_outer && is_branch(line)).then_some(depth)
        })
    });
    lines.flatten()
}

/// The most lines after a place in which a branch is searched: longer blocks are rare.
const MAX_LINES_AFTER: usize = 200;

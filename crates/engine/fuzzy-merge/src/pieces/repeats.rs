//! Asks whether what comes in is there already: then it may land a second time, or in the wrong place.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::align::three_way::Texts;
use crate::pieces::extent::is_telling;
use crate::pieces::piece::{Piece, Pieces};
use crate::text::tokens::Tokens;

/// Returns whether the edit may write a second time what the old text has forgotten of the file.
pub(crate) fn are_written_twice(texts: &Texts<'_>, pieces: &Pieces) -> bool {
    repeats_beside(texts) || repeats_comment(texts, pieces) || {
        let forgotten: Vec<_> = texts.file.full_lines().filter(|line| texts.is_foreign_line(line.start)).collect();
        !forgotten.is_empty()
            && (repeats_lines(texts, pieces, &forgotten)
                || has_moved_already(texts, pieces, &forgotten)
                || is_changed_already(texts, pieces, &forgotten))
    }
}

/// Returns whether the edit writes a line at an end of the place more often in a row than the old text has it, and the file
/// has it so beside the place: it may stand there more than once, as the new text has it.
fn repeats_beside(texts: &Texts<'_>) -> bool {
    let Some(last) = texts.file.len().checked_sub(1) else { return false };
    let is_full = |line: &&str| !line.trim().is_empty();
    let sides = [(0, texts.before.lines().rfind(is_full)), (last, texts.after.lines().find(is_full))];
    sides.into_iter().any(|(token, beside)| {
        let line = texts.file.line_text(texts.file.line_of(token)).trim_end();
        let old = texts.file_to_old[token].filter(|_| beside.is_some_and(|beside| beside.trim_end() == line));
        let new = old.and_then(|old| texts.old_to_new[old]);
        old.zip(new).is_some_and(|(old, new)| run(&texts.new, new) > run(&texts.old, old))
    })
}

/// Returns how often in a row, but for blank lines, a text has the line of a token, as deep.
fn run(tokens: &Tokens<'_>, token: usize) -> usize {
    let at = tokens.line_number(token);
    let line = tokens.line_text(tokens.on_line(at)).trim_end();
    let is_same = |on_line: &Range<usize>| tokens.line_text(on_line.clone()).trim_end() == line;
    let full = |at: usize| Some(tokens.on_line(at)).filter(|on_line| !on_line.is_empty());
    let before = (0..at).rev().filter_map(full).take_while(is_same).count();
    before + (at..tokens.lines()).filter_map(full).take_while(is_same).count()
}

/// Returns whether two lines that come in one after the other, or one that comes in alone, are ones that the old text has
/// forgotten, and that stay elsewhere in the place. Among other lines a single one may well occur twice.
fn repeats_lines(texts: &Texts<'_>, pieces: &Pieces, forgotten: &[Range<usize>]) -> bool {
    let (file, new) = (&texts.file, &texts.new);
    let stays =
        |line: &Range<usize>| pieces.file_to_new[line.start].is_none() && is_telling(file.line_text(line.clone()));
    let is_run =
        |run: &&[Range<usize>]| run.windows(2).all(|pair| pair[0].end == pair[1].start) && run.iter().all(stays);
    let runs = forgotten.windows(1).chain(forgotten.windows(2)).filter(is_run);
    let runs: FxHashSet<Vec<u32>> = runs.map(|run| file.ids(run[0].start..run[run.len() - 1].end).collect()).collect();
    if runs.is_empty() {
        return false;
    }
    let repeats = |tokens: Range<usize>| runs.contains(&new.ids(tokens).collect::<Vec<_>>());
    incoming(pieces).any(|run| {
        let lines: Vec<_> =
            run.iter().filter(|&&token| new.opens_line(token)).map(|&token| new.line_of(token)).collect();
        match &lines[..] {
            [line] => line.len() == run.len() && repeats(line.clone()),
            lines => lines.windows(2).any(|pair| repeats(pair[0].start..pair[1].end)),
        }
    })
}

/// Returns whether a line of comment that comes in has the words of one that the old text has forgotten, and that stays
/// behind its line.
fn repeats_comment(texts: &Texts<'_>, pieces: &Pieces) -> bool {
    let file = &texts.file;
    let is_own = |index: usize| texts.is_unknown(index) && pieces.file_to_new[index].is_none();
    let comments = file.full_lines().filter_map(|line| {
        let words = file.comment(line.clone())? + 1..line.end;
        (words.len() > 1 && words.clone().all(is_own)).then_some(words)
    });
    let mut comments = comments.peekable();
    if comments.peek().is_none() {
        return false;
    }
    let coming = coming(pieces).filter(|&index| !texts.new.in_trailing_comment(index));
    let coming: Vec<u32> = coming.map(|index| texts.new.items[index].id).collect();
    comments.any(|words| coming.windows(words.len()).any(|ids| file.ids(words.clone()).eq(ids.iter().copied())))
}

/// Returns whether a line of the old text that goes comes in where the file has it, and the old text has forgotten it: it may
/// be that line, and the old text's lines are in another order.
fn has_moved_already(texts: &Texts<'_>, pieces: &Pieces, forgotten: &[Range<usize>]) -> bool {
    let old = &texts.old;
    let gone = pieces.list.iter().filter_map(|piece| match piece {
        Piece::Replace { file, .. } | Piece::Delete { file } => Some(file.clone()),
        _ => None,
    });
    let gone = gone.flatten().filter_map(|token| texts.file_to_old[token]).filter(|&token| old.opens_line(token));
    let gone = gone.map(|token| old.line_of(token));
    let mut gone = gone.filter(|line| line.clone().any(|token| old.items[token].word)).peekable();
    if gone.peek().is_none() {
        return false;
    }
    let there = forgotten.iter().filter(|line| pieces.file_to_new[line.start].is_some());
    let there: FxHashSet<Vec<u32>> = there.map(|line| texts.file.ids(line.clone()).collect()).collect();
    gone.any(|line| there.contains(&old.ids(line).collect::<Vec<_>>()))
}

/// Returns whether what a line of the file becomes is one that the old text has forgotten: it may be that line.
fn is_changed_already(texts: &Texts<'_>, pieces: &Pieces, forgotten: &[Range<usize>]) -> bool {
    // Of what an "and so on" line stands for the old text has forgotten nothing.
    if texts.elided.contains(&true) {
        return false;
    }
    let new = &texts.new;
    let stays: FxHashSet<usize> = pieces.file_to_new.iter().copied().flatten().collect();
    let changed = coming(pieces).map(|token| new.line_of(token));
    let mut changed = changed.filter(|line| line.clone().any(|token| stays.contains(&token))).peekable();
    if changed.peek().is_none() {
        return false;
    }
    let there: FxHashSet<Vec<u32>> = forgotten.iter().map(|line| texts.file.ids(line.clone()).collect()).collect();
    changed.any(|line| there.contains(&new.ids(line).collect::<Vec<_>>()))
}

/// Returns the tokens of the new text that come in.
fn coming(pieces: &Pieces) -> impl Iterator<Item = usize> {
    incoming(pieces).flatten().copied()
}

/// Returns the tokens of the new text that come in, piece by piece.
fn incoming(pieces: &Pieces) -> impl Iterator<Item = &[usize]> {
    pieces.list.iter().filter_map(|piece| match piece {
        Piece::Insert { new, .. } | Piece::Replace { new, .. } => Some(&new[..]),
        _ => None,
    })
}

//! The kept lines have other marks in the file than in the new text, and a new line has those of the new text.
//!
//! At least two kept lines, and all with such a mark, show the difference: a mark at the end of the line that both texts
//! lack, or other quotes before a word. The author of the new line had no other marks in mind than the file's.
//!
//! Example: file `a();  b();`, old `a()  b()`, new `a()  c()  b()`.

use crate::align::column::{ColumnKind, are_unpaired};
use crate::align::three_way::{Texts, inverse};
use crate::merge::Merge;
use crate::text::tokens::{Class, Tokens};
use crate::write::Written;

use super::{Part, part};

pub(super) fn check(merge: &Merge<'_, '_>, written: &Written) -> Option<Part> {
    let new_to_file = inverse(&merge.columns.file_to_new, merge.texts.new.len());
    other_end(merge, &new_to_file).or_else(|| other_quotes(merge, written, &new_to_file))
}

/// Finds a new line without the mark that ends the kept lines of the file.
fn other_end(merge: &Merge<'_, '_>, new_to_file: &[Option<usize>]) -> Option<Part> {
    let (file, new) = (&merge.texts.file, &merge.texts.new);
    let code_end = |tokens: &Tokens<'_>, start: usize| tokens.code_of(start).next_back();
    let is_missing = |mark: usize| {
        file.class(mark) == Class::Separator && merge.columns.kind(merge.texts, mark) == ColumnKind::FileOnly
    };
    // Each kept end of a line, with the mark after it.
    let ends: Vec<(usize, Option<usize>)> = file
        .full_lines()
        .filter_map(|line| {
            let last = code_end(file, line.start)?;
            let mark = Some(last).filter(|&last| is_missing(last) && last > line.start);
            let end = merge.columns.file_to_new[mark.map_or(last, |mark| mark - 1)]?;
            (code_end(new, end) == Some(end)).then_some((end, mark))
        })
        .collect();
    let marks: Vec<usize> = ends.iter().filter_map(|end| end.1).collect();
    // One line shows nothing.
    if marks.len() < 2 {
        return None;
    }
    let is_like = |one: usize, other: usize| {
        new.class(one) == new.class(other) && (new.class(one) != Class::Closer || new.get(one) == new.get(other))
    };
    let has_mark = |last: usize| {
        let mut like = ends.iter().filter(|(end, _)| is_like(*end, last)).map(|(_, mark)| *mark).peekable();
        like.peek().is_some() && like.all(|mark| mark.is_some_and(|mark| file.get(mark) == file.get(marks[0])))
    };
    let mut lines = new.full_lines().filter(|line| are_unpaired(&new_to_file[line.clone()]));
    let line = lines.find(|line| code_end(new, line.start).is_some_and(has_mark))?;
    Some([marks[0]..marks[0] + 1, 0..0, line])
}

/// Finds a word of a new line in quotes for which the file has others and none of these.
fn other_quotes(merge: &Merge<'_, '_>, written: &Written, new_to_file: &[Option<usize>]) -> Option<Part> {
    let Texts { file, old, new, new_to_old, .. } = merge.texts;
    // Old and new text have the same quotes before a kept word, and the file has others.
    let slip = |word: usize| {
        let (in_file, in_old, quotes) = (new_to_file[word]?, new_to_old[word]?, quotes_before(new, word));
        let theirs = quotes_before(file, in_file);
        let is_slip = quotes_before(old, in_old) == quotes && theirs != quotes;
        (is_slip && !quotes.is_empty()).then_some((new.line_number(word), quotes))
    };
    let slips: Vec<(usize, &str)> = new.words(0..new.len()).filter_map(slip).collect();
    let (_, quotes) = *slips.first()?;
    let is_same = |token: usize| file.class(token) != Class::Quote && quotes_before(file, token) == quotes;
    if slips.last()?.0 == slips[0].0 || slips.iter().any(|slip| slip.1 != quotes) || (0..file.len()).any(is_same) {
        return None;
    }
    let mut inserted = (0..new.len()).filter(|&token| are_unpaired(&new_to_file[new.line_of(token)]));
    // The style of the file may have changed them.
    let is_written = |token: usize| written.text.contains(&[quotes, new.get(token)].concat());
    let token = inserted.find(|&token| quotes_before(new, token) == quotes && is_written(token))?;
    Some(part([None, None, Some(token)]))
}

/// Returns the quotes right before a token.
fn quotes_before<'t>(tokens: &Tokens<'t>, token: usize) -> &'t str {
    let is_joined = |&at: &usize| tokens.is_glued(at + 1) && tokens.class(at) == Class::Quote;
    let first = (0..token).rev().take_while(is_joined).last().unwrap_or(token);
    &tokens.text[tokens.items[first].start as usize..tokens.items[token].start as usize]
}

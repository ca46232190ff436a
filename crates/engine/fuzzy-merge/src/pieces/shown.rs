//! Pieces as text, for people.

use std::fmt;
use std::ops::Range;

use crate::align::three_way::Texts;
use crate::pieces::piece::{Piece, Pieces};

/// Pieces beside their texts, for people.
pub(crate) struct Shown<'p, 't>(pub(crate) &'p Pieces, pub(crate) &'p Texts<'t>);

impl fmt::Display for Shown<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(pieces, texts) = self;
        for piece in &pieces.list {
            match piece {
                Piece::Keep { file: range } => writeln!(f, "keep    {:?}", file(texts, range))?,
                Piece::Delete { file: range } => writeln!(f, "delete  {:?}", file(texts, range))?,
                Piece::Insert { new: tokens, .. } => writeln!(f, "insert  {:?}", new(texts, tokens))?,
                Piece::Replace { file: range, new: tokens } => {
                    writeln!(f, "replace {:?} by {:?}", file(texts, range), new(texts, tokens))?;
                }
            }
        }
        for doubt in &pieces.doubts {
            writeln!(f, "doubt   {doubt:?}")?;
        }
        Ok(())
    }
}

/// Returns the file's text from the first to the last of some tokens.
fn file<'t>(texts: &Texts<'t>, range: &Range<usize>) -> &'t str {
    let Some(last) = texts.file.items[range.clone()].last() else { return "" };
    &texts.file.text[texts.file.items[range.start].start as usize..last.end as usize]
}

/// Returns some tokens of the new text with the blanks before all but the first.
fn new(texts: &Texts<'_>, tokens: &[usize]) -> String {
    let mut out = String::new();
    for (nth, &index) in tokens.iter().enumerate() {
        out.push_str(if nth > 0 { texts.new.gap(index) } else { "" });
        out.push_str(texts.new.get(index));
    }
    out
}

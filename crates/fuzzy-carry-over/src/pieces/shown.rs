//! Pieces as text, for people.

use std::fmt;
use std::ops::Range;

use crate::align::texts::Texts;
use crate::pieces::{Piece, Pieces};

/// Pieces beside their texts, for people.
pub(crate) struct Shown<'p, 't>(pub(crate) &'p Pieces, pub(crate) &'p Texts<'t>);

impl fmt::Display for Shown<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(pieces, texts) = self;
        let file = |range: &Range<usize>| -> String {
            if range.is_empty() {
                return String::new();
            }
            let (first, last) = (texts.file.items[range.start], texts.file.items[range.end - 1]);
            texts.file.text[first.start as usize..last.end as usize].to_owned()
        };
        let new = |tokens: &[usize]| -> String {
            let mut out = String::new();
            for (nth, &index) in tokens.iter().enumerate() {
                if nth > 0 {
                    out.push_str(texts.new.gap(index));
                }
                out.push_str(texts.new.get(index));
            }
            out
        };
        for piece in &pieces.list {
            match piece {
                Piece::Keep { file: range } => writeln!(f, "keep    {:?}", file(range))?,
                Piece::Delete { file: range } => writeln!(f, "delete  {:?}", file(range))?,
                Piece::Insert { new: tokens, .. } => writeln!(f, "insert  {:?}", new(tokens))?,
                Piece::Replace { file: range, new: tokens } => {
                    writeln!(f, "replace {:?} by {:?}", file(range), new(tokens))?;
                }
            }
        }
        for doubt in &pieces.doubts {
            writeln!(f, "doubt   {doubt:?}")?;
        }
        Ok(())
    }
}

//! What lands, as a list of pieces: which stretches of the file stay, which go, and what comes in between.
//!
//! Anchors are the old text's tokens that the file and the new text have, too. Between two of them lies a
//! [`Stretch`], and each of those becomes pieces on its own.

mod anchors;
mod closers;
pub(crate) mod contested;
mod doubts;
pub(crate) mod extent;
mod part;
mod piece;
mod repeats;
mod rims;
pub(crate) mod shown;
mod stretch;
mod weigh;

use crate::Doubt;
use crate::align::three_way::Texts;
use crate::pieces::anchors::anchors;
use crate::pieces::contested::Contested;
use crate::pieces::rims::Rims;
use crate::pieces::stretch::Stretch;
use crate::text::tokens::{Class, Tokens};

pub(crate) use piece::{Part, Piece, Pieces};

impl Pieces {
    /// Returns whether a mark of the file, which the old text has forgotten, ends a statement where the new text has the head
    /// of a block: `if (a);`.
    fn ends_head(&self, texts: &Texts<'_>, mark: usize) -> bool {
        let (file, new) = (&texts.file, &texts.new);
        let is_end = texts.is_unknown(mark) && file.get(mark) == ";" && file.ends_line(mark) && !file.opens_line(mark);
        let last = self.file_to_new[mark - 1].filter(|&last| is_end && new.ends_line(last));
        let begins = |last: usize| goes_deeper(new, last) && new.class(last + 1) != Class::Continuer;
        let went_deeper = || texts.file_to_old[mark - 1].is_some_and(|token| goes_deeper(&texts.old, token));
        last.is_some_and(|last| begins(last) && !goes_deeper(file, mark) && !went_deeper())
    }

    /// Returns whether a token of the file is one of the new text on another line than the one that the old text's token is
    /// on, and neither line is the file's: each of the two may be what that became.
    fn is_on_another_line(&self, texts: &Texts<'_>, token: usize) -> bool {
        let (file, new) = (&texts.file, &texts.new);
        let by_old = texts.file_to_old[token].and_then(|old| texts.old_to_new[old]);
        let (Some(by_old), Some(by_file)) = (by_old, self.file_to_new[token]) else { return false };
        let is_theirs = |ours: usize| new.ids(new.line_of(ours)).eq(file.ids(file.line_of(token)));
        new.line_number(by_old) != new.line_number(by_file) && ![by_old, by_file].into_iter().any(is_theirs)
    }
}

/// Makes the pieces of a merge; on the lines that are `contested` the new text has the say. Makes fewer as soon as no one
/// waits.
pub(crate) fn pieces(texts: &Texts<'_>, contested: &Contested) -> Pieces {
    let mut pieces = Pieces::new(texts.file.len());
    let rims = Rims::of(texts);
    for window in anchors(texts).windows(2) {
        if !texts.cancel.is_still() {
            return pieces;
        }
        let (left, right) = (&window[0], &window[1]);
        let stretch = Stretch {
            file: left.file.end..right.file.start,
            old: left.old.end..right.old.start,
            new: left.new.end..right.new.start,
        };
        stretch.merge(texts, &rims.joints, contested, &mut pieces);
        // Of what an "and so on" line stands for the new text has nothing.
        if !right.elision {
            for (file, new) in right.file.clone().zip(right.new.clone()) {
                pieces.file_to_new[file] = Some(new);
            }
        }
        pieces.keep(right.file.clone());
    }
    if closers::has_doubtful_closer(texts) || closers::leaves_block(texts) {
        pieces.doubt(Doubt::Unpinned);
    }
    if rims.are_unsettled
        || closers::has_two_ends(texts)
        || repeats::are_written_twice(texts, &pieces)
        || (1..texts.file.len()).any(|mark| pieces.ends_head(texts, mark))
        || (0..texts.file.len()).any(|token| pieces.is_on_another_line(texts, token))
    {
        pieces.doubt(Doubt::Conflict);
    }
    pieces
}

/// Returns whether the line after a token, the last one of its line, is deeper than that.
fn goes_deeper(tokens: &Tokens<'_>, last: usize) -> bool {
    let first = tokens.line_of(last).start;
    last + 1 < tokens.len() && tokens.indent(last + 1).len() > tokens.indent(first).len()
}

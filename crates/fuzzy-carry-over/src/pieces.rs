//! What lands, as a list of pieces: which stretches of the file stay, which go, and what comes in between.
//!
//! Anchors are the needle's tokens that the file and the new text have, too. Between two of them lies a
//! [`Stretch`](crate::stretch::Stretch), and each of those becomes pieces on its own.

use std::fmt;
use std::ops::Range;

use crate::Doubt;
use crate::lines::is_elision;
use crate::stretch::Stretch;
use crate::texts::Texts;
use crate::tokens::{Class, Tokens};

/// One piece of what lands; ranges are tokens of the file's place and of the new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The file's tokens stay, byte for byte.
    Keep {
        /// The tokens that stay.
        file: Range<usize>,
    },
    /// Tokens of the new text take the place of some of the file's.
    Replace {
        /// The tokens that go.
        file: Range<usize>,
        /// The tokens that come.
        new: Vec<usize>,
    },
    /// Tokens of the new text come in before a token of the file.
    Insert {
        /// The file's token that follows.
        at: usize,
        /// The tokens that come.
        new: Vec<usize>,
    },
    /// The file's tokens go.
    Delete {
        /// The tokens that go.
        file: Range<usize>,
    },
}

/// A list of pieces, and what had to be guessed to make it.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    pub(crate) list: Vec<Piece>,
    pub(crate) doubts: Vec<Doubt>,
    /// The new text's token for each of the file's that stay, where it has that token, too.
    pub(crate) new_of_file: Vec<Option<usize>>,
}

impl Pieces {
    pub(crate) fn keep(&mut self, file: Range<usize>) {
        if file.is_empty() {
            return;
        }
        if let Some(Piece::Keep { file: last }) = self.list.last_mut()
            && last.end == file.start
        {
            last.end = file.end;
            return;
        }
        self.list.push(Piece::Keep { file });
    }

    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }
}

/// A stretch that the edit keeps: tokens of the three texts.
#[derive(Clone, Debug)]
struct Anchor {
    new: Range<usize>,
    needle: Range<usize>,
    /// The file's tokens; those that an "and so on" line stands for.
    file: Range<usize>,
    elision: bool,
}

/// Makes the pieces of a merge.
pub(crate) fn pieces(texts: &Texts<'_>) -> Pieces {
    let mut pieces = Pieces { new_of_file: vec![None; texts.file.len()], ..Pieces::default() };
    for window in without_crossed(texts, anchors(texts)).windows(2) {
        let (left, right) = (&window[0], &window[1]);
        let stretch = Stretch {
            file: left.file.end..right.file.start,
            needle: left.needle.end..right.needle.start,
            new: left.new.end..right.new.start,
        };
        stretch.merge(texts, &mut pieces);
        if !right.elision {
            for (file, new) in right.file.clone().zip(right.new.clone()) {
                pieces.new_of_file[file] = Some(new);
            }
        }
        pieces.keep(right.file.clone());
    }
    if has_doubtful_closer(texts) {
        pieces.doubt(Doubt::Unpinned);
    }
    pieces
}

/// Tells whether the edit changes something beside a line of closing marks that may be another block's: lines that the
/// needle does not know stand before it, and it is not as deep as the needle has it.
fn has_doubtful_closer(texts: &Texts<'_>) -> bool {
    let (file, needle) = (&texts.file, &texts.needle);
    let opening = (1..needle.len()).filter(|&token| needle.opens_line(token));
    opening.into_iter().any(|first| {
        let line = needle.on_line(needle.items[first].line as usize);
        let Some(partner) = texts.in_file[first].filter(|&partner| file.opens_line(partner)) else { return false };
        let closes = line.clone().all(|token| matches!(needle.class(token), Class::Closer | Class::Separator));
        if !closes && !matches!(needle.line_text(line.clone()).trim(), "end" | "fi" | "done" | "esac") {
            return false;
        }
        let Some(before) = (0..first).rev().find(|&token| needle.opens_line(token) && texts.in_file[token].is_some())
        else {
            return false;
        };
        let from = texts.in_file[before].unwrap_or(0);
        let forgotten = (from..partner).any(|token| {
            file.opens_line(token) && file.on_line(file.items[token].line as usize).all(|token| texts.is_unknown(token))
        });
        if !forgotten {
            return false;
        }
        let (ours, theirs) = (needle.indent(first).len(), file.indent(partner).len());
        let (our_base, their_base) = (needle.indent(before).len(), file.indent(from).len());
        let as_deep = ours.cmp(&our_base) == theirs.cmp(&their_base) && (our_base != their_base || ours == theirs);
        !as_deep && is_changed_beside(texts, line)
    })
}

/// Tells whether the edit takes away or brings something right before or after kept tokens of the needle.
fn is_changed_beside(texts: &Texts<'_>, needle: Range<usize>) -> bool {
    let gone = |token: Option<usize>| token.is_some_and(|token| texts.in_new.get(token).is_some_and(Option::is_none));
    let fresh = |token: Option<usize>| token.is_some_and(|token| texts.of_new.get(token).is_some_and(Option::is_none));
    let (first, last) = (texts.in_new[needle.start], texts.in_new[needle.end - 1]);
    gone(needle.start.checked_sub(1))
        || gone(Some(needle.end))
        || fresh(first.and_then(|token| token.checked_sub(1)))
        || fresh(last.map(|token| token + 1))
}

fn anchors(texts: &Texts<'_>) -> Vec<Anchor> {
    let mut anchors = vec![Anchor { new: 0..0, needle: 0..0, file: 0..0, elision: false }];
    let mut elisions = elisions(texts).into_iter().peekable();
    for index in 0..texts.needle.len() {
        if let Some(elision) = elisions.next_if(|elision| index == elision.needle.end - 1) {
            anchors.push(elision);
        } else if let (Some(new), Some(file)) = (texts.in_new[index], texts.in_file[index]) {
            anchors.push(Anchor { new: new..new + 1, needle: index..index + 1, file: file..file + 1, elision: false });
        }
    }
    let end = |length: usize| length..length;
    anchors.push(Anchor {
        new: end(texts.new.len()),
        needle: end(texts.needle.len()),
        file: end(texts.file.len()),
        elision: false,
    });
    anchors
}

/// Leaves out the anchors on lines of the needle from which both the file and the new text differ.
///
/// Which of several equal tokens the needle's one is, is a guess there, and two alignments may guess differently: the
/// file and the new text are compared with each other instead.
fn without_crossed(texts: &Texts<'_>, anchors: Vec<Anchor>) -> Vec<Anchor> {
    let mut by_file = vec![false; texts.needle.lines()];
    let mut by_new = vec![false; texts.needle.lines()];
    let same_line = |tokens: &Tokens<'_>, one: usize, other: usize| tokens.items[one].line == tokens.items[other].line;
    let mark = |of: &mut Vec<bool>, index: usize| of[texts.needle.items[index].line as usize] = true;
    for index in 0..texts.needle.len() {
        let miscopied = |file: usize| texts.file.items[file].id != texts.needle.items[index].id;
        if texts.in_file[index].is_none_or(miscopied) {
            mark(&mut by_file, index);
        }
        if !texts.is_kept(index) {
            mark(&mut by_new, index);
        }
    }
    for pair in anchors.windows(2) {
        let sides = [
            (&texts.file, pair[0].file.end..pair[1].file.start, &texts.of_file, &mut by_file),
            (&texts.new, pair[0].new.end..pair[1].new.start, &texts.of_new, &mut by_new),
        ];
        for (tokens, between, known, lines) in sides {
            for index in between.clone().filter(|&index| known[index].is_none()) {
                let needle = pair[0].needle.end..pair[1].needle.start;
                if needle.start > 0 && between.start > 0 && same_line(tokens, between.start - 1, index) {
                    mark(lines, needle.start - 1);
                }
                if needle.end < texts.needle.len()
                    && between.end < tokens.len()
                    && same_line(tokens, between.end, index)
                {
                    mark(lines, needle.end);
                }
            }
        }
    }
    let is_crossed = |anchor: &Anchor| {
        let line = |index: usize| texts.needle.items[index].line as usize;
        !anchor.elision && anchor.needle.clone().any(|index| by_file[line(index)] && by_new[line(index)])
    };
    anchors.into_iter().filter(|anchor| !is_crossed(anchor)).collect()
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

/// Pieces beside their texts, for people.
pub(crate) struct Shown<'p, 't>(pub(crate) &'p Pieces, pub(crate) &'p Texts<'t>);

impl fmt::Display for Shown<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(pieces, texts) = self;
        let file = |range: &Range<usize>| -> String {
            match range.is_empty() {
                true => String::new(),
                false => {
                    let (first, last) = (texts.file.items[range.start], texts.file.items[range.end - 1]);
                    texts.file.text[first.start as usize..last.end as usize].to_owned()
                }
            }
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

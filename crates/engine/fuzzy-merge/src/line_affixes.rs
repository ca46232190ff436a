//! Merges the affixes of changed lines: the marks at their ends.
//!
//! If the old text has a slip in the mark that ends a line, the new text often has it, too. Then the file's affix is
//! kept, however much of the line the edit changes.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::regions::Shared;
use crate::text::tokens::{Class, Tokens};

/// The tokens of a line before the first token that file and old text share, or after the last one.
struct Affix {
    file: Range<usize>,
    old: Range<usize>,
    at_end: bool,
}

impl Affix {
    /// Returns `length` tokens of a line, at the same end.
    fn of_line(&self, line: &Range<usize>, length: usize) -> Range<usize> {
        if self.at_end {
            line.end.saturating_sub(length).max(line.start)..line.end
        } else {
            line.start..(line.start + length).min(line.end)
        }
    }

    /// Returns whether file and old text differ in the affix, and only in marks.
    fn is_slip(&self, texts: &Texts<'_>) -> bool {
        self.differs(texts) && is_affix(&texts.file, &self.file) && is_affix(&texts.old, &self.old)
    }

    /// Returns whether file and old text differ in the affix, and the file's has no known token.
    fn differs(&self, texts: &Texts<'_>) -> bool {
        !texts.file.equal(self.file.clone(), &texts.old, self.old.clone()) && texts.are_unknown(self.file.clone())
    }

    /// Returns whether a line of the new text has the file's affix, which is not empty.
    fn is_file_affix(&self, texts: &Texts<'_>, line: usize) -> bool {
        let affix = self.of_line(&texts.new.on_line(line), self.file.len());
        !self.file.is_empty() && texts.file.equal(self.file.clone(), &texts.new, affix)
    }

    /// Returns whether a line of the new text has the old text's affix.
    fn is_old_affix(&self, texts: &Texts<'_>, line: usize) -> bool {
        let affix = self.of_line(&texts.new.on_line(line), self.old.len());
        texts.old.equal(self.old.clone(), &texts.new, affix)
    }

    /// Returns the file's affix for that of a line of the new text, if this line has the old text's slip.
    fn kept(&self, texts: &Texts<'_>, line: usize) -> Option<Shared> {
        let new = &texts.new;
        let on_line = new.on_line(line);
        if !self.is_slip(texts) || self.old.len() >= on_line.len() {
            return None;
        }
        if self.is_file_affix(texts, line) || !self.is_old_affix(texts, line) {
            return None;
        }
        // A separator beside the affix is the new text's own.
        let affix = self.of_line(&on_line, self.old.len());
        let beside = if self.at_end { affix.start.checked_sub(1) } else { Some(affix.end) };
        let is_marked = beside.map(|token| new.class(token)) == Some(Class::Separator);
        (!is_marked).then(|| Shared { file: self.file.clone(), new: affix })
    }

    /// Returns whether the affix may follow the token before it in the new text: no mark follows an opener, or a line
    /// without a word, and none is moved into an expression.
    fn may_follow(&self, texts: &Texts<'_>, kept: &Shared) -> bool {
        let new = &texts.new;
        match kept.new.start.checked_sub(1) {
            Some(last) if self.at_end && !self.file.is_empty() => {
                let is_inside = texts.is_in_expression(self.old.start, kept.new.start);
                new.class(last) != Class::Opener && new.has_word(new.line_of(last)) && !is_inside
            }
            _ => true,
        }
    }
}

/// Lines of the old text, and the lines of the new text that replace them.
struct Block {
    old: Vec<usize>,
    new: Vec<usize>,
}

impl Block {
    /// Returns the kept affixes of the file, of those at one end of the old text's lines.
    fn kept(&self, texts: &Texts<'_>, affixes: &[Option<Affix>]) -> Vec<Shared> {
        let Self { old, new } = self;
        let following =
            |affix: &Affix, line: usize| affix.kept(texts, line).filter(|kept| affix.may_follow(texts, kept));
        if old.len() == new.len() {
            let affixes = affixes.iter().zip(new);
            return affixes.filter_map(|(affix, &line)| following(affix.as_ref()?, line)).collect();
        }
        // If the number of lines changes: the only line with the slip became the only new line with it, unless a new
        // line has the file's affix.
        let mut slips = numbered(affixes).filter(|(_, affix)| affix.is_slip(texts));
        let (Some((at, affix)), None) = (slips.next(), slips.next()) else { return Vec::new() };
        if affix.file.is_empty() {
            // A superfluous mark may be the new text's own, unless both texts end with it.
            let last = new.last().filter(|_| affix.at_end && at + 1 == old.len());
            return last.and_then(|&line| affix.kept(texts, line)).into_iter().collect();
        }
        if new.iter().any(|&line| affix.is_file_affix(texts, line)) {
            return Vec::new();
        }
        let mut kept = new.iter().filter_map(|&line| affix.kept(texts, line));
        let only = kept.next().filter(|_| kept.next().is_none());
        only.filter(|kept| affix.may_follow(texts, kept)).into_iter().collect()
    }
}

/// Returns the affixes with the indices of their lines in the block.
fn numbered(affixes: &[Option<Affix>]) -> impl Iterator<Item = (usize, &Affix)> {
    affixes.iter().enumerate().filter_map(|(at, affix)| Some((at, affix.as_ref()?)))
}

/// Returns the kept affixes of the file, for the new text's slips; in order.
pub(crate) fn kept_affixes(texts: &Texts<'_>) -> Vec<Shared> {
    let of_block = |block: Block| {
        let (heads, tails): (Vec<_>, Vec<_>) = block.old.iter().map(|&line| affixes_of(texts, line)).unzip();
        [block.kept(texts, &heads), block.kept(texts, &tails)].concat()
    };
    let mut kept: Vec<Shared> = blocks(texts).into_iter().flat_map(of_block).collect();
    kept.sort_by_key(|kept| (kept.file.start, kept.new.start));
    kept
}

/// Returns the affixes of a line of the old text that the edit changes: the one at its start and the one at its end.
fn affixes_of(texts: &Texts<'_>, line: usize) -> (Option<Affix>, Option<Affix>) {
    let tokens = texts.old.on_line(line);
    let mut known = tokens.clone().filter(|&token| texts.old_to_file[token].is_some());
    let Some(first) = known.next().filter(|_| texts.touched[line]) else { return (None, None) };
    let last = known.next_back().unwrap_or(first);
    let (Some(begin), Some(end)) = (texts.old_to_file[first], texts.old_to_file[last]) else { return (None, None) };
    let head = Affix { file: texts.file.line_of(begin).start..begin, old: tokens.start..first, at_end: false };
    let tail = Affix { file: end + 1..texts.file.line_of(end).end, old: last + 1..tokens.end, at_end: true };
    (Some(head), Some(tail))
}

/// Returns whether tokens are marks alone: no brackets, quotes or words.
fn is_affix(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    range.clone().all(|token| match tokens.class(token) {
        Class::Separator => true,
        Class::Opener | Class::Closer | Class::Quote | Class::Word => false,
        _ => !tokens.items[token].word,
    })
}

/// Returns the lines of the old text with the lines of the new text that replace them: line by line where a part of a
/// line is kept, and together where the edit writes lines anew.
fn blocks(texts: &Texts<'_>) -> Vec<Block> {
    let (old, new) = (full_lines(&texts.old), full_lines(&texts.new));
    let mut found = Vec::new();
    let mut from = (0, 0);
    let ends = (0..old.len()).filter_map(|at| Some((at, new.binary_search(&line_in_new(texts, old[at])?).ok()?)));
    for (at, row) in ends.chain([(old.len(), new.len())]) {
        if row < from.1 {
            continue;
        }
        found.push(Block { old: old[from.0..at].to_vec(), new: new[from.1..row].to_vec() });
        if at < old.len() {
            found.push(Block { old: vec![old[at]], new: vec![new[row]] });
        }
        from = (at + 1, row + 1);
    }
    found
}

fn full_lines(tokens: &Tokens<'_>) -> Vec<usize> {
    (0..tokens.lines()).filter(|&line| !tokens.on_line(line).is_empty()).collect()
}

/// Returns the line of the new text that has all kept tokens of a line of the old text.
fn line_in_new(texts: &Texts<'_>, line: usize) -> Option<usize> {
    let mut kept = texts.old.on_line(line).filter_map(|token| texts.old_to_new[token]);
    let found = texts.new.line_number(kept.next()?);
    kept.all(|token| texts.new.line_number(token) == found).then_some(found)
}

//! Merges the rims of changed lines: the marks and remarks that a line begins or ends with.
//!
//! A slip in the mark that ends a line is often in the new line, too. However much of the line the
//! edit changes, its rims are then the file's.

use std::ops::Range;

use crate::align::three_way::Texts;
use crate::text::tokens::{Class, Tokens};

/// Tokens of the file that stay where the new text has others, or none, as the old text has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Joint {
    pub(crate) file: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// What a line has before the first token that file and old text share, or after the last one.
struct Rim {
    file: Range<usize>,
    old: Range<usize>,
    at_end: bool,
}

impl Rim {
    /// Returns as many tokens of a line as asked for, at the end of it where the rim is.
    fn of_line(&self, line: &Range<usize>, length: usize) -> Range<usize> {
        if self.at_end {
            line.end.saturating_sub(length).max(line.start)..line.end
        } else {
            line.start..(line.start + length).min(line.end)
        }
    }

    /// Returns whether file and old text differ in the rim, and only in marks and remarks that the old text has forgotten
    /// or made up.
    fn is_slip(&self, texts: &Texts<'_>) -> bool {
        self.differs(texts) && is_rim(&texts.file, &self.file) && is_rim(&texts.old, &self.old)
    }

    /// Returns whether file and old text differ in the rim, of which the old text knows nothing in the file.
    fn differs(&self, texts: &Texts<'_>) -> bool {
        !texts.file.ids(self.file.clone()).eq(texts.old.ids(self.old.clone()))
            && self.file.clone().all(|token| texts.is_unknown(token))
    }

    /// Returns whether a line of the new text has what the file has, if that is anything.
    fn is_theirs(&self, texts: &Texts<'_>, line: usize) -> bool {
        let theirs = self.of_line(&texts.new.on_line(line), self.file.len());
        !self.file.is_empty() && texts.file.ids(self.file.clone()).eq(texts.new.ids(theirs))
    }

    /// Returns the file's rim in the stead of that of a line of the new text, where this has the old text's slip.
    fn joint(&self, texts: &Texts<'_>, line: usize) -> Option<Joint> {
        let has_theirs = self.is_theirs(texts, line);
        let line = &texts.new.on_line(line);
        if !self.is_slip(texts) || self.old.len() >= line.len() {
            return None;
        }
        let (old, new) = (&texts.old, &texts.new);
        let rim = self.of_line(line, self.old.len());
        // A separator beside the rim is one that the new text brings in its stead.
        let beside = if self.at_end { rim.start.checked_sub(1) } else { Some(rim.end) };
        let is_marked = beside.is_some_and(|token| new.class(token) == Class::Separator);
        let has_slip = old.ids(self.old.clone()).eq(new.ids(rim.clone()));
        (!has_theirs && has_slip && !is_marked).then(|| Joint { file: self.file.clone(), new: rim })
    }

    /// Returns whether the rim may follow what is before it in the new text: no mark comes after what opens a block, or after
    /// a line without a word.
    fn may_follow(&self, texts: &Texts<'_>, joint: &Joint) -> bool {
        let new = &texts.new;
        let Some(last) = joint.new.start.checked_sub(1).filter(|_| self.at_end && !self.file.is_empty()) else {
            return true;
        };
        new.class(last) != Class::Opener && new.line_of(last).any(|token| new.items[token].word)
    }

    /// Returns, for the end of a line, whether file and old text have other marks, and one of these lines of the new text, each of which
    /// may be what it became, does not end as the file's.
    fn is_unsettled(&self, texts: &Texts<'_>, lines: [usize; 2]) -> bool {
        let (file, old, new) = (&texts.file, &texts.old, &texts.new);
        let are_marks = self.file.clone().all(|token| ends_line(file, token))
            && self.old.clone().all(|token| ends_line(old, token));
        let is_old = |line: usize| {
            let ours = self.of_line(&new.on_line(line), self.old.len());
            old.ids(self.old.clone()).eq(new.ids(ours))
        };
        let is_theirs = |line: usize| if self.file.is_empty() { !is_old(line) } else { self.is_theirs(texts, line) };
        self.differs(texts) && are_marks && !lines.into_iter().all(is_theirs)
    }
}

/// Lines of the old text, and those of the new text that they become.
struct Block {
    old: Vec<usize>,
    new: Vec<usize>,
}

impl Block {
    /// Returns the rims that stay the file's, of those that the old text's lines have at one end.
    fn joints(&self, texts: &Texts<'_>, rims: &[Option<Rim>]) -> Vec<Joint> {
        let Self { old, new } = self;
        if old.len() == new.len() {
            let rims = rims.iter().zip(new);
            let joint = |(rim, &line): (&Option<Rim>, &usize)| {
                let rim = rim.as_ref()?;
                rim.joint(texts, line).filter(|joint| rim.may_follow(texts, joint))
            };
            return rims.filter_map(joint).collect();
        }
        // Of lines that become more or fewer the only one that has the slip is what the only one became, unless
        // another has what the file has.
        let slips = rims.iter().enumerate().filter_map(|(at, rim)| Some((at, rim.as_ref()?)));
        let mut slips = slips.filter(|(_, rim)| rim.is_slip(texts));
        let (Some((at, rim)), None) = (slips.next(), slips.next()) else { return Vec::new() };
        if rim.file.is_empty() {
            // A mark too many may be the new text's own, but for the one that both end with.
            let last = new.last().filter(|_| rim.at_end && at + 1 == old.len());
            return last.and_then(|&line| rim.joint(texts, line)).into_iter().collect();
        }
        if new.iter().any(|&line| rim.is_theirs(texts, line)) {
            return Vec::new();
        }
        let mut joints = new.iter().filter_map(|&line| rim.joint(texts, line));
        match (joints.next(), joints.next()) {
            (Some(joint), None) if rim.may_follow(texts, &joint) => vec![joint],
            _ => Vec::new(),
        }
    }

    /// Returns whether the end of one of the old text's lines is in doubt, though not one of those that stay the file's.
    fn is_unsettled(&self, texts: &Texts<'_>, tails: &[Option<Rim>], joints: &[Joint]) -> bool {
        let (Some(&first), Some(&last)) = (self.new.first(), self.new.last()) else { return false };
        let mut tails = tails.iter().enumerate().filter_map(|(at, tail)| Some((at, tail.as_ref()?)));
        tails.any(|(at, tail)| {
            let lines = if self.old.len() == self.new.len() {
                [self.new[at]; 2]
            } else if tail.file.is_empty() {
                // What is a mark too many on the last line parts those before it.
                [last; 2]
            } else {
                [first, last]
            };
            !joints.iter().any(|joint| joint.file == tail.file) && tail.is_unsettled(texts, lines)
        })
    }
}

/// The rims of the lines that the edit changes.
#[derive(Debug, Default)]
pub(crate) struct Rims {
    /// Those that stay the file's, in order: file and old text differ in them, and the new text has the old text's.
    pub(crate) joints: Vec<Joint>,
    /// Whether file and old text end a line with other marks, and the new text does not say which of them it keeps.
    pub(crate) are_unsettled: bool,
}

impl Rims {
    pub(crate) fn of(texts: &Texts<'_>) -> Self {
        let mut found = Self::default();
        for block in blocks(texts) {
            let (heads, tails): (Vec<_>, Vec<_>) = block.old.iter().map(|&line| rims_of(texts, line)).unzip();
            found.joints.extend(block.joints(texts, &heads));
            let ends = block.joints(texts, &tails);
            found.are_unsettled |= block.is_unsettled(texts, &tails, &ends);
            found.joints.extend(ends);
        }
        found.joints.sort_by_key(|joint| (joint.file.start, joint.new.start));
        found
    }
}

/// Returns the rims of a line of the old text that the edit changes.
fn rims_of(texts: &Texts<'_>, line: usize) -> (Option<Rim>, Option<Rim>) {
    let tokens = texts.old.on_line(line);
    let mut known = tokens.clone().filter(|&token| texts.old_to_file[token].is_some());
    let Some(first) = known.next().filter(|_| texts.touched[line]) else { return (None, None) };
    let last = known.next_back().unwrap_or(first);
    let (Some(begins), Some(ends)) = (texts.old_to_file[first], texts.old_to_file[last]) else { return (None, None) };
    let head = Rim { file: texts.file.line_of(begins).start..begins, old: tokens.start..first, at_end: false };
    let tail = Rim { file: ends + 1..texts.file.line_of(ends).end, old: last + 1..tokens.end, at_end: true };
    (Some(head), Some(tail))
}

/// Returns whether tokens are no words, but for those of a remark.
fn is_rim(tokens: &Tokens<'_>, range: &Range<usize>) -> bool {
    range.clone().all(|token| match tokens.class(token) {
        Class::Separator => true,
        Class::Opener | Class::Closer | Class::Quote | Class::Word => false,
        _ => !tokens.items[token].word,
    })
}

/// Returns whether a token is one of the marks that lines end with.
fn ends_line(tokens: &Tokens<'_>, token: usize) -> bool {
    tokens.class(token) == Class::Separator || matches!(tokens.get(token), ":" | ".")
}

/// Returns the lines of the old text with those of the new text that they become: line by line where something of a line
/// stays, and together where the edit writes lines anew.
fn blocks(texts: &Texts<'_>) -> Vec<Block> {
    let (ours, theirs) = (full_lines(&texts.old), full_lines(&texts.new));
    let mut found = Vec::new();
    let mut from = (0, 0);
    let ends = (0..ours.len()).filter_map(|at| Some((at, theirs.binary_search(&line_in_new(texts, ours[at])?).ok()?)));
    for (at, row) in ends.chain([(ours.len(), theirs.len())]) {
        if row < from.1 {
            continue;
        }
        found.push(Block { old: ours[from.0..at].to_vec(), new: theirs[from.1..row].to_vec() });
        if at < ours.len() {
            found.push(Block { old: vec![ours[at]], new: vec![theirs[row]] });
        }
        from = (at + 1, row + 1);
    }
    found
}

/// Returns the lines of a text that have tokens.
fn full_lines(tokens: &Tokens<'_>) -> Vec<usize> {
    (0..tokens.lines()).filter(|&line| !tokens.on_line(line).is_empty()).collect()
}

/// Returns the line of the new text that has all that the edit keeps of a line of the old text.
fn line_in_new(texts: &Texts<'_>, line: usize) -> Option<usize> {
    let mut kept = texts.old.on_line(line).filter_map(|token| texts.old_to_new[token]);
    let found = texts.new.line_number(kept.next()?);
    kept.all(|token| texts.new.line_number(token) == found).then_some(found)
}

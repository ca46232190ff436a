//! Translates the new text's indentation into the file's, by the lines that both texts have.
//!
//! The old text's indentation may be wrong where the new text's is right. It counts only for lines that the edit
//! reindents or deletes.

use rustc_hash::FxHashMap;

use crate::align::three_way::Texts;
use crate::mechanisms::INDENTATION_STEP;
use crate::merge::Merge;
use crate::style::indent_unit::{IndentPair, Scale};
use crate::text::tokens::Tokens;
use crate::text::whitespace::breaks;

#[derive(Debug)]
pub(crate) struct Indentation<'t> {
    /// The lines that are evidence for new ones.
    trusted: Vec<IndentPair<'t>>,
    scale: Scale,
    slips: IndentSlips,
}

/// The new text's indentation of the lines that the old text indents otherwise than the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndentSlips {
    /// There are no such kept lines.
    None,
    /// The new text has the slips, too: a line that it indents as the file does is so by chance.
    Shared,
    /// The new text is right.
    Corrected,
}

/// A line of the file, with its indentation in each text that begins a line with the same token.
struct FileLine<'t> {
    /// The line of the new text that it is on, or after.
    line: usize,
    /// Whether it is the old text's first line.
    is_first: bool,
    file: &'t str,
    old: Option<&'t str>,
    /// The indentation of the line, or of the one that replaces it.
    new: Option<&'t str>,
}

impl<'t> FileLine<'t> {
    /// Returns all lines of the file.
    fn all(merge: &Merge<'_, 't>) -> Vec<Self> {
        let texts = merge.texts;
        let mut lines = Vec::new();
        let mut line = 0;
        for file in texts.file.line_starts(0..texts.file.len()) {
            let old = texts.file_to_old[file].filter(|&index| texts.old.opens_line(index));
            // An insertion at the start of a line has the line's indentation.
            let new = merge.columns.file_to_new[file].map(|index| texts.new.line_of(index).start);
            line = new.map_or(line, |index| texts.new.line_number(index));
            let indent = texts.file.indent(file);
            // If the old text does not begin a line here, it does not show whether the edit reindents this one.
            let is_joined = old.is_none() && !texts.is_unknown(file);
            let new = new.map(|index| texts.new.indent(index)).filter(|&new| !is_joined || new == indent);
            lines.push(Self {
                line,
                is_first: texts.file_to_old[file] == Some(0),
                file: indent,
                old: old.map(|index| texts.old.indent(index)),
                new,
            });
        }
        lines
    }

    /// Returns the line's indentation in the file with the one in the new text.
    fn pair(&self, new: &'t str) -> IndentPair<'t> {
        IndentPair { line: self.line, is_first: self.is_first, new, file: self.file }
    }

    /// Returns whether the old text indents the line otherwise than the file.
    fn has_slip(&self) -> bool {
        self.old.is_some_and(|old| old != self.file)
    }

    /// Returns whether the new text indents the line as the file does, and the old text does not.
    fn is_corrected(&self) -> bool {
        self.has_slip() && self.new == Some(self.file)
    }

    /// Returns the new text's indentation of the line, if it is evidence for other lines.
    fn evidence(&self, slips: IndentSlips) -> Option<&'t str> {
        let (Some(old), new) = (self.old, self.new) else { return self.new };
        // With the old text's slips, the new text is indented as the old text is.
        if slips == IndentSlips::Shared {
            return Some(old);
        }
        new.filter(|&new| (new == old && slips == IndentSlips::None) || new == self.file)
    }
}

impl<'t> Indentation<'t> {
    /// Learns from aligned texts; `file_unit` is the file's step.
    pub(crate) fn learn(merge: &Merge<'_, 't>, file_unit: Option<&str>) -> Self {
        let texts = merge.texts;
        let lines = FileLine::all(merge);
        // If the old text is indented as the file is, the new text is right.
        let copied: Vec<IndentPair<'t>> = lines.iter().filter_map(|line| Some(line.pair(line.old?))).collect();
        let whole: Vec<_> = copied.iter().filter(|pair| !pair.is_first || copied.len() == 1).copied().collect();
        if are_indented_alike(&whole) {
            return Self { trusted: whole, scale: Scale::Same, slips: IndentSlips::None };
        }
        let slips = IndentSlips::of(&lines, texts);
        let found: Vec<_> = lines.iter().filter_map(|line| Some(line.pair(line.evidence(slips)?))).collect();
        // Lines without indentation are no evidence, unless the new text has put one there.
        let is_evidence = found.iter().any(|pair| !pair.file.is_empty()) || lines.iter().any(FileLine::is_corrected);
        let mut trusted = if is_evidence { found } else { copied };
        if let [first, others @ ..] = &trusted[..]
            && is_cut(first, others)
        {
            trusted.remove(0);
        }
        let is_scaled = texts.run.uses(&INDENTATION_STEP);
        let scale = if is_scaled { Scale::of(&trusted, file_unit, texts.new.text) } else { Scale::Same };
        Self { trusted, scale, slips }
    }

    /// Returns whether the steps of new text and file differ.
    pub(crate) fn is_scaled(&self) -> bool {
        !matches!(self.scale, Scale::Same)
    }

    /// Returns the file's indentation for a new line that the new text indents by `indent`, at about line `at`.
    pub(crate) fn translate(&self, indent: &str, at: f32) -> String {
        let mut votes: FxHashMap<&str, f32> = FxHashMap::default();
        for pair in self.trusted.iter().filter(|pair| pair.new == indent) {
            let distance = (pair.line as f32 - at).abs();
            *votes.entry(pair.file).or_default() += 1.0 / (0.3 + distance * distance);
        }
        let winner = votes.iter().max_by(|a, b| a.1.total_cmp(b.1).then(a.0.cmp(b.0)));
        if let Some((file, _)) = winner {
            return (*file).to_owned();
        }
        // Else shift the nearest line with the most similar indentation.
        let nearest = self.trusted.iter().min_by(|a, b| a.distance(indent, at).total_cmp(&b.distance(indent, at)));
        nearest.map_or_else(|| self.scale.convert(indent), |pair| self.shifted(pair.file, pair.new, indent))
    }

    /// Returns whether a kept line has its depth in the file after the edit, too.
    pub(crate) fn is_unmoved(&self, file: &str, from: &str, to: &str) -> bool {
        match self.slips {
            IndentSlips::None => to == from || to == file,
            IndentSlips::Shared => to == from,
            IndentSlips::Corrected => to == file,
        }
    }

    /// Returns the indentation of a kept line that the edit reindents from `from` to `to`.
    pub(crate) fn reindent(&self, file: &str, from: &str, to: &str, at: f32) -> String {
        if self.is_unmoved(file, from, to) {
            return file.to_owned();
        }
        // The old text has the file's indentation, so the new text's is right.
        if file == from && !file.is_empty() {
            return to.to_owned();
        }
        if self.slips != IndentSlips::Shared {
            return self.translate(to, at);
        }
        // One indentation of the new text is always one of the file.
        let mut alike = self.trusted.iter().filter(|pair| pair.new == to);
        let first = alike.next().filter(|first| alike.all(|pair| pair.file == first.file));
        if first.is_some() { self.translate(to, at) } else { self.shifted(file, from, to) }
    }

    /// Returns the file's indentation `file`, changed as `from` is changed into `to`.
    pub(crate) fn shifted(&self, file: &str, from: &str, to: &str) -> String {
        let common = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
        let (Some(less), Some(more)) = (from.get(common..), to.get(common..)) else { return self.scale.convert(to) };
        let (less, more) = (self.scale.convert(less), self.scale.convert(more));
        let kept = file.chars().count().saturating_sub(less.chars().count());
        file.chars().take(kept).chain(more.chars()).collect()
    }

    /// Converts a blank line. Such lines are seldom shifted with their neighbours, so only the kind of blank changes.
    pub(crate) fn blank_line(&self, line: &str) -> String {
        // A prefix of all lines of the new text, and of none of the file, does not belong to the line.
        let prefix = self.trusted.first().and_then(IndentPair::prefix);
        let everywhere = prefix.filter(|_| self.trusted.iter().all(|pair| pair.prefix() == prefix));
        if let Some(line) = everywhere.and_then(|prefix| line.strip_prefix(prefix)) {
            return line.to_owned();
        }
        match self.scale {
            Scale::Same | Scale::Spaces(..) => line.to_owned(),
            _ => self.scale.convert(line),
        }
    }
}

impl IndentSlips {
    /// Compares the lines of the three texts.
    fn of(lines: &[FileLine<'_>], texts: &Texts<'_>) -> Self {
        // If the new text has the old text's slip on one line, it has it on reindented lines, too.
        let depths: Vec<Depths> = lines.iter().filter(|line| line.has_slip()).filter_map(Depths::of).collect();
        let last = lines.iter().rfind(|line| line.new.is_some()).map_or(0, |line| line.line);
        let new = least(&texts.new, last);
        let of_file = Signs::of(&depths, |line| line.file, least(&texts.file, usize::MAX) == new);
        let of_old = Signs::of(&depths, |line| line.old, least(&texts.old, usize::MAX) == new);
        if of_old > of_file && lines.iter().any(FileLine::has_slip) {
            Self::Shared
        } else if depths.is_empty() {
            Self::None
        } else {
            Self::Corrected
        }
    }
}

/// The depth of a line in the three texts, in bytes.
struct Depths {
    file: usize,
    old: usize,
    new: usize,
}

impl Depths {
    fn of(line: &FileLine<'_>) -> Option<Self> {
        Some(Self { file: line.file.len(), old: line.old?.len(), new: line.new?.len() })
    }
}

/// The evidence that the new text is based on a text, the best first.
#[derive(PartialEq, PartialOrd)]
struct Signs {
    /// Whether all lines are reindented by one shift, or by none.
    is_uniform: bool,
    /// Whether both texts are as deep, as they are even with a new block around all lines.
    is_as_deep: bool,
    /// The number of unmoved lines of the least depth: a new block makes lines deeper, and a dissolved one less deep.
    outermost: usize,
}

impl Signs {
    /// Compares the new text's depths with those of `before`.
    fn of(lines: &[Depths], before: impl Fn(&Depths) -> usize, is_as_deep: bool) -> Self {
        let is_uniform = is_uniform(lines.iter().map(|line| line.new.cast_signed() - before(line).cast_signed()));
        let least = (lines.iter().map(&before).min(), lines.iter().map(|line| line.new).min());
        let is_outermost = |line: &&Depths| line.new == before(line) && (Some(before(line)), Some(line.new)) == least;
        Self { is_uniform, is_as_deep, outermost: lines.iter().filter(is_outermost).count() }
    }
}

/// Returns whether the first line is the old text's first one without its indentation: it contradicts the other lines.
fn is_cut(first: &IndentPair<'_>, others: &[IndentPair<'_>]) -> bool {
    let Some(usual) = others.first().filter(|_| first.is_first).map(IndentPair::shift) else { return false };
    let same = others.iter().filter(|other| other.new == first.new);
    let (agree, differ): (Vec<&IndentPair<'_>>, Vec<_>) = same.partition(|other| other.file == first.file);
    if differ.len() > agree.len() {
        return true;
    }
    // With steps of another width, the first line is wider by the same factor as all others.
    let is_scaled = |other: &IndentPair<'_>| first.file.len() * other.new.len() == other.file.len() * first.new.len();
    if !first.new.is_empty() && others.iter().all(is_scaled) {
        return false;
    }
    let is_stray = first.shift() != usual && (others.len() > 1 || usual == (0, true));
    is_stray && others.iter().all(|other| other.shift() == usual)
}

/// Returns whether lines, at least one of them indented, are indented alike in both texts.
fn are_indented_alike(lines: &[IndentPair<'_>]) -> bool {
    lines.iter().any(|pair| !pair.file.is_empty()) && lines.iter().all(|pair| pair.new == pair.file)
}

fn is_uniform(mut shifts: impl Iterator<Item = isize>) -> bool {
    let first = shifts.next();
    shifts.all(|shift| Some(shift) == first)
}

/// Returns the least depth of a text's lines, down to the first blank line after line `last`.
fn least(tokens: &Tokens<'_>, last: usize) -> Option<usize> {
    let is_before = |&token: &usize| tokens.line_number(token) <= last || breaks(tokens.gap(token)) < 2;
    let starts = (0..tokens.len()).take_while(is_before).filter(|&token| tokens.opens_line(token));
    starts.map(|token| tokens.indent(token).len()).min()
}

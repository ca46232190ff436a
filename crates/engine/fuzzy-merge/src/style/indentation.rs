//! Translates the new text's indentation into the file's, from lines that both have.
//!
//! What counts is how the new text indents: the old text's indentation may be wrong where the new text's is right.
//! The old text speaks for the new text only about lines that the edit indents anew or takes away.

use rustc_hash::FxHashMap;

use crate::align::column::are_unpaired;
use crate::align::three_way::Texts;
use crate::merge::Merge;
use crate::style::indent_unit::{Scale, Seen};
use crate::text::tokens::Tokens;
use crate::text::whitespace::breaks;

/// Translates indentation.
#[derive(Debug)]
pub(crate) struct Indentation<'t> {
    /// The lines that can be trusted for new ones.
    seen: Vec<Seen<'t>>,
    /// All lines that were seen.
    all: Vec<Seen<'t>>,
    scale: Scale,
    slips: Slips,
}

/// What the new text makes of the lines that the old text indents otherwise than the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slips {
    /// There are none that the edit keeps.
    None,
    /// It has them, too: then a line that is as deep in it as in the file is so by chance.
    Shared,
    /// It is indented right where the old text is not.
    Corrected,
}

/// A line of the file with its indentation in all texts that begin a line with the same token.
struct Known<'t> {
    /// The line of the new text that it is on, or comes after.
    line: usize,
    /// Whether it is the old text's first line.
    is_first: bool,
    file: &'t str,
    old: Option<&'t str>,
    /// Of the line itself, or of one that takes its place.
    new: Option<&'t str>,
}

impl<'t> Known<'t> {
    /// Returns all lines of the file.
    fn all(merge: &Merge<'_, 't>) -> Vec<Self> {
        let texts = merge.texts;
        let mut lines = Vec::new();
        let mut line = 0;
        let replacements: FxHashMap<usize, usize> =
            merge.replacements().map(|(file, new)| (file.start, new[0])).collect();
        for file in texts.file.line_starts(0..texts.file.len()) {
            let old = texts.file_to_old[file].filter(|&index| texts.old.opens_line(index));
            let new = merge.columns.file_to_new[file].or_else(|| replacements.get(&file).copied());
            // What comes in at the start of a line is indented as the line is.
            let new = new.map(|index| texts.new.line_of(index).start..index);
            let new = new.filter(|before| are_unpaired(&texts.new_to_old[before.clone()])).map(|before| before.start);
            line = new.map_or(line, |index| texts.new.line_number(index));
            let indent = texts.file.indent(file);
            // Where the old text goes on with a line, it does not tell whether the edit indents this one anew.
            let goes_on = old.is_none() && !texts.is_unknown(file);
            let new = new.map(|index| texts.new.indent(index)).filter(|&new| !goes_on || new == indent);
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

    /// Returns the line as one that the new text indents by `new`.
    fn seen(&self, new: &'t str) -> Seen<'t> {
        Seen { line: self.line, is_first: self.is_first, new, file: self.file }
    }

    /// Returns whether the old text indents the line otherwise than the file.
    fn has_slip(&self) -> bool {
        self.old.is_some_and(|old| old != self.file)
    }

    /// Returns whether the new text indents the line as the file does, and the old text does not.
    fn is_corrected(&self) -> bool {
        self.has_slip() && self.new == Some(self.file)
    }

    /// Returns the new text's indentation of the line, where it shows how others are indented.
    fn telling(&self, slips: Slips) -> Option<&'t str> {
        let (Some(old), new) = (self.old, self.new) else { return self.new };
        // New text that has the old text's slip is indented as the old text is.
        if slips == Slips::Shared {
            return Some(old);
        }
        new.filter(|&new| (new == old && slips == Slips::None) || new == self.file)
    }
}

impl<'t> Indentation<'t> {
    /// Learns from aligned texts; `file_unit` is the file's own step.
    pub(crate) fn learn(merge: &Merge<'_, 't>, file_unit: &str) -> Self {
        let texts = merge.texts;
        let lines = Known::all(merge);
        // Where the old text is indented as the file is, the new text is indented as it should be.
        let copied: Vec<Seen<'t>> = lines.iter().filter_map(|line| Some(line.seen(line.old?))).collect();
        let whole: Vec<Seen<'t>> = copied.iter().filter(|seen| !seen.is_first || copied.len() == 1).copied().collect();
        if are_same(&whole) {
            return Self { seen: whole, all: copied, scale: Scale::Same, slips: Slips::None };
        }
        let slips = Slips::of(&lines, texts);
        let found: Vec<Seen<'t>> = lines.iter().filter_map(|line| Some(line.seen(line.telling(slips)?))).collect();
        // The new text's own lines say it all where they are indented as the file's.
        if are_same(&found) {
            return Self { all: found.clone(), seen: found, scale: Scale::Same, slips };
        }
        // Lines that are not indented at all say nothing, unless the new text has put one there.
        let tells = found.iter().any(|seen| !seen.file.is_empty()) || lines.iter().any(Known::is_corrected);
        let found = if tells { found } else { copied };
        Self { slips, ..Self::new(found, file_unit, texts.new.text) }
    }

    /// Learns from lines seen in both texts; `file_unit` is the file's own step, `new` the text
    /// whose lines are to be placed.
    fn new(mut seen: Vec<Seen<'t>>, file_unit: &str, new: &str) -> Self {
        let all = seen.clone();
        if let [first, others @ ..] = &seen[..]
            && is_cut(first, others)
        {
            seen.remove(0);
        }
        let scale = Scale::of(&seen, &all, file_unit, new);
        // A single line that strays from what all others agree on says nothing about new lines.
        let seen = without_stray(seen);
        Self { seen, all, scale, slips: Slips::Shared }
    }

    /// Returns the file's indentation for a new line that the old text's author indented by `indent`,
    /// at about line `at` of the old text.
    pub(crate) fn place(&self, indent: &str, at: f32) -> String {
        let mut shifts: FxHashMap<(isize, bool), usize> = FxHashMap::default();
        for seen in &self.seen {
            *shifts.entry(shift(seen.new, seen.file)).or_default() += 1;
        }
        let mut votes: FxHashMap<&str, f32> = FxHashMap::default();
        for seen in &self.seen {
            if seen.new == indent {
                let distance = (seen.line as f32 - at).abs();
                let usual = shifts[&shift(seen.new, seen.file)] as f32;
                *votes.entry(seen.file).or_default() += usual * usual / (0.3 + distance * distance);
            }
        }
        let winner = votes.iter().max_by(|a, b| a.1.total_cmp(b.1).then(a.0.cmp(b.0)));
        if let Some((file, _)) = winner {
            return (*file).to_owned();
        }
        // No line was indented like this one: start from the nearest that the author indented
        // most alike, and carry the difference over. A line that strays from what most others
        // do says nothing about new ones.
        let most = shifts.values().copied().max().unwrap_or(0);
        let usual = self.seen.iter().filter(|seen| most <= 1 || shifts[&shift(seen.new, seen.file)] > 1);
        let nearest = usual.min_by(|a, b| a.distance(indent, at).total_cmp(&b.distance(indent, at)));
        match nearest {
            Some(seen) => self.shifted(seen.file, seen.new, indent),
            None => self.scale.convert(indent),
        }
    }

    /// Returns whether lines that the old text indents like this are indented in several ways in the
    /// file.
    pub(crate) fn is_flattened(&self, old: &str) -> bool {
        let mut alike = self.all.iter().filter(|seen| seen.new == old);
        alike.next().is_some_and(|first| alike.any(|seen| seen.file != first.file))
    }

    /// Returns whether a kept line stays as deep as it is: the edit leaves it there, or puts it there.
    pub(crate) fn stays(&self, file: &str, from: &str, to: &str) -> bool {
        match self.slips {
            Slips::None => to == from || to == file,
            Slips::Shared => to == from,
            Slips::Corrected => to == file,
        }
    }

    /// Returns the file's indentation for a kept line that the edit moved from `from` to `to`.
    pub(crate) fn moved(&self, file: &str, from: &str, to: &str, at: f32) -> String {
        if self.stays(file, from, to) {
            return file.to_owned();
        }
        // The old text has the line as the file has it: what the edit makes of that was meant.
        if file == from && !file.is_empty() {
            return to.to_owned();
        }
        if self.slips != Slips::Shared {
            return self.place(to, at);
        }
        let mut like = self.seen.iter().filter(|seen| seen.new == to);
        let first = like.next().filter(|first| like.all(|seen| seen.file == first.file));
        match first.filter(|_| self.is_consistent(from, file)) {
            Some(_) => self.place(to, at),
            None => self.shifted(file, from, to),
        }
    }

    /// Returns whether the old text's indentation `from` always is the file's `file`.
    fn is_consistent(&self, from: &str, file: &str) -> bool {
        self.seen.iter().all(|seen| (seen.new == from) == (seen.file == file))
    }

    /// Changes the file's indentation `file` as the author changed `from` into `to`.
    pub(crate) fn shifted(&self, file: &str, from: &str, to: &str) -> String {
        if from == to {
            return file.to_owned();
        }
        if let Some(more) = to.strip_prefix(from) {
            return format!("{file}{}", self.scale.convert(more));
        }
        let common = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
        let (Some(less), Some(more)) = (from.get(common..), to.get(common..)) else {
            return self.scale.convert(to);
        };
        let (less, more) = (self.scale.convert(less), self.scale.convert(more));
        if let Some(rest) = file.strip_suffix(less.as_str()) {
            return format!("{rest}{more}");
        }
        let keep = file.chars().count().saturating_sub(less.chars().count());
        let rest: String = file.chars().take(keep).collect();
        format!("{rest}{more}")
    }

    /// Writes a line of nothing but blanks in the file's way. Such lines are seldom shifted with
    /// their neighbours, so only the kind of blank is changed.
    pub(crate) fn blank(&self, line: &str) -> String {
        // What is before every line of the old text and no line of the file is not the line's.
        let prefix = self.seen.first().and_then(Seen::prefix);
        let everywhere = prefix.filter(|_| self.seen.iter().all(|seen| seen.prefix() == prefix));
        if let Some(line) = everywhere.and_then(|prefix| line.strip_prefix(prefix)) {
            return line.to_owned();
        }
        match self.scale {
            Scale::Same | Scale::Spaces(..) => line.to_owned(),
            _ => self.scale.convert(line),
        }
    }
}

impl Slips {
    /// Tells by the lines of the file what the new text makes of the old text's slips.
    fn of(lines: &[Known<'_>], texts: &Texts<'_>) -> Self {
        // Where the new text has the old text's slip on one line, it has it on those that the edit indents anew, too.
        let depths: Vec<Depths> = lines.iter().filter(|line| line.has_slip()).filter_map(Depths::of).collect();
        let last = lines.iter().rfind(|line| line.new.is_some()).map_or(0, |line| line.line);
        let new = least(&texts.new, last);
        let of_file = Signs::of(&depths, |line| line.file, least(&texts.file, usize::MAX) == new);
        let of_old = Signs::of(&depths, |line| line.old, least(&texts.old, usize::MAX) == new);
        if of_old > of_file && lines.iter().any(Known::has_slip) {
            Self::Shared
        } else if depths.is_empty() {
            Self::None
        } else {
            Self::Corrected
        }
    }
}

/// How deep a line is in the three texts.
struct Depths {
    file: usize,
    old: usize,
    new: usize,
}

impl Depths {
    fn of(line: &Known<'_>) -> Option<Self> {
        Some(Self { file: line.file.len(), old: line.old?.len(), new: line.new?.len() })
    }
}

/// What shows that the new text was written after a text, the clearest sign first.
#[derive(PartialEq, PartialOrd)]
struct Signs {
    /// Whether all lines are indented anew by one shift, or by none.
    is_uniform: bool,
    /// Whether the new text is as deep as the text: so it is even where a block is put around all of it.
    is_as_deep: bool,
    /// How many of the lines that are the least deep before and after stay where they are: those that a block is put
    /// around get deeper, and those of one that is dissolved less deep.
    outermost: usize,
}

impl Signs {
    /// Reads the signs off the lines, which the text indents as `before` says.
    fn of(lines: &[Depths], before: impl Fn(&Depths) -> usize, is_as_deep: bool) -> Self {
        let is_uniform = is_uniform(lines.iter().map(|line| line.new.cast_signed() - before(line).cast_signed()));
        let least = (lines.iter().map(&before).min(), lines.iter().map(|line| line.new).min());
        let is_outermost = |line: &&Depths| line.new == before(line) && (Some(before(line)), Some(line.new)) == least;
        Self { is_uniform, is_as_deep, outermost: lines.iter().filter(is_outermost).count() }
    }
}

/// Returns whether the first line that was seen is the old text's first one, cut or trimmed: it contradicts the others,
/// and these are right.
fn is_cut(first: &Seen<'_>, others: &[Seen<'_>]) -> bool {
    let Some(usual) = others.first().filter(|_| first.is_first).map(|other| shift(other.new, other.file)) else {
        return false;
    };
    let same = others.iter().filter(|other| other.new == first.new);
    let (agree, differ): (Vec<&Seen<'_>>, Vec<_>) = same.partition(|other| other.file == first.file);
    if differ.len() > agree.len() {
        return true;
    }
    // Where the steps are of another width, the first line is as much wider as all others.
    let is_scaled = |other: &Seen<'_>| first.file.len() * other.new.len() == other.file.len() * first.new.len();
    if !first.new.is_empty() && others.iter().all(is_scaled) {
        return false;
    }
    let is_stray = shift(first.new, first.file) != usual && (others.len() > 1 || usual == (0, true));
    is_stray && others.iter().all(|other| shift(other.new, other.file) == usual)
}

/// Returns whether lines are indented alike in both texts, and not all of them by nothing.
fn are_same(lines: &[Seen<'_>]) -> bool {
    lines.iter().any(|seen| !seen.file.is_empty()) && lines.iter().all(|seen| seen.new == seen.file)
}

/// Returns whether all shifts are the same.
fn is_uniform(mut shifts: impl Iterator<Item = isize>) -> bool {
    let first = shifts.next();
    shifts.all(|shift| Some(shift) == first)
}

/// Returns how deep the least deep line of a text is, down to the first blank line after line `last`.
fn least(tokens: &Tokens<'_>, last: usize) -> Option<usize> {
    let goes_on = |&token: &usize| tokens.line_number(token) <= last || breaks(tokens.gap(token)) < 2;
    let opening = (0..tokens.len()).take_while(goes_on).filter(|&token| tokens.opens_line(token));
    opening.map(|token| tokens.indent(token).len()).min()
}

/// Leaves out the one line that is shifted otherwise than all others.
fn without_stray(seen: Vec<Seen<'_>>) -> Vec<Seen<'_>> {
    if seen.len() < 3 {
        return seen;
    }
    let mut tally: FxHashMap<(isize, bool), usize> = FxHashMap::default();
    for line in &seen {
        *tally.entry(shift(line.new, line.file)).or_default() += 1;
    }
    if tally.len() != 2 || tally.values().min() != Some(&1) {
        return seen;
    }
    seen.into_iter().filter(|line| tally[&shift(line.new, line.file)] > 1).collect()
}

/// Compares two indentations: how much longer the second one is, and whether they mix kinds.
fn shift(old: &str, file: &str) -> (isize, bool) {
    (file.len().cast_signed() - old.len().cast_signed(), old.contains('\t') == file.contains('\t'))
}

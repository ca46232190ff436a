//! Finds the steps of indentation of the new text and of the file.

use rustc_hash::FxHashMap;

use crate::text::tally;

/// The indentation of a line in the new text and in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndentPair<'t> {
    pub(crate) line: usize,
    /// Whether it is the old text's first line, which often lacks its beginning.
    pub(crate) is_first: bool,
    pub(crate) new: &'t str,
    pub(crate) file: &'t str,
}

impl<'t> IndentPair<'t> {
    /// Returns the distance to a line that is indented by `indent`, at about line `at`.
    pub(crate) fn distance(&self, indent: &str, at: f32) -> f32 {
        // One line counts as much as two blanks.
        indent.len().abs_diff(self.new.len()) as f32 + (self.line as f32 - at).abs() * 2.0
    }

    /// Returns how much longer the file's indentation is, in bytes, and whether both have tabs or none.
    pub(crate) fn shift(&self) -> (isize, bool) {
        (self.file.len().cast_signed() - self.new.len().cast_signed(), has_tab(self.new) == has_tab(self.file))
    }

    /// Returns the blanks that the new text has before the file's indentation, if there are any.
    pub(crate) fn prefix(&self) -> Option<&'t str> {
        self.new.strip_suffix(self.file).filter(|prefix| !prefix.is_empty())
    }
}

/// The indentation of lines in new text and file, in characters.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct Ratio {
    new: usize,
    file: usize,
}

impl Ratio {
    /// Returns the ratio of two lengths, unless one is 0.
    fn of(new: usize, file: usize) -> Option<Self> {
        (new > 0 && file > 0).then_some(Self { new, file })
    }

    /// Returns the number of blanks of the new text for one of the file.
    fn spaces(self) -> Option<usize> {
        (self.file == 1 && self.new > 1).then_some(self.new)
    }

    /// Returns the ratio in lowest terms.
    fn reduced(self) -> Self {
        let divisor = gcd(self.new, self.file);
        Self { new: self.new / divisor, file: self.file / divisor }
    }
}

/// The number of pairs of lines with each ratio.
type Ratios = FxHashMap<Ratio, usize>;

/// The conversion of one step of indentation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// No conversion.
    Same,
    /// A tab of the new text is this many spaces of the file.
    TabsToSpaces(usize),
    /// This many spaces of the new text are a tab of the file.
    SpacesToTabs(usize),
    /// This many spaces of the new text are that many of the file.
    Spaces(usize, usize),
}

impl Scale {
    /// Learns the scale from lines of both texts. If these do not show it, compares the kind of indentation of the new text
    /// and of the file.
    pub(crate) fn of(trusted: &[IndentPair<'_>], file_unit: Option<&str>, new: &str) -> Self {
        let is_flat = trusted.iter().all(|line| line.file.is_empty());
        // Without any indentation, the file has no step of its own.
        let Some(file_unit) = file_unit.or((!is_flat).then_some(DEFAULT_UNIT)) else { return Self::Same };
        let indented = trusted.iter().map(|line| line.file).filter(|indent| !indent.is_empty());
        let file_tabs = indented.map(has_tab).reduce(|one, other| one | other).unwrap_or(has_tab(file_unit));
        let new_tabs = trusted.iter().any(|line| has_tab(line.new));
        let from_tabs = trusted.iter().any(|line| has_tab(line.new) && !has_tab(line.file));
        let ratios = steps(trusted);
        // If the kinds of blanks differ, only a width is missing.
        let ratio = || commonest(&ratios);
        // Tabs of trusted lines are better evidence than the other blanks of the new text.
        let kind = if new_tabs { Blanks::None } else { Blanks::of(new) };
        match (file_tabs, kind) {
            (true, Blanks::Spaces) => {
                let width = ratio().and_then(Ratio::spaces);
                return Self::SpacesToTabs(width.unwrap_or_else(|| width_of(new)));
            }
            (false, Blanks::Tabs) => return Self::tabs_to_spaces(ratio(), file_unit),
            (false, _) if from_tabs => return Self::tabs_to_spaces(ratio(), file_unit),
            _ => {}
        }
        if let Some(ratio) = commonest(&ratios).filter(|ratio| ratio.new != ratio.file).filter(|_| !file_tabs) {
            // The smallest step is the unit; the ratio alone would round remainders away.
            let steps = ratios.keys().filter(|step| step.reduced() == ratio);
            let step = steps.map(|step| step.new).min().unwrap_or(ratio.new);
            return Self::Spaces(step, step * ratio.file / ratio.new);
        }
        // Lines of one depth show no step: it is then the unit of each text, if it divides the depth.
        let has_tabs = file_tabs || new_tabs || has_tab(file_unit) || kind == Blanks::Tabs;
        let (new_width, file_width) = (width_of(new), file_unit.len());
        let is_same = has_tabs || new_width == file_width || !fits(trusted, new_width, file_width);
        if is_same { Self::Same } else { Self::Spaces(new_width, file_width) }
    }

    /// Returns the scale of tabs in the new text and spaces in the file.
    fn tabs_to_spaces(ratio: Option<Ratio>, file_unit: &str) -> Self {
        let unit = if has_tab(file_unit) { DEFAULT_UNIT.len() } else { file_unit.len() };
        let width = ratio.map(|Ratio { new, file }| Ratio { new: file, file: new }).and_then(Ratio::spaces);
        Self::TabsToSpaces(width.unwrap_or(unit))
    }

    /// Converts a part of the new text's indentation to the file's.
    pub(crate) fn convert(self, piece: &str) -> String {
        match self {
            Self::Same => piece.to_owned(),
            Self::TabsToSpaces(width) => piece.replace('\t', &" ".repeat(width)),
            Self::SpacesToTabs(width) => piece.replace(&" ".repeat(width), "\t"),
            Self::Spaces(from, to) => {
                let count = piece.chars().filter(|&c| c == ' ').count();
                if count != piece.chars().count() {
                    return piece.to_owned();
                }
                " ".repeat(count / from * to + count % from)
            }
        }
    }
}

/// The kind of a text's indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blanks {
    None,
    Spaces,
    Tabs,
}

impl Blanks {
    /// Returns the kind of a text; a single tab decides.
    fn of(text: &str) -> Self {
        let kinds = text.split('\n').map(|line| match line.as_bytes() {
            [b'\t', ..] => Self::Tabs,
            [b' ', b' ', ..] => Self::Spaces,
            _ => Self::None,
        });
        kinds.max_by_key(|kind| *kind as u8).unwrap_or(Self::None)
    }
}

/// The step without evidence: the commonest one.
const DEFAULT_UNIT: &str = "    ";

/// Returns the width of the step of a text's indentation, in bytes.
fn width_of(text: &str) -> usize {
    unit(text).unwrap_or(DEFAULT_UNIT).len()
}

/// Returns whether lines, at least one of them indented, are as many steps deep in both texts.
fn fits(pairs: &[IndentPair<'_>], new_width: usize, file_width: usize) -> bool {
    let is_scaled = |line: &IndentPair<'_>| line.new.len() * file_width == line.file.len() * new_width;
    pairs.iter().map(|line| line.new.len()).max() > Some(0) && pairs.iter().all(is_scaled)
}

fn has_tab(text: &str) -> bool {
    text.contains('\t')
}

/// Returns the ratios of the differences between lines.
fn steps(pairs: &[IndentPair<'_>]) -> Ratios {
    let plain: Vec<&IndentPair<'_>> = pairs.iter().filter(|line| is_plain(line)).collect();
    let ratio = |one: &IndentPair<'_>, other: &IndentPair<'_>| {
        Ratio::of(one.new.len().abs_diff(other.new.len()), one.file.len().abs_diff(other.file.len()))
    };
    let nearby = |index: usize| plain[index + 1..].iter().take(8);
    tally(plain.iter().enumerate().flat_map(|(index, one)| nearby(index).filter_map(move |other| ratio(one, other))))
}

/// Returns whether neither side mixes tabs and spaces.
fn is_plain(line: &IndentPair<'_>) -> bool {
    [line.new, line.file].iter().all(|indent| !(has_tab(indent) && indent.contains(' ')))
}

/// Returns the most frequent ratio in lowest terms.
fn commonest(ratios: &Ratios) -> Option<Ratio> {
    let mut tally = Ratios::default();
    for (&ratio, &count) in ratios {
        *tally.entry(ratio.reduced()).or_default() += count;
    }
    tally.into_iter().max_by_key(|&(ratio, count)| (count, std::cmp::Reverse(ratio))).map(|(ratio, _)| ratio)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the step of a text's indentation: a tab, or the most frequent small rise in spaces; none if nothing is indented.
pub(crate) fn unit(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|newline| newline + 1));
    let mut tabs = 0usize;
    let mut rises = [0usize; 9];
    let mut previous = 0;
    for line in starts.take(500).map(|start| &bytes[start..]) {
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if matches!(line.get(indent), None | Some(b'\r' | b'\n')) {
            continue;
        }
        match indent.saturating_sub(previous) {
            _ if line[0] == b'\t' => tabs += 1,
            rise @ 2..=8 => rises[rise] += 1,
            _ => {}
        }
        previous = indent;
    }
    let width = (2..=8).max_by_key(|&width| (rises[width], std::cmp::Reverse(width)));
    match width {
        Some(width) if rises[width] > tabs => Some(&"        "[..width]),
        _ => (tabs > 0).then_some("\t"),
    }
}

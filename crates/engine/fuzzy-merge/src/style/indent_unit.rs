//! Finds how the old text's steps of indentation translate into the file's.

use rustc_hash::FxHashMap;

/// A line that is indented one way in the new text and another way in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'t> {
    pub(crate) line: usize,
    /// Whether it is the old text's first line, whose beginning is often cut off.
    pub(crate) is_first: bool,
    pub(crate) new: &'t str,
    pub(crate) file: &'t str,
}

impl<'t> Seen<'t> {
    /// Returns how far the line is from one that is indented by `indent`, at about line `at`.
    pub(crate) fn distance(&self, indent: &str, at: f32) -> f32 {
        // A line further away costs as much as two more blanks of indentation.
        indent.len().abs_diff(self.new.len()) as f32 + (self.line as f32 - at).abs() * 2.0
    }

    /// Returns what the new text has before the file's indentation, if it has anything there.
    pub(crate) fn prefix(&self) -> Option<&'t str> {
        self.new.strip_suffix(self.file).filter(|prefix| !prefix.is_empty())
    }
}

/// How much lines are indented in each text, in characters.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct Ratio {
    old: usize,
    file: usize,
}

impl Ratio {
    /// Returns the ratio of two lengths, unless one is 0.
    fn new(old: usize, file: usize) -> Option<Self> {
        (old > 0 && file > 0).then_some(Self { old, file })
    }

    /// Returns the number of the old text's blanks for one of the file.
    fn spaces(self) -> Option<usize> {
        (self.file == 1 && self.old > 1).then_some(self.old)
    }

    /// Returns the ratio in lowest terms.
    fn reduced(self) -> Self {
        let divisor = gcd(self.old, self.file);
        Self { old: self.old / divisor, file: self.file / divisor }
    }
}

/// How often each ratio was seen.
type Ratios = FxHashMap<Ratio, usize>;

/// What one step of indentation is in each text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// Nothing needs converting.
    Same,
    /// A tab of the old text is this many spaces of the file.
    TabsToSpaces(usize),
    /// This many spaces of the old text are a tab of the file.
    SpacesToTabs(usize),
    /// This many spaces of the old text are that many of the file.
    Spaces(usize, usize),
}

impl Scale {
    /// Learns the scale from the lines seen in both texts that can be trusted, else from all of them. Where these show
    /// none, the new text's own kind of indentation is compared with the file's.
    pub(crate) fn of(seen: &[Seen<'_>], all: &[Seen<'_>], file_unit: &str, new: &str) -> Self {
        let indented = seen.iter().map(|line| line.file).filter(|indent| !indent.is_empty());
        let file_tabs = indented.map(tabs).reduce(|one, other| one | other).unwrap_or(tabs(file_unit));
        let old_tabs = seen.iter().any(|line| tabs(line.new));
        let (tabbed, spaced): (Vec<&Seen<'_>>, Vec<_>) = seen.iter().partition(|line| tabs(line.new));
        let from_tabs = tabbed.iter().any(|line| !tabs(line.file));
        let from_spaces = spaced.iter().any(|line| line.new.contains("  ") && tabs(line.file));
        let ratios = steps(seen);
        // The kinds of blanks come first: where they differ, only a width is left to be found.
        let ratio = || commonest(&ratios).or_else(|| doubtful_ratio(seen, all));
        // The old text's tabs say more than the new text's blanks.
        let own = if old_tabs { Blanks::None } else { Blanks::of(new) };
        match (file_tabs, own) {
            (true, _) if from_spaces => {
                return Self::SpacesToTabs(ratio().and_then(Ratio::spaces).unwrap_or(DEFAULT_WIDTH));
            }
            (true, Blanks::Spaces) => {
                let width = ratio().and_then(Ratio::spaces);
                return Self::SpacesToTabs(width.unwrap_or_else(|| unit(new.split('\n')).len()));
            }
            (false, Blanks::Tabs) => return Self::tabs_to_spaces(ratio(), file_unit),
            (false, _) if from_tabs => return Self::tabs_to_spaces(ratio(), file_unit),
            _ => {}
        }
        if let Some(ratio) = commonest(&ratios).filter(|ratio| ratio.old != ratio.file).filter(|_| !file_tabs) {
            // The smallest step seen is the unit; the ratio alone would round remainders away.
            let steps = ratios.keys().filter(|seen| seen.reduced() == ratio);
            let step = steps.map(|seen| seen.old).min().unwrap_or(ratio.old);
            return Self::Spaces(step, step * ratio.file / ratio.old);
        }
        // All lines at one depth show no step: it is then that of each text, if the depth fits.
        let has_tabs = file_tabs || old_tabs || tabs(file_unit) || own == Blanks::Tabs;
        let (own, theirs) = (unit(new.split('\n')).len(), file_unit.len());
        if has_tabs || own == theirs || !fits(seen, own, theirs) { Self::Same } else { Self::Spaces(own, theirs) }
    }

    /// Returns the scale of tabs in the old text and spaces in the file.
    fn tabs_to_spaces(ratio: Option<Ratio>, file_unit: &str) -> Self {
        let unit = if tabs(file_unit) || file_unit.is_empty() { DEFAULT_WIDTH } else { file_unit.len() };
        let width = ratio.map(|Ratio { old, file }| Ratio { old: file, file: old }).and_then(Ratio::spaces);
        Self::TabsToSpaces(width.unwrap_or(unit))
    }

    /// Writes a piece of the old text's indentation in the file's way.
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

/// The kind of blanks that the lines of a text begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blanks {
    None,
    Spaces,
    Tabs,
}

impl Blanks {
    /// Returns the kind of a text. A single tab decides.
    fn of(text: &str) -> Self {
        let kinds = text.split('\n').map(|line| match line.as_bytes() {
            [b'\t', ..] => Self::Tabs,
            [b' ', b' ', ..] => Self::Spaces,
            _ => Self::None,
        });
        kinds.max_by_key(|kind| *kind as u8).unwrap_or(Self::None)
    }
}

/// The width of a step where nothing shows it: the commonest one.
const DEFAULT_WIDTH: usize = 4;

/// Returns whether lines, at least one of them indented, are as many steps deep in both texts.
fn fits(seen: &[Seen<'_>], own: usize, theirs: usize) -> bool {
    let mut indented = seen.iter().filter(|line| !line.new.is_empty());
    indented.next().is_some() && seen.iter().all(|line| line.new.len() * theirs == line.file.len() * own)
}

/// Returns the ratio of lines that cannot be trusted, or of whole depths: between tabs and spaces a doubtful width is
/// better than none. Spaces are left as they are.
fn doubtful_ratio(seen: &[Seen<'_>], all: &[Seen<'_>]) -> Option<Ratio> {
    commonest(&steps(all)).or_else(|| commonest(&depths(seen)))
}

/// Returns whether a text has a tab.
fn tabs(text: &str) -> bool {
    text.contains('\t')
}

/// Returns the number of steps that lines take against each other: so much in the old text, so much in the file.
fn steps(seen: &[Seen<'_>]) -> Ratios {
    let mut ratios = Ratios::default();
    let plain: Vec<&Seen<'_>> = seen.iter().filter(|line| is_plain(line)).collect();
    for (index, one) in plain.iter().enumerate() {
        for other in plain[index + 1..].iter().take(8) {
            let old = one.new.len().abs_diff(other.new.len());
            let file = one.file.len().abs_diff(other.file.len());
            if let Some(ratio) = Ratio::new(old, file) {
                *ratios.entry(ratio).or_default() += 1;
            }
        }
    }
    ratios
}

/// Returns how much lines are indented in both texts, where one has tabs and the other spaces.
fn depths(seen: &[Seen<'_>]) -> Ratios {
    let mut ratios = Ratios::default();
    for line in seen.iter().filter(|line| is_plain(line)) {
        let (old, file) = (line.new.len(), line.file.len());
        if let Some(ratio) = Ratio::new(old, file).filter(|_| tabs(line.new) != tabs(line.file)) {
            *ratios.entry(ratio).or_default() += 1;
        }
    }
    ratios
}

/// Returns whether neither side mixes tabs and spaces.
fn is_plain(line: &Seen<'_>) -> bool {
    [line.new, line.file].iter().all(|indent| !(tabs(indent) && indent.contains(' ')))
}

/// Returns the most frequent ratio in lowest terms.
fn commonest(ratios: &Ratios) -> Option<Ratio> {
    let mut tally = Ratios::default();
    for (&ratio, &count) in ratios {
        *tally.entry(ratio.reduced()).or_default() += count;
    }
    tally.into_iter().max_by_key(|&(ratio, count)| (count, std::cmp::Reverse(ratio))).map(|(ratio, _)| ratio)
}

/// Returns the greatest common divisor.
fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the step by which a text indents: a tab, or the most frequent small rise in spaces.
pub(crate) fn unit(lines: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut tabs = 0usize;
    let mut rises = [0usize; 9];
    let mut previous = 0;
    for line in lines.take(500) {
        let line = line.as_ref();
        let body = line.trim_start_matches([' ', '\t']);
        if body.is_empty() {
            continue;
        }
        let indent = line.len() - body.len();
        if line.starts_with('\t') {
            tabs += 1;
        } else {
            let rise = indent.saturating_sub(previous);
            if (2..=8).contains(&rise) {
                rises[rise] += 1;
            }
        }
        previous = indent;
    }
    let width = (2..=8).max_by_key(|&width| (rises[width], std::cmp::Reverse(width)));
    match width {
        Some(width) if rises[width] > tabs => " ".repeat(width),
        _ if tabs > 0 => "\t".to_owned(),
        _ => "    ".to_owned(),
    }
}

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
    /// Returns how far the line is from one that is indented by `cancel`, at about line `at`.
    pub(crate) fn distance(&self, cancel: &str, at: f32) -> f32 {
        // A line further away costs as much as two more blanks of indentation.
        cancel.len().abs_diff(self.new.len()) as f32 + (self.line as f32 - at).abs() * 2.0
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
        let file_tabs = if seen.iter().any(|line| !line.file.is_empty()) {
            seen.iter().any(|line| tabs(line.file))
        } else {
            tabs(file_unit)
        };
        let from_tabs = seen.iter().any(|line| tabs(line.new) && !tabs(line.file));
        let from_spaces = seen.iter().any(|line| line.new.contains("  ") && !tabs(line.new) && tabs(line.file));
        let old_tabs = seen.iter().any(|line| tabs(line.new));
        let new_tabs = new.split('\n').any(|line| line.starts_with('\t'));
        let new_spaces = !new_tabs && new.split('\n').any(|line| line.starts_with("  "));
        let ratios = steps(seen);
        // The kinds of blanks come first: where they differ, only a width is left to be found.
        if file_tabs && (from_spaces || (new_spaces && !old_tabs)) {
            return match commonest(&ratios).or_else(|| doubtful_ratio(seen, all)) {
                Some(Ratio { old: width, file: 1 }) if width > 1 => Self::SpacesToTabs(width),
                _ if from_spaces => Self::SpacesToTabs(4),
                _ => Self::SpacesToTabs(unit(new.split('\n')).len()),
            };
        }
        if !file_tabs && (from_tabs || (new_tabs && !old_tabs)) {
            return match commonest(&ratios).or_else(|| doubtful_ratio(seen, all)) {
                Some(Ratio { old: 1, file: width }) if width > 1 => Self::TabsToSpaces(width),
                _ if !tabs(file_unit) && !file_unit.is_empty() => Self::TabsToSpaces(file_unit.len()),
                _ => Self::TabsToSpaces(4),
            };
        }
        match commonest(&ratios) {
            Some(ratio) if ratio.old != ratio.file && !file_tabs => {
                // The smallest step seen is the unit; the ratio alone would round remainders away.
                let steps = ratios.keys().filter(|seen| seen.reduced() == ratio);
                let step = steps.map(|seen| seen.old).min().unwrap_or(ratio.old);
                Self::Spaces(step, step * ratio.file / ratio.old)
            }
            _ => {
                // All lines at one depth show no step: it is then that of each text, if the depth fits.
                let (own, theirs) = (unit(new.split('\n')).len(), file_unit.len());
                let spaces = !file_tabs && !new_tabs && !old_tabs && !tabs(file_unit);
                let shown = seen.iter().any(|line| !line.new.is_empty())
                    && seen.iter().all(|line| line.new.len() * theirs == line.file.len() * own);
                if own != theirs && spaces && shown { Self::Spaces(own, theirs) } else { Self::Same }
            }
        }
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
            if old > 0 && file > 0 {
                *ratios.entry(Ratio { old, file }).or_default() += 1;
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
        if old > 0 && file > 0 && tabs(line.new) != tabs(line.file) {
            *ratios.entry(Ratio { old, file }).or_default() += 1;
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

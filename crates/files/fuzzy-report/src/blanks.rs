//! Formats lines for people to compare: makes blanks visible where they differ and cuts long lines.

use fuzzy_core::blank::{self, is_blank};
use similar::{Algorithm, capture_diff_slices};

use crate::look_alikes;

/// Lines of an old text's diff, at most.
const MAX_LINES: usize = 16;

/// Lines of old text and region that are compared, at most; a reader fixes the first differences first.
const MAX_COMPARED: usize = 400;

/// The most places of a word in a long line that are compared with a piece.
const MAX_PLACES: usize = 20;

/// Characters of a line in a diff, at most.
const WIDTH: usize = 120;

/// Characters before the first difference of two long lines.
const LEAD: usize = 20;

/// Returns two lines with the blanks made visible in which they differ: `·` for a space, `→` for a tab, `␍` for a
/// carriage return, the code point for any other.
///
/// The blanks before, inside and after the text are compared separately, so that a changed indentation does not clutter
/// the rest. Control characters are always replaced by their symbols.
#[must_use]
pub fn visible_blanks(a: &str, b: &str) -> (String, String) {
    let (a, b) = (Parts::new(a), Parts::new(b));
    let differ = [a.before != b.before, a.gaps() != b.gaps(), a.after != b.after];
    (a.show(differ), b.show(differ))
}

/// Returns at most `width` characters of a line, including those at `from`; `…` replaces the omitted parts.
#[must_use]
pub fn excerpt(line: &str, from: usize, width: usize) -> String {
    let length = line.chars().count();
    if length <= width || width < 2 {
        return line.to_owned();
    }
    let lead = LEAD.min(width / 4);
    let start = if from + lead > width { (from - lead).min(length - width + 1) } else { 0 };
    let room = width - usize::from(start > 0);
    let rest = length - start > room;
    let kept = line.chars().skip(start).take(room - usize::from(rest));
    let before = (start > 0).then_some('…');
    before.into_iter().chain(kept).chain(rest.then_some('…')).collect()
}

/// Returns the length of the common prefix of two lines, in characters.
#[must_use]
pub fn common_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// Returns a small diff from the old text (`-`) to the nearest lines of the file (`+`), from the line before the first
/// difference on; empty if the old text occurs in them.
///
/// Lines are paired by their text without blanks, and the blanks in which a pair differs are visible.
#[must_use]
pub(crate) fn needle_diff(needle: &str, region: &str) -> String {
    if region.contains(needle) {
        // The old text occurs there, perhaps inside a line: the failure has another cause.
        return String::new();
    }
    let (ours, theirs) = (lines(needle), lines(region));
    let [our_keys, their_keys] =
        [&ours, &theirs].map(|lines| lines.iter().map(|line| line.replace(is_blank, "")).collect::<Vec<_>>());
    let mut rows = Vec::new();
    // All callers of the diff pass slices of this type, so that the compiler instantiates it once.
    let [our_keys, their_keys] =
        [&our_keys, &their_keys].map(|keys| keys.iter().map(String::as_str).collect::<Vec<_>>());
    for op in capture_diff_slices(Algorithm::Myers, &our_keys, &their_keys) {
        let (ours, theirs) = (&ours[op.old_range()], &theirs[op.new_range()]);
        for (ours, theirs) in ours.iter().zip(theirs) {
            rows.extend(pair(ours, theirs));
        }
        rows.extend(ours.iter().skip(theirs.len()).map(|line| lone('-', line)));
        rows.extend(theirs.iter().skip(ours.len()).map(|line| lone('+', line)));
    }
    let Some(first) = rows.iter().position(|line| !line.starts_with(' ')) else { return String::new() };
    let from = first.saturating_sub(1);
    let mut diff = String::new();
    for line in rows.iter().skip(from).take(MAX_LINES) {
        diff.push_str(line);
        diff.push('\n');
    }
    if rows.len() > from + MAX_LINES {
        diff.push_str("…\n");
    }
    diff
}

/// Formats a line that only one side has, with the blanks at its ends visible.
fn lone(sign: char, line: &str) -> String {
    let blanks_at_ends = visible_blanks(line, line.trim_matches(is_blank)).0;
    format!("{sign}{}", excerpt(&blanks_at_ends, 0, WIDTH))
}

/// Formats a line of the old text and one of the file; once if they are equal.
fn pair(ours: &str, theirs: &str) -> Vec<String> {
    if let Some(rows) = piece(ours, theirs) {
        return rows;
    }
    let (line, other) = visible_blanks(ours, theirs);
    if ours == theirs {
        return vec![format!(" {}", excerpt(&line, 0, WIDTH))];
    }
    let (line, other) = look_alikes::named(&line, &other);
    let from = common_start(&line, &other);
    vec![format!("-{}", excerpt(&line, from, WIDTH)), format!("+{}", excerpt(&other, from, WIDTH))]
}

/// Formats a piece of a long line of the file, and the part of this line that resembles it most; none for a whole line.
fn piece(ours: &str, theirs: &str) -> Option<Vec<String>> {
    let [length, all] = [ours, theirs].map(|line| line.chars().count());
    if all <= WIDTH || length > WIDTH || 2 * length > all {
        return None;
    }
    let shown = |text: &str| visible_blanks(text, text).0;
    let start = match_in(ours, theirs);
    let part: String = theirs[start..].chars().take(WIDTH - 2).collect();
    let [before, after] = [start > 0, start + part.len() < theirs.len()].map(|is_cut| if is_cut { "…" } else { "" });
    let (line, part) = look_alikes::named(&shown(ours), &shown(&part));
    Some(vec![format!("-{line}"), format!("+{before}{part}{after}")])
}

/// Returns where the part of a long line begins that resembles a piece most, with a few characters before it: around the
/// place of a word of the piece that has most of its other words beside it.
fn match_in(piece: &str, line: &str) -> usize {
    let words = |text| str::split(text, |c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
    let length = piece.len();
    let around = |at: usize, offset: usize| {
        let start = line.floor_char_boundary(at.saturating_sub(offset));
        start..line.ceil_char_boundary((start + length).min(line.len()))
    };
    let places = words(piece).flat_map(|word| {
        let offset = word.as_ptr().addr() - piece.as_ptr().addr();
        memchr::memmem::find_iter(line.as_bytes(), word)
            .take(MAX_PLACES)
            .map(move |at| (at, offset))
            .collect::<Vec<_>>()
    });
    let shared = |(at, offset): &(usize, usize)| {
        let window = &line[around(*at, *offset)];
        words(piece).filter(|word| window.contains(word)).count()
    };
    let best = places.take(MAX_COMPARED).max_by_key(|place| (shared(place), std::cmp::Reverse(place.0)));
    best.map_or(0, |(at, offset)| line.floor_char_boundary(around(at, offset).start.saturating_sub(LEAD)))
}

fn lines(text: &str) -> Vec<&str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n').take(MAX_COMPARED).collect()
}

/// A line split into the blanks before the text, the text, and the blanks after it.
struct Parts<'l> {
    before: &'l str,
    body: &'l str,
    after: &'l str,
}

impl<'l> Parts<'l> {
    fn new(line: &'l str) -> Self {
        let (before, rest) = line.split_at(blank::leading(line));
        let (body, after) = rest.split_at(rest.len() - blank::trailing(rest));
        Self { before, body, after }
    }

    /// Returns the blanks inside the body, one entry for each run of them.
    fn gaps(&self) -> Vec<&'l str> {
        self.body.split(|c| !is_blank(c)).filter(|gap| !gap.is_empty()).collect()
    }

    fn show(&self, visible: [bool; 3]) -> String {
        let parts = [self.before, self.body, self.after].into_iter().zip(visible);
        let mut out = String::new();
        for (part, visible) in parts {
            part.chars().for_each(|c| show(c, visible, &mut out));
        }
        out
    }
}

fn show(c: char, visible: bool, out: &mut String) {
    match c {
        ' ' if visible => out.push('·'),
        '\t' if visible => out.push('→'),
        '\r' if visible => out.push('␍'),
        ' ' | '\t' => out.push(c),
        '\u{7f}' => out.push('␡'),
        // The symbols of the control characters have the same order as the characters.
        c if c.is_ascii_control() => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or(c)),
        c if (visible && is_blank(c)) || c.is_control() => {
            out.extend(format!("<U+{:04X}>", u32::from(c)).chars());
        }
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::{excerpt, needle_diff, visible_blanks};

    fn visible(a: &str, b: &str) -> (String, String) {
        visible_blanks(a, b)
    }

    #[test]
    fn blanks_are_visible_only_where_they_differ() {
        assert_eq!(visible("  a b", "\ta b"), ("··a b".into(), "→a b".into()));
        assert_eq!(visible("  a b", "  a  b"), ("  a·b".into(), "  a··b".into()));
        assert_eq!(visible("a b \r", "a b"), ("a b·␍".into(), "a b".into()));
        assert_eq!(visible("a\u{a0}b", "a b"), ("a<U+00A0>b".into(), "a·b".into()));
        assert_eq!(visible(" a b", " a c"), (" a b".into(), " a c".into()));
    }

    #[test]
    fn control_characters_never_reach_a_terminal() {
        assert_eq!(visible("a\u{1b}[2J\u{7f}\u{9b}", "a").0, "a␛[2J␡<U+009B>");
    }

    #[test]
    fn a_long_line_is_cut_around_the_difference() {
        let line = "0123456789".repeat(10);
        assert_eq!(excerpt(&line, 0, 12), "01234567890…");
        assert_eq!(excerpt(&line, 55, 32), "…789012345678901234567890123456…");
        assert_eq!(excerpt(&line, 99, 12), "…90123456789");
        assert_eq!(excerpt("short", 3, 12), "short");
    }

    #[test]
    fn a_long_line_is_cut_around_what_resembles_a_piece() {
        let line = (0..100).map(|at| format!("word{at}")).collect::<Vec<_>>().join(" ");
        let diff = needle_diff("word50 ward51 word52", &line);
        assert!(diff.starts_with("-word50 ward51 word52\n+…") && diff.contains("word50 word51 word52"), "{diff}");
        assert!(diff.ends_with("…\n") && diff.chars().count() < 160, "{diff}");
    }

    #[test]
    fn the_diff_pairs_lines_without_their_blanks() {
        let diff = needle_diff("a\n b\nc\n", "a\nx\n\tb\nc");
        assert_eq!(diff, " a\n+x\n-·b\n+→b\n c\n");
        assert_eq!(needle_diff("a\nb\n", "a\nb"), "");
    }

    #[test]
    fn the_diff_begins_at_the_first_difference_and_ends_soon() {
        let old: String = (0..100).flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        let new = old.replace('5', "x");
        let diff = needle_diff(&old, &new);
        assert!(diff.starts_with(" 4\n-5\n+x\n 6\n"), "{diff}");
        assert_eq!(diff.lines().count(), 17);
        assert!(diff.ends_with("\n…\n"));
    }
}

//! The nearest lines of the file beside an old text: as they are for models, and marked for people.

use fuzzy_core::blank::is_blank;
use similar::{Algorithm, capture_diff_slices};

use crate::blanks::{LEAD, common_start, excerpt, visible_blanks};
use crate::difference::{difference, squeezed};
use crate::look_alikes;

/// Lines of an old text's diff, at most.
const MAX_LINES: usize = 16;

/// Lines of old text and file that are compared, at most; a reader fixes the first differences first.
const MAX_COMPARED: usize = 400;

/// The most places of a word in a long line that are compared with a piece.
const MAX_PLACES: usize = 20;

/// Characters of a line in a diff, at most. A longer line cannot be sent as it is shown.
const WIDTH: usize = 240;

/// How the nearest lines of the file differ from an old text.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// A small diff from the old text (`-`) to the lines of the file (`+`), from the line before the first difference
    /// on; empty if the old text occurs in them. Its lines are the texts themselves, so that they can be sent; only
    /// control characters have symbols, and `…` marks a cut.
    pub(crate) diff: String,
    /// The first line that differs, counted from 0 in the lines of the file, and how, in words.
    pub(crate) first: Option<(usize, String)>,
    /// Whether a reader of the diff may not see that difference: only blanks or look-alikes differ.
    pub(crate) is_hidden: bool,
}

/// Compares an old text with the nearest lines of the file. Lines are paired by their text without blanks.
#[must_use]
pub(crate) fn compare(old: &str, region: &str) -> Compared {
    let mut compared = Compared::default();
    if region.contains(old) {
        // The old text occurs there, perhaps inside a line: the failure has another cause.
        return compared;
    }
    let (ours, theirs) = (lines(old), lines(region));
    let [our_keys, their_keys] =
        [&ours, &theirs].map(|lines| lines.iter().map(|line| line.replace(is_blank, "")).collect::<Vec<_>>());
    // All callers of the diff pass slices of this type, so that the compiler instantiates it once.
    let [our_keys, their_keys] =
        [&our_keys, &their_keys].map(|keys| keys.iter().map(String::as_str).collect::<Vec<_>>());
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &our_keys, &their_keys) {
        let at = op.new_range().start;
        let (ours, theirs) = (&ours[op.old_range()], &theirs[op.new_range()]);
        for (nth, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            if ours != theirs && compared.first.is_none() {
                let words = match (squeezed(ours).is_empty(), squeezed(theirs).is_empty()) {
                    (false, true) => Some("the file has an empty line".to_owned()),
                    (true, false) => Some("the old text has an empty line".to_owned()),
                    _ => difference(ours, theirs),
                };
                compared.first = words.map(|words| (at + nth, words));
                compared.is_hidden = squeezed(ours) == squeezed(theirs) || look_alikes::are_beside(ours, theirs);
            }
            rows.extend(pair(ours, theirs));
        }
        if ours.len() != theirs.len() && compared.first.is_none() {
            let words = if ours.len() < theirs.len() {
                "the file has a line that the old text lacks"
            } else {
                "the old text has a line that the file lacks here"
            };
            compared.first = Some((at + ours.len().min(theirs.len()), words.to_owned()));
        }
        rows.extend(ours.iter().skip(theirs.len()).map(|line| row('-', line, 0)));
        rows.extend(theirs.iter().skip(ours.len()).map(|line| row('+', line, 0)));
    }
    let Some(first) = rows.iter().position(|line| !line.starts_with(' ')) else { return compared };
    let from = first.saturating_sub(1);
    for line in rows.iter().skip(from).take(MAX_LINES) {
        compared.diff += line;
        compared.diff.push('\n');
    }
    if rows.len() > from + MAX_LINES {
        compared.diff += "…\n";
    }
    compared
}

/// Returns a diff for people: of each line and the one that replaces it, the blanks that differ are visible, and the
/// characters that only look alike have their code points.
#[must_use]
pub fn marked_blanks(diff: &str) -> String {
    let mut text = String::with_capacity(diff.len());
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        let row = match (line.strip_prefix('-'), lines.peek().and_then(|next| next.strip_prefix('+'))) {
            (Some(ours), Some(theirs)) => {
                lines.next();
                let (ours, theirs) = visible_blanks(ours, theirs);
                let (ours, theirs) = look_alikes::named(&ours, &theirs);
                format!("-{ours}\n+{theirs}\n")
            }
            _ if line.starts_with(['-', '+']) => {
                let (sign, rest) = line.split_at(1);
                format!("{sign}{}\n", visible_blanks(rest, rest.trim_matches(is_blank)).0)
            }
            _ => format!("{line}\n"),
        };
        text += &row;
    }
    text
}

/// Formats a line of a diff, cut around the character `from`.
fn row(sign: char, line: &str, from: usize) -> String {
    format!("{sign}{}", excerpt(&visible_blanks(line, line).0, from, WIDTH))
}

/// Formats a line of the old text and one of the file; once if they are equal.
fn pair(ours: &str, theirs: &str) -> Vec<String> {
    if let Some(rows) = piece(ours, theirs) {
        return rows;
    }
    if ours == theirs {
        return vec![row(' ', ours, 0)];
    }
    let from = common_start(ours, theirs);
    vec![row('-', ours, from), row('+', theirs, from)]
}

/// Formats a piece of a long line of the file, and the part of this line that resembles it most; none for a whole line.
fn piece(ours: &str, theirs: &str) -> Option<Vec<String>> {
    let [length, all] = [ours, theirs].map(|line| line.chars().count());
    if all <= WIDTH || length > WIDTH || 2 * length > all {
        return None;
    }
    let start = match_in(ours, theirs);
    let part: String = theirs[start..].chars().take(WIDTH - 2).collect();
    let [before, after] = [start > 0, start + part.len() < theirs.len()].map(|is_cut| if is_cut { "…" } else { "" });
    let part = visible_blanks(&part, &part).0;
    Some(vec![row('-', ours, 0), format!("+{before}{part}{after}")])
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
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    lines.map(|line| line.strip_suffix('\r').unwrap_or(line)).take(MAX_COMPARED).collect()
}

#[cfg(test)]
mod tests {
    use super::{compare, marked_blanks};

    #[test]
    fn lines_are_paired_without_their_blanks_and_shown_as_they_are() {
        let compared = compare("a\n b\nc\n", "a\nx\n\tb\nc");
        assert_eq!(compared.diff, " a\n+x\n- b\n+\tb\n c\n");
        assert_eq!(compared.first, Some((1, "the file has a line that the old text lacks".to_owned())));
        assert_eq!(compare("a\nb\n", "a\nb").diff, "");
    }

    #[test]
    fn a_difference_in_blanks_or_look_alikes_is_hidden() {
        let tab = compare("a\n    b", "a\n\tb");
        assert_eq!(tab.first, Some((1, "the file indents with 1 tab, the old text with 4 spaces".to_owned())));
        assert!(tab.is_hidden);
        let dash = compare("a - b", "a – b");
        assert_eq!(dash.first, Some((0, "the file has `–` (U+2013), not `-`".to_owned())));
        assert!(dash.is_hidden && !compare("a b", "a c").is_hidden);
    }

    #[test]
    fn an_empty_line_is_named() {
        assert_eq!(
            compare("a\nb", "a\n").first,
            Some((1, "the old text has a line that the file lacks here".to_owned()))
        );
        assert_eq!(compare("a\nb\nc", "a\n\nc").first, Some((1, "the file has an empty line".to_owned())));
    }

    #[test]
    fn people_see_blanks_and_look_alikes() {
        assert_eq!(marked_blanks(" a\n+x\n- b\n+\tb\n-y \n"), " a\n+x\n-·b\n+→b\n-y·\n");
        assert_eq!(marked_blanks("-a - b\n+a – b\n"), "-a - b\n+a –<U+2013> b\n");
    }

    #[test]
    fn a_long_line_is_cut_around_what_resembles_a_piece() {
        let line = (0..100).map(|at| format!("word{at}")).collect::<Vec<_>>().join(" ");
        let diff = compare("word50 ward51 word52", &line).diff;
        assert!(diff.starts_with("-word50 ward51 word52\n+…") && diff.contains("word50 word51 word52"), "{diff}");
        assert!(diff.ends_with("…\n") && diff.chars().count() < 280, "{diff}");
    }

    #[test]
    fn the_diff_begins_at_the_first_difference_and_ends_soon() {
        let old: String = (0..100).flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        let new = old.replace('5', "x");
        let diff = compare(&old, &new).diff;
        assert!(diff.starts_with(" 4\n-5\n+x\n 6\n"), "{diff}");
        assert_eq!(diff.lines().count(), 17);
        assert!(diff.ends_with("\n…\n"));
    }
}

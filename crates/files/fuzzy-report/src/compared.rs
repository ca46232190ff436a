//! The nearest lines of the file beside an old text: as they are for models, and marked for people.

use fuzzy_core::blank::is_blank;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::blanks::{LEAD, common_start, excerpt, visible_blanks};
use crate::difference::{difference, squeezed};
use crate::look_alikes;

/// Rows of a diff that is shown whole, at most.
const MAX_WHOLE: usize = 16;

/// Rows of a longer diff, at most. Of equal lines it shows only those beside a difference.
const MAX_ROWS: usize = 40;

/// Lines of old text and file that are compared, at most; a reader fixes the first differences first.
const MAX_COMPARED: usize = 400;

/// Stands for lines, and at an end of a line for the rest of it.
const CUT: &str = "…";

/// The most places of a word in a long line that are compared with a piece.
const MAX_PLACES: usize = 20;

/// Characters of a line in a diff, at most. A longer line cannot be sent as it is shown.
const WIDTH: usize = 240;

/// How the nearest lines of the file differ from an old text.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// A small diff from the old text (`-`) to the lines of the file (`+`), from the line before the first difference
    /// on; empty if the old text occurs in them. Its lines are the texts themselves, so that they can be sent; only
    /// control characters have symbols. `…` stands for equal lines of a long diff, for more rows, and for a part of a line.
    pub(crate) diff: String,
    /// The first line that differs, counted from 0 in the lines of the file, and how, in words.
    pub(crate) first: Option<(usize, String)>,
    /// Whether a reader of the diff may not see that difference: only blanks or look-alikes differ.
    pub(crate) is_hidden: bool,
}

/// Compares an old text, which words call `name`, with the nearest lines of the file. Lines are paired by their text without
/// blanks.
#[must_use]
pub(crate) fn compare(name: &str, old: &str, region: &str) -> Compared {
    let mut compared = Compared::default();
    if region.contains(old) {
        // The old text occurs there, perhaps inside a line: the failure has another cause.
        return compared;
    }
    let (ours, mut theirs) = (lines(old), lines(region));
    if let ([piece], [line]) = (&ours[..], &mut theirs[..])
        && let Some(part) = part(piece, line)
    {
        *line = part;
    }
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
                    (true, false) => Some(format!("{name} has an empty line")),
                    _ => difference(name, ours, theirs),
                };
                compared.first = words.map(|words| (at + nth, words));
                compared.is_hidden = squeezed(ours) == squeezed(theirs) || look_alikes::are_beside(ours, theirs);
            }
            rows.extend(pair(ours, theirs));
        }
        if ours.len() != theirs.len() && compared.first.is_none() {
            let words = if ours.len() < theirs.len() {
                format!("the file has a line that {name} lacks")
            } else {
                format!("{name} has a line that the file lacks here")
            };
            compared.first = Some((at + ours.len().min(theirs.len()), words));
        }
        rows.extend(ours.iter().skip(theirs.len()).map(|line| row('-', line, 0)));
        rows.extend(theirs.iter().skip(ours.len()).map(|line| row('+', line, 0)));
    }
    let Some(first) = rows.iter().position(|line| !line.starts_with(' ')) else { return compared };
    let rows = &rows[first.saturating_sub(1)..];
    compared.diff = if rows.len() <= MAX_WHOLE { joined(rows) } else { joined(&without_equal(rows)) };
    compared
}

fn joined(rows: &[impl AsRef<str>]) -> String {
    rows.iter().flat_map(|row| [row.as_ref(), "\n"]).collect()
}

/// Returns the first rows of a long diff, with a mark for equal lines that are not beside a difference, and for the rest.
fn without_equal(rows: &[String]) -> Vec<&str> {
    let differs = |at: usize| rows.get(at).is_some_and(|row| !row.starts_with(' '));
    let is_shown = |at: usize| differs(at) || differs(at + 1) || at.checked_sub(1).is_some_and(differs);
    let mut shown: Vec<&str> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        match shown.last() {
            _ if is_shown(at) && shown.len() < MAX_ROWS => shown.push(row),
            Some(&CUT) => {}
            _ => shown.push(CUT),
        }
    }
    shown
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
    if ours == theirs {
        return vec![row(' ', ours, 0)];
    }
    let from = common_start(ours, theirs);
    vec![row('-', ours, from), row('+', theirs, from)]
}

/// Returns the part of a line that an old text without line breaks quotes with differences, which can be sent as it is;
/// none if the line is not much longer, or has less than half of the words.
fn part<'l>(piece: &str, line: &'l str) -> Option<&'l str> {
    if 2 * piece.len() > line.len() {
        return None;
    }
    let window = &line[match_in(piece, line)..];
    // The second comparison ends with the piece: a word may occur again.
    let (start, _) = shared(piece, &window[..window.floor_char_boundary(2 * piece.len() + LEAD)])?;
    let window = &window[start..window.floor_char_boundary(start + piece.len() + piece.len() / 8 + 4)];
    shared(piece, window).map(|(start, end)| window[start..end].trim_end_matches(is_blank))
}

/// Returns the bounds of the part of a text that has the words of a piece, and as many tokens before and after them as the
/// piece has; none if less than half of its words are there.
fn shared(piece: &str, text: &str) -> Option<(usize, usize)> {
    let [ours, theirs] = [piece, text].map(tokens);
    let is_word = |token: &str| token.starts_with(char::is_alphanumeric);
    let equal =
        capture_diff_slices(Algorithm::Myers, &ours, &theirs).into_iter().filter(|op| op.tag() == DiffTag::Equal);
    let pairs: Vec<_> =
        equal.flat_map(|op| op.old_range().zip(op.new_range())).filter(|(at, _)| is_word(ours[*at])).collect();
    let (&(before, first), &(last_ours, last)) = (pairs.first()?, pairs.last()?);
    let words = ours.iter().filter(|token| is_word(token)).count();
    let offset = |at: usize| theirs[..at.min(theirs.len())].iter().map(|token| token.len()).sum();
    let bounds = (offset(first.saturating_sub(before)), offset(last + ours.len() - last_ours));
    (2 * pairs.len() >= words).then_some(bounds)
}

/// Splits a text into words, runs of blanks, and other characters.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| if c.is_alphanumeric() { 1 } else { 2 * u8::from(is_blank(c)) };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match kind(first) {
            0 => first.len_utf8(),
            same => rest.find(|c| kind(c) != same).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
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
        let compared = compare("the old text", "a\n b\nc\n", "a\nx\n\tb\nc");
        assert_eq!(compared.diff, " a\n+x\n- b\n+\tb\n c\n");
        assert_eq!(compared.first, Some((1, "the file has a line that the old text lacks".to_owned())));
        assert_eq!(compare("the old text", "a\nb\n", "a\nb").diff, "");
    }

    #[test]
    fn a_difference_in_blanks_or_look_alikes_is_hidden() {
        let tab = compare("the old text", "a\n    b", "a\n\tb");
        assert_eq!(tab.first, Some((1, "the file indents with 1 tab, the old text with 4 spaces".to_owned())));
        assert!(tab.is_hidden);
        let dash = compare("the old text", "a - b", "a – b");
        assert_eq!(dash.first, Some((0, "the file has `–` (U+2013), not `-`".to_owned())));
        assert!(dash.is_hidden && !compare("the old text", "a b", "a c").is_hidden);
    }

    #[test]
    fn an_empty_line_is_named() {
        assert_eq!(
            compare("the old text", "a\nb", "a\n").first,
            Some((1, "the old text has a line that the file lacks here".to_owned()))
        );
        assert_eq!(
            compare("the old text", "a\nb\nc", "a\n\nc").first,
            Some((1, "the file has an empty line".to_owned()))
        );
    }

    #[test]
    fn people_see_blanks_and_look_alikes() {
        assert_eq!(marked_blanks(" a\n+x\n- b\n+\tb\n-y \n"), " a\n+x\n-·b\n+→b\n-y·\n");
        assert_eq!(marked_blanks("-a - b\n+a – b\n"), "-a - b\n+a –<U+2013> b\n");
    }

    #[test]
    fn of_a_long_line_the_part_that_resembles_a_piece_is_shown() {
        let line = (0..100).map(|at| format!("word{at}")).collect::<Vec<_>>().join(" ");
        let compared = compare("the old text", "word50 ward51 word52", &line);
        assert_eq!(compared.diff, "-word50 ward51 word52\n+word50 word51 word52\n");
        assert_eq!(compared.first, Some((0, "the file has `word51`, not `ward51`".to_owned())));
        for (piece, part) in [
            ("The pump has 3 parts: a reader", "The pump has three parts: a reader"),
            ("3 parts:  a reader", "three parts: a reader"),
            ("a matcher which finds place", "a matcher that finds places"),
        ] {
            let line = "- The pump has three parts: a reader that splits the text, and a matcher that finds places; see issue 4.";
            assert_eq!(compare("the old text", piece, line).diff, format!("-{piece}\n+{part}\n"));
        }
        // An unlike piece, and one of many lines, are beside the whole line.
        for old in ["nothing like it here", "word50 word51\nword52"] {
            assert!(compare("the old text", old, &line).diff.contains("+word0 word1 "), "{old}");
        }
    }

    #[test]
    fn a_long_diff_shows_its_differences_alone() {
        let old: String = (0..100).flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        let new = old.replace("5\n", "x\n");
        let diff = compare("the old text", &old, &new).diff;
        assert!(diff.starts_with(" 4\n-5\n+x\n 6\n…\n 14\n-15\n+1x\n 16\n…\n"), "{diff}");
        assert_eq!(diff.lines().count(), 40);
        assert!(diff.ends_with("\n…\n"));
    }
}

//! Lists the variants of an edit: its texts without a distortion.
//!
//! A needle from a tool's output may have line numbers, a Markdown fence, a gutter, or line breaks written as `\n`. A
//! variant undoes one plausible distortion in the needle, and in the replacement by its own evidence
//! ([`slip`](crate::slip)). The file decides which variant is right.
//!
//! Cost: one pass over needle and replacement for each variant.

use std::borrow::Cow;

use fuzzy_core::blank::{is_blank, is_blank_text};
use fuzzy_merge::{LeftOut, Mechanism};

use crate::escape::Escape;
use crate::mechanisms::{ESCAPED_TEXT, FENCE, GUTTER, LINE_NUMBERS, NUMBER_SEPARATORS, WRITTEN_BREAKS};
use crate::repair::OpenBrackets;
use crate::slip::{Evidence, Slip};

/// An edit without one distortion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant<'t> {
    /// The needle.
    pub needle: Cow<'t, str>,
    /// The replacement.
    pub replacement: Cow<'t, str>,
    /// The undone slip; none for the literal variant.
    pub slip: Option<&'static Mechanism>,
    /// Whether the replacement leaves open whether it has the distortion.
    pub is_mixed: bool,
}

impl<'t> Variant<'t> {
    /// Makes the variant of an edit without a distortion.
    #[must_use]
    pub fn literal(needle: &'t str, replacement: &'t str) -> Self {
        Self { needle: Cow::Borrowed(needle), replacement: Cow::Borrowed(replacement), slip: None, is_mixed: false }
    }

    /// Makes the variant of an edit without a distortion; `undone_new` is none if the replacement leaves open whether
    /// it has it.
    fn new(
        needle: Cow<'t, str>,
        undone_new: Option<Cow<'t, str>>,
        replacement: &'t str,
        slip: &'static Mechanism,
    ) -> Self {
        let is_mixed = undone_new.is_none();
        Self { needle, replacement: undone_new.unwrap_or(Cow::Borrowed(replacement)), slip: Some(slip), is_mixed }
    }
}

/// Reads an edit without one slip; returns the plausible variants.
type Reading = for<'t> fn(&'t str, &'t str) -> Vec<Variant<'t>>;

/// The readings, each with the slip that it undoes.
const READINGS: [(&Mechanism, Reading); 6] = [
    (&FENCE, without_fence),
    (&LINE_NUMBERS, without_numbers),
    (&NUMBER_SEPARATORS, without_separators),
    (&GUTTER, without_gutter),
    (&WRITTEN_BREAKS, with_line_breaks),
    (&ESCAPED_TEXT, without_escapes),
];

/// Returns the variants of an edit, the literal one first.
pub fn variants_of<'t>(needle: &'t str, replacement: &'t str, left_out: LeftOut) -> Vec<Variant<'t>> {
    let mut variants = vec![Variant::literal(needle, replacement)];
    for (_, read) in READINGS.iter().filter(|(slip, _)| left_out.uses(slip)) {
        for variant in read(needle, replacement) {
            if variants.iter().all(|other| other.needle != variant.needle) {
                variants.push(variant);
            }
        }
    }
    variants
}

/// Returns the variant with line breaks instead of `\\n`.
fn with_line_breaks<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    if !may_be_escaped(needle) {
        return Vec::new();
    }
    let new = match is_one_string(needle, replacement) {
        true => unescape_string(needle, replacement, false).map(Cow::Owned),
        false => Some(Cow::Borrowed(replacement)),
    };
    vec![Variant::new(Cow::Owned(unescape_breaks(needle, false)), new, replacement, &WRITTEN_BREAKS)]
}

/// Returns the variant without any escapes.
fn without_escapes<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    if !may_be_escaped(needle) {
        return Vec::new();
    }
    let new = match is_one_string(needle, replacement) {
        true => unescape_string(needle, replacement, true).map(Cow::Owned),
        false => Escape::Both.undo_in_new(&unescape_breaks(needle, false), replacement),
    };
    vec![Variant::new(Cow::Owned(unescape_breaks(needle, true)), new, replacement, &ESCAPED_TEXT)]
}

/// Returns whether a needle may be escaped as a whole: then it has few real line breaks.
fn may_be_escaped(needle: &str) -> bool {
    needle.contains("\\n") && needle.trim_matches(is_blank).matches('\n').count() <= 1
}

/// Undoes the escapes of a class in a new text, for which the needle's lines are the evidence. Returns none if a line
/// leaves open whether it is escaped.
pub(crate) fn unescape_new(escape: Escape, needle: &str, new: &str) -> Option<String> {
    let is_of_quotes = matches!(escape, Escape::Quotes | Escape::Both);
    if is_of_quotes && has_escaped_quotes(new) && is_one_string(needle, new) {
        return Some(unescape_breaks(new, true));
    }
    escape.undo_in_new(needle, new).map(Cow::into_owned)
}

/// Unescapes a new text that has escaped line breaks. Returns none if neither text shows whether its backslashes are
/// escaped, too.
fn unescape_string(needle: &str, new: &str, all: bool) -> Option<String> {
    let is_escaped = has_escaped_quotes(new) || (all && (needle.contains("\\\"") || needle.contains("\\\\")));
    let is_open = !is_escaped && new.contains("\\\\") && !new.contains('"');
    (!is_open).then(|| unescape_breaks(new, is_escaped))
}

/// Returns whether a text has double quotes, each with a backslash before it.
fn has_escaped_quotes(text: &str) -> bool {
    let mut quotes = text.match_indices('"').peekable();
    quotes.peek().is_some() && quotes.all(|(at, _)| text[..at].ends_with('\\'))
}

/// Returns whether a new text has escaped line breaks instead of real ones, by its own evidence: a line between them is
/// the needle's, or one of them is outside a string.
fn is_one_string(needle: &str, new: &str) -> bool {
    let new = new.trim_matches(is_blank);
    if new.contains('\n') || !new.contains("\\n") {
        return false;
    }
    let [old, lines] = [needle, new].map(|text| unescape_breaks(text, false));
    let of_old: Vec<&str> = old.split('\n').map(|line| line.trim_matches(is_blank)).collect();
    let lines: Vec<&str> = lines.split('\n').map(|line| line.trim_matches(is_blank)).collect();
    let is_kept = |line: &&str| !line.is_empty() && of_old.contains(line);
    let is_whole = |line: &&str| OpenBrackets::of(line).quote().is_none();
    lines.iter().any(is_kept) || lines[..lines.len() - 1].iter().any(is_whole)
}

fn unescape_breaks(text: &str, all: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let put = match chars.peek() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(&other @ ('"' | '\'' | '`' | '\\')) if all => other,
            Some('\\') => {
                // An escaped backslash remains escaped, so the letter after it is not part of an escape.
                out.push_str("\\\\");
                chars.next();
                continue;
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push(put);
        chars.next();
    }
    out
}

/// Returns the variant without the fence around both texts, or its half that was copied.
fn without_fence<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let Some(old) = inside_fence(needle).or_else(|| beside_fence(needle)) else { return Vec::new() };
    let is_open = |text: &str| text.lines().filter(|line| fence_of(line).is_some()).count() % 2 == 1;
    // A whole block in the replacement has its own fences.
    let half = || beside_fence(replacement).filter(|_| is_open(replacement));
    let new = inside_fence(replacement).or_else(half).unwrap_or(replacement);
    vec![Variant::new(Cow::Borrowed(old), Some(Cow::Borrowed(new)), replacement, &FENCE)]
}

/// Returns the language after a fence; none if the line is no fence.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_matches(is_blank);
    let language = line.strip_prefix("```").or_else(|| line.strip_prefix("~~~"))?.trim_matches(is_blank);
    (!language.contains([' ', '`'])).then_some(language)
}

/// Returns a text inside a fence.
fn inside_fence(text: &str) -> Option<&str> {
    let body = text.trim_matches(is_blank);
    let fence = if body.starts_with("```") { "```" } else { "~~~" };
    let (first, rest) = body.split_once('\n')?;
    if !first.starts_with(fence) {
        return None;
    }
    fence_of(first)?;
    let inner = rest.strip_suffix(fence)?;
    if inner.is_empty() {
        return Some(inner);
    }
    let inner = inner.strip_suffix('\n')?;
    Some(inner.strip_suffix('\r').unwrap_or(inner))
}

/// Returns the lines before a closing fence at the end of a text, or after an opening one at its start.
fn beside_fence(text: &str) -> Option<&str> {
    let body = text.trim_end_matches(is_blank);
    let before = body.rsplit_once('\n').filter(|(_, last)| fence_of(last) == Some("")).map(|(before, _)| before);
    let after = || text.split_once('\n').filter(|(first, _)| fence_of(first).is_some()).map(|(_, after)| after);
    before.or_else(after).filter(|inner| !is_blank_text(inner))
}

/// Separators that tools print between a line number and the line, longest first.
const SEPARATORS: [&str; 10] = [" | ", " |", "| ", "|", ": ", ":", "→", "\t", " ", ")"];

/// Splits a line into its number and the rest.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let body = line.trim_start_matches(' ');
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 || digits > 6 {
        return None;
    }
    Some((body[..digits].parse().ok()?, &body[digits..]))
}

/// Finds the separators that follow the numbers of nearly all lines; the first line may lack one. A text of one line
/// may continue in an `other` text with the same first number.
fn separators(text: &str, other: &str) -> Vec<&'static str> {
    let lines: Vec<&str> =
        text.trim_end_matches(is_blank).split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let numbers: Vec<Option<(u32, &str)>> = lines.iter().map(|line| numbered(line)).collect();
    let found: Vec<(u32, &str)> = numbers.iter().flatten().copied().collect();
    let needed = lines.iter().skip(1).filter(|line| !line.trim_matches(is_blank).is_empty()).count();
    let behind_first = numbers.iter().skip(1).flatten().count();
    if found.is_empty() || behind_first < needed {
        return Vec::new();
    }
    let goes_on = other.contains('\n') && numbered(other).is_some_and(|(number, _)| number == found[0].0);
    let counts = found.len() > 1 || (goes_on && !separators(other, "").is_empty());
    let rising = found.windows(2).filter(|pair| pair[1].0 == pair[0].0 + 1).count();
    if found.windows(2).any(|pair| pair[1].0 < pair[0].0) || rising * 5 < (found.len() - 1) * 3 {
        return Vec::new();
    }
    let fits = SEPARATORS.into_iter().filter(|separator| {
        let blank = separator.trim_end_matches(is_blank);
        found
            .iter()
            .all(|(_, rest)| rest.starts_with(separator) || (rest == &blank))
            && found.iter().any(|(_, rest)| rest.starts_with(separator))
            // A number before a space or bracket may be part of the text.
            && (!matches!(*separator, " " | ")" | ":" | ": ") || counts)
    });
    fits.collect()
}

/// Returns the variants without line numbers: with and without the blank after the separator, which may be part of the
/// line.
fn without_numbers<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let marks = separators(needle, replacement).into_iter();
    let variant = |mark| {
        let strip = |line: &str| strip_number(line, mark).unwrap_or(line).to_owned();
        let old: Vec<String> = needle.split('\n').map(strip).collect();
        let may_lack = strip_number(first_line(needle), mark).is_none();
        let evidence = |lines: &[&str], at: usize| match number_evidence(lines, at, mark) {
            Evidence::Clean if at == 0 && may_lack && numbered(lines[0]).is_none() => Evidence::Free,
            evidence => evidence,
        };
        let slip = Slip { evidence: &evidence, undo: &strip, token: &|line| number_of(line, mark) };
        let new = slip.undo_in_new(needle, replacement);
        Variant::new(Cow::Owned(old.join("\n")), new, replacement, &LINE_NUMBERS)
    };
    marks.map(variant).collect()
}

/// Returns a line without its number; a blank line may have lost the blanks of the separator.
fn strip_number<'l>(line: &'l str, separator: &str) -> Option<&'l str> {
    let (_, rest) = numbered(line)?;
    rest.strip_prefix(separator).or_else(|| (rest == separator.trim_end_matches(is_blank)).then_some(""))
}

/// Returns the number before a line, with its separator.
fn number_of<'l>(line: &'l str, separator: &str) -> Option<&'l str> {
    let rest = strip_number(line, separator).filter(|rest| !rest.is_empty())?;
    Some(&line[..line.len() - rest.len()])
}

/// Returns the evidence of a line for line numbers. A number alone is one only beside another that it counts on from.
fn number_evidence(lines: &[&str], at: usize, separator: &str) -> Evidence {
    let line = lines[at];
    let number = |at: usize| lines.get(at).and_then(|line| Some((numbered(line)?.0, strip_number(line, separator)?)));
    match number(at) {
        None if is_blank_text(line) => Evidence::Free,
        None => Evidence::Clean,
        Some((own, "")) => {
            let counts = |other: Option<(u32, &str)>, expected: Option<u32>| {
                other.is_some_and(|(number, rest)| !rest.is_empty() && Some(number) == expected)
            };
            let is_counted = counts(at.checked_sub(1).and_then(number), own.checked_sub(1))
                || counts(number(at + 1), own.checked_add(1));
            if is_counted { Evidence::Slipped } else { Evidence::Clean }
        }
        Some(_) => Evidence::Slipped,
    }
}

/// Separators that remain after removed numbers. A tab may remain: it counts as indentation.
const REMAINING: [&str; 5] = ["| ", "|", ": ", ":", "→"];

/// Marks that a prompt or a quotation puts before every line.
const GUTTERS: [&str; 7] = ["│ ", "│", "┃ ", "| ", "|", "> ", ">"];

/// Returns the variant without the separators that remain after removed numbers: every line except the first starts
/// with the same one.
fn without_separators<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let mark = common_mark(needle.split('\n').skip(1), &REMAINING).filter(|mark| !needle.starts_with(mark));
    mark.map(|mark| without_marks(needle, replacement, mark, &NUMBER_SEPARATORS)).into_iter().collect()
}

/// Returns the variant without a gutter: every line starts with the same mark.
fn without_gutter<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let mark = common_mark(needle.split('\n'), &GUTTERS);
    mark.map(|mark| without_marks(needle, replacement, mark, &GUTTER)).into_iter().collect()
}

/// Returns the first mark at the start of all lines that are not blank.
fn common_mark<'l>(lines: impl Iterator<Item = &'l str>, marks: &[&'static str]) -> Option<&'static str> {
    let full: Vec<&str> = lines.filter(|line| !is_blank_text(line)).collect();
    let mut marks = marks.iter().copied().filter(|_| !full.is_empty());
    marks.find(|mark| full.iter().all(|line| without_mark(line, mark).is_some()))
}

/// Returns the variant without a mark at the start of its lines. If the needle's first line lacks it, the replacement's
/// may, too.
fn without_marks<'t>(needle: &str, replacement: &'t str, mark: &'static str, slip: &'static Mechanism) -> Variant<'t> {
    let strip = |line: &str| without_mark(line, mark).unwrap_or(line).to_owned();
    let may_lack = without_mark(first_line(needle), mark).is_none();
    let evidence = |lines: &[&str], at: usize| match without_mark(lines[at], mark) {
        Some(_) => Evidence::Slipped,
        None if (at == 0 && may_lack) || is_blank_text(lines[at]) => Evidence::Free,
        None => Evidence::Clean,
    };
    let old: Vec<String> = needle.split('\n').map(strip).collect();
    let own =
        Slip { evidence: &evidence, undo: &strip, token: &|line| line.get(..mark.len()).filter(|it| *it == mark) };
    let new = own.undo_in_new(needle, replacement);
    Variant::new(Cow::Owned(old.join("\n")), new, replacement, slip)
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

/// Returns a line without the mark at its start; a blank line may have lost its blanks.
fn without_mark<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    line.strip_prefix(mark)
        .or_else(|| (line.trim_end_matches(is_blank) == mark.trim_end_matches(is_blank)).then_some(""))
}

#[cfg(test)]
mod tests {
    use fuzzy_merge::LeftOut;

    use super::Variant;

    fn variants_of<'t>(needle: &'t str, new: &'t str) -> Vec<Variant<'t>> {
        super::variants_of(needle, new, LeftOut::default())
    }

    fn needles(needle: &str) -> Vec<(String, &'static str)> {
        variants_of(needle, "")
            .into_iter()
            .map(|variant| (variant.needle.into_owned(), variant.slip.map_or("", |slip| slip.name)))
            .collect()
    }

    #[test]
    fn the_literal_variant_is_first() {
        assert_eq!(needles("a\nb"), [("a\nb".to_owned(), "")]);
    }

    #[test]
    fn line_numbers_are_removed() {
        for text in ["1\ta\n2\tb", "  9→a\n 10→b", "08| a\n09| b", "7: a\n8: b", "a\n12 | b\n13 | c"] {
            assert!(needles(text).iter().any(|(_, undone)| *undone == "line-numbers"), "{text:?}");
        }
        // The numbers are part of the text.
        for text in ["1 apple\n5 pears\n2 plums", "10\n20", "404: not found\n200: fine"] {
            assert!(needles(text).iter().all(|(_, undone)| *undone != "line-numbers"), "{text:?}");
        }
    }

    #[test]
    fn one_line_has_a_number_where_the_new_text_counts_on() {
        for (new, has_number) in [("  6 a =\n  7   1", true), ("  6 a =\n      1", false), ("  7 a =\n  8   1", false)]
        {
            let read = variants_of("  6 a = 1", new);
            assert_eq!(read.iter().any(|variant| variant.replacement == "a =\n  1"), has_number, "{new:?}");
        }
    }

    #[test]
    fn the_replacement_loses_its_own_numbers_only() {
        let variant = &variants_of("1| a\n2| b", "1| a\n2| c\n3| d")[1];
        assert_eq!((&*variant.needle, &*variant.replacement), ("a\nb", "a\nc\nd"));
        let variant = &variants_of("1| a\n2| b", "a\nc")[1];
        assert_eq!(&*variant.replacement, "a\nc");
    }

    #[test]
    fn a_fence_is_removed_whole() {
        assert!(needles("```rust\na\nb\n```").contains(&("a\nb".to_owned(), "fence")));
        assert!(needles("```rust\na\nb").contains(&("a\nb".to_owned(), "fence")));
        assert!(needles("a\nb\n```").contains(&("a\nb".to_owned(), "fence")));
        assert_eq!(needles("a\n``` b").len(), 1);
    }

    #[test]
    fn written_line_breaks_are_expanded_where_there_are_no_others() {
        assert!(needles("a {\\n\\tb\\n}").contains(&("a {\n\tb\n}".to_owned(), "written-breaks")));
        assert_eq!(needles("print(\"a\\n\")\nb\nc").len(), 1);
    }
}

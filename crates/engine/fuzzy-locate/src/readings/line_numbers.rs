//! Reads texts without line numbers before their lines.

use std::borrow::Cow;

use fuzzy_core::blank::{is_blank, is_blank_text};

use super::evidence::{Evidence, Slip};
use crate::mechanisms::LINE_NUMBERS;
use crate::variant::Variant;

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

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

/// Returns the number before the first line of a text.
pub(crate) fn first_number(text: &str) -> Option<usize> {
    numbered(first_line(text)).and_then(|(number, _)| usize::try_from(number).ok())
}

/// Returns the variants without line numbers: with and without the blank after the separator, which may be part of the
/// line.
pub(super) fn read<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
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

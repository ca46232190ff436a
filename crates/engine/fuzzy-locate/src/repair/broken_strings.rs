//! Repairs strings of a needle whose `\n` became line breaks.
//!
//! Consecutive lines of a needle are one line of the file if that has `\n` for every break between them. The new text
//! then has such breaks, too: after a line with an unclosed bracket or quote, if the next line is less indented than
//! all code, or after a line with the same unclosed quote as the needle's line.
//!
//! Cost: one pass over the place, and one over needle and new text where it has an escape.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use fuzzy_core::blank::{is_blank, leading};
use fuzzy_merge::Brackets;
use rustc_hash::FxHashMap;

use super::line::indented_as;
use crate::mechanisms::BROKEN_STRINGS;
use crate::search::{Located, Search};
use crate::variant::Variant;

/// Lines of a needle that are one line of the file.
struct Joined<'t> {
    ours: RangeInclusive<usize>,
    theirs: &'t str,
}

/// Returns the variant with the file's strings in place of the broken ones; none without a broken string.
pub(super) fn repaired(search: &Search<'_>, located: &Located) -> Option<Variant<'static>> {
    let variant = &search.variants[located.variant];
    let needle: Vec<&str> = variant.needle.split('\n').collect();
    let (first, last) = located.best.lines();
    let mut joined: Vec<Joined<'_>> = Vec::new();
    let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for theirs in (first..last).map(|at| search.index.line(at)).filter(|line| line.contains("\\n")) {
        if places.is_empty() {
            for (at, line) in needle.iter().enumerate() {
                places.entry(line.trim_start_matches(is_blank)).or_default().push(at);
            }
        }
        let from = joined.last().map_or(0, |joined| joined.ours.end() + 1);
        joined.extend(lines_of(&needle, &places, from, theirs).map(|ours| Joined { ours, theirs }));
    }
    if joined.is_empty() {
        return None;
    }
    let new: Vec<&str> = variant.replacement.split('\n').collect();
    let rejoined = rejoined(&new, &needle, &joined)?;
    let mut lines = Vec::new();
    let mut at = 0;
    for Joined { ours, theirs } in &joined {
        lines.extend(needle[at..*ours.start()].iter().map(|line| Cow::Borrowed(*line)));
        lines.push(Cow::Owned(indented_as(needle[*ours.start()], theirs)));
        at = ours.end() + 1;
    }
    lines.extend(needle[at..].iter().map(|line| Cow::Borrowed(*line)));
    Some(Variant {
        needle: Cow::Owned(lines.join("\n")),
        replacement: Cow::Owned(rejoined),
        slip: Some(&BROKEN_STRINGS),
        is_mixed: variant.is_mixed,
    })
}

/// Finds the lines of a needle, at `from` or later, that are a line of the file with a break for each `\n`. `places`
/// has the indexes of the needle's lines.
fn lines_of(
    needle: &[&str],
    places: &FxHashMap<&str, Vec<usize>>,
    from: usize,
    theirs: &str,
) -> Option<RangeInclusive<usize>> {
    let mut parts = theirs.trim_matches(is_blank).split("\\n");
    let places = places.get(parts.next()?)?;
    let rest: Vec<&str> = parts.collect();
    let (last, middle) = rest.split_last()?;
    let goes_on = |at: &&usize| {
        let Some(lines) = needle.get(*at + 1..=*at + rest.len()) else { return false };
        lines[..middle.len()] == *middle && lines[middle.len()].trim_end_matches(is_blank) == *last
    };
    let found = places.iter().filter(|at| **at >= from).find(goes_on)?;
    Some(*found..=*found + rest.len())
}

/// The rule that recognises the continuation lines of a string in a new text.
enum Continuation<'t> {
    /// They are indented by at most this many bytes, and all code by more; the line before has an unclosed bracket or
    /// quote.
    Depth(usize),
    /// The line before has this unclosed quote.
    Quote(&'t str),
}

impl<'t> Continuation<'t> {
    fn of(needle: &[&'t str], joined: &[Joined<'_>]) -> Option<Self> {
        let goes_on = |at: usize| joined.iter().any(|joined| at > *joined.ours.start() && joined.ours.contains(&at));
        let full = (0..needle.len()).filter(|at| !needle[*at].chars().all(is_blank));
        let (rest, code): (Vec<usize>, Vec<usize>) = full.partition(|at| goes_on(*at));
        let deepest = rest.iter().map(|at| leading(needle[*at])).max()?;
        if code.iter().all(|at| leading(needle[*at]) > deepest) {
            return Some(Self::Depth(deepest));
        }
        let quotes = joined.iter().map(|joined| Brackets::of(needle[*joined.ours.start()]).quote());
        let mut quotes = quotes.collect::<Option<Vec<&str>>>()?;
        quotes.dedup();
        if let [quote] = quotes[..] { Some(Self::Quote(quote)) } else { None }
    }
}

/// Returns a new text with `\n` in place of the line breaks in its strings; none if it has neither, or if a joined line
/// has other unclosed brackets and quotes than the file's lines.
fn rejoined(new: &[&str], needle: &[&str], joined: &[Joined<'_>]) -> Option<String> {
    let continuation = Continuation::of(needle, joined);
    let mut lines: Vec<String> = Vec::new();
    let mut at = 0;
    while at < new.len() {
        if let Some(Joined { ours, theirs }) =
            joined.iter().find(|joined| new[at..].starts_with(&needle[joined.ours.clone()]))
        {
            lines.push(indented_as(new[at], theirs));
            at += ours.clone().count();
            continue;
        }
        let mut line = new[at].to_owned();
        let mut open = Brackets::of(new[at]);
        at += 1;
        let first = at;
        while is_broken(&open, &new[at..], continuation.as_ref()?) {
            let next = new.get(at)?;
            open.read(next, |_, _| {});
            line.push_str("\\n");
            line.push_str(next);
            at += 1;
        }
        if at > first && joined.iter().all(|joined| Brackets::of(joined.theirs) != open) {
            return None;
        }
        lines.push(line);
    }
    let rejoined = lines.join("\n");
    rejoined.contains("\\n").then_some(rejoined)
}

/// Returns whether a string continues on the next line.
fn is_broken(open: &Brackets<'_>, next: &[&str], continuation: &Continuation<'_>) -> bool {
    match continuation {
        Continuation::Depth(depth) => {
            let full = || next.iter().find(|line| !line.chars().all(is_blank));
            !open.unclosed.is_empty()
                && !open.is_multiline_string()
                && full().is_some_and(|next| leading(next) <= *depth)
        }
        Continuation::Quote(mark) => open.quote() == Some(mark),
    }
}

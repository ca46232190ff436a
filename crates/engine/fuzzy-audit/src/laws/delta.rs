//! The count of every token lies between those of the place, the new text, and both changes together.
//!
//! ```text
//! file: a  keep
//! old:  a    new: keep  b    result: b    breaks it: file and new text have `keep`
//! ```

use rustc_hash::FxHashMap;

use crate::case::Case;
use crate::law::{Broken, Law};
use crate::text::{Line, Token};

/// Finds a token with a count beyond those of the place, the new text, and both changes together.
pub(crate) fn unbounded_count(case: &Case<'_>) -> Option<Broken> {
    let mut counts: FxHashMap<u64, [isize; 4]> = FxHashMap::default();
    for (which, text) in [&case.place, &case.needle, &case.new, &case.result].into_iter().enumerate() {
        for token in &text.tokens {
            counts.entry(token.id).or_default()[which] += 1;
        }
    }
    let breaks_delta = |token: &Token<'_>| {
        let [place, needle, new, result] = counts[&token.id];
        let changed = place + new - needle;
        result < place.min(new).min(changed) || result > place.max(new).max(changed)
    };
    if let Some(at) = case.result.tokens.iter().position(breaks_delta) {
        return Some(case.at_token(Law::Delta, at));
    }
    // The result lacks a lost token.
    let lost = case.place.tokens.iter().chain(&case.new.tokens).find(|token| breaks_delta(token))?;
    Some(Broken { law: Law::Delta, line: 0, token: lost.text.to_owned() })
}

/// Marks that copies often lack at line ends.
const MARKS: [&str; 4] = [",", ";", ":", "."];

/// Finds a line of the needle that lands although the file lacks it, unless the edit adds more of them, or the result has
/// the marks that it lacks elsewhere: lines that needle and new text share belong to the file.
pub(crate) fn misspelled_line(case: &Case<'_>) -> Option<Broken> {
    let mut counts: FxHashMap<u64, [usize; 3]> = FxHashMap::default();
    for (which, text) in [&case.place, &case.needle, &case.new].into_iter().enumerate() {
        for line in &text.lines {
            counts.entry(line.key).or_default()[which] += 1;
        }
    }
    let is_balanced = |mark: &&str| {
        let [place, needle, new, result] = case.counts(mark);
        result == place + new - needle
    };
    if MARKS.iter().all(is_balanced) {
        return None;
    }
    let is_misspelled = |line: &Line<'_>| {
        let [place, needle, new] = counts.get(&line.key).copied().unwrap_or_default();
        place == 0 && 0 < needle && new <= needle
    };
    let line = case.result.lines.iter().position(is_misspelled)?;
    Some(case.at_line(Law::Delta, line))
}

//! The count of every token lies between those of the place, the new text, and both changes together.
//!
//! ```text
//! file: a  keep
//! old:  a    new: keep  b    result: b    breaks it: file and new text have `keep`
//! ```

use rustc_hash::FxHashMap;

use crate::case::Case;
use crate::law::{Broken, Law};
use crate::text::Line;

/// Checks the counts of tokens, and the lines that old and new text share.
pub(crate) fn check(case: &Case<'_>) -> Result<(), Broken> {
    counts_are_bounded(case)?;
    shared_lines(case)
}

/// Checks that every token's count lies between those of the place, the new text, and both changes together.
fn counts_are_bounded(case: &Case<'_>) -> Result<(), Broken> {
    let mut counts: FxHashMap<u64, [isize; 4]> = FxHashMap::default();
    for (which, text) in [&case.place, &case.needle, &case.new, &case.result].into_iter().enumerate() {
        for token in &text.tokens {
            counts.entry(token.id).or_default()[which] += 1;
        }
    }
    if let Some(at) = case.result.tokens.iter().position(|token| breaks_delta(counts[&token.id])) {
        return Err(case.at_token(Law::Delta, at));
    }
    // The result lacks a lost token.
    let mut sources = [&case.place, &case.new].into_iter().flat_map(|text| &text.tokens);
    match sources.find(|token| breaks_delta(counts[&token.id])) {
        Some(token) => Err(Broken { law: Law::Delta, line: 0, token: token.text.to_owned() }),
        None => Ok(()),
    }
}

/// Marks that copies often lack at line ends.
const MARKS: [&str; 4] = [",", ";", ":", "."];

/// Checks that no line of the needle lands that the file lacks, unless the edit adds more of them, or the result has
/// the marks that it lacks elsewhere: lines that needle and new text share belong to the file.
fn shared_lines(case: &Case<'_>) -> Result<(), Broken> {
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
        return Ok(());
    }
    let is_misspelled = |line: &Line<'_>| {
        let [place, needle, new] = counts.get(&line.key).copied().unwrap_or_default();
        place == 0 && 0 < needle && new <= needle
    };
    match case.result.lines.iter().position(is_misspelled) {
        Some(line) => Err(case.at_line(Law::Delta, line)),
        None => Ok(()),
    }
}

/// Returns whether the result's count of a token is outside the bounds of the other counts.
fn breaks_delta([place, needle, new, result]: [isize; 4]) -> bool {
    let changed = place + new - needle;
    result < place.min(new).min(changed) || result > place.max(new).max(changed)
}

//! Lines that file and new text share are kept, and no line of the old text alone comes back.
//!
//! ```text
//! file: a[2]
//! old:  a[2][2]    new: a[2][2][2]    result: a[2][2]    breaks it: neither the file nor the new text has this line
//! ```

use rustc_hash::FxHashSet;

use crate::case::Case;
use crate::law::{Broken, Law};
use crate::text::counts;

/// Finds a line that the file and the new text have, and the result has less often than both.
pub(crate) fn lost_line(case: &Case<'_>) -> Option<Broken> {
    let [place, new, result] = [&case.place, &case.new, &case.result].map(|text| counts(text.keys()));
    let count = |counts: &crate::text::Counts, key: u64| counts.get(&key).copied().unwrap_or_default();
    let is_lost = |key: &u64| count(&result, *key) < count(&place, *key).min(count(&new, *key));
    let line = case.new.lines.iter().position(|line| is_lost(&line.key))?;
    let token = case.new.on(line).first().map_or("", |token| token.text);
    Some(Broken { law: Law::Lines, line: 0, token: token.to_owned() })
}

/// Finds a line of the result that is a line of the old text, and neither the file's nor the new text's.
pub(crate) fn old_line(case: &Case<'_>) -> Option<Broken> {
    let known: FxHashSet<u64> = case.place.keys().into_iter().chain(case.new.keys()).collect();
    let old: FxHashSet<u64> = case.needle.keys().into_iter().filter(|key| !known.contains(key)).collect();
    let line = case.result.lines.iter().position(|line| old.contains(&line.key))?;
    Some(case.at_line(Law::Lines, line))
}

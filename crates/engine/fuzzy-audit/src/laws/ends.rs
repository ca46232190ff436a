//! Lines begin and end like lines of the file or the new text, and no lines are joined.
//!
//! ```text
//! file: [  a  ],
//! old:  [  a,  ],    new: [  b,  c,  ],    result: [  b,  c  ],    breaks it: no line ends with `c`
//! ```

use rustc_hash::FxHashSet;

use crate::case::{Case, Landing};
use crate::law::{Broken, Law};
use crate::text::Pair;

/// Checks the ends of all lines, and the last line break.
pub(crate) fn check(case: &Case<'_>, landing: &Landing<'_>) -> Result<(), Broken> {
    begin_and_end(case)?;
    last_break(landing)
}

/// Checks that lines begin and end like lines of the file or the new text, and that no lines are joined.
fn begin_and_end(case: &Case<'_>) -> Result<(), Broken> {
    let sources = [&case.place, &case.new];
    let heads: FxHashSet<Pair> = sources.iter().flat_map(|text| text.heads()).collect();
    let tails: FxHashSet<Pair> = sources.iter().flat_map(|text| text.tails()).collect();
    let beside: FxHashSet<Pair> = sources.iter().flat_map(|text| text.neighbours()).map(|(_, pair)| pair).collect();
    let broken: FxHashSet<Pair> = case.new.breaks().filter(|pair| !beside.contains(pair)).collect();
    let kept_breaks: FxHashSet<Pair> = case.place.breaks().filter(|pair| broken.contains(pair)).collect();
    for (line, (head, tail)) in case.result.heads().zip(case.result.tails()).enumerate() {
        let begins_as_known = heads.contains(&head) || case.omissions.allows(head);
        let ends_as_known = tails.contains(&tail) || case.omissions.allows(tail);
        if !begins_as_known || !ends_as_known {
            return Err(case.at_line(Law::Ends, line));
        }
    }
    match case.result.neighbours().find(|(_, pair)| kept_breaks.contains(pair)) {
        Some((at, _)) => Err(case.at_token(Law::Ends, at)),
        None => Ok(()),
    }
}

/// Checks that whole lines end with a line break, unless the edit deletes the last one.
fn last_break(landing: &Landing<'_>) -> Result<(), Broken> {
    let Landing { place, needle, new, result, .. } = landing;
    let is_kept = new.ends_with('\n') || !needle.ends_with('\n');
    if is_kept && place.ends_with('\n') && !result.is_empty() && !result.ends_with('\n') {
        let line = result.matches('\n').count();
        return Err(Broken { law: Law::Ends, line, token: "\n".to_owned() });
    }
    Ok(())
}

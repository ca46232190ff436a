//! Lines begin and end like lines of the file or the new text, and no lines are joined.
//!
//! ```text
//! file: [  a  ],
//! old:  [  a,  ],    new: [  b,  c,  ],    result: [  b,  c  ],    breaks it: no line ends with `c`
//! ```

use rustc_hash::FxHashSet;

use crate::case::{Case, Landing};
use crate::law::{Broken, Law};
use crate::text::{Pair, Text};

/// Finds a line that begins or ends like no line of the file or the new text.
pub(crate) fn unknown_end(case: &Case<'_>) -> Option<Broken> {
    let heads: FxHashSet<Pair> = case.place.heads().chain(case.new.heads()).collect();
    let tails: FxHashSet<Pair> = case.place.tails().chain(case.new.tails()).collect();
    // If only blanks and line breaks of the needle differ, its new lines have the file's breaks.
    let pairs = |text: &Text<'_>| text.neighbours().map(|(_, pair)| pair).collect::<Vec<_>>();
    let inner: FxHashSet<Pair> = if has_other_breaks(case) {
        [&case.place, &case.new].into_iter().flat_map(pairs).collect()
    } else {
        FxHashSet::default()
    };
    let is_known =
        |known: &FxHashSet<Pair>, end| known.contains(&end) || inner.contains(&end) || case.omissions.allows(end);
    let mut ends = case.result.heads().zip(case.result.tails());
    let line = ends.position(|(head, tail)| !is_known(&heads, head) || !is_known(&tails, tail))?;
    Some(case.at_line(Law::Ends, line))
}

/// Returns whether place and needle differ in line breaks alone, and the edit leaves their separators and brackets alone,
/// which are closed: a line break belongs to the brackets around it, and a new item to a line.
fn has_other_breaks(case: &Case<'_>) -> bool {
    let are_closed = [("(", ")"), ("[", "]"), ("{", "}")].iter().all(|(opener, closer)| {
        let ([_, open, new_open, _], [_, closed, new_closed, _]) = (case.counts(opener), case.counts(closer));
        open == closed && open == new_open && closed == new_closed
    });
    let has_items = [",", ";"].iter().all(|mark| {
        let [_, needle, new, _] = case.counts(mark);
        needle == new
    });
    are_closed && has_items && case.has_other_breaks()
}

/// Finds two lines joined that the file and the new text keep apart.
pub(crate) fn joined_lines(case: &Case<'_>) -> Option<Broken> {
    let beside: FxHashSet<Pair> = case.place.neighbours().chain(case.new.neighbours()).map(|(_, pair)| pair).collect();
    let broken: FxHashSet<Pair> = case.new.breaks().filter(|pair| !beside.contains(pair)).collect();
    let kept: FxHashSet<Pair> = case.place.breaks().filter(|pair| broken.contains(pair)).collect();
    let (at, _) = case.result.neighbours().find(|(_, pair)| kept.contains(pair))?;
    Some(case.at_token(Law::Ends, at))
}

/// Finds whole lines without their last line break, unless the edit deletes it.
pub(crate) fn lost_break(case: &Case<'_>) -> Option<Broken> {
    let Landing { place, needle, new, result, .. } = case.landing;
    let is_kept = new.ends_with('\n') || !needle.ends_with('\n');
    if is_kept && place.ends_with('\n') && !result.is_empty() && !result.ends_with('\n') {
        let line = result.matches('\n').count();
        return Some(Broken { law: Law::Ends, line, token: "\n".to_owned() });
    }
    None
}

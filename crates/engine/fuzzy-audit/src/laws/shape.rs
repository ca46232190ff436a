//! The excess of opening brackets follows from the changes of file and edit.
//!
//! ```text
//! file: if (a) {  b();
//! old:  if (a)  b();    new: b();    result: b();    breaks it: the edit deletes no bracket
//! ```

use crate::case::Case;
use crate::law::{Broken, Law};

/// Opening brackets and their closing ones.
const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// Finds brackets with an excess of opening ones beyond the changes of file and edit.
pub(crate) fn unbalanced_brackets(case: &Case<'_>) -> Option<Broken> {
    for (opener, closer) in BRACKETS {
        let (openers, closers) = (case.counts(opener), case.counts(closer));
        let [place, needle, new, result] = [0, 1, 2, 3].map(|text| openers[text] - closers[text]);
        let (file, edit) = (place - needle, new - needle);
        let fits = if file == 0 || edit == 0 {
            let open = merged(openers);
            open.iter().any(|open| merged(closers).iter().any(|close| open - close == result))
        } else {
            result == place || result == new || (file.signum() != edit.signum() && result == place + edit)
        };
        if !fits {
            return Some(Broken { law: Law::Shape, line: 0, token: format!("{opener}{closer}") });
        }
    }
    None
}

/// Finds a line break of the file inside brackets that the edit deletes, where the new text has none: it belongs to the
/// brackets.
pub(crate) fn unbracketed_break(case: &Case<'_>) -> Option<Broken> {
    let [place, needle, new, result] =
        [&case.place, &case.needle, &case.new, &case.result].map(|text| text.lines.len());
    let is_kept = place > needle && new == needle && result > new && case.has_other_breaks();
    let is_deleted = |(opener, _): &&(&str, &str)| {
        let [_, needle, new, _] = case.counts(opener);
        new < needle
    };
    let (opener, closer) = BRACKETS.iter().find(|brackets| is_kept && is_deleted(brackets))?;
    Some(Broken { law: Law::Shape, line: 0, token: format!("{opener}{closer}") })
}

/// Returns the counts of a mark after both changes. If both add it or both delete it, that may be one change.
fn merged([place, needle, new, _]: [isize; 4]) -> [isize; 2] {
    let both = place + new - needle;
    let once = match ((place - needle).signum(), (new - needle).signum()) {
        (1, 1) => place.max(new),
        (-1, -1) => place.min(new),
        _ => both,
    };
    [both, once]
}

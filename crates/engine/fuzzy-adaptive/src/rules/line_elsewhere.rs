//! The place has another line for one of the old text that the file has elsewhere, once.
//!
//! The place is then a sibling of the intended one. A line with a comment after it is the same line.
//!
//! Example: file `import sys  import warnings  import pandas as pd  from pandas import NA`, old `import pandas as pd
//! import warnings`, new `import pandas as pd  import warnings  import time`.

use fuzzy_alignment::{Needle, Place, Search};
use fuzzy_merge::{Kind, Pair, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "line-elsewhere",
    kind: Kind::Absent,
    why: "a line of the old text occurs elsewhere, and the place has another one",
};

/// Returns whether a place has another line for one that occurs elsewhere.
pub(crate) fn check(search: &Search<'_>, needle: &Needle<'_>, place: &Place) -> bool {
    let lines = place.pairs.iter().filter(|pair| pair.is_one_to_one() && pair.similarity < 1.0);
    lines.filter(|pair| occurs_elsewhere(search, needle, place, pair)).any(|pair| {
        let text = needle.lines[pair.left.start].text.trim();
        !search.index.line(pair.right.start).trim_start().starts_with(text)
    })
}

/// Returns whether a line of the needle occurs once in the haystack, and outside of a place.
fn occurs_elsewhere(search: &Search<'_>, needle: &Needle<'_>, place: &Place, pair: &Pair) -> bool {
    let (first, last) = place.lines();
    let line = &needle.lines[pair.left.start];
    let known = search.places.get(&line.key).filter(|found| found.count == 1 && !line.elision);
    known.is_some_and(|found| !found.lines.iter().any(|at| (first..last).contains(at)))
}

//! Lines of context that tell the places of an ambiguous needle apart.

use std::collections::{HashMap, HashSet};

use fuzzy_core::{Document, Span};

use crate::blanks::excerpt;
use crate::{Lines, visible_blanks};

/// A line further away than this would make the needle long for one line.
const REACH: usize = 3;

/// Places for which a line is named at the most.
const MOST_NAMED: usize = 3;

/// Characters of a line that are quoted.
const WIDTH: usize = 60;

/// Names, for some of the places, the nearest line above or below that no other of them has near it on that side; none
/// where there is no such line.
pub(crate) fn telling_lines(document: &Document<'_>, places: &[Span]) -> Vec<String> {
    let (text, table) = (document.text(), document.lines());
    let line = |at: usize| table.span(at).text(text).trim();
    let around = |place: &Span| {
        let first = table.index_of(place.start());
        let last = table.index_of(place.end().max(place.start() + 1) - 1);
        (first, last)
    };
    // What stands above one place tells nothing if it stands above another as well; below is another matter.
    let mut counts: HashMap<(bool, &str), usize> = HashMap::new();
    for place in places {
        let (first, last) = around(place);
        let above = (first.saturating_sub(REACH)..first).map(|at| (true, line(at)));
        let below = (last + 1..(last + REACH + 1).min(table.len())).map(|at| (false, line(at)));
        for side_and_text in above.chain(below).collect::<HashSet<_>>() {
            *counts.entry(side_and_text).or_default() += 1;
        }
    }
    let is_place = |at: usize| places.iter().map(around).any(|(first, last)| (first..=last).contains(&at));
    let named = places.iter().filter_map(|place| {
        let (first, last) = around(place);
        let near = (1..=REACH).flat_map(|step| [first.checked_sub(step), Some(last + step)]).flatten();
        let tells = |at: &usize| {
            *at < table.len()
                && line(*at).contains(char::is_alphanumeric)
                && !is_place(*at)
                && counts.get(&(*at < first, line(*at))) == Some(&1)
        };
        let at = near.into_iter().find(tells)?;
        let quoted = excerpt(&visible_blanks(line(at), line(at)).0, 0, WIDTH);
        Some(format!("line {} `{quoted}` for {}", at + 1, Lines(first + 1, last + 1)))
    });
    named.take(MOST_NAMED).collect()
}

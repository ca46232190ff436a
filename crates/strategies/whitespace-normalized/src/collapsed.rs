//! Compares texts with all their runs of blanks collapsed, including line breaks.
//!
//! - Accepts: any run of blanks for any other, so also lines joined or broken between words.
//! - Refuses: added or missing runs of blanks.
//! - Cost: one substring pass for the rarest word, and a verification around each of its places.

use std::ops::ControlFlow;

use fuzzy_core::{CollapsedPattern, Found, Gap, Query, Strategy, blank};

/// Matches every run of blanks with any other.
///
/// At either end, the place includes the longest part of the file's run next to the words with no more line breaks than
/// the old text's own run there; nothing if the old text has none. A blank old text has no place.
#[derive(Debug)]
pub struct Collapsed;

impl Strategy for Collapsed {
    fn name(&self) -> &'static str {
        "whitespace-normalized/collapsed"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let (haystack, needle) = (query.text(), query.old());
        let before = &needle[..blank::leading(needle)];
        let after = &needle[needle.len() - blank::trailing(needle)..];
        query.places_of(&CollapsedPattern::new(blank::words(needle).collect(), Gap::Blanks), |place| {
            let (left, right) = (&haystack[..place.start()], &haystack[place.end()..]);
            if let Some(taken) = taken_before(left, before)
                && let Some(also_taken) = taken_after(right, after)
            {
                found.propose_equal(place.start() - taken, place.end() + also_taken)?;
            }
            ControlFlow::Continue(())
        })
    }
}

/// Returns the number of bytes of the run at the end of `text` that a place includes for the old text's `run` there;
/// `None` if the old text has a run and the text has not.
fn taken_before(text: &str, run: &str) -> Option<usize> {
    if run.is_empty() {
        return Some(0);
    }
    let there = &text[text.len() - blank::trailing(text)..];
    let more = there.rmatch_indices('\n').nth(breaks(run)).map_or(0, |(newline, _)| newline + 1);
    (!there.is_empty()).then(|| there.len() - more)
}

/// Returns the number of bytes of the run at the start of `text` that a place includes for the old text's `run` there.
fn taken_after(text: &str, run: &str) -> Option<usize> {
    if run.is_empty() {
        return Some(0);
    }
    let there = &text[..blank::leading(text)];
    let taken = there.match_indices('\n').nth(breaks(run)).map_or(there.len(), |(newline, _)| newline);
    (!there.is_empty()).then_some(taken)
}

fn breaks(run: &str) -> usize {
    run.matches('\n').count()
}

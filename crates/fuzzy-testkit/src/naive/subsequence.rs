//! `subsequence`.

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Similarity, Span};

use super::places::windows;

/// Searches below every line for the needle's lines in order, among at most twice as many lines.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let wanted: Vec<&str> = needle.split('\n').map(|line| line.trim_matches(is_blank)).collect();
    let wanted: Vec<&str> = wanted.into_iter().filter(|line| !line.is_empty()).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let lines = windows(haystack, 1);
    let below = (0..lines.len()).map(|first| &lines[first..lines.len().min(first + 2 * wanted.len())]);
    below.filter_map(|lines| from_first(haystack, lines, &wanted)).collect()
}

/// Finds the needle's lines in order among some lines, of which the first is its first.
fn from_first(haystack: &str, lines: &[Span], wanted: &[&str]) -> Option<Candidate> {
    let (mut matched, mut inked) = (0, 0);
    for line in lines {
        let text = line.text(haystack).trim_matches(is_blank);
        inked += usize::from(!text.is_empty());
        if text == wanted[matched] {
            matched += 1;
        } else if matched == 0 {
            return None;
        }
        if matched == wanted.len() {
            let similarity = Similarity::new(matched as f64 / inked as f64);
            return Some(Candidate::new(Span::new(lines[0].start(), line.end()), similarity));
        }
    }
    None
}

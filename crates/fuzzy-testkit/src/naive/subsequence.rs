//! `subsequence`.

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Similarity, Span};

use super::places::windows;

/// Looks below every line for the needle's lines in order, in at most twice as many.
#[must_use]
pub fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let wanted: Vec<&str> = needle.split('\n').map(|line| line.trim_matches(is_blank)).collect();
    let wanted: Vec<&str> = wanted.into_iter().filter(|line| !line.is_empty()).collect();
    let lines = windows(haystack, 1);
    let candidate = |first: usize| {
        let window = &lines[first..lines.len().min(first + 2 * wanted.len())];
        let (mut matched, mut inked) = (0, 0);
        for line in window {
            let text = line.text(haystack).trim_matches(is_blank);
            inked += usize::from(!text.is_empty());
            if text == wanted[matched] {
                matched += 1;
            } else if matched == 0 {
                return None;
            }
            if matched == wanted.len() {
                let similarity = Similarity::new(matched as f64 / inked as f64);
                return Some(Candidate::new(Span::new(window[0].start(), line.end()), similarity));
            }
        }
        None
    };
    if wanted.is_empty() { Vec::new() } else { (0..lines.len()).filter_map(candidate).collect() }
}

//! Rungs that measure how alike windows are.

use fuzzy_pipeline::blank;
use levenshtein::levenshtein;

use super::lines::without_blank_ends;
use super::{Place, lines_of, place};

/// Returns every window of so many lines with its similarity to the needle, in characters.
fn scored(haystack: &str, counts: impl Iterator<Item = usize>, needle: &str) -> Vec<(f64, Place)> {
    let lines = lines_of(haystack.strip_suffix('\n').unwrap_or(haystack));
    let mut scored = Vec::new();
    for count in counts.filter(|count| *count > 0) {
        for window in lines.windows(count) {
            let (start, end) = place(window);
            let text = &haystack[start..end];
            let longer = text.chars().count().max(needle.chars().count());
            let alike = if longer == 0 { 1.0 } else { 1.0 - levenshtein(text, needle) as f64 / longer as f64 };
            scored.push((alike, (start, end)));
        }
    }
    scored
}

pub(super) fn levenshtein_windows(haystack: &str, needle: &str) -> Vec<Place> {
    let needle = needle.strip_suffix('\n').unwrap_or(needle);
    let windows = scored(haystack, std::iter::once(needle.split('\n').count()), needle);
    windows.into_iter().filter(|(alike, _)| 1.0 - alike < 0.2).map(|(_, place)| place).collect()
}

pub(super) fn best_window_boocode(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted = without_blank_ends(needle);
    let windows = scored(haystack, std::iter::once(wanted.len()), &wanted.join("\n"));
    let best = windows.iter().map(|(alike, _)| *alike).fold(0.66, f64::max);
    windows.into_iter().filter(|(alike, _)| *alike >= best).map(|(_, place)| place).collect()
}

pub(super) fn best_window(haystack: &str, needle: &str) -> Vec<Place> {
    let needle = needle.strip_suffix('\n').unwrap_or(needle);
    let count = needle.split('\n').count();
    let mut windows = scored(haystack, count - 1..=count + 1, needle);
    windows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let Some((best, place)) = windows.first().copied().filter(|(best, _)| *best >= 0.6) else { return Vec::new() };
    let apart = |other: Place| other.1 <= place.0 || place.1 <= other.0;
    let second = windows.iter().find(|(_, other)| apart(*other)).map_or(0.0, |(alike, _)| *alike);
    if best - second >= 0.05 { vec![place] } else { Vec::new() }
}

pub(super) fn subsequence(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted: Vec<&str> = needle.split('\n').map(blank::trim).filter(|line| !line.is_empty()).collect();
    let lines = lines_of(haystack);
    let mut places = Vec::new();
    for first in 0..lines.len() {
        let window = &lines[first..lines.len().min(first + 2 * wanted.len())];
        let mut matched = 0;
        for (at, (_, line)) in window.iter().enumerate() {
            if matched < wanted.len() && blank::trim(line) == wanted[matched] {
                matched += 1;
            } else if at == 0 {
                break;
            }
            if matched == wanted.len() {
                places.push(place(&window[..=at]));
                break;
            }
        }
    }
    places
}

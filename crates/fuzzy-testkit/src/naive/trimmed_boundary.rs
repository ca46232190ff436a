//! `trimmed-boundary`.

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Span};

use super::places::{equal, occurrences, windows};

/// Finds a needle with outer blanks without them, then every window of lines that equals it without its own.
pub(super) fn plain(haystack: &str, needle: &str) -> Vec<Candidate> {
    let wanted = needle.trim_matches(is_blank);
    if wanted == needle {
        return Vec::new();
    }
    let mut found = match wanted {
        "" if haystack.is_empty() => vec![Span::new(0, 0)],
        "" => vec![Span::new(0, 0), Span::new(haystack.len(), haystack.len())],
        _ => occurrences(haystack, wanted),
    };
    let windows = windows(haystack, needle.split('\n').count()).into_iter();
    found.extend(windows.filter(|window| window.text(haystack).trim_matches(is_blank) == wanted));
    equal(found)
}

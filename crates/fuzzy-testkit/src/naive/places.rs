//! The spans that the definitions test.

use fuzzy_core::blank::is_blank;
use fuzzy_core::{Candidate, Similarity, Span};

/// Makes candidates of places that equal the needle under the strategy's rule.
pub(super) fn equal(places: impl IntoIterator<Item = Span>) -> Vec<Candidate> {
    places.into_iter().map(|place| Candidate::new(place, Similarity::ONE)).collect()
}

/// Returns whether a line consists of blanks.
pub(super) fn is_blank_line(line: &str) -> bool {
    line.chars().all(is_blank)
}

/// Returns every window of `count` lines of `haystack`, without the last line's `\n`, from top to bottom.
#[must_use]
pub fn windows(haystack: &str, count: usize) -> Vec<Span> {
    let ends: Vec<usize> = haystack.match_indices('\n').map(|(at, _)| at).chain([haystack.len()]).collect();
    let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
    starts.zip(ends.iter().skip(count - 1)).map(|(start, end)| Span::new(start, *end)).collect()
}

/// Returns the windows whose lines have the normal forms `wanted`, one by one.
pub fn windows_of_forms<F: PartialEq>(haystack: &str, wanted: &[F], form: impl Fn(&str) -> F) -> Vec<Span> {
    let mut places = windows(haystack, wanted.len());
    places.retain(|window| window.text(haystack).split('\n').zip(wanted).all(|(line, want)| form(line) == *want));
    places
}

/// Returns every occurrence of `needle`, overlapping ones too; none of an empty needle.
pub(super) fn occurrences(haystack: &str, needle: &str) -> Vec<Span> {
    let starts = haystack.char_indices().map(|(at, _)| at);
    starts
        .filter(|at| !needle.is_empty() && haystack[*at..].starts_with(needle))
        .map(|at| Span::new(at, at + needle.len()))
        .collect()
}

/// Returns every span whose normal form is `wanted`, in order of start and end; none for an empty form.
///
/// Tests longer and longer spans from every start, until the form differs. So a form must grow with its text, and may
/// only remove blanks or turn them into a space.
pub(super) fn spans_of_form(haystack: &str, wanted: &str, form: fn(&str) -> String) -> Vec<Span> {
    let Some(head) = wanted.chars().next() else { return Vec::new() };
    let mut places = Vec::new();
    for (start, first) in haystack.char_indices() {
        if first != head && !is_blank(first) {
            continue;
        }
        let mut end = start;
        for c in haystack[start..].chars() {
            end += c.len_utf8();
            let have = form(&haystack[start..end]);
            if have == wanted {
                places.push(Span::new(start, end));
            }
            // Blanks at the end are ignored here, because a form may remove them when more text follows.
            if !wanted.starts_with(have.trim_end_matches(' ')) {
                break;
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use fuzzy_core::Span;
    use proptest::prelude::*;

    use super::spans_of_form;
    use crate::naive::indentation_flexible::stripped_form;
    use crate::naive::whitespace_normalized::{collapsed_form, inline_form};
    use crate::texts;

    /// Returns every span whose normal form is `wanted`, by testing all.
    fn all_spans_of_form(haystack: &str, wanted: &str, form: fn(&str) -> String) -> Vec<Span> {
        let bounds: Vec<usize> = (0..=haystack.len()).filter(|at| haystack.is_char_boundary(*at)).collect();
        let starts = bounds.iter().enumerate();
        let spans = starts.flat_map(|(at, start)| bounds[at + 1..].iter().map(|end| Span::new(*start, *end)));
        spans.filter(|span| !wanted.is_empty() && form(span.text(haystack)) == wanted).collect()
    }

    proptest! {
        #![proptest_config(texts::config())]

        #[test]
        fn a_search_that_ends_early_misses_no_span((haystack, needle) in prop_oneof![2 => texts::respaced(), 1 => texts::pair()]) {
            let haystack: String = haystack.chars().take(40).collect();
            for form in [inline_form, collapsed_form, stripped_form] {
                let wanted = form(&needle);
                let all = all_spans_of_form(&haystack, &wanted, form);
                prop_assert_eq!(spans_of_form(&haystack, &wanted, form), all);
            }
        }
    }
}

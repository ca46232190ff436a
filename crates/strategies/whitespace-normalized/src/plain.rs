//! Compares lines and windows of lines with every run of blanks replaced by one space.

use std::ops::ControlFlow;

use fuzzy_core::{CollapsedPattern, Found, Gap, Query, Span, Strategy, Trimmed, blank, line_end, line_start, rarity};

/// Proposes, line by line, the line with the old text's words, or otherwise the first place inside it where they occur;
/// then windows with as many lines as the old text and the old text's words.
///
/// The first and the last word of a place inside a line may be parts of the line's words. An old text without words equals
/// every blank line, and occurs as the empty text at both ends of every other line, so that no such place is unique.
#[derive(Debug)]
pub struct WhitespaceNormalized;

impl Strategy for WhitespaceNormalized {
    fn name(&self) -> &'static str {
        "whitespace-normalized"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let lines = query.old_lines().len();
        let words: Vec<&str> = blank::words(query.old()).collect();
        if query.old().is_empty() || lacks_a_word(query, &words) {
            return ControlFlow::Continue(());
        }
        if words.is_empty() {
            return blank_needle(query, lines, found);
        }
        let in_one_line = CollapsedPattern::new(words.clone(), Gap::Inline);
        let mut line = Span::new(0, 0);
        query.places_of(&in_one_line, |place| {
            let is_first_of_line = place.start() >= line.end();
            if is_first_of_line {
                line = line_of(query.text(), place);
                let whole = blank::trim(line.text(query.text())).len() == place.len();
                let span = if whole { line } else { place };
                found.propose_equal(span.start(), span.end())?;
            }
            ControlFlow::Continue(())
        })?;
        if lines == 1 {
            return ControlFlow::Continue(());
        }
        query.places_of(&CollapsedPattern::new(words, Gap::Blanks), |place| {
            query.windows_around(place, lines, |window| found.propose_equal(window.start(), window.end()))
        })
    }
}

/// Returns whether the text certainly lacks one of `words`.
///
/// The rarest words of the first and of the last line are tested first, because earlier strategies have searched these
/// lines.
fn lacks_a_word(query: &Query<'_>, words: &[&str]) -> bool {
    let lines = query.old_lines_trimmed();
    let of_ends = [lines.first(), lines.last()].into_iter().flatten();
    words.iter().any(|word| query.known_absent(word))
        || of_ends
            .filter_map(|line| rarity::rarest(blank::words(line), |word| *word))
            .any(|word| query.first_occurrence(word).is_none())
}

fn line_of(haystack: &str, place: Span) -> Span {
    Span::new(line_start(haystack, place.start()), line_end(haystack, place.end()))
}

fn blank_needle(query: &Query<'_>, lines: usize, found: &mut Found<'_>) -> ControlFlow<()> {
    let haystack = query.text();
    let mut at = Some(0);
    while let Some(start) = at {
        let end = line_end(haystack, start);
        at = (end < haystack.len()).then_some(end + 1);
        query.spend(end - start + 16)?;
        if blank::is_blank_text(&haystack[start..end]) {
            found.propose_equal(start, end)?;
        } else {
            found.propose_equal(start, start)?;
            found.propose_equal(end, end)?;
        }
    }
    if lines == 1 {
        return ControlFlow::Continue(());
    }
    query.windows_equal_by(query.old_lines(), &Trimmed, |window| found.propose_equal(window.start(), window.end()))
}

//! Drawings of the candidates of a strategy, for review by a person.
//!
//! [`pictures!`](crate::pictures) makes a test for each picture.

use std::fmt::Write;

use fuzzy_core::{Span, Strategy, blank};

use crate::candidates;

/// Draws the needle, then every candidate: the haystack with the span underlined, and the similarity.
///
/// Blanks are visible: `·` space, `→` tab, `␍` carriage return, `⏎` line break, `␣` any other blank, `∅` an empty span.
/// A needle without candidates is marked as refused.
pub fn picture(strategy: &dyn Strategy, haystack: &str, needle: &str) -> String {
    let mut out = format!("needle\n{}", lines(needle, None));
    let found = candidates(strategy, haystack, needle);
    if found.is_empty() {
        let _ = write!(out, "\nrefused by {}\n{}", strategy.name(), lines(haystack, None));
    }
    for candidate in &found {
        let span = candidate.span;
        let _ = write!(
            out,
            "\nfound by {} at {}..{}, similarity {}\n{}",
            strategy.name(),
            span.start(),
            span.end(),
            candidate.similarity,
            lines(haystack, Some(span)),
        );
    }
    out
}

/// Draws the lines of a text, and underlines the span.
fn lines(text: &str, span: Option<Span>) -> String {
    let mut out = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n').chain(text.is_empty().then_some("")) {
        let shown: String = line.chars().map(visible).collect();
        let _ = writeln!(out, "  | {shown}");
        if let Some(span) = span {
            let mut marks: String =
                line.char_indices().map(|(at, _)| if span.contains(start + at) { '^' } else { ' ' }).collect();
            let is_here = span.is_empty() && start <= span.start() && span.start() <= start + line.len();
            if is_here && (span.start() < start + line.len() || start + line.len() == text.len()) {
                let column = line[..span.start() - start].chars().count();
                marks = format!("{}∅", " ".repeat(column));
            }
            if marks.contains(['^', '∅']) {
                let _ = writeln!(out, "  : {}", marks.trim_end());
            }
        }
        start += line.len();
    }
    out
}

/// Returns the symbol of a blank; returns other characters unchanged.
fn visible(c: char) -> char {
    match c {
        ' ' => '·',
        '\t' => '→',
        '\r' => '␍',
        '\n' => '⏎',
        c if blank::is_blank(c) || c.is_control() => '␣',
        c => c,
    }
}

/// Returns the snapshot name of a strategy.
#[doc(hidden)]
pub fn title(strategy: &dyn Strategy, name: &str) -> String {
    format!("{}/{name}", strategy.name())
}

/// Makes the tests that draw a strategy: one of the [shared cases](crate::shared), and one for each haystack and needle
/// of the arguments.
///
/// ```ignore
/// fuzzy_testkit::pictures!(
///     fuzzy_exact::Exact,
///     (accepts_every_overlapping_place, "aaa", "aa"),
///     (refuses_other_blanks, "if a {\n\tb();\n}\n", "if a {\n    b();"),
/// );
/// ```
///
/// The snapshots are named after the strategy and the test: `exact__refuses_other_blanks.snap`.
#[macro_export]
macro_rules! pictures {
    ($strategy:expr, $(($name:ident, $haystack:expr, $needle:expr)),* $(,)?) => {
        #[test]
        fn shared_cases() {
            let strategy = &$strategy;
            $crate::assert_snapshot!($crate::picture::title(strategy, "shared_cases"), $crate::shared::table(strategy));
        }

        $(
            #[test]
            fn $name() {
                let strategy = &$strategy;
                $crate::assert_snapshot!(
                    $crate::picture::title(strategy, stringify!($name)),
                    $crate::picture::picture(strategy, $haystack, $needle)
                );
            }
        )*
    };
}

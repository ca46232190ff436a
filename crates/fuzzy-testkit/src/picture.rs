//! Drawings for review by a person: the candidates of a strategy, and the changes of a file.
//!
//! [`pictures!`](crate::pictures) makes the test of a strategy's drawings.

use std::fmt::Write;

use fuzzy_core::{Span, Strategy, blank};
use similar::TextDiff;

use crate::{candidates, shared};

/// Lines of a haystack before and after a span.
const CONTEXT: usize = 2;

/// Draws the result of the [shared cases](crate::shared), then every candidate of each picture: the lines around the
/// span, with the span underlined, and the similarity. A needle without candidates is marked as refused.
///
/// The haystack and the needle are in the test. Blanks are visible: `·` space, `→` tab, `␍` carriage return, `⏎` line
/// break, `␣` any other blank, `∅` an empty span, `⋮` lines that are left out.
pub fn pictures(strategy: &dyn Strategy, pictures: &[(&str, &str, &str)]) -> String {
    let mut out = format!("# shared cases\n{}", shared::table(strategy));
    for (name, haystack, needle) in pictures {
        let _ = writeln!(out, "\n# {name}");
        let found = candidates(strategy, haystack, needle);
        if found.is_empty() {
            out.push_str("refused\n");
        }
        for candidate in &found {
            let (start, end) = (candidate.span.start(), candidate.span.end());
            let _ = writeln!(out, "{start}..{end}, similarity {}", candidate.similarity);
            out.push_str(&around(haystack, candidate.span));
        }
    }
    out
}

/// Draws the lines around a span, and underlines it.
fn around(text: &str, span: Span) -> String {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n').chain(text.is_empty().then_some("")) {
        let end = start + line.len();
        let mut marks: String =
            line.char_indices().map(|(at, _)| if span.contains(start + at) { '^' } else { ' ' }).collect();
        let is_here = span.is_empty() && start <= span.start() && span.start() <= end;
        if is_here && (span.start() < end || end == text.len()) {
            marks = format!("{}∅", " ".repeat(line[..span.start() - start].chars().count()));
        }
        lines.push((line.chars().map(visible).collect::<String>(), marks.trim_end().to_owned()));
        start = end;
    }
    let marked = |at: &usize| lines.get(*at).is_some_and(|(_, marks)| !marks.is_empty());
    let (first, last) = ((0..lines.len()).find(marked).unwrap_or(0), (0..lines.len()).rfind(marked).unwrap_or(0));
    let (from, to) = (first.saturating_sub(CONTEXT), (last + CONTEXT + 1).min(lines.len()));
    let mut out = if from > 0 { "  ⋮\n".to_owned() } else { String::new() };
    for (line, marks) in &lines[from..to] {
        let _ = writeln!(out, "  | {line}");
        if !marks.is_empty() {
            let _ = writeln!(out, "  : {marks}");
        }
    }
    out + if to < lines.len() { "  ⋮\n" } else { "" }
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

/// Draws a line after a margin; tabs, carriage returns and blanks at its end are visible.
#[must_use]
pub fn line(margin: &str, line: &str) -> String {
    let body = line.trim_end_matches('\n');
    let text = body.trim_end();
    let blanks = body[text.len()..].replace(' ', "·").replace('\t', "→").replace('\r', "␍");
    format!("{margin} {}{blanks}", text.replace('\t', "→   ")).trim_end().to_owned() + "\n"
}

/// Draws the deleted (`-`) and the added lines (`+`), with one line of the file around them.
#[must_use]
pub fn changes(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut out = String::new();
    for change in diff.grouped_ops(1).iter().flatten().flat_map(|op| diff.iter_changes(op)) {
        out.push_str(&line(&format!("{} |", change.tag()), change.value()));
        if change.missing_newline() {
            out.push_str("    no line break at the end\n");
        }
    }
    out
}

/// Returns the name of a strategy's snapshot.
#[doc(hidden)]
pub fn name(strategy: &dyn Strategy) -> &'static str {
    strategy.name()
}

/// Makes the test that draws a strategy: the [shared cases](crate::shared), and the haystacks and needles of the
/// arguments.
///
/// ```ignore
/// fuzzy_testkit::pictures!(
///     fuzzy_exact::Exact,
///     (accepts_every_overlapping_place, "aaa", "aa"),
///     (refuses_other_blanks, "if a {\n\tb();\n}\n", "if a {\n    b();"),
/// );
/// ```
///
/// The snapshot is named after the strategy: `exact.snap`.
#[macro_export]
macro_rules! pictures {
    ($strategy:expr, $(($name:ident, $haystack:expr, $needle:expr)),* $(,)?) => {
        #[test]
        fn pictures() {
            let strategy = &$strategy;
            let pictures = $crate::picture::pictures(strategy, &[$((stringify!($name), $haystack, $needle)),*]);
            $crate::assert_snapshot!($crate::picture::name(strategy), pictures);
        }
    };
}

#[cfg(test)]
mod tests {
    use fuzzy_core::Span;

    use super::{around, changes};

    #[test]
    fn only_the_lines_around_a_span_are_drawn() {
        let text = "a\nb\nc\nd e\nf\ng\nh\n";
        let drawn = "  ⋮\n  | b⏎\n  | c⏎\n  | d·e⏎\n  :   ^\n  | f⏎\n  | g⏎\n  ⋮\n";
        assert_eq!(around(text, Span::new(8, 9)), drawn);
        assert_eq!(around("", Span::new(0, 0)), "  |\n  : ∅\n".replace("|\n", "| \n"));
    }

    #[test]
    fn changes_have_one_line_around_them() {
        assert_eq!(changes("a\nb\nc\n", "a\nb\nd"), "  | b\n- | c\n+ | d\n    no line break at the end\n");
    }
}

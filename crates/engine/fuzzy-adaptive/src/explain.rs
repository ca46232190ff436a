//! Shows a needle beside the lines of its place, for reports to people.
//!
//! Decides nothing: the caller gives the place, and the needle is aligned with its lines again.
//!
//! Cost: one pass over the haystack, and an alignment with the lines of the place.

use std::ops::Range;

use fuzzy_core::blank::is_blank_text;
use fuzzy_core::report::{LandedLine, NumberedLine, Origin, Row, SideBySide};
use fuzzy_core::{Question, Splice, line_end, line_start};
use fuzzy_locate::{
    Escape, Index, Located, Needle, Place, Search, TIE, Variant, escape_at, full_lines, place_in, similarity,
    variants_of,
};
use fuzzy_merge::{LeftOut, Line, Pair, align, equal_but_blanks};

use crate::decision::whole_lines;

/// Shows the needle beside the lines around `at`, and the origin of every line of `lands`. Reuses the index of a
/// search. `styled` has the names of the slips that the merge undid.
pub(crate) fn side_by_side(
    question: &Question<'_>,
    (search, located): (Option<&Search<'_>>, Option<&Located>),
    at: Range<usize>,
    lands: Option<&Splice>,
    styled: &[&'static str],
) -> SideBySide {
    let query = &question.query;
    let (haystack, needle) = (query.text(), query.old());
    let exact = haystack[at.clone()] == *needle;
    let at = whole_lines(haystack, at);
    let made;
    let Search { index, variants, places, .. } = if let Some(search) = search {
        search
    } else {
        let new = question.new.unwrap_or(needle);
        let variants =
            if exact { vec![Variant::literal(needle, new)] } else { variants_of(needle, new, LeftOut::default()) };
        made = Search::of_lines(variants, Index::new(query, needle.len().max(at.len())), LeftOut::default());
        &made
    };
    let from = index.lines.partition_point(|line| line.end <= at.start);
    let to = index.lines.partition_point(|line| line.start < at.end);

    let mut best: Option<(&Variant<'_>, Place)> = None;
    // A landing is explained by the variant that landed.
    let chosen = located.filter(|_| lands.is_some()).and_then(|located| variants.get(located.variant));
    for variant in chosen.map_or(&variants[..], std::slice::from_ref) {
        let lines = Needle::new(&full_lines(&variant.needle), places);
        if lines.total > 0.0
            && let Some(place) = place_in(query, index, &lines, from..to)
            && best.as_ref().is_none_or(|(_, other)| place.score > other.score + TIE)
        {
            best = Some((variant, place));
        }
    }
    let (variant, pairs) = best.map_or((&variants[0], Vec::new()), |(variant, place)| (variant, place.pairs));
    let lines = Needle::new(&full_lines(&variant.needle), places);
    let escape = escape_at(index, &lines, &pairs).map(Escape::slip);
    let undone = [variant.slip, escape].into_iter().flatten().map(|slip| slip.name);
    let undone = undone.chain(styled.iter().copied()).collect();

    let number = |start| query.document().lines().index_of(start) + 1;
    let ours = Side::new(&variant.needle, 1);
    let theirs = Side::new(&haystack[at.clone()], number(at.start));
    let table = Table { ours, theirs, weights: lines.lines };
    let rows = if exact {
        table.exact()
    } else {
        // The index counts the lines of the whole file.
        table.rows(pairs.into_iter().map(|pair| pair.shifted(0, -from.cast_signed())))
    };
    let lands = lands.map_or_else(Vec::new, |splice| {
        let (span, text) = in_whole_lines(haystack, splice.span.range(), &splice.text);
        let file = Side::new(&haystack[span.clone()], number(span.start));
        landed(&file, &Side::new(&variant.replacement, 1), &text)
    });
    SideBySide { undone, rows, lands }
}

/// Widens a replaced span and its new text to whole lines.
fn in_whole_lines(haystack: &str, span: Range<usize>, text: &str) -> (Range<usize>, String) {
    let start = line_start(haystack, span.start);
    let ends_line =
        span.end > start && haystack[..span.end].ends_with('\n') && (text.is_empty() || text.ends_with('\n'));
    let end = if ends_line { span.end } else { line_end(haystack, span.end) };
    (start..end, [&haystack[start..span.start], text, &haystack[span.end..end]].concat())
}

/// A text's lines, and the lines for an alignment.
struct Side<'t> {
    lines: Vec<&'t str>,
    /// The indexes of the lines that are not blank.
    full: Vec<usize>,
    /// The number of the first line.
    first: usize,
}

impl<'t> Side<'t> {
    fn new(text: &'t str, first: usize) -> Self {
        let mut lines: Vec<&str> = text.split('\n').collect();
        if lines.len() > 1 && lines.last() == Some(&"") {
            lines.pop();
        }
        let full = (0..lines.len()).filter(|&at| !is_blank_text(lines[at])).collect();
        Self { lines, full, first }
    }

    fn numbered(&self, range: Range<usize>) -> Vec<NumberedLine> {
        range.map(|at| NumberedLine { number: self.first + at, text: self.lines[at].to_owned() }).collect()
    }

    /// Returns the index of a line if it exists and is blank.
    fn blank_line(&self, at: usize) -> Option<usize> {
        self.lines.get(at).is_some_and(|line| is_blank_text(line)).then_some(at)
    }

    /// Returns the lines from the first to the last of some full lines.
    fn range(&self, full: &Range<usize>) -> Range<usize> {
        self.full[full.start]..self.full[full.end - 1] + 1
    }

    fn aligned(&self) -> Vec<Line<'t>> {
        self.full.iter().map(|&at| Line::new(self.lines[at])).collect()
    }
}

/// Makes the rows of two sides.
struct Table<'t> {
    ours: Side<'t>,
    theirs: Side<'t>,
    /// The needle's full lines with their weights.
    weights: Vec<Line<'t>>,
}

impl Table<'_> {
    fn row(&self, ours: Range<usize>, theirs: Range<usize>, alike: f32) -> Row {
        let full = ours.clone().filter_map(|at| self.ours.full.binary_search(&at).ok());
        // Elisions are no evidence.
        let proofs = full.map(|at| if self.weights[at].elision { 0.0 } else { self.weights[at].weight });
        let evidence: f32 = proofs.sum();
        Row {
            // Only three digits are significant.
            evidence: (f64::from(evidence) * 1000.0).round() / 1000.0,
            similarity: (!ours.is_empty() && !theirs.is_empty()).then(|| similarity(alike)),
            old: self.ours.numbered(ours),
            file: self.theirs.numbered(theirs),
        }
    }

    /// Lays out an exact needle line by line; its ends may be inside a line.
    fn exact(&self) -> Vec<Row> {
        let (ours, theirs) = (self.ours.lines.len(), self.theirs.lines.len());
        (0..ours.max(theirs))
            .map(|at| self.row(at.min(ours)..(at + 1).min(ours), at.min(theirs)..(at + 1).min(theirs), 1.0))
            .collect()
    }

    fn rows(&self, pairs: impl Iterator<Item = Pair>) -> Vec<Row> {
        let mut rows = Vec::new();
        let (mut left, mut right) = (0, 0);
        for pair in pairs {
            let (ours, theirs) = (self.ours.range(&pair.left), self.theirs.range(&pair.right));
            self.gap(left..ours.start, right..theirs.start, &mut rows);
            (left, right) = (ours.end, theirs.end);
            rows.push(self.row(ours, theirs, pair.similarity));
        }
        self.gap(left..self.ours.lines.len(), right..self.theirs.lines.len(), &mut rows);
        rows
    }

    /// Lays out lines of one side alone. Blank lines of both sides belong together.
    fn gap(&self, ours: Range<usize>, theirs: Range<usize>, rows: &mut Vec<Row>) {
        let blank = ours.clone().all(|at| is_blank_text(self.ours.lines[at]))
            && theirs.clone().all(|at| is_blank_text(self.theirs.lines[at]));
        let both = if blank { ours.len().min(theirs.len()) } else { 0 };
        let pairs = ours.clone().zip(theirs.clone()).take(both);
        rows.extend(pairs.map(|(our, their)| self.row(our..our + 1, their..their + 1, 1.0)));
        let (ours, theirs) = (ours.start + both..ours.end, theirs.start + both..theirs.end);
        rows.extend(ours.map(|at| self.row(at..at + 1, 0..0, 0.0)));
        rows.extend(theirs.map(|at| self.row(0..0, at..at + 1, 0.0)));
    }
}

/// Returns the lines of `text` with their origins: the file, the replacement, or both.
fn landed(file: &Side<'_>, new: &Side<'_>, text: &str) -> Vec<LandedLine> {
    let ours = Side::new(text, 1);
    if text.is_empty() {
        return Vec::new();
    }
    let (of_file, of_new) = (partners(&ours, file), partners(&ours, new));
    let mut lines = Vec::with_capacity(ours.lines.len());
    // The lines after the partners of the last written line: blank lines have no other partner.
    let (mut next_file, mut next_new) = (0, 0);
    for (at, &line) in ours.lines.iter().enumerate() {
        let file_line = of_file[at].or_else(|| file.blank_line(next_file).filter(|_| is_blank_text(line)));
        let new_line = of_new[at].or_else(|| new.blank_line(next_new).filter(|_| is_blank_text(line)));
        next_file = file_line.map_or(next_file, |at| at + 1);
        next_new = new_line.map_or(next_new, |at| at + 1);
        let origin = if file_line.is_some_and(|at| file.lines[at] == line) {
            Origin::File
        } else if file_line.is_none() || new_line.is_some_and(|at| equal_but_blanks(new.lines[at], line)) {
            Origin::New
        } else {
            Origin::Merged
        };
        lines.push(LandedLine {
            text: line.to_owned(),
            origin,
            file_line: file_line.map(|at| file.first + at),
            new_line: new_line.map(|at| new.first + at),
        });
    }
    lines
}

/// Returns the equal or similar line of `other` for every line of `ours`.
fn partners(ours: &Side<'_>, other: &Side<'_>) -> Vec<Option<usize>> {
    let mut found = vec![None; ours.lines.len()];
    for pair in align(&ours.aligned(), &other.aligned(), false).pairs {
        for at in pair.left.clone() {
            found[ours.full[at]] = Some(other.full[pair.right.start]);
        }
    }
    found
}

//! Whole edits under the decider, drawn: both texts, the place, the pieces of the merge, and the result.

use std::fmt::Write;
use std::ops::Range;

use fuzzy_adaptive::Adaptive;
use fuzzy_alignment::{Alignment, Search, place_in, variants_of};
use fuzzy_audit::{Equivalences, audit};
use fuzzy_core::{Conflict, Document, Edit, Failure, Judgement, Ladder, Pipeline, Query};
use fuzzy_merge::{Merged, hunks, merge};
use fuzzy_testkit::assert_snapshot;
use serde::Deserialize;
use similar::TextDiff;

/// An edit to draw, named as its snapshot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    file: String,
    needle: String,
    new: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

fn assert_all(toml: &str) {
    let cases: Cases = toml::from_str(toml).unwrap_or_else(|error| panic!("{error}"));
    for case in cases.case {
        assert_snapshot!(case.name.replace(' ', "_"), drawn(&case.file, &case.needle, &case.new));
    }
}

#[test]
fn small_changes() {
    assert_all(include_str!("edits/small_changes.toml"));
}

#[test]
fn forgotten_lines() {
    assert_all(include_str!("edits/forgotten_lines.toml"));
}

#[test]
fn indentation() {
    assert_all(include_str!("edits/indentation.toml"));
}

#[test]
fn lines() {
    assert_all(include_str!("edits/lines.toml"));
}

#[test]
fn characters() {
    assert_all(include_str!("edits/characters.toml"));
}

#[test]
fn respelt() {
    assert_all(include_str!("edits/respelt.toml"));
}

#[test]
fn line_breaks() {
    assert_all(include_str!("edits/line_breaks.toml"));
}

#[test]
fn truncated() {
    assert_all(include_str!("edits/truncated.toml"));
}

#[test]
fn made_already() {
    assert_all(include_str!("edits/made_already.toml"));
}

#[test]
fn near_misses() {
    assert_all(include_str!("edits/near_misses.toml"));
}

/// Draws an edit. The lines of the place are marked by `>`; tabs, carriage returns and blanks at line ends are visible.
fn drawn(file: &str, needle: &str, new: &str) -> String {
    let pipeline = Pipeline::new(Ladder::new("adaptive", &Adaptive, vec![&Alignment]));
    let document = Document::new(file);
    let edit = Edit::new(needle, new);
    let attempt = edit.fit(&pipeline, &document);
    let judgement = attempt.decide();
    let mut places: Vec<Range<usize>> = judgement.places().spans.iter().map(|span| span.range()).collect();
    if places.is_empty() {
        places.extend(judgement.nearest().map(|nearest| nearest.span.range()));
    }
    let mut out = String::new();
    for (title, text) in [("needle", needle), ("new text", new)] {
        let _ = writeln!(out, "{title}");
        text.split_inclusive('\n').for_each(|line| out.push_str(&drawn_line("  |", line)));
    }
    let _ = writeln!(out, "\nfile");
    let mut start = 0;
    for line in file.split_inclusive('\n') {
        let marked = places.iter().any(|place| start < place.end && place.start < start + line.len());
        out.push_str(&drawn_line(if marked { "> |" } else { "  |" }, line));
        start += line.len();
    }
    let result = judgement.apply();
    let merge = Merge::of(&judgement).filter(|_| match &result {
        Ok(applied) => applied.found.strategy != "exact",
        Err(failure) => matches!(failure, Failure::Refused(_)),
    });
    if let Some(merge) = &merge {
        let _ = writeln!(out, "\npieces");
        for piece in merge.hunks.lines() {
            let _ = writeln!(out, "  {piece}");
        }
    }
    match result {
        Ok(applied) => {
            if let Some(merge) = &merge {
                assert_eq!(merge.output(), applied.output, "these are not the pieces that landed");
            }
            let pasted = if merge.is_none() { " as it is sent" } else { "" };
            let _ = write!(out, "\nlands{pasted}\n{}", difference(file, &applied.output));
        }
        Err(failure) => {
            // If the merge has the reason, the score does not matter.
            let why = merge.as_ref().map_or_else(Vec::new, Merge::faults);
            if why.is_empty() {
                let _ = writeln!(out, "\nrefused: {}", failure.to_string().trim_start_matches("refused: "));
            } else {
                let _ = writeln!(out, "\nrefused");
            }
            for fault in why {
                let _ = writeln!(out, "  {fault}");
            }
            for conflict in judgement.conflicts() {
                out.push_str(&contested(file, conflict));
            }
            if let Some(proposal) = judgement.proposal() {
                let proposed = file.replacen(&proposal.needle, &proposal.replacement, 1);
                let _ = write!(out, "\nproposes\n{}", difference(file, &proposed));
            }
        }
    }
    out
}

/// Draws both versions of a conflict, and the lines before (`-`) and after (`+`) the choice of the new text.
fn contested(file: &str, Conflict { file: theirs, needle, new, lines, taken }: &Conflict) -> String {
    let mut out = String::from("\nconflict\n");
    let _ = writeln!(out, "  file {:?}, needle {needle:?}, new text {new:?}", theirs.text(file));
    lines.text(file).lines().for_each(|line| out.push_str(&drawn_line("- |", line)));
    taken.lines().for_each(|line| out.push_str(&drawn_line("+ |", line)));
    out
}

/// Draws a line with visible blanks, after a margin.
fn drawn_line(margin: &str, line: &str) -> String {
    let body = line.trim_end_matches('\n');
    let text = body.trim_end();
    let blanks: String = body[text.len()..].replace(' ', "·");
    format!("{margin} {}{}", text.replace('\t', "→   "), blanks.replace('\t', "→").replace('\r', "␍"))
        .trim_end()
        .to_owned()
        + "\n"
}

/// Draws the deleted and the added lines, with one line of the file around them.
fn difference(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut out = String::new();
    for group in diff.grouped_ops(1) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            out.push_str(&drawn_line(&format!("{} |", change.tag()), change.value()));
            if change.missing_newline() {
                out.push_str("    no line break at the end\n");
            }
        }
    }
    out
}

/// The merge at the best place, made again from its variant.
struct Merge {
    haystack: String,
    needle: String,
    new: String,
    hunks: String,
    merged: Merged,
}

impl Merge {
    fn of(judgement: &Judgement<'_>) -> Option<Self> {
        let (haystack, edit) = (judgement.document().text(), judgement.edit());
        let place = judgement.nearest()?.span.range();
        let document = Document::new(haystack);
        let query = Query::new(&document, edit.needle);
        let mut search = Search::new(&query, variants_of(edit.needle, edit.replacement));
        let mut located = search.locate(&query)?;
        if judgement.apply().is_ok()
            && let Some(repaired) = search.repaired(&query, &located)
        {
            search.add(repaired);
            located = search.locate(&query)?;
        }
        let (needle, new) = read(&query, &search, located.variant, place.clone());
        let hunks = hunks(haystack, place.clone(), &needle, &new).ok()?;
        let merged = merge(haystack, place, &needle, &new).ok()?;
        Some(Self { needle, new, hunks, merged, haystack: haystack.to_owned() })
    }

    fn output(&self) -> String {
        let span = &self.merged.span;
        [&self.haystack[..span.start], &self.merged.text, &self.haystack[span.end..]].concat()
    }

    /// Returns the doubts of the merge, and the law that it breaks.
    fn faults(&self) -> Vec<String> {
        let place = &self.haystack[self.merged.span.clone()];
        let landing = fuzzy_audit::Landing {
            place,
            needle: &self.needle,
            new: &self.new,
            result: &self.merged.text,
            ..fuzzy_audit::Landing::default()
        };
        let broken = audit(&landing, Equivalences::between(place, &self.needle)).err();
        let findings = self.merged.findings.iter().map(|finding| format!("rule: {}", finding.rule.name));
        findings.chain(broken.map(|broken| format!("law: {broken}"))).collect()
    }
}

/// Returns needle and new text after conversions, without the escapes that the place lacks.
fn read(query: &Query<'_>, search: &Search<'_>, variant: usize, place: Range<usize>) -> (String, String) {
    let lines = search.needle(variant);
    let variant = &search.variants[variant];
    let from = search.index.lines.partition_point(|line| line.end <= place.start);
    let to = search.index.lines.partition_point(|line| line.start < place.end);
    place_in(query, &search.index, &lines, from..to)
        .and_then(|place| search.unescaped(variant, &lines, &place))
        .unwrap_or_else(|| (variant.needle.to_string(), variant.replacement.to_string()))
}

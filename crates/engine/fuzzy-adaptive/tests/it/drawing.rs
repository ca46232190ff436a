//! Whole edits, drawn: both texts, the place, the pieces of the merge, and the result or the rule that refuses it.

use std::fmt::Write;
use std::ops::Range;

use fuzzy_adaptive::rules;
use fuzzy_alignment::{Search, place_in, variants_of};
use fuzzy_audit::{Equivalences, audit};
use fuzzy_core::{Applied, Conflict, Document, Edit, Failure, Judgement, Query, Refusal};
use fuzzy_merge::{Merged, hunks, merge};
use serde::Deserialize;
use similar::TextDiff;

use crate::support::pipeline;

/// An edit to draw, named as its snapshot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) needle: String,
    pub(crate) new: String,
    /// Whether every place of the needle is replaced.
    #[serde(default)]
    pub(crate) replace_all: bool,
}

/// The result of an edit.
pub(crate) struct Outcome {
    /// The rule that refuses the edit, if one does.
    pub(crate) rule: Option<&'static str>,
    /// The new text of the file, if the edit lands.
    pub(crate) applied: Result<Applied, Failure>,
    pub(crate) drawing: String,
}

impl Case {
    /// Returns the name of the snapshot.
    pub(crate) fn snapshot(&self) -> String {
        self.name.replace(' ', "_")
    }

    /// Decides about the edit, and draws it. `>` marks the lines of the place; tabs, carriage returns and blanks at line
    /// ends are visible.
    pub(crate) fn draw(&self) -> Outcome {
        let Self { file, needle, new, replace_all, .. } = self;
        let (pipeline, document) = (pipeline(), Document::new(file.as_str()));
        let edit = Edit::new(needle, new).with_replace_all(*replace_all);
        let attempt = edit.attempt(&pipeline, &document);
        let judgement = attempt.decide();
        let applied = judgement.apply();
        let merge = Merge::of(&judgement).filter(|_| match &applied {
            _ if *replace_all => false,
            Ok(applied) => applied.found.strategy != "exact",
            Err(failure) => matches!(failure, Failure::Refused(_)),
        });
        let mut drawing = self.draw_texts(&judgement);
        if let Some(merge) = &merge {
            drawing.push_str("\npieces\n");
            // The rules have a section of their own.
            for piece in merge.hunks.lines().filter(|piece| !piece.starts_with("refuse ")) {
                let _ = writeln!(drawing, "  {piece}");
            }
        }
        let result = match &applied {
            Ok(applied) => draw_landing(file, applied, merge.as_ref()),
            Err(failure) => draw_refusal(&judgement, failure, merge.as_ref()),
        };
        Outcome { rule: judgement.rule(), applied, drawing: drawing + "\n" + &result }
    }

    /// Draws both texts, and the file with its place.
    fn draw_texts(&self, judgement: &Judgement<'_>) -> String {
        let mut places: Vec<Range<usize>> = judgement.places().spans.iter().map(|span| span.range()).collect();
        if places.is_empty() {
            places.extend(judgement.nearest().map(|nearest| nearest.span.range()));
        }
        let everywhere = if self.replace_all { ", everywhere" } else { "" };
        let mut out = String::new();
        for (title, text) in [(format!("needle{everywhere}"), &self.needle), ("new text".to_owned(), &self.new)] {
            let _ = writeln!(out, "{title}");
            text.split_inclusive('\n').for_each(|line| out.push_str(&draw_line("  |", line)));
        }
        out.push_str("\nfile\n");
        let mut start = 0;
        for line in self.file.split_inclusive('\n') {
            let marked = places.iter().any(|place| start < place.end && place.start < start + line.len());
            out.push_str(&draw_line(if marked { "> |" } else { "  |" }, line));
            start += line.len();
        }
        out
    }
}

/// Draws the changes of an edit that lands.
fn draw_landing(file: &str, applied: &Applied, merge: Option<&Merge>) -> String {
    if let Some(merge) = merge {
        assert_eq!(merge.output(), applied.output, "these are not the pieces that landed");
    }
    let pasted = if applied.found.strategy == "exact" { " as it is sent" } else { "" };
    format!("lands{pasted}\n{}", draw_changes(file, &applied.output))
}

/// Draws the reason of a refusal: the rule, if there is one, other rules that the merge breaks, the conflicts, and the
/// proposal.
fn draw_refusal(judgement: &Judgement<'_>, failure: &Failure, merge: Option<&Merge>) -> String {
    let file = judgement.document().text();
    let mut out = String::new();
    match rules().find(|rule| Some(rule.name) == judgement.rule()) {
        Some(rule) => {
            let findings = merge.map_or(&[][..], |merge| &merge.merged.findings);
            let is_found = findings.iter().any(|finding| finding.rule == rule);
            let is_of_merge = merge.is_some() && fuzzy_merge::RULES.contains(&rule);
            assert!(is_found || !is_of_merge, "{}: these are not the pieces that were refused", rule.name);
            let law = merge.and_then(Merge::broken_law).filter(|(law, _)| *law == rule.name);
            let why = law.map_or_else(|| rule.why.to_owned(), |(_, broken)| broken);
            let _ = writeln!(out, "refused by {}: {why}", rule.name);
            if rule.name == "low-score" {
                out.push_str(&draw_score(judgement));
            }
            for finding in findings.iter().filter(|finding| finding.rule != rule) {
                let _ = writeln!(out, "  also {}: {}", finding.rule.name, finding.rule.why);
            }
        }
        None => {
            let _ = writeln!(out, "refused: {}", failure.to_string().trim_start_matches("refused: "));
        }
    }
    if let Failure::Refused(Refusal::Conflict { conflicts }) = failure {
        for conflict in conflicts {
            out.push_str(&draw_conflict(file, conflict));
        }
    }
    if let Some(proposal) = judgement.proposal() {
        let proposed = file.replacen(&proposal.old, &proposal.new, 1);
        let _ = write!(out, "\nproposes\n{}", draw_changes(file, &proposed));
    }
    out
}

/// Draws the two features that cost a place most, and its probability.
fn draw_score(judgement: &Judgement<'_>) -> String {
    let mut out = String::new();
    let Some(score) = judgement.score() else { return out };
    let mut features = score.features;
    features.sort_by(|one, other| one.adds.total_cmp(&other.adds));
    for feature in features.iter().filter(|feature| feature.adds < 0.0).take(2) {
        // An empty sum is a negative zero.
        let value = feature.value + 0.0;
        let _ = writeln!(out, "  {} {value:.2} costs {:.2}: {}", feature.name, -feature.adds, feature.meaning);
    }
    let _ = writeln!(out, "  probability {:.3}, accepted from {:.3}", score.probability, score.accepted);
    out
}

/// Draws both versions of a conflict, and the lines before (`-`) and after (`+`) the choice of the new text.
fn draw_conflict(file: &str, Conflict { file: theirs, old, new, lines, taken }: &Conflict) -> String {
    let mut out = String::from("\nconflict\n");
    let _ = writeln!(out, "  file {:?}, needle {old:?}, new text {new:?}", theirs.text(file));
    lines.text(file).lines().for_each(|line| out.push_str(&draw_line("- |", line)));
    taken.lines().for_each(|line| out.push_str(&draw_line("+ |", line)));
    out
}

/// Draws a line with visible blanks, after a margin.
fn draw_line(margin: &str, line: &str) -> String {
    let body = line.trim_end_matches('\n');
    let text = body.trim_end();
    let blanks: String = body[text.len()..].replace(' ', "·");
    format!("{margin} {}{}", text.replace('\t', "→   "), blanks.replace('\t', "→").replace('\r', "␍"))
        .trim_end()
        .to_owned()
        + "\n"
}

/// Draws the deleted and the added lines, with one line of the file around them.
fn draw_changes(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut out = String::new();
    for group in diff.grouped_ops(1) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            out.push_str(&draw_line(&format!("{} |", change.tag()), change.value()));
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
        let query = Query::new(&document, edit.old);
        let mut search = Search::new(&query, variants_of(edit.old, edit.new));
        let mut located = search.locate(&query)?;
        if let Some(in_file) = search.as_in_file(&query, &located) {
            located = in_file;
        } else if judgement.apply().is_ok()
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

    /// Returns the name of the law that the text breaks, and where.
    fn broken_law(&self) -> Option<(&'static str, String)> {
        let place = &self.haystack[self.merged.span.clone()];
        let landing = fuzzy_audit::Landing {
            place,
            needle: &self.needle,
            new: &self.new,
            result: &self.merged.text,
            ..fuzzy_audit::Landing::default()
        };
        let broken = audit(&landing, Equivalences::between(place, &self.needle)).err()?;
        Some((broken.law.name(), broken.to_string()))
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

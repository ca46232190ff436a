//! The results of whole edits, drawn: the lines of the place, the result or the rule that refuses the edit, and the
//! changes of the file. The file and both texts are in the case.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use fuzzy_adaptive::rules;
use fuzzy_audit::{Equivalences, audit};
use fuzzy_core::{Applied, Conflict, Document, Edit, Failure, Judgement, Query, Refusal};
use fuzzy_locate::{Search, place_in, variants_of};
use fuzzy_merge::{LeftOut, Merged, merge};
use fuzzy_testkit::picture::{changes, line};
use serde::Deserialize;

use crate::support::pipeline;

/// An edit to draw.
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
    /// The text that the file was when the edit was written.
    pub(crate) base: Option<String>,
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
    /// Returns the case with its outcome.
    pub(crate) fn drawn(self) -> (Self, Outcome) {
        let outcome = self.draw();
        (self, outcome)
    }

    /// Decides about the edit, and draws the result. Tabs, carriage returns and blanks at line ends are visible.
    pub(crate) fn draw(&self) -> Outcome {
        let Self { name, file, needle, new, replace_all, base } = self;
        let (pipeline, document) = (pipeline(), Document::new(file.as_str()));
        let edit = Edit::new(needle, new).with_replace_all(*replace_all).with_base(base.as_deref());
        let attempt = edit.attempt(&pipeline, &document);
        let judgement = attempt.decide();
        let applied = judgement.apply();
        let merge = Merge::of(&judgement).filter(|_| match &applied {
            _ if *replace_all => false,
            Ok(_) => false,
            Err(failure) => matches!(failure, Failure::Refused(_)),
        });
        let mut drawing = format!("# {name}\n{}", draw_place(&judgement));
        drawing.push_str(&match &applied {
            Ok(applied) => draw_landing(file, applied),
            Err(failure) => draw_refusal(&judgement, failure, merge.as_ref()),
        });
        Outcome { rule: judgement.rule(), applied, drawing }
    }
}

/// Draws all outcomes of a file of cases, with the file's name as the title, for one snapshot.
///
/// # Panics
///
/// Panics if two cases have one name.
pub(crate) fn draw_all(outcomes: &[(Case, Outcome)]) -> String {
    let names: BTreeSet<&str> = outcomes.iter().map(|(case, _)| case.name.as_str()).collect();
    assert_eq!(names.len(), outcomes.len(), "two cases have one name: {names:?}");
    outcomes.iter().map(|(_, outcome)| outcome.drawing.as_str()).collect::<Vec<_>>().join("\n")
}

/// Names the lines of the places, or of the nearest one.
fn draw_place(judgement: &Judgement<'_>) -> String {
    let mut places: Vec<Range<usize>> = judgement.places().spans.iter().map(|span| span.range()).collect();
    if places.is_empty() {
        places.extend(judgement.nearest().map(|nearest| nearest.span.range()));
    }
    let file = judgement.document().text();
    let line_at = |at: usize| 1 + file[..at].matches('\n').count();
    let lines = places.iter().filter(|place| !place.is_empty()).map(|place| {
        let last = file[..place.end].trim_end_matches('\n').len().max(place.start);
        format!("{}-{}", line_at(place.start), line_at(last))
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { String::new() } else { format!("lines {}: ", lines.join(", ")) }
}

/// Draws the changes of an edit that lands.
fn draw_landing(file: &str, applied: &Applied) -> String {
    let pasted = if applied.found.strategy == "exact" { " as it is sent" } else { "" };
    format!("lands{pasted}\n{}", changes(file, &applied.output))
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
        let _ = write!(out, "proposes\n{}", changes(file, &proposed));
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
    let mut out = format!("conflict: file {:?}, needle {old:?}, new text {new:?}\n", theirs.text(file));
    lines.text(file).lines().for_each(|text| out.push_str(&line("- |", text)));
    taken.lines().for_each(|text| out.push_str(&line("+ |", text)));
    out
}

/// The merge at the best place, made again from its variant.
struct Merge {
    haystack: String,
    needle: String,
    new: String,
    merged: Merged,
}

impl Merge {
    fn of(judgement: &Judgement<'_>) -> Option<Self> {
        let (haystack, edit) = (judgement.document().text(), judgement.edit());
        let place = judgement.nearest()?.span.range();
        let document = Document::new(haystack);
        let query = Query::new(&document, edit.old);
        let mut search = Search::new(&query, variants_of(edit.old, edit.new, LeftOut::default()), LeftOut::default());
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
        let merged = merge(haystack, place, &needle, &new).ok()?;
        Some(Self { needle, new, merged, haystack: haystack.to_owned() })
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

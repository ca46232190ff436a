//! Decides an edit by the file's past: a text that the file was when the edit was written.
//!
//! If the old text is not in the file, or is there several times, but stood exactly once in that text, its place is
//! known: the lines of the file between those that both texts share around it. The merge has a known base then, and no
//! place is guessed. Lines that the file changed there are conflicts, or are merged.

use std::ops::Range;

use fuzzy_core::{Failure, Query, Refusal, Span, Splice, to_lf};
use fuzzy_locate::alignment_time;
use fuzzy_merge::{Kind, LeftOut, Run, merge_while};
use memchr::memmem;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::audit::broken_law;
use crate::decide::line_count;
use crate::decision::{ConflictingMerge, Decision, Pasted, splice};
use crate::rules::{self, gravest, not_mergeable, placeholder};
use crate::score::Model;

/// The most lines beside the old text's that the difference of the two texts may cover: a file that was rewritten has
/// no certain place.
const MAX_LINES_BESIDE: usize = 60;

/// The laws of the audit but that of the ends of lines, which is about guessed places: a formatter that wraps lines moves
/// their ends.
const WITHOUT_ENDS: LeftOut = LeftOut(&["law-ends"]);

/// The changed lines of both texts around the old text, without the line break of the last one.
struct Image {
    /// The bytes of the file.
    at: Range<usize>,
    /// The lines of the base, with the old text, and with the new one in its place.
    old: String,
    new: String,
    /// The bytes of the old text in the lines of the base.
    quoted: Range<usize>,
}

/// Decides about the place of an old text that stood exactly once in `base`; none if it did not, or if its lines are
/// gone.
pub(crate) fn decide(query: &Query<'_>, base: &str, new: &str, left_out: LeftOut) -> Option<Decision> {
    let image = Image::find(query, base, new)?;
    let haystack = query.haystack();
    if placeholder::check(query, new) {
        return Some(Decision::uncertain(&placeholder::RULE));
    }
    let Image { at, old, new, quoted } = &image;
    if haystack[at.clone()] == *old {
        // Only the place was in question.
        let span = Span::new(at.start + quoted.start, at.start + quoted.end);
        let text = new[quoted.start..new.len() - (old.len() - quoted.end)].to_owned();
        return Some(Decision::exact(vec![Pasted { splice: Splice { span, text }, adjustment: None }]));
    }
    let best_place = Some((at.clone(), 1.0));
    let refused = |rule, failure, conflict| {
        let best_place = best_place.clone();
        Decision::Refused {
            rule,
            failure,
            best_place,
            other_place: None,
            apart: Vec::new(),
            finding: None,
            score: None,
            conflict,
        }
    };
    let uncertain = |rule| refused(rule, Failure::Refused(Refusal::Uncertain), None);
    if query.may_take(alignment_time(line_count(old) + line_count(new), line_count(&haystack[at.clone()]))).is_break() {
        return Some(uncertain(&not_mergeable::RULE));
    }
    let run = Run { is_needed: &|| !query.is_over(), left_out };
    let merged = match merge_while(haystack, at.clone(), old, new, run) {
        Ok(merged) => merged,
        Err(refusal) => return Some(uncertain(rules::of_refusal(refusal))),
    };
    if let Some(rule) = gravest(&merged.findings, None) {
        let conflict = (rule.kind == Kind::Conflict).then(|| ConflictingMerge {
            region: at.clone(),
            needle: old.clone(),
            replacement: new.clone(),
            has_other_evidence: true,
        });
        let failure = if conflict.is_some() { Refusal::Conflict { conflicts: Vec::new() } } else { Refusal::Uncertain };
        return Some(refused(rule, Failure::Refused(failure), conflict));
    }
    if haystack[merged.span.clone()] == merged.text {
        return Some(Decision::AlreadyApplied { span: merged.span });
    }
    if let Some(finding) = broken_law(haystack, old, new, &merged, WITHOUT_ENDS) {
        return Some(uncertain(finding.rule));
    }
    let confidence = Model::FITTED.text_accuracy(&merged.undone);
    Some(Decision::aligned(vec![splice(merged)], 1.0, confidence, None))
}

impl Image {
    /// Finds the old text in the base and the file's lines between the nearest lines around it that both texts share.
    fn find(query: &Query<'_>, base: &str, new: &str) -> Option<Self> {
        let (base, needle, new) = (to_lf(base), to_lf(query.needle()), to_lf(new));
        let start = memmem::find(base.as_bytes(), needle.as_bytes())?;
        if memmem::find(&base.as_bytes()[start + 1..], needle.as_bytes()).is_some() {
            return None;
        }
        let end = start + needle.len();
        let count = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let first = count(&base[..start]);
        let last = count(&base[..end]) + usize::from(!needle.ends_with('\n'));
        let [ours, theirs] = [&*base, query.whole_haystack()].map(lines);
        let (from, to) = between(&ours, &theirs, first..last);
        if from.1 >= to.1 || to.0 - from.0 > last - first + MAX_LINES_BESIDE {
            return None;
        }
        let bytes = |lines: &[&str], text: &str, range: Range<usize>| {
            let at = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
            at(lines[range.start])..at(lines[range.end - 1]) + lines[range.end - 1].len()
        };
        let mut in_base = bytes(&ours, &base, from.0..to.0);
        let mut at = bytes(&theirs, query.haystack(), from.1..to.1);
        if end > in_base.end {
            // The old text ends with the last line break.
            in_base.end = end;
            at.end +=
                ["\r\n", "\n"].iter().find(|line_break| query.haystack()[at.end..].starts_with(**line_break))?.len();
        }
        let quoted = start - in_base.start..end - in_base.start;
        let old = base[in_base].to_owned();
        let new = [&old[..quoted.start], &new, &old[quoted.end..]].concat();
        Some(Self { at, old, new, quoted })
    }
}

/// Returns the lines of a text without their line breaks.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

/// Returns the first lines of both texts after the nearest shared line before some lines of the base, and the first
/// shared lines after them.
fn between(base: &[&str], file: &[&str], inner: Range<usize>) -> ((usize, usize), (usize, usize)) {
    let (mut from, to) = ((0, 0), (base.len(), file.len()));
    let [ours, theirs] = [base, file].map(|lines| lines.iter().map(|line| shape(line)).collect::<Vec<_>>());
    for op in capture_diff_slices(Algorithm::Patience, &ours, &theirs) {
        let DiffOp::Equal { old_index, new_index, len } = op else { continue };
        // A blank line is shared by chance.
        let shared = (0..len).map(|at| (old_index + at, new_index + at)).filter(|(at, _)| !ours[*at].is_empty());
        for (at, image) in shared {
            if at < inner.start {
                from = (at + 1, image + 1);
            } else if at >= inner.end {
                return (from, (at, image));
            }
        }
    }
    (from, to)
}

/// Returns a line without all that a formatter changes inside a line: whitespace, the kind of quotes, a last comma or
/// semicolon.
fn shape(line: &str) -> String {
    let quoted = |mark| if matches!(mark, '\'' | '`') { '"' } else { mark };
    let shape: String = line.chars().filter(|mark| !mark.is_whitespace()).map(quoted).collect();
    shape.trim_end_matches([',', ';']).to_owned()
}

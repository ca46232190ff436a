//! An edit in conflict with the file: what each has, and what lands if the edit has the say. Worked out when it is asked
//! for, from what the decision was about.

use fuzzy_core::{Conflict, Span, Splice};
use fuzzy_merge::{Taken, take};

use crate::audit::accepts;
use crate::decision::{ConflictingMerge, splice};

/// What a conflict is about.
#[derive(Debug, Default)]
pub(crate) struct ConflictReport {
    /// What each text has, top to bottom.
    pub(crate) conflicts: Vec<Conflict>,
    /// What lands with the replacement's say, if that is probably meant.
    pub(crate) proposal: Option<Splice>,
}

impl ConflictingMerge {
    /// Works out what it is about.
    ///
    /// That the replacement has the say is likely where it contradicts the file once only, like for like, on one of
    /// several lines, and leaves nothing else open.
    pub(crate) fn report(&self, haystack: &str) -> ConflictReport {
        let Self { region, needle, replacement, has_other_evidence } = self;
        let Ok(Some(Taken { merged, conflicts, .. })) = take(haystack, region.clone(), needle, replacement) else {
            return ConflictReport::default();
        };
        let is_probable = *has_other_evidence
            && matches!(&conflicts[..], [conflict] if conflict.is_like_for_like)
            && merged.findings.is_empty()
            && haystack[merged.span.clone()] != merged.text
            && accepts(haystack, needle, replacement, &merged);
        ConflictReport {
            conflicts: conflicts.into_iter().map(convert).collect(),
            proposal: is_probable.then(|| splice(merged)),
        }
    }
}

/// Tells a conflict in the engine's words.
fn convert(conflict: fuzzy_merge::Conflict) -> Conflict {
    let fuzzy_merge::Conflict { file, old: needle, new, lines, taken, .. } = conflict;
    Conflict { file: Span::new(file.start, file.end), needle, new, lines: Span::new(lines.start, lines.end), taken }
}

//! The report about an edit in conflict with the file: both versions, and the text if the edit's version wins. Computed
//! on demand.

use fuzzy_core::{Conflict, Span, Splice};
use fuzzy_merge::{LeftOut, Taken, take};

use crate::audit::broken_law;
use crate::decision::{ConflictingMerge, splice};

/// The report about a conflicting merge.
#[derive(Debug, Default)]
pub(crate) struct ConflictReport {
    /// The conflicts, top to bottom.
    pub(crate) conflicts: Vec<Conflict>,
    /// The text with the replacement's version, if that is probably intended.
    pub(crate) proposal: Option<Splice>,
}

impl ConflictingMerge {
    /// Computes the report.
    ///
    /// It proposes the replacement's version if there is one conflict, like for like, on one of several lines, and no
    /// other doubt.
    pub(crate) fn report(&self, haystack: &str) -> ConflictReport {
        let Self { region, needle, replacement, has_other_evidence } = self;
        let Ok(Some(Taken { merged, conflicts, .. })) = take(haystack, region.clone(), needle, replacement) else {
            return ConflictReport::default();
        };
        let is_probable = *has_other_evidence
            && matches!(&conflicts[..], [conflict] if conflict.is_like_for_like)
            && merged.findings.is_empty()
            && haystack[merged.span.clone()] != merged.text
            && broken_law(haystack, needle, replacement, &merged, LeftOut::default()).is_none();
        ConflictReport {
            conflicts: conflicts.into_iter().map(convert).collect(),
            proposal: is_probable.then(|| splice(merged)),
        }
    }
}

/// Converts a conflict to the engine's type.
fn convert(conflict: fuzzy_merge::Conflict) -> Conflict {
    let fuzzy_merge::Conflict { file, old, new, lines, taken, .. } = conflict;
    Conflict { file: Span::new(file.start, file.end), old, new, lines: Span::new(lines.start, lines.end), taken }
}

//! Writes hunks for people.

use std::fmt;
use std::ops::Range;

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;
use crate::outcome::Finding;

/// The hunks of a merge and the rules that refuse it.
pub(crate) struct Hunks<'m, 't> {
    pub(crate) merge: &'m Merge<'m, 't>,
    pub(crate) findings: &'m [Finding],
}

impl fmt::Display for Hunks<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.merge.texts.file;
        let text = |range: &Range<usize>| &file.text[file.bytes(range)];
        let keep = |f: &mut fmt::Formatter<'_>, range: Range<usize>| {
            if range.is_empty() { Ok(()) } else { writeln!(f, "keep    {:?}", text(&range)) }
        };
        let mut from = 0;
        for hunk in &self.merge.hunks {
            let Some(place) = hunk.place() else { continue };
            keep(f, from..place.start)?;
            let inserted = self.inserted(hunk);
            match &hunk.change {
                Change::Insert { .. } => writeln!(f, "insert  {inserted:?}")?,
                Change::Replace { .. } => writeln!(f, "replace {:?} by {inserted:?}", text(&place))?,
                Change::Keep | Change::Delete { .. } => writeln!(f, "delete  {:?}", text(&place))?,
            }
            from = place.end;
        }
        keep(f, from..file.len())?;
        for finding in self.findings {
            writeln!(f, "refuse  {}", finding.rule.name)?;
        }
        Ok(())
    }
}

impl Hunks<'_, '_> {
    /// Returns the inserted tokens with the gaps between them.
    fn inserted(&self, hunk: &Hunk) -> String {
        let new = &self.merge.texts.new;
        let mut out = String::new();
        for (nth, &index) in hunk.inserted().iter().enumerate() {
            out.push_str(if nth > 0 { new.gap(index) } else { "" });
            out.push_str(new.get(index));
        }
        out
    }
}

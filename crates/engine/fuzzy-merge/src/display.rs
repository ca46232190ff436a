//! Hunks as text, for people.

use std::fmt;
use std::ops::Range;

use crate::hunks::Change;
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
        let keep = |f: &mut fmt::Formatter<'_>, range: Range<usize>| match range.is_empty() {
            true => Ok(()),
            false => writeln!(f, "keep    {:?}", text(&range)),
        };
        let mut from = 0;
        for hunk in &self.merge.hunks {
            let place = match &hunk.change {
                Change::Keep => continue,
                Change::Delete { file, .. } | Change::Replace { file, .. } => file.clone(),
                Change::Insert { at, .. } => *at..*at,
            };
            keep(f, from..place.start)?;
            match &hunk.change {
                Change::Keep => {}
                Change::Delete { file, .. } => writeln!(f, "delete  {:?}", text(file))?,
                Change::Insert { new, .. } => writeln!(f, "insert  {:?}", self.new(new))?,
                Change::Replace { file, new, .. } => writeln!(f, "replace {:?} by {:?}", text(file), self.new(new))?,
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
    /// Returns some tokens of the new text with the whitespace before all except the first.
    fn new(&self, tokens: &[usize]) -> String {
        let new = &self.merge.texts.new;
        let mut out = String::new();
        for (nth, &index) in tokens.iter().enumerate() {
            out.push_str(if nth > 0 { new.gap(index) } else { "" });
            out.push_str(new.get(index));
        }
        out
    }
}

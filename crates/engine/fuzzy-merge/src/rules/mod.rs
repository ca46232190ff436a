//! The rules that refuse a merge, one a file. Each looks at the merge alone, and none knows of another.
//!
//! A new rule is a file here with a `RULE`, an entry in [`RULES`], and a folder `tests/rules/NAME` with a case that it
//! refuses and a near miss that lands.

use std::ops::Range;

use crate::align::shared::Region;
use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::outcome::{Finding, Kind, Rule};
use crate::write::Written;

macro_rules! rules {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*
        /// All rules, in the order in which findings are reported.
        const CHECKED: &[Checked] = &[$($file::RULE),*];
        /// All rules of the merge.
        pub const RULES: &[&Rule] = &[$(&$file::RULE.rule),*];
    };
}

rules![
    lost_word,
    sibling_word,
    deleted_word_absent,
    different_value,
    different_operator,
    missing_word,
    unknown_word_deleted,
    word_beside_deletion,
    word_beside_replacement,
    changed_forgotten_line,
    continued_line,
    divided_line,
    rest_of_line,
    shifted_insertion,
    doubled_separator,
    line_end_mark,
    escaped_line_break,
    lost_comment,
    statement_end,
    two_block_ends,
    two_origins,
    foreign_name,
    repeated_beside,
    repeated_lines,
    repeated_comment,
    moved_already,
    changed_already,
    moved_line_respelt,
    forgotten_line_deleted,
    forgotten_line_beside,
    partly_known_lines,
    rest_of_line_deleted,
    unknown_end,
    other_block_end,
    sibling_block,
    forgotten_indentation,
    unknown_step,
    lost_neighbours,
    insertion_point,
];

/// A rule with its check.
struct Checked {
    rule: Rule,
    check: Check,
}

/// What a rule looks at. The check returns whether the rule refuses the merge.
enum Check {
    /// One change of the file. A hunk in which the new text wins is not checked.
    Hunk(fn(&Merge<'_, '_>, &Hunk) -> bool),
    /// The tokens between two anchors, in which the edit changes something.
    Region(fn(&Merge<'_, '_>, &Region) -> bool),
    /// The whole merge.
    Merge(fn(&Merge<'_, '_>) -> bool),
    /// The merged text.
    Text(fn(&Merge<'_, '_>, &Written) -> bool),
}

impl Checked {
    const fn new(name: &'static str, kind: Kind, why: &'static str, check: Check) -> Self {
        Self { rule: Rule { name, kind, why }, check }
    }

    /// Returns the tokens of file, old text and new text for which the rule refuses the merge.
    fn finding(&'static self, merge: &Merge<'_, '_>, written: &Written) -> Option<Finding> {
        let texts = merge.texts;
        let whole = [0..texts.file.len(), 0..texts.old.len(), 0..texts.new.len()];
        let at = match self.check {
            Check::Hunk(check) => {
                let hunk = merge.hunks.iter().find(|hunk| !hunk.is_taken && check(merge, hunk))?;
                [hunk.file.clone(), hunk.old.clone(), hunk.new.clone()]
            }
            Check::Region(check) => {
                let region = merge.columns.regions.iter().find(|region| check(merge, region))?;
                [region.file.clone(), region.old.clone(), region.new.clone()]
            }
            Check::Merge(check) => check(merge).then_some(whole)?,
            Check::Text(check) => check(merge, written).then_some(whole)?,
        };
        Some(self.at(merge, at))
    }

    fn at(&'static self, merge: &Merge<'_, '_>, [file, old, new]: [Range<usize>; 3]) -> Finding {
        let texts = merge.texts;
        let text = |tokens: &crate::text::tokens::Tokens<'_>, range: &Range<usize>| {
            tokens.text[tokens.bytes(range)].to_owned()
        };
        Finding {
            rule: &self.rule,
            file: text(&texts.file, &file),
            old: text(&texts.old, &old),
            new: text(&texts.new, &new),
        }
    }
}

/// Returns what the rules find in a merge and its text, one finding a rule.
pub(crate) fn findings(merge: &Merge<'_, '_>, written: &Written) -> Vec<Finding> {
    CHECKED.iter().filter_map(|rule| rule.finding(merge, written)).collect()
}

/// Returns whether file and new text are in conflict in a hunk.
pub(crate) fn is_conflict(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let conflicts = CHECKED.iter().filter(|checked| checked.rule.kind == Kind::Conflict);
    conflicts.into_iter().any(|checked| match checked.check {
        Check::Hunk(check) => check(merge, hunk),
        Check::Region(_) | Check::Merge(_) | Check::Text(_) => false,
    })
}

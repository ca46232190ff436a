//! The rules that refuse a merge, one a file. Each reads the merge alone; none depends on another.
//!
//! To add a rule, add a file here with a function `check`, a row to the table below, and a folder
//! `fuzzy-adaptive/tests/rules/NAME` with a case that it refuses and a near miss that lands.

mod changed_forgotten_line;
mod deleted_word_absent;
mod different_value;
mod forgotten_indentation;
mod forgotten_line_beside;
mod insertion_point;
mod lost_neighbours;
mod lost_word;
mod open_marks;
mod other_block_end;
mod sibling_word;
mod unfounded;
mod unknown_end;
mod unknown_word_deleted;

use std::ops::Range;

use crate::hunks::Hunk;
use crate::merge::Merge;
use crate::outcome::{Finding, Kind, Rule};
use crate::regions::Region;
use crate::text::tokens::Tokens;
use crate::write::Written;

/// Makes the table of rules: file, name, kind of check, kind of rule, and the reason for people.
macro_rules! rules {
    ($($file:ident $name:literal $check:ident $kind:ident $why:literal;)*) => {
        /// All rules of the merge, in the order in which findings are reported.
        pub const RULES: &[&Rule] = &[$(&Rule { name: $name, kind: Kind::$kind, why: $why }),*];
        /// The checks of the rules, in the same order.
        const CHECKS: &[Check] = &[$(Check::$check($file::check)),*];
    };
}

rules! {
    lost_word "lost-word" Whole Absent "the file lacks a word that the edit keeps on a changed line";
    sibling_word "sibling-word" Whole Absent "the file has a different word where the edit keeps one on a changed line";
    deleted_word_absent "deleted-word-absent" Hunk Absent "the file lacks the words that the edit replaces";
    different_value "different-value" Hunk Conflict "the file has a different value where the edit changes one";
    unfounded "unfounded" Whole Absent "an inserted line uses a name of a quoted line that the file lacks";
    unknown_word_deleted "unknown-word-deleted" Hunk Conflict "words that the old text lacks would be deleted";
    changed_forgotten_line "changed-forgotten-line" Hunk Conflict "the edit changes a line that the old text lacks";
    open_marks "open-marks" Whole Guess "the file may write the marks of a new line, or before it, otherwise";
    forgotten_line_beside "forgotten-line-beside" Hunk ForgottenLines "lines that the old text lacks are between changed ones";
    unknown_end "unknown-end" Region Guess "the file lacks the lines at the end of the old text that the edit changes";
    other_block_end "other-block-end" Whole Guess "the end of a block beside the change may be the end of another block";
    forgotten_indentation "forgotten-indentation" Text Guess "the indentation of a reindented line is a guess";
    lost_neighbours "lost-neighbours" Hunk InsertionPoint "the file lacks most of the lines beside the insertion";
    insertion_point "insertion-point" Hunk InsertionPoint "new lines could be inserted at several places";
}

/// The check of a rule by the part of the merge that it reads. It returns whether the rule refuses the merge.
enum Check {
    /// A change of the file, unless the new text wins there.
    Hunk(fn(&Merge<'_, '_>, &Hunk) -> bool),
    /// The tokens between two anchors.
    Region(fn(&Merge<'_, '_>, &Region) -> bool),
    /// The whole merge.
    Whole(fn(&Merge<'_, '_>) -> Option<Part>),
    /// The merged text.
    Text(fn(&Merge<'_, '_>, &Written) -> Option<Part>),
}

/// The tokens that a rule is about, in file, old text and new text; empty in a text without them.
type Part = [Range<usize>; 3];

/// Makes a part of single tokens, where a text has one.
fn part(tokens: [Option<usize>; 3]) -> Part {
    tokens.map(|token| token.map_or(0..0, |token| token..token + 1))
}

impl Check {
    /// Returns the tokens of file, old text and new text for which the rule refuses the merge.
    fn finds(&self, merge: &Merge<'_, '_>, written: &Written) -> Option<Part> {
        match self {
            Self::Hunk(check) => {
                let hunk = merge.hunks.iter().find(|hunk| !hunk.is_taken && check(merge, hunk))?;
                Some([hunk.file.clone(), hunk.old.clone(), hunk.new.clone()])
            }
            Self::Region(check) => {
                let region = merge.columns.regions.iter().find(|region| check(merge, region))?;
                Some([region.file.clone(), region.old.clone(), region.new.clone()])
            }
            Self::Whole(check) => check(merge),
            Self::Text(check) => check(merge, written),
        }
    }
}

/// Returns the findings of all rules, at most one a rule.
pub(crate) fn findings(merge: &Merge<'_, '_>, written: &Written) -> Vec<Finding> {
    let text = |tokens: &Tokens<'_>, range: Range<usize>| tokens.text[tokens.bytes(&range)].to_owned();
    let finding = |(rule, check): (&'static Rule, &Check)| {
        let [file, old, new] = check.finds(merge, written)?;
        let (texts, file) = (merge.texts, text(&merge.texts.file, file));
        Some(Finding { new: text(&texts.new, new), ..Finding::about(rule, &file, &text(&texts.old, old)) })
    };
    let used = RULES.iter().copied().zip(CHECKS).filter(|(rule, _)| !merge.texts.run.left_out.has(rule.name));
    used.filter_map(finding).collect()
}

/// Returns the hunks in conflict, and those in which the new text wins.
pub(crate) fn conflicts<'m>(merge: &'m Merge<'_, '_>) -> impl Iterator<Item = &'m Hunk> {
    let checks = RULES.iter().zip(CHECKS).filter(|(rule, _)| rule.kind == Kind::Conflict);
    let checks: Vec<&Check> = checks.map(|(_, check)| check).collect();
    let is_conflict =
        move |hunk: &Hunk| checks.iter().any(|check| matches!(check, Check::Hunk(check) if check(merge, hunk)));
    merge.hunks.iter().filter(move |hunk| hunk.is_taken || is_conflict(hunk))
}

//! Reads texts without the separators that remain after removed line numbers.

use super::marks::{common_mark, without_marks};
use crate::mechanisms::NUMBER_SEPARATORS;
use crate::variant::Variant;

/// Separators that remain after removed numbers. A tab may remain: it counts as indentation.
const REMAINING: [&str; 5] = ["| ", "|", ": ", ":", "→"];

/// Returns the variant without the separators that remain after removed numbers: every line except the first starts
/// with the same one.
pub(super) fn read<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let mark = common_mark(needle.split('\n').skip(1), &REMAINING).filter(|mark| !needle.starts_with(mark));
    mark.map(|mark| without_marks(needle, replacement, mark, &NUMBER_SEPARATORS)).into_iter().collect()
}

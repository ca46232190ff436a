//! Reads texts without the marks of a gutter before their lines.

use super::marks::{common_mark, without_marks};
use crate::mechanisms::GUTTER;
use crate::variant::Variant;

/// Marks that a prompt or a quotation puts before every line.
const GUTTERS: [&str; 7] = ["│ ", "│", "┃ ", "| ", "|", "> ", ">"];

/// Returns the variant without a gutter: every line starts with the same mark.
pub(super) fn read<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let mark = common_mark(needle.split('\n'), &GUTTERS);
    mark.map(|mark| without_marks(needle, replacement, mark, &GUTTER)).into_iter().collect()
}

//! The laws, one a file.

mod delta;
mod depth;
mod duplicates;
mod ends;
mod lines;
mod marks;
mod shape;
mod words;

use crate::case::Case;
use crate::law::{Broken, Law};

/// Checks one law, and returns it if it is broken.
pub(crate) fn check(law: Law, case: &Case<'_>) -> Option<Broken> {
    let checks: &[fn(&Case<'_>) -> Option<Broken>] = match law {
        Law::Words => &[words::unknown_token, words::unknown_order],
        Law::Duplicates => &[duplicates::repeated_tokens, duplicates::repeated_lines, duplicates::mixed_line],
        Law::Delta => &[delta::unbounded_count, delta::misspelled_line],
        Law::Shape => &[shape::unbalanced_brackets, shape::unbracketed_break],
        Law::Depth => &[depth::foreign_indentation],
        Law::Ends => &[ends::unknown_end, ends::joined_lines, ends::lost_break],
        Law::Lines => &[lines::lost_line, lines::old_line],
        Law::Marks => &[marks::foreign_marks],
    };
    checks.iter().find_map(|check| check(case))
}

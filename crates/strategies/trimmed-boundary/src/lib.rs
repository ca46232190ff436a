//! Finds the needle without the blanks at its two ends.
//!
//! - Accepts: blank lines and blanks around the needle that the haystack lacks, or has.
//! - Refuses: a needle that neither starts nor ends with a blank, blanks changed anywhere inside.
//! - Cost: one substring pass for the trimmed needle, and the blanks around each of its places.

mod plain;
mod text;

pub use plain::TrimmedBoundary;
pub use text::Text;

fuzzy_core::register! {
    TrimmedBoundary, priority = 70;
    Text, priority = 72;
}

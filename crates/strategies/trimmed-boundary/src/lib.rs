//! Finds the old text without the blanks at its two ends.
//!
//! - Accepts: missing or additional blank lines and blanks around the old text.
//! - Refuses: an old text that neither begins nor ends with a blank, changed blanks inside.
//! - Cost: one substring pass for the trimmed old text, and the blanks around each of its places.

mod plain;
mod text;

pub use plain::TrimmedBoundary;
pub use text::Text;

fuzzy_core::register! {
    TrimmedBoundary, priority = 70;
    Text, priority = 72;
}

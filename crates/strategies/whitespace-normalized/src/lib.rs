//! Finds the old text with any blanks between its words.
//!
//! - Accepts: other runs of blanks, words joined onto one line or broken over several.
//! - Refuses: added or missing blanks between characters.
//! - Cost: a substring pass for the rarest word of the old text's first line, of its last line and of all, and a
//!   verification around each place of the last.

mod collapsed;
mod inline;
mod plain;

pub use collapsed::Collapsed;
pub use inline::Inline;
pub use plain::WhitespaceNormalized;

fuzzy_core::register! {
    Inline, priority = 38;
    WhitespaceNormalized, priority = 40;
    Collapsed, priority = 42;
}

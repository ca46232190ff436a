//! Variants of an edit: its texts without one slip.

use std::borrow::Cow;

use fuzzy_merge::Mechanism;

/// An edit without one distortion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant<'t> {
    /// The needle.
    pub needle: Cow<'t, str>,
    /// The replacement.
    pub replacement: Cow<'t, str>,
    /// The undone slip; none for the literal variant.
    pub slip: Option<&'static Mechanism>,
    /// Whether the replacement leaves open whether it has the distortion.
    pub is_mixed: bool,
}

impl<'t> Variant<'t> {
    /// Makes the variant of an edit without a distortion.
    #[must_use]
    pub fn literal(needle: &'t str, replacement: &'t str) -> Self {
        Self { needle: Cow::Borrowed(needle), replacement: Cow::Borrowed(replacement), slip: None, is_mixed: false }
    }

    /// Makes the variant of an edit without a distortion; `undone_new` is none if the replacement leaves open whether
    /// it has it.
    pub(crate) fn new(
        needle: Cow<'t, str>,
        undone_new: Option<Cow<'t, str>>,
        replacement: &'t str,
        slip: &'static Mechanism,
    ) -> Self {
        let is_mixed = undone_new.is_none();
        Self { needle, replacement: undone_new.unwrap_or(Cow::Borrowed(replacement)), slip: Some(slip), is_mixed }
    }
}

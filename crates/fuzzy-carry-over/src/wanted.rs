//! Asks whoever is to get a text whether they still want it.

use crate::Refusal;

/// Whoever is to get a text. Between two questions lie a few milliseconds at the most.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'w>(pub(crate) &'w dyn Fn() -> bool);

impl Wanted<'_> {
    /// Someone who waits to the end.
    pub(crate) const ALWAYS: Wanted<'static> = Wanted(&|| true);

    /// Returns whether the text is still wanted.
    pub(crate) fn is_still(self) -> bool {
        (self.0)()
    }

    /// Refuses what nobody wants any more.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        if self.is_still() { Ok(()) } else { Err(Refusal::Unwanted) }
    }
}

//! Cancels a merge whose text is no longer needed.

use crate::Refusal;

/// Asks the caller whether the text is still needed. A merge calls it every few milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Cancel<'w>(pub(crate) &'w dyn Fn() -> bool);

impl Cancel<'_> {
    /// A caller that never cancels.
    pub(crate) const NEVER: Cancel<'static> = Cancel(&|| true);

    /// Returns whether the text is still needed.
    pub(crate) fn is_needed(self) -> bool {
        (self.0)()
    }

    /// Refuses a merge that is cancelled.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        if self.is_needed() { Ok(()) } else { Err(Refusal::Cancelled) }
    }
}

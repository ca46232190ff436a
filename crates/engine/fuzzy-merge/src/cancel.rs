//! Cancels a merge whose text is no longer needed.

use crate::Refusal;

/// Returns whether the caller still needs the text. A merge calls it every few milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Cancel<'w>(pub(crate) &'w dyn Fn() -> bool);

impl Cancel<'_> {
    pub(crate) const NEVER: Cancel<'static> = Cancel(&|| true);

    pub(crate) fn is_needed(self) -> bool {
        (self.0)()
    }

    /// Refuses a merge that is cancelled.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        if self.is_needed() { Ok(()) } else { Err(Refusal::Cancelled) }
    }
}

//! Asks the receiver of a text whether the text is still cancel.

use crate::Refusal;

/// The receiver of a text. Between two questions lie a few milliseconds at the most.
#[derive(Clone, Copy)]
pub(crate) struct Cancel<'w>(pub(crate) &'w dyn Fn() -> bool);

impl Cancel<'_> {
    /// A receiver that waits to the end.
    pub(crate) const ALWAYS: Cancel<'static> = Cancel(&|| true);

    /// Returns whether the text is still cancel.
    pub(crate) fn is_still(self) -> bool {
        (self.0)()
    }

    /// Refuses what nobody wants any more.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        if self.is_still() { Ok(()) } else { Err(Refusal::Cancelled) }
    }
}

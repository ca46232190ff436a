//! Why there is no such ladder.

/// Why a ladder cannot be put together; the build of the program is at fault, not the edit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LadderError {
    /// No linked strategy has this name.
    #[error("no strategy named `{name}` is linked; enable the cargo feature that brings it")]
    Missing {
        /// The unknown name.
        name: String,
    },
    /// Two linked strategies share this name.
    #[error("two linked strategies are named `{name}`; rename one of them")]
    Duplicate {
        /// The name that occurs more than once.
        name: String,
    },
    /// No ladder has this name.
    #[error("no ladder named `{name}` is linked; choose one of: {known}")]
    UnknownLadder {
        /// The unknown name.
        name: String,
        /// The names there are, separated by commas.
        known: String,
    },
}

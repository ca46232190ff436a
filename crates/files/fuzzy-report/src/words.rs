//! The facts that word a failed search.

use fuzzy_core::{Judgement, LineRange};

use crate::{Code, Failure};

/// The words about a search.
pub(crate) struct Words<'w, 'q> {
    pub(crate) judgement: &'w Judgement<'q>,
    pub(crate) code: Code,
    /// The name of the searched text.
    pub(crate) old: &'static str,
    /// Whether that is a quote that names lines.
    pub(crate) is_quote: bool,
    /// Names lines of the searched text.
    pub(crate) place: &'w dyn Fn(LineRange) -> String,
}

impl Words<'_, '_> {
    /// Makes the failure, with the code of its cause.
    pub(crate) fn failure(&self, message: impl Into<String>, next_step: impl Into<String>) -> Failure {
        Failure::new(self.code, message, next_step)
    }

    /// Returns a constant of the engine with the name of the searched text, which it calls the old text.
    pub(crate) fn of_constant(&self, words: &str) -> String {
        words.replace("the old text", self.old)
    }
}

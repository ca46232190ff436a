//! Decides by a ladder.

use crate::decider::Question;
use crate::edit::Edit;
use crate::judgement::Judgement;
use crate::{Ladder, Query, Similarity};

/// Decides by a ladder: one judgement a question.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Document, Edit, Ladder, Pipeline, Policy};
///
/// // A ladder without strategies finds nothing.
/// let pipeline = Pipeline::new(Ladder::new("mine", &Policy::UniquePerStrategy, Vec::new()));
/// assert!(Edit::new("a", "b").run(&pipeline, &Document::new("a")).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Pipeline {
    ladder: Ladder,
}

impl Pipeline {
    /// Makes a pipeline that decides by `ladder`.
    #[must_use]
    pub const fn new(ladder: Ladder) -> Self {
        Self { ladder }
    }

    /// Returns the ladder.
    #[must_use]
    pub const fn ladder(&self) -> &Ladder {
        &self.ladder
    }

    /// Decides where the query's old text occurs and what to write there; with `replace_all`, everywhere.
    ///
    /// Nothing is computed that the decision does not need. Line endings stay as they are: an [`Edit`] fits them.
    #[must_use]
    pub fn decide<'q>(&'q self, query: Query<'q>, new: Option<&'q str>, replace_all: bool) -> Judgement<'q> {
        let (old, document) = (query.old(), query.document());
        let edit = Edit::new(old, new.unwrap_or_default()).with_replace_all(replace_all);
        let question = Question { query, new, replace_all, line: None, base: None, restored: None };
        Judgement::new(&self.ladder, edit, document, question, None, Similarity::ZERO)
    }
}

//! The contract between a rung and what walks it.

use std::fmt;
use std::ops::ControlFlow;

use crate::{Query, Similarity, Span};

/// One way to propose places for an old text.
///
/// # Contract
///
/// 1. Every proposed span lies inside the text, on character boundaries.
/// 2. The same query gives the same candidates in the same order.
/// 3. An empty old text yields nothing.
/// 4. No input makes it panic.
/// 5. It proposes candidates one at a time and stops at once when [`Found::propose`] breaks.
/// 6. It keeps no state: everything about a search lives on the stack or in the query.
///
/// A strategy only proposes. Uniqueness, ties between places and acceptance are the policy's; a rung that by its
/// definition keeps only its best proposes that one, and all of them where several tie for best and the rung
/// leaves the tie open. No strategy calls another.
pub trait Strategy: fmt::Debug + Sync {
    /// Returns the name, `family` or `family/variant`, unique in the registry.
    fn name(&self) -> &'static str;

    /// Hands the places where the old text may occur to `found`, in the order in which they should be considered.
    ///
    /// Returns [`ControlFlow::Break`] as soon as `found` breaks or the query stops.
    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()>;
}

/// A proposed place.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Candidate, Similarity, Span};
///
/// let place = Candidate::new(Span::new(2, 3), Similarity::new(0.9));
/// assert_eq!(place.span.text("a b"), "b");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where the old text may occur.
    pub span: Span,
    /// How alike old text and place are under the rung's own rule.
    pub similarity: Similarity,
}

impl Candidate {
    /// Makes a candidate.
    #[must_use]
    pub const fn new(span: Span, similarity: Similarity) -> Self {
        Self { span, similarity }
    }
}

/// Receives candidates, and breaks when enough was seen.
pub struct Found<'a> {
    visit: &'a mut dyn FnMut(Candidate) -> ControlFlow<()>,
}

impl<'a> Found<'a> {
    /// Makes a receiver that calls `visit` with each candidate.
    pub fn new(visit: &'a mut dyn FnMut(Candidate) -> ControlFlow<()>) -> Self {
        Self { visit }
    }

    /// Proposes one place; `?` on the result makes a strategy stop when enough was seen.
    pub fn propose(&mut self, candidate: Candidate) -> ControlFlow<()> {
        (self.visit)(candidate)
    }

    /// Proposes `start..end` with similarity 1, as the rungs do that compare normal forms.
    pub fn propose_equal(&mut self, start: usize, end: usize) -> ControlFlow<()> {
        self.propose(Candidate::new(Span::new(start, end), Similarity::ONE))
    }
}

impl fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").finish_non_exhaustive()
    }
}

//! Named, ordered strategies and what decides between their candidates.

use std::fmt;

use crate::outcome::EXACT;
use crate::{Decider, LadderError, Merge, Registry, Strategy};

/// Named, ordered strategies and what decides by them: a value, whatever else is linked.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Ladder, Policy};
///
/// let ladder = Ladder::new("mine", &Policy::UniquePerStrategy, Vec::new());
/// assert_eq!(ladder.strategies().len(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Ladder {
    name: &'static str,
    strategies: Vec<&'static dyn Strategy>,
    decider: &'static dyn Decider,
    merge: Option<&'static dyn Merge>,
}

impl Ladder {
    /// Makes a ladder of strategies in hand.
    #[must_use]
    pub const fn new(
        name: &'static str,
        decider: &'static dyn Decider,
        strategies: Vec<&'static dyn Strategy>,
    ) -> Self {
        Self { name, strategies, decider, merge: None }
    }

    /// Makes a ladder of the strategies in `registry` that have these names, in this order.
    ///
    /// # Errors
    ///
    /// Names the first strategy that is missing or registered twice.
    pub fn of_names(
        name: &'static str,
        decider: &'static dyn Decider,
        registry: &Registry,
        strategies: &[&str],
    ) -> Result<Self, LadderError> {
        let strategies = strategies.iter().map(|name| registry.find(name)).collect::<Result<_, _>>()?;
        Ok(Self::new(name, decider, strategies))
    }

    /// Makes a ladder of every strategy in `registry`, strict to loose.
    ///
    /// # Errors
    ///
    /// Names the first strategy that is registered twice.
    pub fn of_all(name: &'static str, decider: &'static dyn Decider, registry: &Registry) -> Result<Self, LadderError> {
        let names: Vec<_> = registry.entries().iter().map(|entry| entry.strategy().name()).collect();
        Self::of_names(name, decider, registry, &names)
    }

    /// Returns the ladder's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the strategies, in the order in which they are tried.
    #[must_use]
    pub fn strategies(&self) -> &[&'static dyn Strategy] {
        &self.strategies
    }

    /// Returns the decider: a [`Policy`](crate::Policy), or one of its own.
    #[must_use]
    pub const fn decider(&self) -> &'static dyn Decider {
        self.decider
    }

    /// Returns how many bytes on either side of the only exact place of an old text, and then to the ends of their lines,
    /// the decision may read. None if that is not known.
    ///
    /// A caller may then search that excerpt in the place of the whole text: if the judgement
    /// [is local](crate::Judgement::is_local), the edit lands in the whole text in the same way, and otherwise the whole
    /// text has to be searched. `has_carriage_return` is whether there is a `\r` in the excerpt of a file that has them;
    /// without, a smaller one does.
    #[must_use]
    pub fn reach(&self, new: &str, has_carriage_return: bool) -> Option<usize> {
        let finds_exact_first = self.strategies.first().is_some_and(|strategy| strategy.name() == EXACT);
        if finds_exact_first { self.decider.reach(new, has_carriage_return) } else { None }
    }

    /// Makes the ladder merge the new text with the file's text instead of writing it as given.
    ///
    /// Exact places and `replace_all` still take the new text to the byte.
    #[must_use]
    pub fn with_merge(mut self, merge: &'static dyn Merge) -> Self {
        self.merge = Some(merge);
        self
    }

    /// Returns the merge of new texts with the file, if the ladder has one.
    #[must_use]
    pub const fn merge(&self) -> Option<&'static dyn Merge> {
        self.merge
    }
}

impl fmt::Display for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

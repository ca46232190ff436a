//! The strategies that are linked into the program.

use std::sync::OnceLock;

use crate::{LadderError, Strategy};

/// A linked strategy and its place in the order from strict to loose.
///
/// # Examples
///
/// ```
/// use fuzzy_core::{Registration, Registry};
///
/// let priorities: Vec<i32> = Registry::linked().entries().iter().map(Registration::priority).collect();
/// assert!(priorities.is_sorted());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    strategy: &'static dyn Strategy,
    priority: i32,
}

impl Registration {
    /// Makes a registration; lower priorities are tried first.
    #[must_use]
    pub const fn new(strategy: &'static dyn Strategy, priority: i32) -> Self {
        Self { strategy, priority }
    }

    /// Returns the strategy.
    #[must_use]
    pub const fn strategy(&self) -> &'static dyn Strategy {
        self.strategy
    }

    /// Returns the priority.
    #[must_use]
    pub const fn priority(&self) -> i32 {
        self.priority
    }
}

inventory::collect!(Registration);

/// Registers the strategies of a crate; called once, in `lib.rs`, with all variants.
///
/// Emits the submissions, and an empty function `link` beside them: the linker drops a crate without callers, with all
/// its registrations and without a warning.
///
/// ```ignore
/// fuzzy_core::register! {
///     LineTrimmed, priority = 20;
///     LineTrimmedEnds, priority = 21;
/// }
/// ```
#[macro_export]
macro_rules! register {
    ($($strategy:expr, priority = $priority:expr);+ $(;)?) => {
        $($crate::inventory::submit! { $crate::Registration::new(&$strategy, $priority) })+

        /// Keeps this crate's registrations in the program that calls it; does nothing else.
        #[doc(hidden)]
        #[inline(never)]
        pub fn link() {}
    };
}

/// Registrations in the one order that does not depend on how the program was built.
///
/// # Examples
///
/// ```
/// let none = fuzzy_core::Registry::new([]);
/// assert!(none.entries().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Registry {
    entries: Vec<Registration>,
}

impl Registry {
    /// Sorts `entries` by priority, then by name.
    pub fn new(entries: impl IntoIterator<Item = Registration>) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by_key(|entry| (entry.priority, entry.strategy.name()));
        Self { entries }
    }

    /// Returns the registry of this program; collected once.
    ///
    /// Read it through a crate that links the strategies: a program that only names this crate may see none.
    pub fn linked() -> &'static Self {
        static LINKED: OnceLock<Registry> = OnceLock::new();
        LINKED.get_or_init(|| Self::new(inventory::iter::<Registration>().copied()))
    }

    /// Returns the registrations, strict to loose.
    #[must_use]
    pub fn entries(&self) -> &[Registration] {
        &self.entries
    }

    /// Returns the strategy called `name`.
    ///
    /// # Errors
    ///
    /// [`LadderError::Missing`] if there is none, [`LadderError::Duplicate`] if there are several.
    pub fn find(&self, name: &str) -> Result<&'static dyn Strategy, LadderError> {
        let mut named = self.entries.iter().filter(|entry| entry.strategy.name() == name);
        match (named.next(), named.next()) {
            (None, _) => Err(LadderError::Missing { name: name.to_owned() }),
            (Some(only), None) => Ok(only.strategy),
            (Some(_), Some(_)) => Err(LadderError::Duplicate { name: name.to_owned() }),
        }
    }
}

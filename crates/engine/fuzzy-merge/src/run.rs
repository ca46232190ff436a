//! The conditions of a merge: until when its text is needed, and what a measurement leaves out.

use crate::mechanisms::Mechanism;
use crate::{Refusal, Rule};

/// The conditions of a merge.
#[derive(Clone, Copy)]
pub struct Run<'r> {
    /// Returns whether the caller still needs the text. A merge calls it every few milliseconds.
    pub is_needed: &'r dyn Fn() -> bool,
    /// The rules and mechanisms that a measurement leaves out.
    pub left_out: LeftOut,
    /// Whether the old text is what the file was: then every difference is somebody's change, and none is a slip.
    pub is_past: bool,
}

/// The rules and mechanisms that a measurement leaves out, by their names; otherwise none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut(pub &'static [&'static str]);

impl LeftOut {
    /// Returns whether the rule or mechanism of a name is left out.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        self.0.contains(&name)
    }

    /// Returns what a mechanism finds, unless it is left out.
    pub fn found<T>(self, mechanism: &Mechanism, find: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.uses(mechanism) { find() } else { None }
    }

    /// Returns a rule, unless it is left out.
    #[must_use]
    pub fn keep(self, rule: &'static Rule) -> Option<&'static Rule> {
        (!self.has(rule.name)).then_some(rule)
    }

    /// Returns whether a mechanism is used.
    #[must_use]
    pub fn uses(self, mechanism: &Mechanism) -> bool {
        !self.has(mechanism.name)
    }
}

impl Run<'_> {
    /// A merge with every mechanism, until its end.
    pub const WHOLE: Run<'static> = Run { is_needed: &|| true, left_out: LeftOut(&[]), is_past: false };

    pub(crate) fn is_needed(self) -> bool {
        (self.is_needed)()
    }

    pub(crate) fn uses(self, mechanism: &Mechanism) -> bool {
        self.left_out.uses(mechanism)
    }

    /// Refuses a merge that is cancelled.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        if self.is_needed() { Ok(()) } else { Err(Refusal::Cancelled) }
    }
}

//! When a candidate is accepted.

use std::fmt;

use crate::{Span, blank};

/// When a candidate is accepted, and what `replace_all` may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// A candidate counts when its text occurs once in the text, overlapping places included; else the next
    /// candidate, then the next strategy. `replace_all` replaces the first candidate's text everywhere.
    UniqueText,
    /// [`UniqueText`](Self::UniqueText), but a candidate much larger than the old text ends the search with a refusal.
    UniqueTextGuarded,
    /// A strategy that proposes several places is skipped. `replace_all` replaces exact occurrences only.
    UniquePerStrategy,
    /// The first strategy that proposes several places ends the search. `replace_all` replaces exact occurrences
    /// only.
    Refuse,
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.title())
    }
}

impl Policy {
    /// Returns the name under which ladders show it.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::UniqueText => "unique text",
            Self::UniqueTextGuarded => "unique text + span guard",
            Self::UniquePerStrategy => "unique per strategy",
            Self::Refuse => "refuse",
        }
    }

    /// Returns whether the policy counts places by their text rather than by strategy.
    pub(crate) const fn counts_text(self) -> bool {
        matches!(self, Self::UniqueText | Self::UniqueTextGuarded)
    }
}

/// Returns whether two spans are one place: they differ only in blanks at their ends.
pub(crate) fn is_same_place(haystack: &str, a: Span, b: Span) -> bool {
    a == b || core(haystack, a) == core(haystack, b)
}

/// Returns a span without the blanks at its ends. A span of blanks alone stays as it is: only its ends identify it.
fn core(haystack: &str, span: Span) -> Span {
    let text = span.text(haystack);
    let start = span.start() + blank::leading(text);
    if start == span.end() { span } else { Span::new(start, span.end() - blank::trailing(text)) }
}

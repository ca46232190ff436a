//! Says what can be decided about an edit.

use std::ops::Range;

use fuzzy_carry_over::Carried;

/// Replaces a range of the haystack by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Gives the bytes replaced.
    pub span: Range<usize>,
    /// Holds what to write there.
    pub text: String,
}

/// Names the place that comes nearest to a needle.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    /// Gives its bytes.
    pub span: Range<usize>,
    /// Says how alike it is, from 0 to 1.
    pub similarity: f32,
}

/// Says why an edit was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The needle is empty.
    EmptyNeedle,
    /// Needle and replacement are equal.
    Identical,
    /// No place resembles the needle.
    NotFound,
    /// This many places serve equally well.
    Ambiguous(usize),
    /// The nearest place is too unlike, or what the edit changes is not there.
    Unlike,
    /// The place is found, but fitting the replacement would be a guess.
    Guess,
}

/// Holds a whole edit as it would land, to be checked and sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Holds text copied from the haystack, where it stands once.
    pub needle: String,
    /// Holds the replacement, carried over to that text.
    pub replacement: String,
}

/// Holds what was decided.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// The edit lands here.
    Edit {
        /// Lists what to replace, in order, without overlap.
        splices: Vec<Splice>,
        /// Says how alike needle and place are.
        similarity: f32,
        /// Says how sure the place and the text are.
        confidence: f32,
    },
    /// The new text stands where the edit would land.
    AlreadyApplied {
        /// Gives its bytes.
        span: Range<usize>,
    },
    /// Nothing is done.
    Refused {
        /// Says why.
        reason: Reason,
        /// Names the nearest place.
        nearest: Option<Nearest>,
        /// Offers what probably was meant.
        proposal: Option<Proposal>,
    },
}

impl Decision {
    pub(crate) fn refused(reason: Reason) -> Self {
        Self::Refused { reason, nearest: None, proposal: None }
    }

    /// Makes an edit of a carried-over text.
    pub(crate) fn carried(carried: Carried, similarity: f32, confidence: f32) -> Self {
        Self::Edit { splices: vec![Splice { span: carried.span, text: carried.text }], similarity, confidence }
    }

    /// Gives the haystack after the edit; `None` when it was refused.
    #[must_use]
    pub fn output(&self, haystack: &str) -> Option<String> {
        match self {
            Self::Edit { splices, .. } => {
                let mut out = String::with_capacity(haystack.len());
                let mut from = 0;
                for splice in splices {
                    out.push_str(&haystack[from..splice.span.start]);
                    out.push_str(&splice.text);
                    from = splice.span.end;
                }
                out.push_str(&haystack[from..]);
                Some(out)
            }
            Self::AlreadyApplied { .. } => Some(haystack.to_owned()),
            Self::Refused { .. } => None,
        }
    }
}

//! How alike two texts are.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A number from 0 (nothing in common) to 1 (the same under the rung's own rule); never NaN, so totally ordered.
///
/// # Examples
///
/// ```
/// use fuzzy_core::Similarity;
///
/// let alike = Similarity::of_distance(1, 4);
/// assert!(f64::from(alike) > 0.7 && alike < Similarity::ONE);
/// assert_eq!(alike.to_string(), "0.750");
/// ```
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug)]
pub struct Similarity(f64);

impl Similarity {
    /// Nothing in common.
    pub const ZERO: Self = Self(0.0);
    /// The same under the rung's own rule.
    pub const ONE: Self = Self(1.0);

    /// Makes a similarity of `value`, moved into 0 to 1; NaN becomes 0.
    #[must_use]
    pub const fn new(value: f64) -> Self {
        if value >= 1.0 {
            Self::ONE
        } else if value > 0.0 {
            Self(value)
        } else {
            Self::ZERO
        }
    }

    /// Makes the similarity `1 - distance / longer`; two empty texts (`longer` is 0) are the same.
    #[must_use]
    pub fn of_distance(distance: usize, longer: usize) -> Self {
        if longer == 0 {
            return Self::ONE;
        }
        Self::new(1.0 - distance as f64 / longer as f64)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Similarity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Similarity {}

impl PartialOrd for Similarity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Similarity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Similarity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal numbers have equal bits: neither NaN nor -0 can be made.
        self.0.to_bits().hash(state);
    }
}

impl From<Similarity> for f64 {
    fn from(similarity: Similarity) -> Self {
        similarity.0
    }
}

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

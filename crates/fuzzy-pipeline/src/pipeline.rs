//! The pipeline with a ladder to start from.

use std::ops::Deref;

use fuzzy_core::Ladder;

/// Walks a ladder and decides; the core's pipeline, and with the feature `adaptive` a default.
///
/// The core cannot name a default because it depends on no strategy.
#[derive(Clone, Debug)]
pub struct Pipeline(fuzzy_core::Pipeline);

impl Pipeline {
    /// Makes a pipeline that walks `ladder`.
    #[must_use]
    pub const fn new(ladder: Ladder) -> Self {
        Self(fuzzy_core::Pipeline::new(ladder))
    }
}

impl Deref for Pipeline {
    type Target = fuzzy_core::Pipeline;

    fn deref(&self) -> &fuzzy_core::Pipeline {
        &self.0
    }
}

#[cfg(feature = "adaptive")]
impl Default for Pipeline {
    /// Makes a pipeline that walks the ladder `adaptive`.
    fn default() -> Self {
        Self::new(crate::ladder::default())
    }
}

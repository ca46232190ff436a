//! The pipeline with a ladder to start from.

use std::ops::Deref;
use std::str::FromStr;

use fuzzy_core::{Ladder, LadderError};

/// Walks a ladder and decides; the core's pipeline, and with the feature `adaptive` a default.
///
/// The core cannot name a default because it depends on no strategy.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "full")] {
/// use fuzzy_pipeline::Pipeline;
///
/// let pipeline: Pipeline = "full-guarded".parse()?;
/// assert_eq!(pipeline.ladder().to_string(), "full-guarded");
/// assert!("fastest".parse::<Pipeline>().is_err());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

impl FromStr for Pipeline {
    type Err = LadderError;

    /// Makes a pipeline that walks the linked ladder of this name.
    ///
    /// # Errors
    ///
    /// As [`ladder::named`](crate::ladder::named).
    fn from_str(name: &str) -> Result<Self, LadderError> {
        crate::ladder::named(name).map(Self::new)
    }
}

//! The builds of what is released.

/// A build of something that is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// Unoptimised, for tests.
    Debug,
    /// The release build.
    Shipped,
}

impl Build {
    /// Returns cargo's profile for programs on this machine.
    pub(crate) const fn profile(self) -> &'static str {
        match self {
            Self::Debug => "dev",
            Self::Shipped => "dist",
        }
    }

    /// Returns the folder of that profile, relative to the folder of the target.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Shipped => "dist",
        }
    }
}

//! How thoroughly what is released is built.

/// How something that is released is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// Unoptimised, for tests.
    Debug,
    /// As it is shipped.
    Shipped,
}

impl Build {
    /// Returns cargo's profile for what runs on this machine.
    pub(crate) const fn profile(self) -> &'static str {
        match self {
            Self::Debug => "dev",
            Self::Shipped => "dist",
        }
    }

    /// Returns the folder that cargo puts that in, below the one of the target.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Shipped => "dist",
        }
    }
}

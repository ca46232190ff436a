//! Snapshots that contain only the value, with names of their own.
//!
//! [`assert_snapshot!`](crate::assert_snapshot) takes the arguments of `insta`'s macro and binds [`settings`].

use insta::Settings;

#[doc(hidden)]
pub use insta;

/// Returns the settings of every snapshot: the file repeats no expression, and is named after the snapshot.
///
/// So tests may move between modules and change their code without a change of their snapshots. Names must be unique
/// among the tests of a folder.
#[must_use]
pub fn settings() -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings
}

/// Asserts that a value equals its named snapshot, with the common [`settings`](crate::snapshot::settings).
///
/// The snapshot is in the folder `snapshots` beside the test's file. A `/` in the name becomes `__`.
#[macro_export]
macro_rules! assert_snapshot {
    ($($argument:tt)*) => {
        $crate::snapshot::settings().bind(|| $crate::snapshot::insta::assert_snapshot!($($argument)*))
    };
}

//! Snapshots that hold the value alone, under names of their own.
//!
//! [`assert_snapshot!`](crate::assert_snapshot) takes the arguments of the macro of `insta`, and [`settings`] are those
//! that it binds.

use insta::Settings;

#[doc(hidden)]
pub use insta;

/// Returns the settings of every snapshot: the file repeats no expression, and its name is that of the snapshot.
///
/// Tests may then move between modules, and be written otherwise, without a change to the snapshots. Names have to be
/// unique among the tests of a folder.
#[must_use]
pub fn settings() -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings
}

/// Asserts that a value is as in the snapshot of a name, with the [`settings`](crate::snapshot::settings) of all.
///
/// The snapshot is in the folder `snapshots` beside the file of the test. A `/` in the name becomes `__`.
#[macro_export]
macro_rules! assert_snapshot {
    ($($argument:tt)*) => {
        $crate::snapshot::settings().bind(|| $crate::snapshot::insta::assert_snapshot!($($argument)*))
    };
}

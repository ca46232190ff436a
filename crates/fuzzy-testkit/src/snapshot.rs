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

/// Returns indented JSON with each object and list on one line that fits into 120 columns.
#[must_use]
pub fn folded(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut folded, mut at) = (String::new(), 0);
    while let Some((line, rest)) = lines[at..].split_first() {
        let inner = rest.iter().position(|other| indent(other) <= indent(line)).filter(|_| line.ends_with(['{', '[']));
        let end = inner.map_or(at, |inner| at + 1 + inner);
        let joined = lines[at..=end].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let fits = indent(line) + joined.len() <= 120;
        folded += &if fits { line[..indent(line)].to_owned() + &joined } else { (*line).to_owned() };
        folded.push('\n');
        at = if fits { end } else { at } + 1;
    }
    folded
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

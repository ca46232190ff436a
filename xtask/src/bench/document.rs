//! The committed tables.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use fuzzy_tools::machine::machine;
use fuzzy_tools::run::root;

use super::figures::Figures;
use super::{tables, targets};

/// Writes `docs/performance.md`.
pub(crate) fn write(figures: &Figures, processes: &str) -> Result<()> {
    let mut text = "# Performance\n\n\
        Written by `cargo xtask bench --write`; do not edit.\n\n\
        **M** is one `memchr::memmem` pass over the same haystack for a text that is not there, timed in turn with the \
        scenario. Times are the fastest of 3 to 100 samples. *naive* is how many times as long a plain implementation \
        takes that looks at every line and every window, run once. *exponent* is that of the time over the bytes from \
        10,000 lines up, by least squares. Allocations and their peak are those of one search, the haystack not among \
        them. What is inside the timed region stands in `benches/README.md`.\n\n"
        .to_owned();
    writeln!(text, "Machine: {}.\n", machine()?)?;
    writeln!(text, "## Targets\n\n{}", targets::table(figures))?;
    writeln!(text, "## Whole processes\n\n{processes}")?;
    text.push_str(&tables::all(figures, 2));
    let path = root().join("docs/performance.md");
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("docs/performance.md written");
    Ok(())
}

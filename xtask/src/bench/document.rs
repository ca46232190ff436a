//! Writes the committed document with the figures.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use fuzzy_tools::machine::machine;
use fuzzy_tools::run::root;

use super::figures::Figures;
use super::targets;

/// Writes `docs/performance.md`.
pub(crate) fn write(figures: &Figures, processes: &str) -> Result<()> {
    let mut text = "# Performance\n\n\
        Written by `cargo xtask bench --write`; do not edit.\n\n\
        **M** is one `memchr::memmem` pass over the same haystack for an absent text, measured alternately with the \
        scenario. The exponent is that of the time as a power of the number of bytes, from 10,000 lines, by least \
        squares. `benches/README.md` describes the measurement of a scenario. `cargo xtask bench` prints every \
        scenario, and writes all figures to `target/bench/figures.csv`.\n\n"
        .to_owned();
    writeln!(text, "Machine: {}.\n", machine()?)?;
    writeln!(text, "## Targets\n\n{}", targets::table(figures))?;
    write!(text, "## Whole processes\n\n{processes}")?;
    let path = root().join("docs/performance.md");
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("docs/performance.md written");
    Ok(())
}

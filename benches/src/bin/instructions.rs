//! Runs one scenario for callgrind: `instructions NAME`, or `instructions` to list the names.
//!
//! Under `valgrind --tool=callgrind --toggle-collect='*measured_region*'` only the second run is counted: the first one
//! fills caches that a program fills once, and checks the answer.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use fuzzy_benches::questions::{adversarial, edits, growth, unicode};
use fuzzy_benches::scenario::{Answer, Scenario};

/// The guarded scenarios: each ladder's common case, cases that filters decide, cases that they do not, and the worst
/// cases.
const GUARDED: &[&str] = &[
    "growth/full/exact/10000",
    "growth/full/indent/10000",
    "growth/full/absent-first/10000",
    "growth/full/reversed/10000",
    "growth/conservative/reversed/10000",
    "growth/opencode/reversed/10000",
    "growth/boocode/absent-all/10000",
    "growth/reference/absent-all/10000",
    "growth/adaptive/indent/10000",
    "unicode/full/reversed/10000",
    "adversarial/full/every line an anchor/10000",
    "adversarial/full/tiny alphabet/10000",
    "edits/full/100 exact/10000",
];

fn main() -> ExitCode {
    let Some(name) = env::args().nth(1) else {
        println!("{}", GUARDED.join("\n"));
        return ExitCode::SUCCESS;
    };
    let scenarios = match name.split('/').next() {
        Some("growth") => growth::of_lines(10_000),
        Some("adversarial") => adversarial::of_lines(10_000),
        Some("unicode") => unicode::scenarios(),
        Some("edits") => edits::scenarios(),
        _ => Vec::new(),
    };
    let Some(scenario) = scenarios.iter().find(|scenario| scenario.id() == name) else {
        eprintln!("there is no scenario {name}");
        return ExitCode::FAILURE;
    };
    scenario.check();
    black_box(measured_region(scenario));
    ExitCode::SUCCESS
}

/// The region that callgrind counts. Its name is the switch, so it must remain a function of its own.
#[inline(never)]
fn measured_region(scenario: &Scenario) -> Answer {
    (scenario.work)()
}

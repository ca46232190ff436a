//! Counts the instructions of some scenarios and compares them with the committed counts.
//!
//! A clock on a shared machine cannot resolve a difference of ten per cent. A count of instructions can, and is
//! reproducible.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, read, root, run as execute};
use serde::Deserialize;

/// The largest permitted growth of a count.
const TOLERANCE: f64 = 0.10;

/// Counts instructions with callgrind and compares them with benches/instructions.toml.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the counts instead of comparing them.
    #[arg(long)]
    pub(crate) write: bool,
}

/// The committed counts.
#[derive(Debug, Deserialize)]
struct Baseline {
    machine: String,
    rustc: String,
    instructions: BTreeMap<String, u64>,
}

/// Counts, then compares or writes.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    execute(cargo(["build", "--quiet", "--profile", "dist", "--package", "fuzzy-benches", "--bin", "instructions"]))?;
    let program = Metadata::load()?.target_dir.join("dist/instructions");
    let names = read(Command::new(&program))?;
    let mut counts = BTreeMap::new();
    for name in names.lines() {
        counts.insert(name.to_owned(), counted(&program, name)?);
    }
    let rustc = rustc()?;
    if arguments.write { write(&instruction_set(), &rustc, &counts) } else { compare(&rustc, &counts) }
}

/// Returns whether the committed counts are valid for this machine.
pub(crate) fn are_comparable() -> Result<bool> {
    Ok(baseline()?.machine == instruction_set())
}

/// Runs one scenario under callgrind and returns its number of instructions.
fn counted(program: &Path, name: &str) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*measured_region*"])
        .arg(program)
        .arg(name)
        .stdin(Stdio::null())
        .output()
        .context("cannot start valgrind; `cargo xtask test instructions` installs it")?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} under valgrind ended with {}:\n{log}", output.status);
    let count = log
        .lines()
        .find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
        .with_context(|| format!("valgrind printed no count:\n{log}"))?;
    ensure!(count > 0, "{name}: nothing was counted, so the measured region is not a function of its own any more");
    Ok(count)
}

fn path() -> PathBuf {
    root().join("benches/instructions.toml")
}

fn write(machine: &str, rustc: &str, counts: &BTreeMap<String, u64>) -> Result<()> {
    let mut text = format!(
        "# Instructions of one run of each scenario, written by `cargo xtask instructions --write`.\n\
         # Write them anew in the commit that makes a scenario cheaper, or dearer for a reason that its message gives,\n\
         # and when the compiler changes.\n\
         machine = {machine:?}\n\
         rustc = {rustc:?}\n\n\
         [instructions]\n"
    );
    for (name, count) in counts {
        writeln!(text, "{name:?} = {count}")?;
    }
    fs::write(path(), text).context("cannot write benches/instructions.toml")?;
    println!("benches/instructions.toml written");
    Ok(())
}

fn baseline() -> Result<Baseline> {
    let text = fs::read_to_string(path()).context("cannot read benches/instructions.toml")?;
    toml::from_str(&text).context("benches/instructions.toml is not as it was written")
}

fn compare(rustc: &str, counts: &BTreeMap<String, u64>) -> Result<()> {
    let baseline = baseline()?;
    let machine = instruction_set();
    ensure!(
        baseline.machine == machine,
        "not comparable: the committed counts are for {}, this is {machine}",
        baseline.machine
    );
    if baseline.rustc != rustc {
        println!("note: the committed counts are for {}, this is {rustc}", baseline.rustc);
    }
    let mut failures = Vec::new();
    for (name, &count) in counts {
        let Some(&before) = baseline.instructions.get(name) else {
            failures.push(format!("{name} has no committed count"));
            continue;
        };
        let change = count as f64 / before as f64 - 1.0;
        println!("{name:50} {before:>12} {count:>12} {:+6.1} %", change * 100.0);
        if change > TOLERANCE {
            failures.push(format!("{name} takes {:.1} % more", change * 100.0));
        }
    }
    failures.extend(
        baseline.instructions.keys().filter(|name| !counts.contains_key(*name)).map(|name| format!("{name} is gone")),
    );
    if !failures.is_empty() {
        bail!("{}; if that is as it should be, run `cargo xtask instructions --write`", failures.join("; "));
    }
    Ok(())
}

/// Returns the name of the compiler.
pub(crate) fn rustc() -> Result<String> {
    let mut rustc = Command::new("rustc");
    rustc.arg("--version");
    Ok(read(rustc)?.trim().to_owned())
}

/// Returns the instruction set that the substring search uses: counts of instructions are only comparable for one set.
fn instruction_set() -> String {
    #[cfg(target_arch = "x86_64")]
    let vectors = if is_x86_feature_detected!("avx2") { " with avx2" } else { "" };
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = "";
    format!("{}-{}{vectors}", env::consts::ARCH, env::consts::OS)
}

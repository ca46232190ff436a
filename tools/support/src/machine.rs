//! The machine of a measurement.

use std::process::Command;
use std::{env, fs, thread};

use anyhow::Result;

use crate::run::read;

/// Returns the name of the compiler.
pub fn rustc() -> Result<String> {
    let mut rustc = Command::new("rustc");
    rustc.arg("--version");
    Ok(read(rustc)?.trim().to_owned())
}

/// Returns the names of the processor, the system and the compiler.
pub fn machine() -> Result<String> {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cpu = cpu.map_or(env::consts::ARCH, |(_, name)| name);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    Ok(format!("{cpu}, {cores} cores, {}, {}", env::consts::OS, rustc()?))
}

/// Returns the instruction set that the substring search uses: counts of instructions are only comparable for one set.
#[must_use]
pub fn instruction_set() -> String {
    #[cfg(target_arch = "x86_64")]
    let vectors = if is_x86_feature_detected!("avx2") { " with avx2" } else { "" };
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = "";
    format!("{}-{}{vectors}", env::consts::ARCH, env::consts::OS)
}

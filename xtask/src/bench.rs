//! Runs the benches and prints what they measured as one table.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::metadata::Metadata;
use crate::run::{cargo, run as execute};

/// Runs the benches and prints a table of times.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only benches whose name holds this text.
    filter: Option<String>,
    /// Keep the times under this name, to compare with later.
    #[arg(long, value_name = "NAME", conflicts_with = "against")]
    save: Option<String>,
    /// Compare with the times that were kept under this name.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
}

/// What one bench measured.
#[derive(Debug, PartialEq)]
struct Row {
    name: String,
    nanoseconds: f64,
    /// Bytes that one run looks at, where the bench says so.
    bytes: Option<f64>,
    /// Relative change of the time, where there is something to compare with.
    change: Option<f64>,
}

/// Runs the benches, then prints the table.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let metadata = Metadata::load()?;
    let started = SystemTime::now();
    for package in metadata.packages.iter().filter(|package| !package.benches.is_empty()) {
        let mut bench = cargo(["bench", "--benches", "--package", &package.name, "--"]);
        bench.args(&arguments.filter);
        for (flag, name) in [("--save-baseline", &arguments.save), ("--baseline", &arguments.against)] {
            if let Some(name) = name {
                bench.args([flag, name]);
            }
        }
        execute(bench)?;
    }
    let mut rows = Vec::new();
    collect(&metadata.target_dir.join("criterion"), started, arguments.against.is_some(), &mut rows)?;
    ensure!(!rows.is_empty(), "no bench was run");
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    print!("\n{}", table(&rows));
    Ok(())
}

/// Finds what criterion wrote below `folder` since `started`.
fn collect(folder: &Path, started: SystemTime, compared: bool, rows: &mut Vec<Row>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        let estimates = path.join("estimates.json");
        if path.file_name().is_some_and(|name| name == "new") && estimates.is_file() {
            if fs::metadata(&estimates)?.modified()? >= started {
                rows.push(row(folder, compared)?);
            }
        } else if path.is_dir() {
            collect(&path, started, compared, rows)?;
        }
    }
    Ok(())
}

fn row(folder: &Path, compared: bool) -> Result<Row> {
    let bench = json(&folder.join("new/benchmark.json"))?;
    let mean = |value: &Value| value["mean"]["point_estimate"].as_f64();
    let change = if compared { mean(&json(&folder.join("change/estimates.json"))?) } else { None };
    Ok(Row {
        name: bench["full_id"].as_str().context("a bench without a name")?.to_owned(),
        nanoseconds: mean(&json(&folder.join("new/estimates.json"))?).context("a bench without a mean")?,
        bytes: bench["throughput"]["Bytes"].as_f64(),
        change,
    })
}

fn json(path: &PathBuf) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let mut table = format!("{:width$}  {:>10}  {:>10}  {:>8}\n", "bench", "time", "GB/s", "change");
    for row in rows {
        // A byte each nanosecond is a gigabyte each second.
        let speed = row.bytes.map_or(String::new(), |bytes| format!("{:.2}", bytes / row.nanoseconds));
        let change = row.change.map_or(String::new(), |change| format!("{:+.1} %", change * 100.0));
        let line = format!("{:width$}  {:>10}  {speed:>10}  {change:>8}", row.name, time(row.nanoseconds));
        table += line.trim_end();
        table.push('\n');
    }
    table
}

/// Shows a time in the unit that keeps it readable.
fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "µs"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    format!("{value:.1} {unit}")
}

#[cfg(test)]
mod tests {
    use super::{Row, table, time};

    #[test]
    fn a_time_has_the_unit_that_keeps_it_readable() {
        assert_eq!([0.5, 1500.0, 2.5e6, 3e9].map(time), ["0.5 ns", "1.5 µs", "2.5 ms", "3.0 s"]);
    }

    #[test]
    fn the_table_shows_speed_and_change_where_they_are_known() {
        let rows = [
            Row { name: "exact/hit".to_owned(), nanoseconds: 1000.0, bytes: Some(2500.0), change: Some(-0.125) },
            Row { name: "a".to_owned(), nanoseconds: 1.0, bytes: None, change: None },
        ];
        let expected = "bench            time        GB/s    change\n\
                        exact/hit      1.0 µs        2.50   -12.5 %\n\
                        a              1.0 ns\n";
        assert_eq!(table(&rows), expected);
    }
}

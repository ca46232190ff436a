//! Measures the scenarios of `benches`, whole processes and the packages.

use std::ffi::OsString;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::Command;
use std::{env, thread};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, read, root, run};

use crate::build::Build;
use crate::instructions::rustc;
use crate::packages::{self, script};
use crate::python::{Environment, PACKAGE};
use crate::test::on_the_playground;
use crate::{npm, tools};

/// The document with the table of `--scale`, and the command that writes it.
const SCALE: (&str, &str) = ("docs/scale.md", "cargo xtask bench --scale --write --cases CASES");

/// Measures scenarios, prints a table per question, and writes all figures to target/bench/figures.jsonl.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Arguments {
    /// Words that a scenario's name must contain (`question/subject/case/lines`); default: all scenarios, and whole
    /// processes. `node` alone measures the npm package and opencode's own code.
    filter: Vec<String>,
    /// Measure with criterion, and keep the results under this name.
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// Measure with criterion, and compare with the results that were saved under this name.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Measure only whole processes: compared with git, with several jobs, and the MCP server.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "write"])]
    processes: bool,
    /// Measure only the Python package in its release build.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "write", "processes"])]
    python: bool,
    /// Measure only tables of edits, on Spark and without it; `--write` writes docs/scale.md.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "processes", "python"])]
    scale: bool,
    /// With --scale: labelled cases, whose drifted edits get a row of their own.
    #[arg(long, value_name = "CASES", requires = "scale")]
    cases: Option<PathBuf>,
    /// Measure only the playground, in a browser.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "processes", "python", "scale", "write"])]
    playground: bool,
    /// Write the targets and the whole processes into docs/performance.md.
    #[arg(long, conflicts_with_all = ["filter", "save", "against"])]
    write: bool,
}

/// Measures what the options name, and prints tables.
pub(crate) fn bench(arguments: &Arguments) -> Result<()> {
    let metadata = Metadata::load()?;
    match arguments {
        Arguments { python: true, .. } => python(&metadata),
        Arguments { scale: true, .. } => tables_of_edits(&metadata, arguments.cases.as_deref(), arguments.write),
        Arguments { playground: true, .. } => {
            let mut node = on_the_playground(&metadata, Build::Shipped)?;
            node.arg("measure.mjs");
            run(node)
        }
        Arguments { processes: true, .. } => run(script("processes.py", ["all"], &["hyperfine"])?),
        _ if arguments.save.is_some() || arguments.against.is_some() => criterion(&metadata, arguments),
        _ if arguments.filter == ["node"] => node(&metadata),
        _ => scenarios(&metadata, arguments),
    }
}

/// Measures scenarios relative to a substring search, and, without a filter, whole processes.
fn scenarios(metadata: &Metadata, arguments: &Arguments) -> Result<()> {
    let mut measure = cargo(["run", "--quiet", "--profile", "dist", "--package", "fuzzy-benches", "--bin", "measure"]);
    measure.arg("--").args(&arguments.filter);
    let figures = read(measure)?;
    ensure!(!figures.is_empty(), "no scenario has a name with all of: {}", arguments.filter.join(", "));
    let (folder, is_all) = (metadata.target_dir.join("bench"), arguments.filter.is_empty());
    let file = folder.join("figures.jsonl");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(&file, figures).with_context(|| format!("cannot write {}", file.display()))?;
    let mut words = vec![file.into_os_string()];
    words.extend(is_all.then(|| "--processes".into()));
    words.extend(arguments.write.then(|| "--write".into()));
    words.push(OsString::from(format!("--machine={}", machine()?)));
    run(script("figures.py", words, if is_all { &["hyperfine"] } else { &[] })?)
}

/// Measures the same scenarios with criterion, saves the results, and compares them with saved ones.
fn criterion(metadata: &Metadata, arguments: &Arguments) -> Result<()> {
    let saved = arguments.save.as_deref().unwrap_or("current");
    let mut bench = cargo(["bench", "--package", "fuzzy-benches", "--benches", "--", "--noplot"]);
    bench.args(["--save-baseline", saved]).args((!arguments.filter.is_empty()).then(|| arguments.filter.join(".*")));
    run(bench)?;
    let Some(before) = &arguments.against else { return Ok(()) };
    let mut critcmp = Command::new(tools::program(metadata, "critcmp")?);
    critcmp.arg("--target-dir").arg(&metadata.target_dir).args([before, saved]);
    run(critcmp)
}

/// Measures both release builds of the npm package, and opencode's own code.
fn node(metadata: &Metadata) -> Result<()> {
    let (opencode, project) = (npm::opencode(metadata)?, metadata.target_dir.join("npm/bench"));
    npm::install(&packages::library(Build::Shipped)?, &project)?;
    fs::copy(root().join("bindings/node/package/bench/opencode.mjs"), project.join("opencode.mjs"))?;
    let mut node = Command::new("node");
    node.arg("opencode.mjs").arg(opencode).current_dir(&project);
    run(node)
}

/// Measures the release build of the Python package.
fn python(metadata: &Metadata) -> Result<()> {
    let environment = Environment::of(metadata, "bindings/python/requirements-test.txt")?;
    let wheel = environment.build_wheel(metadata, Build::Shipped)?;
    let mut pip = environment.pip(&["install", "--quiet", "--no-deps", "--no-index", "--force-reinstall"]);
    pip.arg(&wheel);
    run(pip)?;
    let mut python = environment.python();
    python.arg(root().join(PACKAGE).join("tools/measure.py")).arg(wheel).current_dir(&metadata.target_dir);
    run(python)
}

/// Measures tables of edits, and writes the figures into the document, which requires labelled cases.
fn tables_of_edits(metadata: &Metadata, cases: Option<&Path>, write: bool) -> Result<()> {
    ensure!(!write || cases.is_some(), "name the labelled cases: --cases CASES");
    let environment = Environment::of(metadata, "bindings/python/requirements-spark.txt")?;
    environment.install_with_spark(&environment.build_wheel(metadata, Build::Shipped)?)?;
    let mut python = environment.python();
    python.arg("bench.py").arg("--folder").arg(metadata.target_dir.join("bench/scale"));
    if let Some(cases) = cases {
        python.arg("--cases").arg(path::absolute(cases)?);
    }
    python.current_dir(root().join(PACKAGE).join("scale")).env("PYTHONDONTWRITEBYTECODE", "1");
    let table = format!("{}\n{}.\n", read(python)?, machine()?);
    print!("{table}");
    if write {
        let path = root().join(SCALE.0);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        fs::write(&path, replace_block(&text, "figures", SCALE.1, &table)?)?;
    }
    Ok(())
}

/// Returns the names of the processor, the system and the compiler.
fn machine() -> Result<String> {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cpu = cpu.map_or(env::consts::ARCH, |(_, name)| name);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    Ok(format!("{cpu}, {cores} cores, {}, {}", env::consts::OS, rustc()?))
}

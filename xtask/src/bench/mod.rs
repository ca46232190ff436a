//! Measures the scenarios of `benches` and prints the figures.

mod compare;
pub(crate) mod comparison;
mod csv;
mod document;
mod figures;
mod hooks;
mod jobs;
mod mcp;
mod node;
mod playground;
mod plot;
mod processes;
mod python;
pub(crate) mod restores;
mod scratch;
mod tables;
mod targets;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, read};

use figures::Figures;

/// Measures scenarios, prints a table per question, and writes all figures to target/bench/figures.csv.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Arguments {
    /// Words that a scenario's name must contain (`question/subject/case/lines`); default: all scenarios. `node` alone
    /// measures the npm package and opencode's own code.
    filter: Vec<String>,
    /// Save the figures under this name.
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// Compare with the figures saved under this name.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Plot time against size, one SVG per ladder.
    #[arg(long)]
    plot: bool,
    /// Measure only whole processes: compared with git, with several jobs, and the MCP server. A run without a filter
    /// includes them.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "plot", "write"])]
    processes: bool,
    /// Measure only the Python package in its release build.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "plot", "write", "processes"])]
    python: bool,
    /// Measure only tables of edits, on Spark and without it; `--write` writes docs/scale.md.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "plot", "processes", "python"])]
    scale: bool,
    /// With --scale: labelled cases, whose drifted edits get a row of their own.
    #[arg(long, value_name = "CASES", requires = "scale")]
    cases: Option<PathBuf>,
    /// Measure only the playground, in a browser.
    #[arg(long, conflicts_with_all = ["filter", "save", "against", "plot", "write", "processes"])]
    playground: bool,
    /// Write the targets and the whole processes into docs/performance.md.
    #[arg(long, conflicts_with = "filter")]
    write: bool,
}

/// Measures the scenarios, prints the tables, and saves the figures that the options name.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.processes {
        print!("{}", processes()?);
        return Ok(());
    }
    if arguments.python {
        return python::measure();
    }
    if arguments.scale {
        return python::measure_tables(arguments.cases.as_deref(), arguments.write);
    }
    if arguments.filter == ["node"] {
        return node::compare();
    }
    let metadata = Metadata::load()?;
    if arguments.playground {
        print!("{}", playground::table(&metadata)?);
        return Ok(());
    }
    let folder = metadata.target_dir.join("bench");
    let before = arguments.against.as_ref().map(|name| load(&kept(&folder, name))).transpose()?;
    let mut measure =
        cargo(["run", "--quiet", "--profile", "dist", "--package", "fuzzy-benches", "--bin", "measure", "--"]);
    measure.args(&arguments.filter);
    let text = read(measure)?;
    let figures = Figures::parse(&text)?;
    if figures.all.is_empty() {
        bail!("no scenario has a name with all of: {}", arguments.filter.join(", "));
    }
    print!("{}", tables::all(&figures));
    println!("\n## Targets\n\n{}", targets::table(&figures));
    let processes = if arguments.filter.is_empty() { Some(processes()?) } else { None };
    if let Some(processes) = &processes {
        println!("\n## Whole processes\n\n{processes}");
    }
    if let Some(before) = before {
        println!(
            "\n## Against {}\n\n{}",
            arguments.against.as_deref().unwrap_or_default(),
            compare::table(&before, &figures)
        );
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    csv::write(&figures, &folder)?;
    if let Some(name) = &arguments.save {
        fs::write(kept(&folder, name), &text).with_context(|| format!("cannot keep the figures as {name}"))?;
    }
    if arguments.plot {
        plot::write(&figures, &folder)?;
    }
    if let (true, Some(processes)) = (arguments.write, &processes) {
        document::write(&figures, processes)?;
    }
    Ok(())
}

/// Measures whole processes of the command.
fn processes() -> Result<String> {
    let program = command::build("dist", &["full"])?;
    Ok([processes::table(&program)?, jobs::table(&program)?, mcp::table(&program)?].join("\n"))
}

/// Returns the file of the figures saved under a name.
fn kept(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.jsonl"))
}

fn load(path: &PathBuf) -> Result<Figures> {
    let text = fs::read_to_string(path).with_context(|| format!("no figures are kept at {}", path.display()))?;
    Figures::parse(&text)
}

//! The tables of `docs/accuracy.md`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::machine::machine;
use fuzzy_tools::run::root;
use fuzzy_tools::table::Table;

use crate::cases::CaseFile;
use crate::eval::patches::{PatchFile, PatchRun};
use crate::eval::run::{DETAILED, Run};
use crate::eval::{lines, plot, tables};

/// What writes the tables.
const COMMAND: &str = "cargo xtask eval --write";

/// Rewrites the tables and the plot; the words around them stay.
pub(crate) fn write(
    files: &[CaseFile],
    patch_files: &[PatchFile],
    ladders: &[String],
    runs: Vec<Run<'_>>,
    patches: Vec<PatchRun<'_>>,
) -> Result<()> {
    let all = tables::ladders(&runs);
    let latency = tables::latency(&runs);
    let detailed: Vec<Run<'_>> = runs.into_iter().filter(|run| run.ladder == DETAILED).collect();
    ensure!(!detailed.is_empty(), "docs/accuracy.md is about the ladder {DETAILED}; judge it too");
    let patches: Vec<PatchRun<'_>> = patches.into_iter().filter(|run| run.ladder == DETAILED).collect();
    let blocks = [
        ("cases", provenance(files, patch_files, ladders)),
        ("lines", lines::lines(&detailed, &patches)),
        ("ladders", all),
        ("groups", tables::groups(&detailed)),
        ("patches", tables::patches(&patches)),
        ("kinds", tables::kinds(&detailed)),
        ("proposals", tables::proposals(&detailed)),
        ("reliability", tables::reliability(&detailed)),
        ("latency", format!("Machine: {}.\n\n{latency}", machine()?)),
    ];
    change("docs/accuracy.md", |text| {
        blocks.iter().try_fold(text, |text, (name, body)| replace_block(&text, name, COMMAND, body))
    })?;
    let path = root().join("docs/accuracy-reliability.svg");
    fs::write(&path, plot::draw(&detailed)).with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("docs/accuracy.md and docs/accuracy-reliability.svg written");
    Ok(())
}

/// Returns which cases were judged; never what is in them.
fn provenance(files: &[CaseFile], patch_files: &[PatchFile], ladders: &[String]) -> String {
    let mut table = Table::new(2, &["cases", "SHA-256 of the file", "number"]);
    for file in files {
        table.row(vec![file.name.clone(), file.sha256.clone(), file.cases.len().to_string()]);
    }
    for file in patch_files {
        table.row(vec![file.name.clone(), file.sha256.clone(), format!("{} patches", file.patches())]);
    }
    let names = files.iter().map(|file| file.name.as_str());
    let names: Vec<&str> = names.chain(patch_files.iter().map(|file| file.name.as_str())).collect();
    let ladders = if ladders.is_empty() { String::new() } else { format!(" --ladder {}", ladders.join(",")) };
    format!("`cargo xtask eval {}{ladders} --write`\n\n{}", names.join(" "), table.render())
}

fn change(name: &str, change: impl FnOnce(String) -> Result<String>) -> Result<()> {
    let path = root().join(Path::new(name));
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
    let text = change(text).with_context(|| format!("cannot place the tables in {name}"))?;
    fs::write(&path, text).with_context(|| format!("cannot write {name}"))
}

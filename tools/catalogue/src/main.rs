//! Writes the tables of ladders and strategies into docs/ladders.md. A test checks that they are current.

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use fuzzy_pipeline::{ladder, registry};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{exit, root};

#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Rewrite the tables of docs/ladders.md.
    Ladders,
}

/// The page with the tables, and the command that writes them.
const PAGE: &str = "docs/ladders.md";
const COMMAND: &str = "cargo xtask ladders";

fn main() -> ExitCode {
    let Command::Ladders = Command::parse();
    exit(write())
}

fn write() -> Result<()> {
    let (_, new) = page()?;
    fs::write(root().join(PAGE), new).with_context(|| format!("cannot write {PAGE}"))
}

/// Returns the page as it is and with current tables.
fn page() -> Result<(String, String)> {
    let old = fs::read_to_string(root().join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let new = replace_block(&old, "ladders", COMMAND, &ladders()?)?;
    let new = replace_block(&new, "strategies", COMMAND, &strategies()?)?;
    Ok((old, new))
}

/// Returns the linked ladders with their strategies and their policy.
fn ladders() -> Result<String> {
    let mut table = "| ladder | rungs, in order | policy |\n|---|---|---|\n".to_owned();
    for name in ladder::names() {
        let ladder = ladder::named(name)?;
        let names: Vec<_> = ladder.strategies().iter().map(|strategy| strategy.name()).collect();
        let rungs = match name {
            "registered" => "every linked strategy, plug-ins included, strict to loose".to_owned(),
            _ => names.join(" · "),
        };
        writeln!(table, "| `{name}` | {rungs} | {} |", ladder.decider().name())?;
    }
    Ok(table)
}

/// Returns the linked strategies by family, strict to loose, each with its crate's description and its worked cases.
fn strategies() -> Result<String> {
    let mut families: Vec<(&str, Vec<String>)> = Vec::new();
    for entry in registry().entries() {
        let name = entry.strategy().name();
        let family = name.split('/').next().unwrap_or(name);
        let variant = format!("`{name}` {}", entry.priority());
        match families.iter_mut().find(|(known, _)| *known == family) {
            Some((_, variants)) => variants.push(variant),
            None => families.push((family, vec![variant])),
        }
    }
    let metadata = Metadata::load()?;
    let mut table = "| strategy and priority | what it does | worked cases |\n|---|---|---|\n".to_owned();
    for (family, variants) in families {
        let file = format!("crates/strategies/{family}/tests/cases.toml");
        // A new strategy has no cases yet.
        let cases = if root().join(&file).exists() { format!("[cases.toml](../{file})") } else { "–".to_owned() };
        let description = &metadata.member(&format!("fuzzy-{family}"))?.description;
        writeln!(table, "| {} | {description} | {cases} |", variants.join(" · "))?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tables_are_current() {
        let (old, new) = super::page().unwrap();
        assert_eq!(old, new, "run `{}`", super::COMMAND);
    }
}

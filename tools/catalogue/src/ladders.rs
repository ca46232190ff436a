//! Writes the tables of ladders and strategies into their page, or checks that they are current.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use fuzzy_pipeline::{ladder, registry};
use fuzzy_tools::generated::replace_block;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::root;
use fuzzy_tools::table::or_dash;

/// Rewrite the tables of docs/ladders.md, or check them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail if a table is not current.
    #[arg(long)]
    check: bool,
}

/// The page with all tables.
const PAGE: &str = "docs/ladders.md";

/// A table made from the linked strategies.
#[derive(Clone, Copy)]
enum Table {
    Ladders,
    Strategies,
}

impl Table {
    fn name(self) -> &'static str {
        match self {
            Self::Ladders => "ladders",
            Self::Strategies => "strategies",
        }
    }

    fn body(self) -> Result<String> {
        match self {
            Self::Ladders => ladders(),
            Self::Strategies => strategies(),
        }
    }
}

/// Rewrites every table, or only checks them.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let path = root().join(PAGE);
    let old = fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    let mut new = old.clone();
    for table in [Table::Ladders, Table::Strategies] {
        new = replace_block(&new, table.name(), "cargo xtask ladders", &table.body()?)
            .with_context(|| format!("cannot place the table in {PAGE}"))?;
    }
    if new == old {
        println!("{PAGE} is current");
        return Ok(());
    }
    ensure!(!arguments.check, "{PAGE} is not current: run `cargo xtask ladders`");
    fs::write(&path, new).with_context(|| format!("cannot write {PAGE}"))?;
    println!("{PAGE} rewritten");
    Ok(())
}

/// Returns the linked ladders with their strategies and their policy.
fn ladders() -> Result<String> {
    let mut table = "| ladder | rungs, in order | policy |\n|---|---|---|\n".to_owned();
    for name in ladder::names() {
        let ladder = ladder::named(name)?;
        let rungs = if name == "registered" {
            "every linked strategy, plug-ins included, strict to loose".to_owned()
        } else {
            let names: Vec<_> = ladder.strategies().iter().map(|strategy| strategy.name()).collect();
            names.join(" · ")
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
        let description = &metadata.member(&format!("fuzzy-{family}"))?.description;
        writeln!(table, "| {} | {description} | {} |", variants.join(" · "), cases(family))?;
    }
    Ok(table)
}

/// Returns the link to the worked cases of a family; a new one has none yet.
fn cases(family: &str) -> String {
    let file = format!("crates/strategies/{family}/tests/cases.toml");
    or_dash(root().join(&file).exists().then_some(file), |file| format!("[cases.toml](../{file})"))
}

//! Checks everything that is not a test: format, lints, docs, what is linked, what is tracked.

mod circles;
mod english;
mod linkage;
mod links;
mod markdown;
mod matrix;
mod tracked;
mod tree;
mod versions;
mod workflows;

use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, cargo, root, run};

use crate::tools;

/// Runs the checks and fails when one of them does.
pub(crate) fn ci(xtask: &clap::Command) -> Result<()> {
    let metadata = Metadata::load()?;
    let features = metadata.features().join(",");
    let mut steps = Steps::new("checks");
    steps.step("format", || run(cargo(["fmt", "--all", "--check"])));
    steps.step("tracked files", tree::check);
    steps.step("links", links::check);
    steps.step("plain English", english::check);
    steps.step("versions", versions::check);
    steps.step("workflows", || {
        workflows::check(xtask, &metadata)?;
        let mut zizmor = Command::new(tools::program(&metadata, "zizmor")?);
        zizmor.args(["--offline", "--quiet", ".github"]).current_dir(root());
        run(zizmor)
    });
    steps.step("import circles", || circles::check(&metadata));
    steps.step("one registry", linkage::one_registry);
    let everything = ["--workspace", "--keep-going", "--features", &features];
    steps.step("clippy", || {
        let mut clippy = cargo(["clippy", "--all-targets"]);
        clippy.args(everything).args(["--", "-D", "warnings"]);
        run(clippy)
    });
    steps.step("docs", || {
        // Only libraries: a program may be called like one, and their pages would overwrite each other.
        let mut doc = cargo(["doc", "--no-deps", "--lib"]);
        doc.args(everything).env("RUSTDOCFLAGS", "-D warnings");
        run(doc)
    });
    steps.step("packages", || packages(&metadata));
    steps.step("order of publishing", || order(&metadata));
    steps.step("ladder tables", || {
        run(cargo(["run", "--quiet", "--package", "fuzzy-catalogue", "--", "ladders", "--check"]))
    });
    matrix::steps(&metadata, &mut steps);
    steps.finish()
}

/// Packs what can be published. All at once, because each needs those that it depends on.
fn packages(metadata: &Metadata) -> Result<()> {
    let mut package = cargo(["package", "--quiet", "--no-verify", "--allow-dirty"]);
    for member in metadata.packages.iter().filter(|member| member.is_published) {
        package.args(["--package", &member.name]);
    }
    run(package)
}

/// The document that lists the crates in the order they are published, an item a line.
const ORDER: &str = "docs/releasing.md";

/// Fails unless every published crate is in the list, after those that it needs.
fn order(metadata: &Metadata) -> Result<()> {
    let text = std::fs::read_to_string(root().join(ORDER)).with_context(|| format!("cannot read {ORDER}"))?;
    let listed: Vec<&str> = text.lines().filter_map(|line| line.split_once(". `")?.1.strip_suffix('`')).collect();
    for (at, name) in listed.iter().enumerate() {
        let package = metadata.member(name).with_context(|| format!("{ORDER} lists {name}"))?;
        ensure!(package.is_published, "{ORDER} lists {name}, which is not published");
        let late = package.needs.iter().find(|need| !listed[..at].contains(&need.as_str()));
        ensure!(late.is_none(), "{ORDER} lists {name} before {}, which it needs", late.map_or("", String::as_str));
    }
    let missing = metadata.packages.iter().find(|member| member.is_published && !listed.contains(&&*member.name));
    ensure!(missing.is_none(), "{ORDER} lacks {}", missing.map_or("", |member| &member.name));
    Ok(())
}

//! Checks everything that is not a test: format, lints, docs, dependencies, tracked files.

mod circles;
mod tracked;

use std::process::Command;

use anyhow::Result;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{Steps, cargo, git, read, root, run};

use crate::tools;

/// Runs the checks and fails when one of them does.
pub(crate) fn ci(xtask: &clap::Command) -> Result<()> {
    let metadata = Metadata::load()?;
    let features = metadata.features().join(",");
    let everything = ["--workspace", "--keep-going", "--features", &features];
    let tool = |name: &str, arguments: &[&str]| {
        let mut tool = Command::new(tools::program(&metadata, name)?);
        tool.args(arguments).current_dir(root());
        anyhow::Ok(tool)
    };
    let mut steps = Steps::new("checks");
    steps.step("format", || run(cargo(["fmt", "--all", "--check"])));
    steps.step("spelling", || run(tool("typos", &["--format", "brief"])?));
    steps.step("links", || {
        let names = read(git(&["ls-files", "*.md"]))?;
        let mut lychee = tool("lychee", &["--offline", "--include-fragments", "--no-progress", "--quiet"])?;
        lychee.args(names.lines());
        run(lychee)
    });
    steps.step("tracked files", || tracked::check(xtask, &metadata));
    steps.step("workflows", || run(tool("zizmor", &["--offline", "--quiet", ".github"])?));
    steps.step("import circles", || circles::check(&metadata));
    steps.step("dependencies", || run(tool("cargo-deny", &["check", "bans", "licenses", "sources"])?));
    steps.step("clippy", || {
        let mut clippy = cargo(["clippy", "--all-targets"]);
        clippy.args(everything).args(["--", "-D", "warnings"]);
        run(clippy)
    });
    steps.step("docs", || {
        // Only libraries: a program may be called like one, and their pages would overwrite each other. With an example,
        // cargo counts the features that tests enable, as in `clippy`: else it would check 44 dependencies again.
        let mut doc = cargo(["doc", "--no-deps", "--lib", "--example", "measure"]);
        doc.args(everything).env("RUSTDOCFLAGS", "-D warnings");
        run(doc)
    });
    steps.step("packages", || packages(&metadata));
    // `mcp` and `serve` have `checkpoint`; the others that are left out add a verb, a reader or a database. Each is a build
    // of 15 s.
    for (package, left_out) in
        [("fuzzy-pipeline", "full"), ("fuzzy-edit-cli", "full,checkpoint,parquet,playground,postgres")]
    {
        steps.step(format!("features of {package}"), || {
            // No feature, the default ones, and each alone; the step `clippy` has all.
            let each = [
                "hack",
                "clippy",
                "--quiet",
                "--each-feature",
                "--exclude-all-features",
                "--exclude-features",
                left_out,
                "--package",
                package,
            ];
            run(tool("cargo-hack", &each)?.args(["--", "-D", "warnings"]))
        });
    }
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

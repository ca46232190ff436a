//! Builds the playground, and serves it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{root, run};

use crate::build::Build;
use crate::wasm;

/// Builds the playground: a folder of files that any server of static files can serve.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also build the command, and serve the page at this address; port 0 selects a free port.
    #[arg(long, value_name = "ADDRESS:PORT")]
    serve: Option<SocketAddr>,
}

/// Builds the page, prints its path, and serves it if requested.
pub(crate) fn playground(arguments: &Arguments) -> Result<()> {
    let metadata = Metadata::load()?;
    let (engine, page) = (wasm::engine(&metadata, Build::Shipped)?, metadata.target_dir.join("playground"));
    let mut copy = Command::new("sh");
    copy.args(["-ec", r#"rm -rf "$2"; cp -R "$0" "$2"; cp "$1" "$2/engine.wasm""#]);
    copy.arg(root().join("playground/page")).args([&engine, &page]);
    run(copy)?;
    println!("the page is in {}", page.display());
    if let Some(address) = arguments.serve {
        let mut serve = Command::new(program(&metadata, Build::Debug)?);
        // The server prints its address when it is ready.
        serve.args(["playground", "--addr", &address.to_string(), "--engine"]).arg(&engine);
        run(serve)?;
    }
    Ok(())
}

/// Builds the command that serves the page.
pub(crate) fn program(metadata: &Metadata, build: Build) -> Result<PathBuf> {
    match build {
        Build::Debug => command::for_tests(metadata),
        Build::Shipped => command::build(build.profile(), &["full", "playground"]),
    }
}

//! Builds the playground, and serves it.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::root;

use crate::build::Build;
use crate::needs;
use crate::wasm;

/// The source folder of the page.
const PAGE: &str = "playground/page";
/// The environment variable with the path of the engine, for a build of the command that contains the page.
pub(crate) const ENGINE: &str = "FUZZY_PLAYGROUND_ENGINE";

/// Builds the playground: a folder of files that any server of static files can serve.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also build the command, and serve the page at this address; port 0 selects a free port.
    #[arg(long, value_name = "ADDRESS:PORT")]
    serve: Option<SocketAddr>,
}

/// Builds the page, prints its path, and serves it if requested.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let metadata = Metadata::load()?;
    let engine = engine(&metadata, Build::Shipped)?;
    println!("the page is in {}", page(&metadata, &engine)?.display());
    if let Some(address) = arguments.serve {
        let mut serve = Command::new(program(&metadata, Build::Debug)?);
        serve.args(["playground", "--addr", &address.to_string(), "--engine"]).arg(&engine);
        // The server prints its address when it is ready.
        let status = serve.status().context("cannot start fuzzy-edit")?;
        ensure!(status.success(), "the server ended with {status}");
    }
    Ok(())
}

/// Builds the engine in WebAssembly, without patches, and returns its file.
pub(crate) fn engine(metadata: &Metadata, build: Build) -> Result<PathBuf> {
    needs::WASM_TARGET.provide()?;
    wasm::engine(metadata, build, &[])
}

/// Builds the command that serves the page.
pub(crate) fn program(metadata: &Metadata, build: Build) -> Result<PathBuf> {
    match build {
        Build::Debug => command::for_tests(metadata),
        Build::Shipped => command::build(build.profile(), &["full", "playground"]),
    }
}

/// Copies all files of the page into one folder, and returns it.
fn page(metadata: &Metadata, engine: &Path) -> Result<PathBuf> {
    let folder = metadata.target_dir.join("playground");
    if folder.exists() {
        // Files of an older page must not remain.
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    for file in fs::read_dir(root().join(PAGE)).with_context(|| format!("cannot read {PAGE}"))? {
        let file = file?;
        fs::copy(file.path(), folder.join(file.file_name()))?;
    }
    fs::copy(engine, folder.join("engine.wasm"))?;
    Ok(folder)
}

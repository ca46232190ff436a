//! Builds the playground, and serves it.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::command;
use fuzzy_tools::metadata::Metadata;
use fuzzy_tools::run::{cargo, root, run as carry_out};

/// Where the page is written by hand.
const PAGE: &str = "playground/page";
/// The variable that names the engine to a build of the command with the page in it.
pub(crate) const ENGINE: &str = "FUZZY_PLAYGROUND_ENGINE";
/// The target of the engine; with its profile it names the folder that cargo puts it in.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm";

/// Builds the playground: a folder of files that any server of static files can serve.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Build it into the command, too, and serve it here; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS:PORT")]
    serve: Option<SocketAddr>,
}

/// Builds the page, says where it is, and serves it where that is asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let metadata = Metadata::load()?;
    let engine = engine(&metadata)?;
    println!("the page is in {}", page(&metadata, &engine)?.display());
    if let Some(address) = arguments.serve {
        let mut serve = Command::new(program("dev", &engine)?);
        serve.args(["playground", "--addr", &address.to_string()]);
        // It prints the address itself, once it is ready.
        let status = serve.status().context("cannot start fuzzy-edit")?;
        ensure!(status.success(), "the server ended with {status}");
    }
    Ok(())
}

/// Builds the engine in WebAssembly and returns its file.
pub(crate) fn engine(metadata: &Metadata) -> Result<PathBuf> {
    carry_out(cargo(["build", "--package", "fuzzy-edit-wasm", "--profile", PROFILE, "--target", TARGET]))?;
    Ok(metadata.target_dir.join(TARGET).join(PROFILE).join("fuzzy_edit_wasm.wasm"))
}

/// Builds the command with the page in it.
pub(crate) fn program(profile: &str, engine: &Path) -> Result<PathBuf> {
    command::build_with(profile, &["full", "playground"], &[(ENGINE, engine.as_os_str())])
}

/// Puts all files of the page into one folder, and returns it.
fn page(metadata: &Metadata, engine: &Path) -> Result<PathBuf> {
    let folder = metadata.target_dir.join("playground");
    if folder.exists() {
        // Nothing of an older page is to be left.
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

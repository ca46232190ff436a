//! `playground`: serves a page that compares the answers of all ladders to an edit.

use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Code, Failure};
use fuzzy_playground::{File, files, files_with, serve};
use tokio::net::TcpListener;
use tokio::runtime;

use crate::output;

/// Serve a page that compares the answers of all ladders to an edit
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The address to listen on; port 0 selects any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7347")]
    addr: SocketAddr,
    /// The WebAssembly engine that `cargo xtask playground` built [default: the one in this build]
    #[arg(long, value_name = "FILE")]
    engine: Option<PathBuf>,
}

/// The first bytes of a WebAssembly module.
const WEBASSEMBLY: &[u8] = b"\0asm";

const AFTER_HELP: &str = "\
The address is printed on standard output when the server is ready; Ctrl-C stops it. The engine runs in the browser, and
sends no text anywhere. A link contains the whole case after its `#`.

Examples:
  fuzzy-edit playground
  fuzzy-edit playground --addr 127.0.0.1:0";

/// Serves until the process is stopped.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match arguments.serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::failure(false, &failure),
    }
}

impl Arguments {
    /// Returns the files to serve, with the engine of `--engine` or of this build.
    fn files(&self) -> Result<&'static [File], Box<Failure>> {
        let Some(path) = &self.engine else {
            return files().ok_or_else(|| {
                let message = "this build contains no engine for the page";
                let next_step = "Build it from the sources: cargo xtask playground --serve 127.0.0.1:7347";
                Box::new(Failure::bad_input(message, next_step))
            });
        };
        let engine = fs::read(path).map_err(|error| {
            let message = format!("cannot read the engine `{}`: {error}", path.display());
            Box::new(Failure::new(Code::Io, message, "Name the file that `cargo xtask playground` built."))
        })?;
        if !engine.starts_with(WEBASSEMBLY) {
            let message = format!("`{}` is not a WebAssembly module", path.display());
            return Err(Box::new(Failure::bad_input(message, "Name the file that `cargo xtask playground` built.")));
        }
        Ok(files_with(engine))
    }

    fn serve(&self) -> Result<(), Box<Failure>> {
        let files = self.files()?;
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        runtime.block_on(async {
            let listener = TcpListener::bind(self.addr).await.map_err(|error| {
                let message = format!("cannot listen on {}: {error}", self.addr);
                Box::new(Failure::new(Code::Io, message, "Name another port, or 0 for any free port."))
            })?;
            let address = listener.local_addr().map_err(|error| failed(&error))?;
            let mut out = io::stdout().lock();
            // A closed standard output does not stop the server.
            let _ = writeln!(out, "listening at http://{address}/").and_then(|()| out.flush());
            drop(out);
            serve(listener, files).await.map_err(|error| failed(&error))
        })
    }
}

fn failed(error: &io::Error) -> Box<Failure> {
    Box::new(Failure::new(Code::Io, format!("the server ended: {error}"), "Start it again."))
}

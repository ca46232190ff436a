//! `serve`: serves sessions, checkpoints and restores over HTTP.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use fuzzy_checkpoint_server::{Settings, recover, serve};
use fuzzy_checkpoint_service::gate::Token;
use fuzzy_report::Code;
use fuzzy_system as sys;
use tokio::net::TcpListener;
use tokio::runtime;

use super::checkpoint::options::{Agent, Database, Shared};
use super::checkpoint::refused::Refused;
use super::turns::record;
use crate::output;

/// Serve sessions, their checkpoints and restores over HTTP: a page for people, an API for programs
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The address to listen on; port 0 selects any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7346")]
    addr: SocketAddr,
    /// Accept requests for this host name, too, such as the name of a proxy
    #[arg(long, value_name = "NAME[:PORT]")]
    host: Vec<String>,
    /// Serve only worktrees beneath this directory [default: any worktree]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// A file with the token that every request needs
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    agent: Agent,
}

const TOKEN: &str = "FUZZY_EDIT_SERVE_TOKEN";

const AFTER_HELP: &str = "\
The server first finishes interrupted restores, then prints its address on standard output. On Ctrl-C and SIGTERM it
finishes its current requests before it exits.

Requests need a token if one is given by --token-file or FUZZY_EDIT_SERVE_TOKEN, with at least 16 characters. If --host
is given, or the address is not a loopback address, a missing token is generated and printed on standard error, or
written to a file if that is no terminal. Programs send it as a bearer token, browsers ask for it as a password.

Examples:
  fuzzy-edit serve
  fuzzy-edit serve --root ~/src --stop-command 'agentctl stop' --reset-command 'agentctl reset'
  fuzzy-edit serve --host checkpoints.example.org --token-file /run/credentials/token";

/// The longest time that the start waits for interrupted restores. It bounds the delay by a worktree that cannot be
/// recovered: the server listens within a second.
const RECOVERY: Duration = Duration::from_millis(800);

/// Serves until the process is stopped.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match arguments.serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(refused) => refused.report(false),
    }
}

impl Arguments {
    fn serve(&self) -> Result<(), Refused> {
        let database = self.database.clone().settled()?;
        let shared = Shared { database: database.clone(), ..Shared::default() };
        let roots = self.roots()?;
        for root in roots.iter().filter(|_| !self.root.is_empty()) {
            // The first checkpoint of a worktree reads every file, which no turn should wait for.
            let (root, database) = (root.clone(), database.clone());
            let _ = thread::Builder::new().spawn(move || record::warm(&root, &database));
        }
        let settings = Settings { roots, hosts: self.host.clone(), token: self.token()? };
        // Opening a database on a server blocks, so it is done before the runtime starts.
        let service = Arc::new(shared.service(&Shared::state()?, self.agent.backend())?.copying_borrowed());
        let report: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(output::complain);
        recover(&service, &report, RECOVERY)?;
        // One thread handles connections; every request runs on a thread of its own.
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        runtime.block_on(async {
            let listener = TcpListener::bind(self.addr).await.map_err(|error| {
                let message = format!("cannot listen on {}: {error}", self.addr);
                Refused::new(Code::Io, message, "Name another port, or 0 for any free port.")
            })?;
            let address = listener.local_addr().map_err(|error| failed(&error))?;
            let stop = shutdown_signal().map_err(|error| failed(&error))?;
            let mut out = io::stdout().lock();
            // A closed standard output does not stop the server.
            let _ = writeln!(out, "listening at http://{address}/").and_then(|()| out.flush());
            drop(out);
            serve(service, listener, settings, stop).await.map_err(|error| failed(&error))
        })
    }

    fn roots(&self) -> Result<Vec<PathBuf>, Refused> {
        // Users of this machine can start a server of their own, so without `--root` every directory is served.
        let named = if self.root.is_empty() { sys::tops() } else { self.root.clone() };
        let mut roots = Vec::with_capacity(named.len());
        for root in named {
            let Some(found) = sys::canonical(&root).ok().filter(|root| root.is_dir()) else {
                let message = format!("--root: `{}` is not a directory", root.display());
                return Err(Refused::bad_input(message, "Name a directory that exists."));
            };
            roots.push(found);
        }
        Ok(roots)
    }

    /// Returns the token that requests need, if they need one.
    fn token(&self) -> Result<Option<Token>, Refused> {
        let text = match (&self.token_file, std::env::var_os(TOKEN).filter(|token| !token.is_empty())) {
            (Some(path), _) if is_everyones(path) => {
                let message = format!("--token-file: `{}` can be read by everyone", path.display());
                return Err(Refused::bad_input(message, "Remove that permission (chmod o-r), and choose a new token."));
            }
            (Some(path), _) => Some(fs::read_to_string(path).map_err(|error| {
                let message = format!("--token-file: `{}`: {error}", path.display());
                Refused::bad_input(message, "Name a text file that can be read.")
            })?),
            (None, text) => text.map(|text| text.to_string_lossy().into_owned()),
        };
        if let Some(text) = text {
            let chosen = Token::chosen(text.trim());
            let message = "a token needs at least 16 letters, digits or signs, and no spaces";
            return chosen.map(Some).ok_or_else(|| Refused::bad_input(message, "Choose another token."));
        }
        if self.addr.ip().is_loopback() && self.host.is_empty() {
            return Ok(None);
        }
        let token = Token::fresh().map_err(|error| failed(&error))?;
        if io::stderr().is_terminal() {
            output::complain(&format!("every request needs the header `Authorization: Bearer {}`", token.as_str()));
            return Ok(Some(token));
        }
        // Otherwise standard error may be a log that other users can read.
        let state = Shared::state()?;
        let _ = sys::make_private(&state);
        let path = state.join("serve-token");
        let _ = fs::remove_file(&path);
        let file = sys::private_file().write(true).create_new(true).open(&path);
        let written = file.and_then(|mut file| writeln!(file, "{}", token.as_str()));
        written.map_err(|error| Refused::of_io(&path.to_string_lossy(), &error, "Choose a token."))?;
        let path = path.display();
        output::complain(&format!("every request needs the header `Authorization: Bearer …`; the token is in {path}"));
        Ok(Some(token))
    }
}

fn is_everyones(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && sys::is_everyones(&meta))
}

fn failed(error: &io::Error) -> Refused {
    Refused::new(Code::Io, format!("the server ended: {error}"), "Start it again.")
}

/// Returns a future that completes at a signal to stop. A second signal exits at once.
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    let mut signals = sys::Signals::new()?;
    Ok(async move {
        signals.next().await;
        output::complain("stopping; current requests are finished first");
        tokio::spawn(async move {
            signals.next().await;
            output::complain("stopped at once; the next start finishes interrupted restores");
            std::process::exit(1);
        });
    })
}

//! `mcp`: serves the edit tool to agents.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Code, Failure, Patience};
use fuzzy_edit_mcp::{Checkpoints, Logging, PATH, Roots, Server, Settings, Token, serve_http, serve_stdio};
use tokio::net::TcpListener;
use tokio::runtime;

use crate::options::{Search, narrowed, root};
use crate::{options, output};

/// Serve the edit tool to agents over the Model Context Protocol
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line, and they combine freely")]
pub(crate) struct Arguments {
    /// Restrict edits to this directory, and others; relative paths start from the first [default: the current one]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// Allow edits in `.git` directories
    #[arg(long)]
    allow_git: bool,
    /// Serve streamable HTTP on this port, or address and port, instead of standard input and output
    #[arg(long, value_name = "[ADDRESS:]PORT", value_parser = address)]
    http: Option<SocketAddr>,
    /// Append a line of JSON for every edit to FILE
    #[arg(long, value_name = "FILE.JSONL")]
    log: Option<PathBuf>,
    /// Log the texts, too, so that `fuzzy-edit replay` can repeat the edits
    #[arg(long, requires = "log")]
    log_text: bool,
    /// From the Nth failure of the same edit in a session, answer that the agent should stop and ask the user
    #[arg(long, value_name = "N", default_value_t = Patience::default().stop_from)]
    stop_after: usize,
    /// The session that owns the checkpoints: its id or title; a new title creates a session
    #[arg(long, value_name = "SESSION", default_value = fuzzy_checkpoint_service::MANUAL)]
    session: String,
    /// Take a checkpoint of a root's git worktree before each client's first write to it
    #[arg(long)]
    checkpoint: bool,
    /// Allow models to restore checkpoints with the tool `checkpoint_restore`
    #[arg(long)]
    allow_restore: bool,
    /// Add data to the answers, and its schemas to the tools, for programs: hosts show a model the data instead of the
    /// text
    #[arg(long)]
    structured: bool,
    #[command(flatten)]
    search: Search,
}

const TOKEN: &str = "FUZZY_EDIT_MCP_TOKEN";

const AFTER_HELP: &str = "\
Over HTTP every request needs the bearer token in FUZZY_EDIT_MCP_TOKEN, of at least 16 characters; without that variable
a token is generated and printed on standard error, with the address. Port 0 selects any free port. A port alone serves
this machine only. Requests for other host names, and requests from web pages, are refused.

Examples:
  fuzzy-edit mcp                              for hosts that start the server; see docs/guide.md
  fuzzy-edit mcp --root ~/src/shop --root ~/src/lib
  FUZZY_EDIT_MCP_TOKEN=… fuzzy-edit mcp --http 7345";

/// Serves until the client closes its stream or the process is stopped.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match arguments.serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::failure(false, &failure),
    }
}

impl Arguments {
    fn serve(&self) -> Result<(), Box<Failure>> {
        let patience = Patience { stop_from: self.stop_after, ..Patience::default() };
        let log = options::log(self.log.as_deref(), self.log_text)?;
        let log = log.map(|(path, texts)| Logging { path: path.to_owned(), texts });
        let checkpoints = Checkpoints {
            directory: self.first_root().to_owned(),
            session: self.session.clone(),
            restores: self.allow_restore,
            before_first_write: self.checkpoint,
        };
        checkpoints.check()?;
        let checkpoints = Some(checkpoints);
        let search = self.search.settled()?;
        let workspace = search.workspace()?;
        let workspace = if self.root.is_empty() { narrowed(workspace)? } else { workspace };
        let editor = search.editor(workspace)?;
        let structured = self.structured;
        let settings = Settings { editor, roots: self.roots()?, patience, log, checkpoints, structured };
        let server = Server::new(settings).map_err(|error| {
            let message = format!("--log: {error}");
            Box::new(Failure::bad_input(message, "Name a file that can be written, or omit --log."))
        })?;
        // One thread handles the protocol; every call runs on a thread of its own.
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        match self.http {
            Some(address) => runtime.block_on(over_http(server, address)),
            None => runtime.block_on(serve_stdio(server)).map_err(|error| failed(&error)),
        }
    }

    fn roots(&self) -> Result<Roots, Box<Failure>> {
        let others = self.root.iter().skip(1).map(|directory| root(directory, self.allow_git));
        Ok(Roots::new(root(self.first_root(), self.allow_git)?, others.collect::<Result<_, _>>()?))
    }

    fn first_root(&self) -> &Path {
        self.root.first().map_or(Path::new("."), PathBuf::as_path)
    }
}

async fn over_http(server: Server, address: SocketAddr) -> Result<(), Box<Failure>> {
    let token = match std::env::var(TOKEN) {
        Err(_) => Token::fresh().map_err(|error| failed(&error))?,
        Ok(text) => Token::chosen(&text).ok_or_else(|| {
            let message = format!(
                "{TOKEN} is not a valid token: a token has at least 16 letters, digits or signs, and no spaces"
            );
            Box::new(Failure::bad_input(message, "Set another token, or unset the variable to generate one."))
        })?,
    };
    let listener = TcpListener::bind(address).await.map_err(|error| {
        let message = format!("cannot listen on {address}: {error}");
        Box::new(Failure::new(Code::Io, message, "Name another port, or 0 for any free port."))
    })?;
    let address = listener.local_addr().map_err(|error| failed(&error))?;
    output::complain(&format!("listening at http://{address}{PATH}"));
    if std::env::var_os(TOKEN).is_none() {
        output::complain(&format!("every request needs the header `Authorization: Bearer {}`", token.as_str()));
    }
    serve_http(server, listener, token).await.map_err(|error| failed(&error))
}

fn failed(error: &io::Error) -> Box<Failure> {
    Box::new(Failure::new(Code::Io, format!("the server ended: {error}"), "Start it again."))
}

/// Parses a port of this machine, or an address and a port.
fn address(argument: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = argument.parse() {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    match argument.parse::<SocketAddr>() {
        // The server compares the `Host` header of requests with its address, which this one does not have.
        Ok(address) if IpAddr::is_unspecified(&address.ip()) => {
            Err("give one address to listen on; this one means all addresses".to_owned())
        }
        Ok(address) => Ok(address),
        Err(_) => Err("give a port, or an address and a port such as 127.0.0.1:7345".to_owned()),
    }
}

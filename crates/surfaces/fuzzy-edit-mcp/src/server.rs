//! The server: its tools, and the execution of their calls.

use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::SystemTime;

use axum::http::request::Parts;
use fuzzy_checkpoint_service::OfCheckpoint;
use fuzzy_report::{Code, Failure};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::{Mutex, Semaphore};

use crate::answer;
use crate::checkpoints::Service;
use crate::progress::Progress;
use crate::tools::{self, Name};
use crate::turns::{Files, Turns};
use crate::work::{Job, Memory, Settings};

const INSTRUCTIONS: &str = "\
Edits text files by replacing text. A refused edit changes nothing, and the answer says what to do next: do that instead \
of repeating the edit. Read the file before an edit.";

/// The header with the session id of the older protocol over HTTP.
const SESSION_HEADER: &str = "mcp-session-id";

/// The most calls that run at once for each core. A hundred calls that write to one directory wait for each other in
/// the kernel: next to a slow call, all were answered after 36 to 137 ms on 2 cores, and after 37 to 53 ms with this
/// limit.
const CALLS_PER_CORE: usize = 8;

/// The state that all sessions share.
pub(crate) struct Shared {
    settings: Settings,
    checkpoints: Option<Service>,
    tools: Vec<Tool>,
    /// A permit for each call that may run now.
    room: Arc<Semaphore>,
    /// The session of requests without one: the newer protocol has no sessions over HTTP.
    sessionless: Arc<Conversation>,
}

/// Serves one session; clones serve the same one.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
    session: Arc<Conversation>,
}

/// One session: its memory and its unfinished calls.
struct Conversation {
    memory: Memory,
    turns: Arc<Turns>,
    /// Held while a call enters the queue.
    arrival: Mutex<()>,
}

impl Conversation {
    fn new(settings: &Settings) -> io::Result<Arc<Self>> {
        Ok(Arc::new(Self { memory: settings.memory()?, turns: Arc::default(), arrival: Mutex::new(()) }))
    }
}

impl Server {
    /// Returns a server.
    ///
    /// # Errors
    ///
    /// The log cannot be opened.
    pub fn new(settings: Settings) -> io::Result<Self> {
        let sessionless = Conversation::new(&settings)?;
        let session = Conversation::new(&settings)?;
        let tools = tools::all(settings.checkpoints.as_ref(), settings.structured);
        let checkpoints = settings.checkpoints.clone().map(Service::new);
        let workspace = settings.editor.workspace().clone().made_by(name());
        let editor = settings.editor.clone().with_workspace(workspace);
        let settings = Settings { editor, ..settings };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let room = Arc::new(Semaphore::new(cores * CALLS_PER_CORE));
        Ok(Self { shared: Arc::new(Shared { settings, checkpoints, tools, room, sessionless }), session })
    }

    /// Returns a server for another session.
    pub(crate) fn another(&self) -> io::Result<Self> {
        let session = Conversation::new(&self.shared.settings)?;
        Ok(Self { shared: Arc::clone(&self.shared), session })
    }

    /// Returns the length of the longest message that is read, in bytes: a text of the largest file is up to four times
    /// as long in JSON.
    pub(crate) fn longest_request(&self) -> usize {
        const LEAST: u64 = 1 << 20;
        let longest = self.shared.settings.editor.workspace().limits().max_bytes.saturating_mul(4).max(LEAST);
        usize::try_from(longest).unwrap_or(usize::MAX)
    }

    /// Returns the session that a request belongs to.
    fn session(&self, context: &RequestContext<RoleServer>) -> Arc<Conversation> {
        let without =
            context.extensions.get::<Parts>().is_some_and(|parts| !parts.headers.contains_key(SESSION_HEADER));
        Arc::clone(if without { &self.shared.sessionless } else { &self.session })
    }

    /// Returns the job with the files that it touches.
    async fn files(&self, job: Job) -> Result<(Job, Files), ErrorData> {
        // Resolving a few names is faster than starting a task; a patch may be long.
        if !matches!(job, Job::Patch(_)) {
            let files = job.files(&self.shared.settings);
            return Ok((job, files));
        }
        let shared = Arc::clone(&self.shared);
        let read = tokio::task::spawn_blocking(move || {
            let files = job.files(&shared.settings);
            (job, files)
        });
        read.await.map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    async fn call(
        &self,
        name: Name,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let job = match Job::read(name, arguments) {
            Ok(job) => job,
            // The model can fix wrong arguments, so this is an answer of the tool, not an error of the protocol.
            Err(why) => return Ok(unreadable(name, why)),
        };
        let session = self.session(context);
        let is_cancelled = Arc::new(AtomicBool::new(false));
        // Hosts send edits of one file at once. They run one after the other, in order of arrival.
        let (job, turn) = {
            let _arrival = session.arrival.lock().await;
            let (job, files) = self.files(job).await?;
            (job, Arc::clone(&session.turns).enter(files))
        };
        // A call that is cancelled while it waits does not begin.
        let room = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(cancelled()),
            room = async {
                turn.wait().await;
                Arc::clone(&self.shared.room).acquire_owned().await
            } => room,
        };
        let (mut progress, steps) = Progress::new(context);
        let (shared, flag) = (Arc::clone(&self.shared), Arc::clone(&is_cancelled));
        let mut memory = session.memory.clone();
        let mut work = tokio::task::spawn_blocking(move || {
            let answer = job.run(&shared.settings, shared.checkpoints.as_ref(), &mut memory, flag, steps);
            // Held until the call ends, even if it is cancelled.
            drop((turn, room));
            answer
        });
        let done = loop {
            tokio::select! {
                biased;
                // The edits may already be written.
                () = context.ct.cancelled(), if !is_cancelled.load(Ordering::Relaxed) => {
                    is_cancelled.store(true, Ordering::Relaxed);
                }
                done = &mut work => break done,
                Some(step) = progress.next() => progress.report(step).await,
            }
        };
        let answer = done.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        if context.ct.is_cancelled() {
            if !name.is_read_only() {
                session.memory.keep(&answer);
            }
            return Err(cancelled());
        }
        progress.end().await;
        let mut answer = session.memory.with_undelivered(answer);
        if !self.shared.settings.structured && answer.is_error != Some(true) {
            answer.structured_content = None;
        }
        Ok(answer)
    }
}

/// Returns an error that is never sent: a cancelled request gets no answer.
fn cancelled() -> ErrorData {
    ErrorData::internal_error("the request was cancelled", None)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("fuzzy-edit", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.shared.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        let Some(tool) = Name::of(&name).filter(|_| self.get_tool(&name).is_some()) else {
            let names: Vec<&str> = self.shared.tools.iter().map(|tool| &*tool.name).collect();
            let message = format!("there is no tool `{name}`; the tools are {}", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        Ok(self.call(tool, arguments.unwrap_or_default(), &context).await?.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A call that the SDK cannot parse.
        if request.method == "tools/call" {
            let name = request.params.as_ref().and_then(|params| params.get("name")?.as_str());
            if let Some(name) = name.and_then(Name::of).filter(|name| self.get_tool(name.as_str()).is_some()) {
                let answer = unreadable(name, "`arguments` must be an object".to_owned());
                let value = serde_json::to_value(answer);
                return value
                    .map(CustomResult::new)
                    .map_err(|error| ErrorData::internal_error(error.to_string(), None));
            }
            return Err(ErrorData::invalid_params("`name` must be a text, and `arguments` an object", None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}

/// Returns the answer to arguments that cannot be read.
fn unreadable(name: Name, why: String) -> CallToolResult {
    let next_step = format!("Send the call again with arguments that match the schema of `{}`.", name.as_str());
    if name.is_of_checkpoints() {
        let failure: Failure<OfCheckpoint> = Failure::of(Code::BadInput, why, next_step);
        return answer::refusal(&failure, failure.to_string());
    }
    answer::failure(&Failure::bad_input(why, next_step))
}

/// Returns a name that no other server has: its batches are the only ones that it undoes.
fn name() -> Arc<str> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("mcp-{now:x}-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed)).into()
}

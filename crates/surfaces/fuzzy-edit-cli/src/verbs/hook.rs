//! `hook`: answers the events of a host.

#[cfg(feature = "checkpoint")]
use std::cell::LazyCell;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use fuzzy_edit::{Code, Failure, Log};
#[cfg(feature = "checkpoint")]
use fuzzy_hosts::TurnEvent;
use fuzzy_hosts::{Answer, Count, Counts, HookRecord, Host, Moment, RepairOptions, Views, When};
use fuzzy_pipeline::ladder;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{config, options, output};

/// The longest time for an answer. After it the process exits, and the host runs its tool unchanged.
const DEADLINE: Duration = Duration::from_secs(1);

/// The time until which a hook reads earlier texts of files; the rest until the deadline is for another search.
#[cfg(feature = "checkpoint")]
const LOOKUP: Duration = Duration::from_millis(700);

/// The longest time for the first checkpoint of a worktree, which reads every file. Hosts wait for ten seconds.
#[cfg(feature = "checkpoint")]
const COLD_DEADLINE: Duration = Duration::from_millis(8_500);

/// The longest time after that for recording an event of a turn, or for the counts and the log of an answer. Only a
/// loaded machine or a locked file needs it. Hosts wait for ten seconds.
const AFTERWARDS: Duration = Duration::from_secs(8);

/// The largest event to read, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Answer an event of a coding agent: repair an edit before it runs, or take a checkpoint for a turn
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line, and they combine freely")]
pub(crate) struct Arguments {
    /// The host, such as claude-code
    #[arg(required_unless_present_any = ["stats", "record", "warm", "sweep", "end"])]
    host: Option<String>,
    /// The event
    #[arg(required_unless_present_any = ["stats", "record", "warm", "sweep", "end"], value_enum)]
    event: Option<Event>,
    /// Append a line of JSON for every edit to FILE
    #[arg(long, value_name = "FILE.JSONL", conflicts_with = "stats")]
    log: Option<PathBuf>,
    /// Log the texts, too, so that `fuzzy-edit replay` can repeat the edits
    #[arg(long, requires = "log")]
    log_text: bool,
    /// Only record the call, for `tool-before` and `tool-after`
    #[arg(long)]
    only_record: bool,
    /// Print the numbers of exact, repaired and refused edits, by host and model
    #[arg(long, conflicts_with_all = ["host", "event"])]
    stats: bool,
    /// Record the events of turns in a queue: hooks of turns start this
    #[arg(long, hide = true, value_name = "QUEUE", conflicts_with_all = ["host", "event", "stats"])]
    record: Option<String>,
    /// Read the files of the worktree around a directory: `init` and hooks of sessions start this
    #[arg(long, hide = true, value_name = "DIRECTORY", conflicts_with_all = ["host", "event", "stats", "record"])]
    warm: Option<PathBuf>,
    /// Remove the directory of a search for a bad turn when standard input is closed: `turns bisect` starts this
    #[arg(long, hide = true, value_name = "DIRECTORY", conflicts_with_all = ["host", "event", "stats", "record", "warm"])]
    sweep: Option<PathBuf>,
    /// Record the end of a turn when standard input is closed: `run` starts this
    #[arg(long, hide = true, conflicts_with_all = ["host", "event", "stats", "record", "warm", "sweep"])]
    end: bool,
    /// Print them as JSON
    #[arg(long, requires = "stats")]
    json: bool,
}

/// An event of a host.
#[derive(Clone, Copy, ValueEnum)]
enum Event {
    /// A tool is about to run: repair its edit, and record the call
    ToolBefore,
    /// Tools ran: explain an edit that failed, and record the calls
    ToolAfter,
    /// The same as tool-before, for hooks of edit tools alone
    Repair,
    /// The same as tool-after, for hooks of edit tools alone
    Failed,
    /// A session has begun
    SessionBegin,
    /// The user sent a prompt
    TurnBegin,
    /// The agent answered
    TurnEnd,
    /// The session has ended
    SessionEnd,
}

impl Event {
    /// Returns whether an event of a tool comes before or after it.
    const fn when(self) -> When {
        if matches!(self, Self::ToolAfter | Self::Failed) { When::After } else { When::Before }
    }

    /// Returns the moment of a turn.
    const fn moment(self) -> Option<Moment> {
        match self {
            Self::ToolBefore | Self::ToolAfter | Self::Repair | Self::Failed => None,
            Self::SessionBegin => Some(Moment::SessionBegin),
            Self::TurnBegin => Some(Moment::Begin),
            Self::TurnEnd => Some(Moment::End),
            Self::SessionEnd => Some(Moment::SessionEnd),
        }
    }
}

const AFTER_HELP: &str = "\
Hosts run this command after `fuzzy-edit init`. The event is JSON in the host's own format on standard input, and so is
the answer on standard output. The answer is empty if the host should run its tool unchanged: the edit is exact or
refused, or the file cannot be read. The exit code is always 0, because some hosts block the tool on any other code.

tool-before and tool-after come with the calls of all tools: they record which files an edit tool names, and the time of
the session's last action. Before a command of a shell, unless it only reads, tool-before also has the files captured, and
waits for that for at most two seconds. With --only-record they do nothing else.

The answer to a prompt names the turns that were taken back since the last one; other events of a turn have no answer. A
separate process takes the checkpoint; the hook waits for it for at most a second, and for at most 8.5 seconds if it is the
first one of a project.
`fuzzy-edit turns` lists the turns. `fuzzy-edit config` shows the settings of hooks.

Hosts: claude-code, cline, codex, copilot, crush, cursor, gemini, opencode, qwen, vscode

Examples:
  fuzzy-edit hook gemini tool-before < event.json
  fuzzy-edit hook gemini turn-begin < prompt.json
  fuzzy-edit hook gemini tool-before --log edits.jsonl --log-text < event.json
  fuzzy-edit hook --stats";

/// The counts of edits, by host and model.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Counted {
    /// Always `counted`.
    status: &'static str,
    /// The counts, by host and model.
    counts: Vec<Count>,
}

/// Answers the event, or prints the counts.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match (arguments.host.as_deref(), arguments.event, arguments.record.as_deref(), arguments.warm.as_deref()) {
        (Some(host), Some(event), ..) => hook(host, event, arguments),
        (_, _, Some(queue), _) => record(queue),
        (.., Some(directory)) => warm(directory),
        _ if arguments.sweep.is_some() => sweep(arguments.sweep.as_deref()),
        _ if arguments.end => end(),
        _ => stats(arguments.json),
    }
}

/// Returns the exit code of a command line that cannot be parsed: 0 for hooks, so that a host with settings of another
/// version runs its tool unchanged.
pub(crate) fn harmless(code: ExitCode) -> ExitCode {
    let is_hook = std::env::args_os().nth(1).is_some_and(|verb| verb == "hook");
    if is_hook && !std::env::args_os().any(|argument| argument == "--stats") { ExitCode::SUCCESS } else { code }
}

/// Whether the answer is being written, or is written: the deadline must not cut it off, nor separate it from its count.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// The ignored settings of the project, in words.
static IGNORED: OnceLock<String> = OnceLock::new();

/// Returns the settings of repairs in a project; none if the user's file cannot be read.
fn settings(directory: &Path) -> Option<RepairOptions> {
    let (config, ignored) =
        config::of_hook(directory).inspect_err(|failure| output::complain(&failure.to_string())).ok()?;
    if let Some(ignored) = ignored {
        output::complain(&ignored);
        // A hook answers one event.
        let _ = IGNORED.set(ignored);
    }
    let ladder = config.ladder().map_or_else(|| Ok(ladder::adaptive()), ladder::named).ok()?;
    let options = RepairOptions::new(ladder).with_least_confidence(config.min_confidence());
    let options = options.with_views(if config.remembers_seen() { Views::from_environment() } else { None });
    Some(options.with_timeout(Duration::from_millis(config.timeout_ms(u64::MAX))).within(config.roots()))
}

/// Answers an event. On any error the host runs its tool unchanged.
fn hook(name: &str, event: Event, arguments: &Arguments) -> ExitCode {
    let Some(host) = Host::named(name) else {
        unknown(name, event);
        output::complain(&format!("there is no host `{name}`; `fuzzy-edit hook --help` lists the hosts"));
        return ExitCode::SUCCESS;
    };
    let started = Instant::now();
    let is_turn = event.moment().is_some();
    // Without this thread the host's own deadline ends the hook.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(DEADLINE);
        if is_turn || ANSWERED.load(Ordering::Relaxed) {
            thread::sleep(AFTERWARDS);
        }
        process::exit(0);
    });
    let mut text = Vec::new();
    // A part of an event cannot be read as JSON.
    let _ = io::stdin().lock().take(MAX_BYTES).read_to_end(&mut text);
    let mut after = None;
    let answer = catch_unwind(AssertUnwindSafe(|| match (event.moment(), str::from_utf8(&text)) {
        (Some(moment), _) => {
            let (answer, then) = turn(host, moment, &text, started);
            after = then;
            answer
        }
        (None, _) if arguments.only_record => host.silent(),
        (None, Ok(text)) if event.when() == When::Before => repair(host, text, started),
        (None, Ok(text)) => {
            note_views(host, text);
            host.explain_with(text, settings)
        }
        (None, Err(_)) => host.silent(),
    }));
    let answer = answer.unwrap_or_else(|_| host.silent());
    ANSWERED.store(true, Ordering::Relaxed);
    // A host may close the pipe without reading the answer.
    let printed = io::stdout().write_all(answer.output.as_bytes()).and_then(|()| io::stdout().flush());
    if let (Ok(()), Some(after)) = (printed, after) {
        after();
    }
    if !is_turn {
        let text = String::from_utf8_lossy(&text);
        note_calls(host, event.when(), &text);
        if matches!(event, Event::ToolBefore) {
            take_step(host, &text, started);
        }
        if arguments.only_record {
            return ExitCode::SUCCESS;
        }
    }
    count(host, &answer);
    // The failure of the user's file is reported already.
    if let Ok(Some((path, texts))) = options::log(arguments.log.as_deref(), arguments.log_text)
        && let Err(error) = log(path, texts, host, &answer)
    {
        output::complain(&format!("the log `{}` could not be written: {error}", path.display()));
    }
    ExitCode::SUCCESS
}

/// Remembers what the agent was shown and wrote.
fn note_views(host: &'static Host, event: &str) {
    if let Some(views) = Views::from_environment() {
        host.note_views(&views, event, |directory| {
            config::of_hook(directory).is_ok_and(|(config, _)| config.remembers_seen())
        });
    }
}

/// Repairs an edit. If its text fails, the file as it was at the begin of the turn helps to find its place.
#[cfg(feature = "checkpoint")]
fn repair(host: &'static Host, event: &str, started: Instant) -> Answer {
    let session = LazyCell::new(|| host.tool_events(When::Before, event).pop().map(|event| event.session));
    host.repair_with(event, settings, &|path| {
        let patience = LOOKUP.checked_sub(started.elapsed())?;
        super::turns::begin::file(host, session.as_deref()?, path, patience)
    })
}

/// Repairs an edit: this build has no turns.
#[cfg(not(feature = "checkpoint"))]
fn repair(host: &'static Host, event: &str, _: Instant) -> Answer {
    host.repair_with(event, settings, &|_| None)
}

/// The work after an answer is printed.
type After = Option<Box<dyn FnOnce()>>;

/// Has an event of a turn recorded, and waits for that until the deadline. With a prompt, the agent is told which of its
/// turns were taken back.
#[cfg(feature = "checkpoint")]
fn turn(host: &'static Host, moment: Moment, event: &[u8], started: Instant) -> (Answer, After) {
    let mut answer = (host.silent(), After::None);
    match host.turn_event(moment, event) {
        Ok(Some(event)) => {
            // After a compaction, too, a session begins.
            if matches!(moment, Moment::SessionBegin | Moment::SessionEnd)
                && let Some(views) = Views::from_environment()
            {
                views.forget_session(host.name, &event.session);
            }
            let (session, at) = (event.session.clone(), super::turns::queue::time_of_hook(started));
            if moment == Moment::SessionBegin {
                // The first turn records what this one cannot.
                let _ = super::turns::queue::warm(&event.directory);
                return answer;
            }
            super::turns::edits::close(host, &session, at);
            if let Ok(recording) = super::turns::queue::send(host.name, moment, event, at)
                && moment != Moment::SessionEnd
            {
                if moment == Moment::Begin {
                    answer = told(host, &session, started).unwrap_or(answer);
                }
                wait(recording, started);
            }
        }
        Ok(None) => {}
        Err(why) => super::turns::failed::keep_unread(host.name, moment, event, &why.to_string()),
    }
    answer
}

/// Returns the answer to a prompt, and how to record that it is printed; none in a host that takes no text.
#[cfg(feature = "checkpoint")]
fn told(host: &'static Host, session: &str, started: Instant) -> Option<(Answer, After)> {
    let patience = LOOKUP.checked_sub(started.elapsed()).filter(|_| host.is_told())?;
    let facts = super::turns::told::facts(host, session, patience)?;
    Some((host.told(&facts.text), Some(Box::new(move || super::turns::told::note(&facts)))))
}

/// Waits for the process that records an event: until the deadline, or longer if it reads a whole worktree.
#[cfg(feature = "checkpoint")]
fn wait(mut recording: super::turns::queue::Recording, started: Instant) {
    let mut deadline = DEADLINE;
    while recording.runs() {
        if started.elapsed() >= deadline {
            if deadline == COLD_DEADLINE || !recording.is_cold() {
                return;
            }
            deadline = COLD_DEADLINE;
            if output::is_read_by_a_person() {
                output::complain("taking the first checkpoint of this project");
            }
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Keeps an event of a turn of an unknown host.
#[cfg(feature = "checkpoint")]
fn unknown(name: &str, event: Event) {
    if let Some(moment) = event.moment() {
        let mut text = Vec::new();
        let _ = io::stdin().lock().take(MAX_BYTES).read_to_end(&mut text);
        super::turns::failed::keep_unread(name, moment, &text, &format!("this version knows no host `{name}`"));
    }
}

/// Does nothing: this build takes no checkpoints.
#[cfg(not(feature = "checkpoint"))]
fn unknown(_: &str, _: Event) {}

/// Does nothing: this build takes no checkpoints.
#[cfg(not(feature = "checkpoint"))]
fn turn(host: &'static Host, _: Moment, _: &[u8], _: Instant) -> (Answer, After) {
    (host.silent(), None)
}

/// Records the calls of tools of a session.
#[cfg(feature = "checkpoint")]
fn note_calls(host: &'static Host, when: When, event: &str) {
    super::turns::edits::note(host, host.tool_events(when, event));
}

/// Has a step taken before the commands of an event, unless they only read, and waits for it until the deadline.
#[cfg(feature = "checkpoint")]
fn take_step(host: &'static Host, event: &str, started: Instant) {
    // The failure of the user's file is reported by others.
    let is_off = || config::user().is_ok_and(|user| user.steps == Some(config::Steps::Off));
    for call in host.tool_events(When::Before, event) {
        let Some(command) = call.command.as_ref().filter(|command| !command.only_reads && !is_off()) else { continue };
        let step = TurnEvent::of_step(&call, command);
        let at = super::turns::queue::time_of_hook(started);
        let Ok(mut recording) = super::turns::queue::send(host.name, Moment::Step, step, at) else { continue };
        let wait = Duration::from_millis(u64::try_from(config::step_wait_ms()).unwrap_or_default());
        while recording.runs() && !recording.is_recorded() && started.elapsed() < wait {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Does nothing: this build takes no checkpoints.
#[cfg(not(feature = "checkpoint"))]
fn take_step(_: &'static Host, _: &str, _: Instant) {}

/// Does nothing: this build has no turns.
#[cfg(not(feature = "checkpoint"))]
fn note_calls(_: &'static Host, _: When, _: &str) {}

/// Records the events of turns in a queue.
fn record(queue: &str) -> ExitCode {
    #[cfg(feature = "checkpoint")]
    super::turns::queue::work(queue);
    let _ = queue;
    ExitCode::SUCCESS
}

/// Reads the files of a worktree.
fn warm(directory: &Path) -> ExitCode {
    #[cfg(feature = "checkpoint")]
    super::turns::queue::warm_now(directory);
    let _ = directory;
    ExitCode::SUCCESS
}

/// Removes the directory of a search when it ends.
fn sweep(directory: Option<&Path>) -> ExitCode {
    #[cfg(feature = "checkpoint")]
    directory.map(super::turns::bisect::sweep);
    let _ = directory;
    ExitCode::SUCCESS
}

/// Records the end of a turn when standard input is closed.
fn end() -> ExitCode {
    #[cfg(feature = "checkpoint")]
    super::turns::run::guard();
    ExitCode::SUCCESS
}

/// Adds the edits to a log.
fn log(path: &Path, texts: bool, host: &Host, answer: &Answer) -> io::Result<()> {
    let mut log = Log::open(path, texts)?;
    for record in answer.records(host, log.has_texts()) {
        log.append(&HookRecord { ignored: IGNORED.get().cloned(), ..record })?;
    }
    Ok(())
}

/// Adds the edits to the counts, and only reports an error.
fn count(host: &Host, answer: &Answer) {
    if let Some(Err(error)) = Counts::from_environment().map(|counts| counts.add(host, answer)) {
        output::complain(&format!("the edit could not be counted: {error}"));
    }
}

/// Prints the counts.
fn stats(json: bool) -> ExitCode {
    let counts = match Counts::from_environment().map_or_else(|| Ok(Vec::new()), |counts| counts.read()) {
        Ok(counts) => counts,
        Err(error) => {
            let next_step = "Make the state directory readable: `$XDG_STATE_HOME/fuzzy-edit/hooks`.";
            return output::failure(
                json,
                &Failure::new(Code::Io, format!("the counts cannot be read: {error}"), next_step),
            );
        }
    };
    output::answer(json, &Counted { status: "counted", counts: counts.clone() }, || table(&counts))
}

/// Returns the counts as a table.
pub(crate) fn table(counts: &[Count]) -> String {
    if counts.is_empty() {
        return "no edits are counted yet\n".to_owned();
    }
    let head = ["host", "model", "exact", "repaired", "refused"].map(str::to_owned);
    let row = |count: &Count| {
        let model = if count.model.is_empty() { "-" } else { &count.model };
        let [exact, repaired, refused] = [count.exact, count.repaired, count.refused].map(|number| number.to_string());
        [count.host.clone(), model.to_owned(), exact, repaired, refused]
    };
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(counts.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; 5] = std::array::from_fn(width);
    let cell = |(column, text): (usize, &String)| {
        let width = widths[column];
        // Names are aligned to the left, numbers to the right.
        if column < 2 { format!("{text:width$}") } else { format!("{text:>width$}") }
    };
    let line = |row: &[String; 5]| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ") + "\n";
    rows.iter().map(line).collect()
}

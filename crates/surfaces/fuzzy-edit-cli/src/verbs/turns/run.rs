//! `run`: a turn around any program.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use clap::Args;
use fuzzy_checkpoint_store::{now_ms, ulid};
use fuzzy_hosts::{HostTurn, Moment, RUN_VARIABLE, TurnEvent};
use fuzzy_system as sys;

use super::entry::{Entry, RUN};
use super::{queue, record};
use crate::output;
use crate::verbs::checkpoint::options::Database;
use crate::verbs::checkpoint::place::current;
use crate::verbs::checkpoint::refused::Refused;

/// Run a program as a turn, so that its changes can be taken back
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The program with its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

const AFTER_HELP: &str = "\
The files are captured before the program starts and after it has ended. The program has the terminal: Ctrl-C and Ctrl-Z
work as without `fuzzy-edit run`. Two programs at once are two turns. In the shell of an agent whose turn runs, the program
is a step of that turn, and takes no turn of its own. Windows does not have this command.

Exit codes: those of the program; 128 and the number of the signal that ended it; 127 if it is not found, 126 if it cannot be
started, 125 if the files could not be captured, so that it was not started.

Examples:
  fuzzy-edit run -- sh -c 'rm src/cart.py'
  fuzzy-edit turns revert 1 --yes";

/// The exit code without a program: those of other failures may be the program's.
const NOT_RUN: u8 = 125;

/// The longest stored command, in bytes.
const MAX_COMMAND: usize = 64 << 10;

/// Runs the program.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    ExitCode::from(around(&arguments.command).unwrap_or_else(|refused| {
        refused.complain();
        NOT_RUN
    }))
}

fn around(words: &[OsString]) -> Result<u8, Refused> {
    if !sys::can_attend() {
        let next_step = "Run `fuzzy-edit checkpoint create` before the program.";
        return Err(Refused::bad_input("`run` does not exist on Windows", next_step));
    }
    let mut prompt = shell_words(words);
    prompt.truncate(prompt.floor_char_boundary(MAX_COMMAND));
    let event = TurnEvent { session: ulid(), prompt, directory: current()?, named: HostTurn::default() };
    let entry = Entry { host: RUN.to_owned(), moment: Moment::Begin, event, at: now_ms() };
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    if record::take_step_inside(&entry)? {
        return Ok(attend(&mut command, |_| ()));
    }
    let mut guard = Guard::start(&entry).map_err(|error| Refused::of_io("the turn", &error, "Try again."))?;
    command.env(RUN_VARIABLE, &entry.event.session);
    let mut is_started = false;
    let done = record::apply(&entry, None, say_cold).and_then(|failure| match failure {
        Some(failure) => Err(failure.in_context("the files before the program could not be captured", REPAIR)),
        None => Ok(attend(&mut command, |process| {
            is_started = true;
            guard.note(process);
        })),
    });
    if !is_started {
        // A turn that cannot be taken away ends without changes.
        let _ = record::take_away(&entry);
    }
    guard.finish(&entry);
    done
}

/// The next step if the files cannot be captured.
const REPAIR: &str = "Run the program without `fuzzy-edit run`, or repair the cause.";

/// Returns the words as a shell reads them.
fn shell_words(words: &[OsString]) -> String {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().replace('\0', "")).collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

fn say_cold() {
    if output::is_read_by_a_person() {
        output::complain("taking the first checkpoint of this project");
    }
}

/// Runs the program, and returns its exit code.
fn attend(command: &mut Command, started: impl FnOnce(u32)) -> u8 {
    sys::attend(command, started).unwrap_or_else(|error| {
        output::complain(&format!("`{}` cannot be started: {error}", command.get_program().display()));
        if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 }
    })
}

/// A process that records the end of the turn when its standard input is closed, however this process ends.
struct Guard(Child);

impl Guard {
    fn start(begin: &Entry) -> io::Result<Self> {
        let mut guard = Command::new(std::env::current_exe()?);
        guard.args(["hook", "--end"]).current_dir("/");
        Database::hand_on(&mut guard);
        guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut guard = Self(sys::start_detached(&mut guard)?);
        let line = serde_json::to_string(begin)?;
        guard.write(&line)?;
        Ok(guard)
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        let pipe = self.0.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(pipe, "{line}")
    }

    /// Names the program, whose end it waits for if this process is killed.
    fn note(&mut self, process: u32) {
        // Without it, the turn ends with this process.
        let _ = self.write(&process.to_string());
    }

    /// Has the end recorded, and waits for that.
    fn finish(mut self, begin: &Entry) {
        let _ = self.write(ENDED);
        drop(self.0.stdin.take());
        if !self.0.wait().is_ok_and(|status| status.success()) {
            record_end(begin);
        }
    }
}

/// The line after which the program has ended.
const ENDED: &str = "ended";

/// The pause between two looks at a program, and at a process that records an end.
const PAUSE: Duration = Duration::from_millis(100);
const SHORT_PAUSE: Duration = Duration::from_millis(2);

/// Does the work of the guard in this process.
pub(crate) fn guard() {
    sys::leave_session();
    let text = io::read_to_string(io::stdin()).unwrap_or_default();
    let mut lines = text.lines();
    let Some(begin) = lines.next().and_then(|line| serde_json::from_str::<Entry>(line).ok()) else { return };
    let process = lines.next().and_then(|line| line.parse::<u32>().ok());
    while lines.next() != Some(ENDED) && process.is_some_and(sys::runs) {
        thread::sleep(PAUSE);
    }
    record_end(&begin);
}

/// Has the end of a turn recorded by a process that lives on, and waits for that. One that fails is kept, and `turns` lists it.
fn record_end(begin: &Entry) {
    let event = TurnEvent { prompt: String::new(), ..begin.event.clone() };
    if let Ok(mut recording) = queue::send(RUN, Moment::End, event, now_ms()) {
        while recording.runs() && !recording.is_recorded() {
            thread::sleep(SHORT_PAUSE);
        }
    }
}

//! `turns bisect`: finds the turn that broke something, by running a command on the states after turns.

use std::path::{Component, Path, PathBuf};
use std::process::{ChildStdin, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use clap::Args;
use fuzzy_checkpoint::{Detail, DiffOptions, Oid};
use fuzzy_checkpoint_service::BisectState;
use fuzzy_report::Code;
use fuzzy_system as sys;

use super::list::prompt;
use super::project::{Shared, Turns};
use super::reports::Bisected;
use super::search::{Found, Judgement, search};
use crate::output;
use crate::verbs::checkpoint::place::{Place, current};
use crate::verbs::checkpoint::refused::Refused;

/// Find the turn that broke something: run a command on the files after several turns
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Begin with this turn: the command succeeds on the files before it [default: the oldest that is not pruned]
    #[arg(long, value_name = "TURN")]
    first: Option<i64>,
    /// A directory of the project with ignored files that the command needs, such as `node_modules`
    #[arg(long, value_name = "DIR")]
    link: Vec<PathBuf>,
    /// The command: status 0 is good, 125 skips a state, any other up to 127 is bad
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

const AFTER_HELP: &str = "\
The files of a state are checked out into a temporary directory, where the command runs; the project is not changed. It
first runs on the files before the first turn, where it must succeed, and after the last one, where it must fail. A
command that reads the project's own directory, for example by an absolute path, gives the same result for both.

Files that the command makes stay for the next state. Linked directories are those of the project itself.

Examples:
  fuzzy-edit turns bisect -- cargo test
  fuzzy-edit turns bisect --link node_modules -- npm test
  fuzzy-edit turns bisect --first 1 -- grep one a.txt";

/// The beginning of the name of the scratch worktree.
const PREFIX: &str = "fuzzy-edit-bisect-";

/// The time for which the removal of the scratch worktree is tried again: a command that still runs may write there.
const MAX_SWEEP: Duration = Duration::from_secs(10);

/// Starts a process that removes a directory when the returned pipe is closed: however this process ends.
fn guard(dir: &Path) -> io::Result<ChildStdin> {
    let mut guard = Command::new(env::current_exe()?);
    guard.args(["hook", "--sweep"]).arg(dir).current_dir("/");
    guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    sys::start_detached(&mut guard)?.stdin.take().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
}

/// Does that in this process: waits until standard input is closed, then removes the scratch worktree `dir`.
pub(crate) fn sweep(dir: &Path) {
    sys::leave_session();
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    let is_scratch = dir.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    let deadline = Instant::now() + MAX_SWEEP;
    // A state has no link to a directory outside of it that this could follow.
    while is_scratch && dir.exists() && fs::remove_dir_all(dir).is_err() && Instant::now() < deadline {
        thread::sleep(PAUSE);
    }
}

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// The scratch worktree.
struct Scratch<'s> {
    place: &'s Place,
    /// Holds the directory of the files and the index.
    dir: tempfile::TempDir,
    /// Dropped after the directory.
    _guard: ChildStdin,
    /// The directory in it where the command runs.
    below: PathBuf,
    links: Vec<(PathBuf, PathBuf)>,
    command: &'s [String],
    runs: usize,
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Refused> {
    let Turns { place, .. } = Turns::read(shared)?;
    let worktree = place.worktree.id();
    let states = place.service.bisect_states(worktree, arguments.first)?;
    let (Some(first), Some(last)) = (states.first(), states.last()) else {
        let message = "there is no turn with a checkpoint before and after it";
        return Err(Refused::unknown(message, "`fuzzy-edit turns` lists all turns."));
    };
    let mut scratch = Scratch::new(&place, arguments)?;
    let before = scratch.judge(&first.before, &format!("before turn {}", first.turn.number))?;
    let after = scratch.judge(&last.after, &format!("after turn {}", last.turn.number))?;
    check_ends(before, after, first, last)?;
    let found =
        search(states.len(), |at| scratch.judge(&states[at].after, &format!("after turn {}", states[at].turn.number)))?;
    let report = conclude(&place, &mut scratch, &states, found)?;
    let text = describe(&report);
    output::print(shared.json, &report, || text);
    if let Some(fuzzy_checkpoint::Patch::Text(patch)) = report.patch.as_ref().filter(|_| !shared.json) {
        output::answer_bytes(output::diff(patch).as_bytes());
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses ends that do not enclose the change.
fn check_ends(before: Judgement, after: Judgement, first: &BisectState, last: &BisectState) -> Result<(), Refused> {
    let (one, other) = (first.turn.number, last.turn.number);
    let message = match (before, after) {
        (Judgement::Good, Judgement::Bad) => return Ok(()),
        (Judgement::Good, Judgement::Good) => {
            format!("the command succeeds before turn {one} and after turn {other}, so no turn between them broke it")
        }
        (Judgement::Bad, Judgement::Bad) => {
            format!("the command fails before turn {one} and after turn {other}, so no turn between them broke it")
        }
        (Judgement::Bad, Judgement::Good) => {
            format!("the command fails before turn {one} and succeeds after turn {other}")
        }
        _ => "the command skips one of both ends with status 125".to_owned(),
    };
    let next_step = "Check the command: it may need --link for ignored files, or read the project's own directory. \
                     --first begins with another turn.";
    Err(Refused::new(Code::Invalid, message, next_step))
}

/// Returns the report: the turn, or that the files changed before it outside any turn.
fn conclude(
    place: &Place,
    scratch: &mut Scratch<'_>,
    states: &[BisectState],
    found: Found,
) -> Result<Bisected, Refused> {
    let mut report = Bisected {
        status: "bisected",
        turn: None,
        among: Vec::new(),
        outside_before: None,
        runs: 0,
        files: Vec::new(),
        patch: None,
        revert_with: None,
    };
    let options = DiffOptions { paths: Vec::new(), detail: Detail::Patch, renames: true };
    match found {
        Found::One(at) => {
            let (state, number) = (&states[at], states[at].turn.number);
            let earlier = if at == 0 { &state.before } else { &states[at - 1].after };
            let what = format!("before turn {number}");
            let is_outside = *earlier != state.before && scratch.judge(&state.before, &what)? == Judgement::Bad;
            let (from, to) = if is_outside { (earlier, &state.before) } else { (&state.before, &state.after) };
            let diff = place.service.compare_trees(place.worktree.id(), from, to, &options)?;
            (report.files, report.patch) = (diff.files, Some(diff.patch.into()));
            if is_outside {
                report.outside_before = Some(number);
            } else {
                report.turn = Some(state.turn.clone());
                report.revert_with = Some(format!("fuzzy-edit turns revert {number}"));
            }
        }
        Found::Among(range) => report.among = states[range].iter().map(|state| state.turn.number).collect(),
    }
    report.runs = scratch.runs;
    Ok(report)
}

fn describe(report: &Bisected) -> String {
    let runs = format!("the command ran {} times\n", report.runs);
    if let (Some(turn), Some(revert)) = (&report.turn, &report.revert_with) {
        let (number, prompt) = (turn.number, prompt(turn));
        return format!("turn {number} is the first bad one: {prompt}\n{runs}to take it back: {revert}\n");
    }
    if let Some(number) = report.outside_before {
        return format!("changes outside any turn, just before turn {number}, are the first bad ones\n{runs}");
    }
    let among: Vec<String> = report.among.iter().map(ToString::to_string).collect();
    format!("one of these turns is the first bad one, the command skips the others: {}\n{runs}", among.join(", "))
}

impl<'s> Scratch<'s> {
    fn new(place: &'s Place, arguments: &'s Arguments) -> Result<Self, Refused> {
        let root = place.worktree.root();
        let failed = |error| Refused::of_io("a temporary directory", &error, "Set TMPDIR.");
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir().map_err(failed)?;
        let guard = guard(dir.path()).map_err(failed)?;
        let dir_path = sys::canonical(dir.path()).map_err(failed)?;
        if dir_path.starts_with(root) {
            let message = "the temporary directory is inside the project";
            return Err(Refused::bad_input(message, "Set TMPDIR to a directory outside of it."));
        }
        fs::create_dir(dir.path().join("files")).map_err(failed)?;
        let here = sys::canonical(&current()?).map_err(failed)?;
        let below = here.strip_prefix(root).map(Path::to_owned).unwrap_or_default();
        let mut links = Vec::new();
        for link in &arguments.link {
            let target = here.join(link);
            let inside = target.strip_prefix(root).ok().filter(|path| is_plain(path) && target.is_dir());
            let Some(inside) = inside else {
                let message = format!("--link: `{}` is no directory of the project", link.display());
                return Err(Refused::bad_input(message, "Name a directory with ignored files, such as node_modules."));
            };
            links.push((inside.to_owned(), target.clone()));
        }
        Ok(Self { place, dir, _guard: guard, below, links, command: &arguments.command, runs: 0 })
    }

    /// Runs the command on a state.
    fn judge(&mut self, tree: &Oid, what: &str) -> Result<Judgement, Refused> {
        let (files, index) = (self.dir.path().join("files"), self.dir.path().join("index"));
        for (inside, _) in &self.links {
            // A state must not be checked out through a link into the project.
            let _ = fs::remove_file(files.join(inside));
        }
        self.place.service.check_out(self.place.worktree.id(), tree, &files, &index)?;
        for (inside, target) in &self.links {
            let link = files.join(inside);
            if fs::symlink_metadata(&link).is_ok() {
                let message = format!("--link: turns have captured files in `{}`", inside.display());
                return Err(Refused::bad_input(message, "Link only directories whose files are ignored."));
            }
            let made = link.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| sys::make_link_at(&link, target));
            made.map_err(|error| Refused::of_io("--link", &error, "Leave it out."))?;
        }
        let dir = files.join(&self.below);
        let dir = if dir.is_dir() { dir } else { files };
        self.runs += 1;
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).current_dir(dir).stdin(Stdio::null());
        // A report is the only output on standard output.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        for (name, _) in env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_")) {
            command.env_remove(name);
        }
        let status = command.status().map_err(|error| {
            let message = format!("the command `{}` cannot be started: {error}", self.command[0]);
            Refused::bad_input(message, "Name a program after `--`; for shell syntax use `sh -c`.")
        })?;
        let judgement = match status.code() {
            Some(0) => Judgement::Good,
            Some(125) => Judgement::Skip,
            Some(1..=127) => Judgement::Bad,
            _ => {
                let message = format!("the command was stopped {what}: {status}");
                return Err(Refused::new(Code::Invalid, message, "Make the command end with a status up to 127."));
            }
        };
        let word = match judgement {
            Judgement::Good => "good",
            Judgement::Bad => "bad",
            Judgement::Skip => "skipped",
        };
        output::complain(&format!("{what}: {word}"));
        Ok(judgement)
    }
}

/// Returns whether a path consists only of names.
fn is_plain(path: &Path) -> bool {
    !path.as_os_str().is_empty() && path.components().all(|part| matches!(part, Component::Normal(_)))
}

//! `init`: adds our hooks to the settings of hosts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use fuzzy_edit::{Code, Failure, State, unified_diff};
use fuzzy_hosts::{Changes, Checked, FileChange, Host, Parts, Records, SettingsError, Site, on_path};
use fuzzy_report::printable;
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(feature = "checkpoint")]
use crate::config;
use crate::output::{self, Answered};

/// Configure coding agents to repair their edits with fuzzy-edit, and to take a checkpoint for each turn
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Arguments {
    /// The hosts [default: those found on this machine or in this project]
    hosts: Vec<String>,
    /// Change the settings of this project instead of those of the user
    #[arg(long)]
    project: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Write nothing; print the changes
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Remove the changes of `init`
    #[arg(long, conflicts_with_all = ["check", "repair", "turns", "mcp"])]
    remove: bool,
    /// Send a test event to each configured hook, and report whether it works
    #[arg(long, conflicts_with_all = ["repair", "turns", "mcp", "dry_run", "yes"])]
    check: bool,
    /// Configure the repair of edits, and hints after a failed edit [default: --repair --turns]
    #[arg(long)]
    repair: bool,
    /// Configure a checkpoint for each turn of an agent
    #[arg(long)]
    turns: bool,
    /// Configure the MCP server
    #[arg(long)]
    mcp: bool,
    /// The command that hosts run [default: fuzzy-edit if it is on the PATH, otherwise the path of this program]
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Other settings, their order and comments are kept; a file that cannot be parsed is not changed. The output names a copy
of each file as it was. `--remove` removes what `init` wrote, and restores a file byte for byte unless it changed since.
Entries that you made by hand are yours. Without a terminal, --yes is required.

Hosts: claude-code, cline, codex, copilot, crush, cursor, gemini, opencode, qwen, vscode

Examples:
  fuzzy-edit init
  fuzzy-edit init claude-code opencode --project --yes
  fuzzy-edit init codex --mcp
  fuzzy-edit init --turns
  fuzzy-edit init --check
  fuzzy-edit init --remove";

/// The changes that `init` made, or would make.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Report {
    /// `applied`, `dry_run`, or `unchanged` if the settings need no change.
    status: &'static str,
    /// The names of the hosts.
    hosts: Vec<&'static str>,
    /// The files that change.
    files: Vec<ChangedFile>,
    /// Notes, such as a question that a host asks before it runs a hook.
    notes: Vec<String>,
}

/// A file that changes.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ChangedFile {
    /// The path of the file.
    path: String,
    /// The change, as a unified diff.
    diff: String,
    /// Whether the file is removed.
    removed: bool,
    /// The copy of the file before the change, if the last change was not ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    copy: Option<String>,
}

/// The state of each host's settings.
#[derive(JsonSchema, Serialize)]
pub(crate) struct CheckReport {
    /// Always `checked`.
    status: &'static str,
    /// The hosts whose settings contain our hooks.
    hosts: Vec<CheckedHost>,
}

/// The state of one host's settings.
#[derive(JsonSchema, Serialize)]
pub(crate) struct CheckedHost {
    /// The name of the host.
    host: &'static str,
    /// `works`, `outdated` or `broken`.
    state: &'static str,
    /// Whether the host's own program is on the PATH. Without it the hooks may work, and nothing runs them.
    on_path: bool,
    /// The reason, if it is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// The number of plans before concurrent changes of the settings are a failure. Each failed one means that another
/// process has written.
const ATTEMPTS: u32 = 20;

/// Changes the settings, or checks them.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    // Without a state directory there are no records to keep in order.
    let records = Records::from_environment().filter(|_| !arguments.check && !arguments.dry_run);
    let waits = || output::complain("waiting for another `fuzzy-edit init`");
    let _lock = match records.map(|records| records.lock(waits)).transpose() {
        Ok(lock) => lock,
        Err(error) => return output::failure(arguments.json, &unwritable(&error)),
    };
    let done = if arguments.check { arguments.check() } else { arguments.change(ATTEMPTS) };
    done.unwrap_or_else(|failure| output::failure(arguments.json, &failure))
}

impl Arguments {
    fn change(&self, attempts: u32) -> Result<ExitCode, Box<Failure>> {
        #[cfg(not(feature = "checkpoint"))]
        if self.turns {
            return Err(super::unlinked::failure("`--turns`", "checkpoint").into());
        }
        let asks = !self.yes && !self.dry_run;
        let site = self.site()?;
        let records = Records::from_environment();
        let mut changes = Changes::new(&site, records.as_ref());
        let mut hosts = Vec::new();
        let (mut summary, mut seen) = (String::new(), BTreeSet::new());
        for host in self.hosts(&site)? {
            let planned = if self.remove { changes.remove(host) } else { changes.add(host, self.parts()) };
            match planned {
                Ok(()) => {
                    hosts.push(host);
                    summary += &summary_of(host, changes.files().filter(|file| seen.insert(file.path.clone())));
                }
                // Skips a host that was found, not named, and has no settings of this kind.
                Err(SettingsError::Lacking { .. }) if self.hosts.is_empty() => {}
                Err(error) => return Err(failure(&error)),
            }
        }
        let mut left = Vec::new();
        if self.remove {
            for host in &hosts {
                left.extend(changes.left(host).map_err(|error| failure(&error))?);
            }
        }
        let files: Vec<&FileChange> = changes.files().collect();
        let mut report = Report {
            status: "unchanged",
            hosts: hosts.iter().map(|host| host.name).collect(),
            files: files.iter().map(|file| changed(file)).collect(),
            notes: left.iter().map(|path| kept(path)).collect(),
        };
        if files.is_empty() {
            let text = self.nothing(&hosts) + &notes(&report);
            return Ok(output::answer(self.json, &report, || text));
        }
        if !self.remove {
            report.notes = hosts.iter().filter_map(|host| host.note).map(str::to_owned).collect();
            #[cfg(feature = "checkpoint")]
            if self.parts().turns {
                report.notes.extend(storage_warning());
                report.notes.extend(wanted_copies());
            }
        }
        if self.dry_run {
            report.status = "dry_run";
            let text = diffs(&report);
            return Ok(output::answer(self.json, &report, || text));
        }
        if asks && !output::can_ask() {
            let next_step = "Add --yes to write, or --dry-run to print the changes.";
            return Err(Failure::bad_input("there is no terminal for the question", next_step).into());
        }
        if asks {
            loop {
                match output::answered(&summary, "write") {
                    Answered::Yes => break,
                    Answered::Diff => output::show(&diffs(&report)),
                    Answered::No => {
                        return Err(Failure::new(Code::Declined, "nothing was changed", "Answer y to write.").into());
                    }
                }
            }
        }
        match changes.write(&State::from_environment()) {
            // The new plan has the change of the other process; a question is repeated.
            Err(SettingsError::Changed { .. }) if attempts > 0 => return self.change(attempts - 1),
            written => written.map_err(|error| failure(&error))?,
        }
        report.status = "applied";
        #[cfg(feature = "checkpoint")]
        if !self.remove && self.parts().turns {
            // The first turn reads every file if this cannot be started.
            let _ = std::env::current_dir().and_then(|directory| super::turns::queue::warm(&directory));
        }
        let text = self.done(&report);
        output::print(self.json, &report, || text);
        Ok(ExitCode::SUCCESS)
    }

    fn check(&self) -> Result<ExitCode, Box<Failure>> {
        let site = self.site()?;
        let records = Records::from_environment();
        let mut hosts = Vec::new();
        for host in self.named()?.unwrap_or_else(|| Host::all().collect()) {
            let directory = Scratch::new().map_err(|error| unwritable(&error))?;
            let (state, why) = match host.check(&site, records.as_ref(), &directory.0) {
                Ok(Checked::Absent) => continue,
                Ok(Checked::Works) => ("works", None),
                Ok(Checked::Outdated) => ("outdated", None),
                Ok(Checked::Broken(why)) => ("broken", Some(why)),
                Err(error) => ("broken", Some(error.to_string())),
            };
            hosts.push(CheckedHost { host: host.name, state, on_path: host.is_on_path(), why });
        }
        let is_sound = hosts.iter().all(|host| host.state == "works");
        let text = if hosts.is_empty() {
            "no host has our hooks; `fuzzy-edit init` adds them\n".to_owned()
        } else {
            states(&hosts)
        };
        let code = output::answer(self.json, &CheckReport { status: "checked", hosts }, || text);
        Ok(if is_sound { code } else { ExitCode::FAILURE })
    }

    fn site(&self) -> Result<Site, Box<Failure>> {
        let project = self.project.then(std::env::current_dir).transpose().map_err(|error| unwritable(&error))?;
        let program = self.command.clone().unwrap_or_else(program);
        Site::from_environment(project, program)
            .ok_or_else(|| Failure::bad_input("the home directory is unknown", "Set HOME, or use --project.").into())
    }

    fn parts(&self) -> Parts {
        let default = !self.repair && !self.turns && !self.mcp;
        let turns = self.turns || default && cfg!(feature = "checkpoint");
        Parts { repair: self.repair || default, turns, mcp: self.mcp }
    }

    /// Returns the hosts that are named.
    fn named(&self) -> Result<Option<Vec<&'static Host>>, Box<Failure>> {
        if self.hosts.is_empty() {
            return Ok(None);
        }
        let unknown = |name: &String| {
            let known: Vec<&str> = Host::all().map(|host| host.name).collect();
            let begins = |host: &&str| name.get(..3).is_some_and(|start| host.starts_with(start));
            let meant = known.iter().copied().find(begins);
            let meant = meant.map_or_else(String::new, |host| format!("Did you mean `{host}`? "));
            let next_step = format!("{meant}Choose one of these: {}.", known.join(", "));
            Box::new(Failure::bad_input(format!("there is no host `{name}`"), next_step))
        };
        let hosts = self.hosts.iter().map(|name| Host::named(name).ok_or_else(|| unknown(name)));
        Ok(Some(hosts.collect::<Result<_, _>>()?))
    }

    /// Returns the hosts that are named, or otherwise found.
    fn hosts(&self, site: &Site) -> Result<Vec<&'static Host>, Box<Failure>> {
        if let Some(named) = self.named()? {
            return Ok(named);
        }
        let found: Vec<&Host> = Host::all().filter(|host| self.remove || host.is_present(site)).collect();
        if found.is_empty() {
            return Err(
                Failure::bad_input("no host was found", "Name a host: `fuzzy-edit init --help` lists them.").into()
            );
        }
        Ok(found)
    }

    fn nothing(&self, hosts: &[&Host]) -> String {
        if self.remove {
            return "the settings contain none of our hooks\n".to_owned();
        }
        let titles: Vec<&str> = hosts.iter().map(|host| host.title).collect();
        format!("already configured: {}\n", titles.join(", "))
    }

    fn done(&self, report: &Report) -> String {
        let mut text = String::new();
        for file in &report.files {
            let done = if file.removed { "removed" } else { "written" };
            let _ = writeln!(text, "{done}: `{}`", printable(&file.path));
            if let Some(copy) = &file.copy {
                let _ = writeln!(text, "  as it was before: `{}`", printable(copy));
            }
        }
        text += &notes(report);
        if !self.remove {
            text += "`fuzzy-edit init --check` tests the hooks; `fuzzy-edit init --remove` removes them\n";
        }
        text
    }
}

/// Returns a note about the `keep` of the project's settings, which only the user's file puts in force.
#[cfg(feature = "checkpoint")]
fn wanted_copies() -> Option<String> {
    let config = config::current().ok()?;
    let wanted = config
        .project
        .keep
        .as_ref()
        .filter(|wanted| !wanted.is_empty() && config.user.keep.as_ref() != Some(wanted))?;
    let names: Vec<String> = wanted.iter().map(|path| format!("{path:?}")).collect();
    Some(format!("the project asks to keep copies of {}; to do so, write `keep` into your own file", names.join(", ")))
}

/// Returns the notes, a line each.
fn notes(report: &Report) -> String {
    report.notes.iter().flat_map(|note| ["note: ", note.as_str(), "\n"]).collect()
}

/// Returns a note about a file that still names our command.
fn kept(path: &Path) -> String {
    format!(
        "`{}` still contains `fuzzy-edit`: `init` has no record of that, so it is yours",
        printable(&path.to_string_lossy())
    )
}

/// Returns a warning if the checkpoints of turns would be on storage that may lose them.
#[cfg(feature = "checkpoint")]
fn storage_warning() -> Option<String> {
    use super::checkpoint::options::Database;
    super::checkpoint::storage::warning(&Database::from_environment().stores()?)
}

/// Returns the name of this program if a shell finds it by that name, otherwise its path.
fn program() -> String {
    const NAME: &str = "fuzzy-edit";
    let Ok(own) = std::env::current_exe() else { return NAME.to_owned() };
    let is_own = |path: PathBuf| path.canonicalize().ok() == own.canonicalize().ok();
    if on_path(NAME).is_some_and(is_own) { NAME.to_owned() } else { own.to_string_lossy().into_owned() }
}

fn changed(file: &FileChange) -> ChangedFile {
    let path = file.path.to_string_lossy().into_owned();
    let (before, after) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
    let copy = file.copy.as_ref().map(|copy| copy.to_string_lossy().into_owned());
    ChangedFile { diff: unified_diff(&path, before, after), path, removed: file.after.is_none(), copy }
}

/// Returns what changes for a host: the numbers of files, and their paths.
fn summary_of<'f>(host: &Host, files: impl Iterator<Item = &'f FileChange>) -> String {
    let kind = |file: &FileChange| match (&file.before, &file.after) {
        (None, _) => "new",
        (_, None) => "removed",
        _ => "changed",
    };
    let files: Vec<_> = files.map(|file| (kind(file), printable(&file.path.to_string_lossy()).into_owned())).collect();
    let count = |wanted: &str| files.iter().filter(|(kind, _)| *kind == wanted).count();
    let counts = ["new", "changed", "removed"].map(|kind| (count(kind), kind));
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let words = counts.map(|(count, kind)| format!("{count} {kind} file{}", if count == 1 { "" } else { "s" }));
    let mut text = format!("{}: {}\n", host.title, words.collect::<Vec<_>>().join(", "));
    for (kind, path) in &files {
        let _ = writeln!(text, "  {kind}: `{path}`");
    }
    if files.is_empty() { String::new() } else { text }
}

fn diffs(report: &Report) -> String {
    report.files.iter().map(|file| output::diff(&file.diff)).collect()
}

fn states(hosts: &[CheckedHost]) -> String {
    let mut text = String::new();
    for CheckedHost { host, state, on_path, why } in hosts {
        let why = why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        let title = Host::named(host).map_or(*host, |host| host.title);
        let missing = if *on_path { String::new() } else { format!("; {title} not found on the PATH") };
        let state = if *state == "works" { "the hook answers" } else { state };
        let _ = writeln!(text, "{host}: {state}{why}{missing}");
    }
    text
}

/// The next step on a full disk.
const FREE_SPACE: &str = "Free some space, and run the command again.";

fn failure(error: &SettingsError) -> Box<Failure> {
    let (code, next_step) = match error {
        SettingsError::Unreadable { .. } => (Code::BadInput, "Fix the file, or name other hosts."),
        SettingsError::Unwritable { source, .. } if source.is_disk_full() => (Code::DiskFull, FREE_SPACE),
        SettingsError::Unwritable { .. } => (Code::Io, "Make the file writable, and run the command again."),
        SettingsError::Changed { .. } => (Code::Stale, "Run the command again when no other program writes the file."),
        SettingsError::Taken { .. } => {
            (Code::Exists, "Move the file away, call `fuzzy-edit hook` from it, or name other hosts.")
        }
        _ => (Code::BadInput, "Add or omit --project, or choose other parts."),
    };
    Failure::new(code, error.to_string(), next_step).into()
}

fn unwritable(error: &io::Error) -> Box<Failure> {
    let (code, next_step) = if fuzzy_system::is_disk_full(error) {
        (Code::DiskFull, FREE_SPACE)
    } else {
        (Code::Io, "Make the directory readable and writable.")
    };
    Failure::new(code, error.to_string(), next_step).into()
}

/// A temporary directory, removed when the value is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("fuzzy-edit-check-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! Prints reports for programs and for people.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "checkpoint")]
use std::time::Duration;

use clap::ValueEnum;
#[cfg(feature = "checkpoint")]
use console::Term;
use fuzzy_edit::{Code, Failure, ListReport, Recovered, Report, Status, Success, trim_diff, unified_diff};
use fuzzy_pipeline::report::Proposal;
use fuzzy_report::{ContestedLines, Remedy, marked_blanks, printable, printable_lines};
#[cfg(feature = "checkpoint")]
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::colour;

/// Whether `--quiet` is given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out texts about success from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Returns whether texts about success are left out.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Returns a text about success, or an empty one with `--quiet`.
pub(crate) fn unless_quiet(text: impl FnOnce() -> String) -> String {
    if is_quiet() { String::new() } else { text() }
}

/// Prints the answer to a question: the report as one line of JSON, or the text for people.
pub(crate) fn answer(json: bool, report: &impl Serialize, text: impl FnOnce() -> String) -> ExitCode {
    if print(json, report, text) { ExitCode::SUCCESS } else { ExitCode::from(Code::Io.exit_code()) }
}

/// Returns the exit code of edits that did not fail. Edits that were written succeed even if the report cannot be
/// printed; a dry run has no other result than its report.
pub(crate) fn outcome(is_printed: bool, status: Status) -> ExitCode {
    if is_printed || status == Status::Applied { ExitCode::SUCCESS } else { ExitCode::from(Code::Io.exit_code()) }
}

/// Adds the command's option that permits the refused edit to the next step, if there is one.
pub(crate) fn name_flag(failure: &mut Failure) {
    let flag = match failure.details.remedy {
        Some(Remedy::SizeLimit) => "--max-bytes N sets a higher limit",
        Some(Remedy::Encoding) => "--encoding NAME sets the encoding of the file, such as windows-1252",
        Some(Remedy::InPlace) => "--in-place allows it, which is not atomic",
        Some(Remedy::TimeLimit) => "--timeout-ms MS allows a longer search",
        Some(Remedy::Git) => "--allow-git allows it",
        Some(Remedy::FirstLine) => "--first TEXT takes the line, --expected-hash HASH the hash",
        Some(Remedy::Root) => "--root DIR restricts edits to another directory",
        // The verbs that can replace every place say so.
        Some(Remedy::AllPlaces) | None => return,
    };
    let step = failure.next_step.trim_end_matches('.');
    failure.next_step = format!("{step}; {flag}.");
    failure.details.remedy = None;
}

/// Prints a failure: its message on standard error, with `json` also the report on standard output, and otherwise its
/// details.
pub(crate) fn failure(json: bool, failure: &Failure) -> ExitCode {
    let failure = &mut failure.clone();
    name_flag(failure);
    print(json, failure, String::new);
    complain(&failure.to_string());
    if !json {
        show(&details(failure));
    }
    ExitCode::from(failure.code.exit_code())
}

/// Returns the diff to the nearest lines, the possible results of a conflict, the lost lines, the proposal and the rule
/// that refuses the edit.
fn details(failure: &Failure) -> String {
    let mut text = String::new();
    if let Some(nearest) = failure.details.nearest.as_ref().filter(|nearest| !nearest.diff.is_empty()) {
        let diff = &nearest.diff;
        let shown = if io::stderr().is_terminal() { marked_blanks(diff) } else { diff.clone() };
        text += &titled(&format!("the old text (-) and {} (+)", nearest.lines), &for_people(&shown));
    }
    for (title, lines) in failure.details.conflicts.iter().flat_map(ContestedLines::results) {
        text += &titled(&title, &printable_lines(lines));
    }
    if let Some(lost) = &failure.details.lost {
        text += &titled("the lines that would be lost", &first_lines(lost));
    }
    if let Some(proposal) = &failure.details.proposal {
        text += &proposed(proposal);
    }
    if let Some(rule) = failure.details.rule {
        let _ = writeln!(text, "rule: {rule} (fuzzy-edit rule {rule})");
    }
    text
}

/// Returns a proposal as a diff.
pub(crate) fn proposed(proposal: &Proposal) -> String {
    let diff = unified_diff("", &proposal.old, &proposal.new);
    // The lines with file names carry no information.
    let hunks = diff.split_inclusive('\n').skip(2).collect::<String>();
    titled("proposal", &for_people(&hunks))
}

/// Returns a diff for standard error.
fn for_people(diff: &str) -> String {
    String::from_utf8_lossy(&colour::rendered(diff.as_bytes(), io::stderr().is_terminal())).into_owned()
}

/// Returns lines indented below a title.
fn titled(title: &str, lines: &str) -> String {
    let mut text = format!("{title}:\n");
    for line in lines.lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Returns the first lines of a text, and the number of the remaining ones.
fn first_lines(text: &str) -> String {
    const MAX_LINES: usize = 20;
    let count = text.lines().count();
    let mut first: Vec<Cow<'_, str>> = text.lines().take(MAX_LINES).map(Cow::Borrowed).collect();
    if count > MAX_LINES {
        first.push(format!("({} more lines)", count - MAX_LINES).into());
    }
    first.join("\n")
}

/// Returns whether a person reads the errors.
pub(crate) fn is_read_by_a_person() -> bool {
    io::stderr().is_terminal()
}

/// Shows a person the seconds of a long task, if it is `wanted`, until the result is cleared.
#[cfg(feature = "checkpoint")]
pub(crate) fn waiting(wanted: bool, what: &'static str) -> ProgressBar {
    if !wanted || !is_read_by_a_person() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    let bar = match ProgressStyle::with_template("{spinner} {msg}: {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    bar.set_message(what);
    bar.tick();
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Returns whether there is a terminal for a question.
pub(crate) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Prints a plan and a question, and returns the answer in lower case; without one, an empty text.
pub(crate) fn asked(plan: &str, question: &str) -> String {
    let mut err = io::stderr().lock();
    let prompted = write!(err, "{plan}{question} ").and_then(|()| err.flush());
    let mut answer = String::new();
    let is_read = prompted.is_ok() && io::stdin().lock().read_line(&mut answer).is_ok();
    if is_read { answer.trim().to_ascii_lowercase() } else { String::new() }
}

/// Prints a plan, asks for confirmation and returns the answer. `verb` names the action.
#[cfg(feature = "checkpoint")]
pub(crate) fn agreed(plan: &str, verb: &str) -> bool {
    matches!(asked(plan, &format!("{verb}? [y/N]")).as_str(), "y" | "yes")
}

/// An answer to a plan.
pub(crate) enum Answered {
    Yes,
    No,
    /// The diff of the plan is wanted first.
    Diff,
}

/// Prints a plan and asks for confirmation, or for its diff. `verb` names the action.
pub(crate) fn answered(plan: &str, verb: &str) -> Answered {
    match asked(plan, &format!("{verb}? [y/N/d for the diff]")).as_str() {
        "y" | "yes" => Answered::Yes,
        "d" | "diff" => Answered::Diff,
        _ => Answered::No,
    }
}

/// Returns the number of columns of the terminal that standard output is, if it is one.
#[cfg(feature = "checkpoint")]
pub(crate) fn columns() -> Option<usize> {
    Term::stdout().size_checked().map(|(_, columns)| usize::from(columns)).filter(|columns| *columns > 0)
}

/// Prints a patch on standard error, rendered for a terminal, and ignores an error.
#[cfg(feature = "checkpoint")]
pub(crate) fn explain_diff(patch: &[u8]) {
    let _ = io::stderr().lock().write_all(&colour::rendered(patch, io::stderr().is_terminal()));
}

/// Prints bytes as the answer to a question.
pub(crate) fn answer_bytes(bytes: &[u8]) -> ExitCode {
    let mut out = io::stdout().lock();
    if is_written(out.write_all(bytes).and_then(|()| out.flush())) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(Code::Io.exit_code())
    }
}

/// Prints the bytes as the answer to a question, on a terminal through the program of `PAGER`, or else `less`. An empty
/// `PAGER`, a terminal without abilities, and a program that cannot run mean no pager.
pub(crate) fn answer_paged(bytes: &[u8]) -> ExitCode {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = pager.split_whitespace();
    let is_able = std::env::var_os("TERM").is_some_and(|name| name != "dumb");
    let Some(program) = words.next().filter(|_| io::stdout().is_terminal() && is_able) else {
        return answer_bytes(bytes);
    };
    let mut command = Command::new(program);
    if std::env::var_os("LESS").is_none() {
        // Git passes the same flags: no prompt for one screen, colours, and a text that remains on the terminal.
        command.env("LESS", "FRX");
    }
    let Ok(mut running) = command.args(words).stdin(Stdio::piped()).spawn() else { return answer_bytes(bytes) };
    // The reader may quit before the end.
    let _ = running.stdin.take().map(|mut stdin| stdin.write_all(bytes));
    let _ = running.wait();
    ExitCode::SUCCESS
}

/// Returns a diff for standard output.
pub(crate) fn diff(diff: &str) -> String {
    String::from_utf8_lossy(&colour::rendered(diff.as_bytes(), io::stdout().is_terminal())).into_owned()
}

/// Prints one report on standard output. Returns whether that succeeded, and reports an error otherwise.
pub(crate) fn print(json: bool, report: &impl Serialize, text: impl FnOnce() -> String) -> bool {
    let mut out = io::stdout().lock();
    let written = if json {
        serde_json::to_writer(&mut out, report).map_err(io::Error::from).and_then(|()| out.write_all(b"\n"))
    } else {
        out.write_all(text().as_bytes())
    };
    is_written(written.and_then(|()| out.flush()))
}

/// Returns whether standard output was written, and reports an error otherwise.
fn is_written(written: io::Result<()>) -> bool {
    match written {
        // A reader that closes the pipe early is no error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("{}: standard output: {error}", Code::Io));
            false
        }
        _ => true,
    }
}

/// Reports the result of recovering the batches of killed processes, and the journals of others that cannot be read.
pub(crate) fn recovered(batches: &[Recovered], unreadable: &[PathBuf]) {
    for journal in unreadable {
        complain(&format!(
            "the journal `{}` of an interrupted batch is damaged, or of another version; its files may be old or new; \
             remove it after you have looked at them",
            journal.display()
        ));
    }
    for Recovered { finished, left, leftovers } in batches {
        let done = if *finished { "finished" } else { "rolled back" };
        complain(&format!("an interrupted batch was {done}"));
        for path in left {
            complain(&format!(
                "`{}` contains neither the old text nor the new text, and was not changed",
                path.display()
            ));
        }
        for path in leftovers {
            complain(&format!("its temporary file `{}` cannot be removed; remove it by hand", path.display()));
        }
    }
}

/// Prints a line on standard error, and ignores an error.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "fuzzy-edit: {}", printable(line));
}

/// Prints a text on standard error, and ignores an error.
pub(crate) fn show(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Prints lines on standard error, and ignores an error.
fn complain_in_lines(text: &str) {
    let _ = writeln!(io::stderr(), "fuzzy-edit: {}", printable_lines(text));
}

/// Prints the error of a command line that cannot be parsed, or the help that it requests.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::from(Code::Io.exit_code()),
            _ => ExitCode::SUCCESS,
        };
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    // The arguments could not be parsed, so this search for `--json` is the only evidence of the wanted format.
    if std::env::args_os().any(|argument| argument == "--json") {
        let message = text.split("\n\n").next().unwrap_or(text);
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        print(true, &Failure::bad_input(message, "Read `fuzzy-edit help`."), String::new);
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain_in_lines(&format!("{}: the command is missing\n\n{text}", Code::BadInput));
    } else {
        complain_in_lines(&format!("{}: {text}", Code::BadInput));
    }
    ExitCode::from(Code::BadInput.exit_code())
}

/// Returns a line for each edit of a list that succeeded; an empty text if the list failed.
pub(crate) fn describe_all(list: &ListReport, diff: Option<DiffForm>) -> String {
    let ListReport::Success { edits, .. } = list else { return String::new() };
    let mut text = String::new();
    for report in edits {
        if let Report::Success(success) = report {
            text += &describe(success, diff);
        }
    }
    text
}

/// Returns a line about an edit that succeeded, with the diff on request.
pub(crate) fn describe(success: &Success, diff: Option<DiffForm>) -> String {
    let mut text = unless_quiet(|| summary(success));
    match diff {
        Some(DiffForm::Whole) => text += &self::diff(&with_prefixes(&success.diff)),
        Some(DiffForm::Trimmed) => text += &self::diff(&trim_diff(&success.diff)),
        None => {}
    }
    text
}

/// Returns a line about an edit that succeeded, and its note.
fn summary(success: &Success) -> String {
    let mut text = success.summary();
    if let Some(strategy) = success.strategy {
        let _ = write!(text, " ({strategy})");
    }
    text.push('\n');
    if let Some(note) = &success.note {
        let _ = writeln!(text, "{}", printable_lines(note));
    }
    text
}

/// The form of a printed diff.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffForm {
    /// A diff that other programs apply.
    Whole,
    /// The same without the indentation that all lines share.
    Trimmed,
}

/// Returns the diff of one file or more with `a/` and `b/` before the names in headers, which git and `patch -p1` remove.
/// Absolute names get none. A name with spaces gets a tab at its end, as in diffs of git; otherwise `patch` stops at the
/// first space.
fn with_prefixes(diff: &str) -> String {
    let prefixed = |prefix: char, name: &str| match name.strip_prefix('"') {
        _ if name.starts_with('/') => name.to_owned(),
        Some(quoted) => format!("\"{prefix}/{quoted}"),
        None => format!("{prefix}/{name}"),
    };
    let ended = |name: String| if name.contains(' ') { name + "\t" } else { name };
    let mut text = String::with_capacity(diff.len() + 8);
    // The lines of the hunk that are left on each side.
    let mut left = [0_usize; 2];
    for line in diff.split_inclusive('\n') {
        if left != [0, 0] {
            let is_of = |mark| usize::from(line.starts_with([' ', mark]));
            left = [left[0].saturating_sub(is_of('-')), left[1].saturating_sub(is_of('+'))];
            text.push_str(line);
            continue;
        }
        if let Some(ranges) = line.strip_prefix("@@ ") {
            let mut counts =
                ranges.split(' ').map(|range| range.split_once(',').map_or(Ok(1), |(_, count)| count.parse()));
            left = [0; 2].map(|_| counts.next().and_then(Result::ok).unwrap_or_default());
        }
        let sides = line.strip_prefix("diff --git ").and_then(same_names);
        let line = match (line.strip_prefix("--- "), line.strip_prefix("+++ "), sides) {
            (Some(name), ..) => format!("--- {}\n", ended(prefixed('a', name.trim_end_matches('\n')))),
            (_, Some(name), _) => format!("+++ {}\n", ended(prefixed('b', name.trim_end_matches('\n')))),
            (.., Some(name)) => format!("diff --git {} {}\n", prefixed('a', name), prefixed('b', name)),
            _ => line.to_owned(),
        };
        text.push_str(&line);
    }
    text
}

/// Returns the name in the first line of a git diff, which has it twice.
fn same_names(line: &str) -> Option<&str> {
    let line = line.trim_end_matches('\n');
    let (one, other) = line.split_at_checked(line.len() / 2)?;
    (other.strip_prefix(' ') == Some(one)).then_some(one)
}

/// The most failures that are printed; `--json` has all of them.
const MAX_FAILURES: usize = 20;

/// Prints each failure of a list of edits, and that nothing was written.
pub(crate) fn complain_of(edits: &[Report]) {
    let mut failed = 0;
    for (index, report) in edits.iter().enumerate() {
        if let Report::Failure(failure) = report {
            failed += 1;
            if failed <= MAX_FAILURES {
                let rule = failure.details.rule.map_or_else(String::new, |rule| format!(" (rule: {rule})"));
                complain(&format!("edit {}: {failure}{rule}", index + 1));
            }
        }
    }
    if failed > MAX_FAILURES {
        complain(&format!("{} more edits failed; --json lists them", failed - MAX_FAILURES));
    }
    complain(&format!("{failed} of {} edits failed, so nothing was written", edits.len()));
}

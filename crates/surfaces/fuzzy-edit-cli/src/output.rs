//! Reports to programs and to people.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use fuzzy_edit::{Code, Failure, ListReport, Recovered, Report, Status, Success, trim_diff, unified_diff};
use fuzzy_report::{ContestedLines, printable, printable_lines};
use serde::Serialize;

use crate::colour;

/// Prints the answer to a question: the report as one line of JSON, or the text for people.
pub(crate) fn answer(json: bool, report: &impl Serialize, text: impl FnOnce() -> String) -> ExitCode {
    if print(json, report, text) { ExitCode::SUCCESS } else { ExitCode::from(Code::Io.exit_code()) }
}

/// Returns the exit code of edits that did not fail. What is written is written, whether or not the report can be; of a
/// dry run nothing is left without it.
pub(crate) fn outcome(told: bool, status: Status) -> ExitCode {
    if told || status == Status::Applied { ExitCode::SUCCESS } else { ExitCode::from(Code::Io.exit_code()) }
}

/// Names the option of the command that allows what was refused, where there is one.
pub(crate) fn name_flag(failure: &mut Failure) {
    let cause = failure.details.cause.unwrap_or(failure.code);
    let flag = match cause {
        Code::TooLarge => "--max-bytes N allows more bytes",
        Code::Encoding if failure.next_step.starts_with("Name the encoding") => {
            "--encoding NAME says what the file is encoded as, such as windows-1252"
        }
        Code::Refused if failure.message.contains("hard links") => "--in-place allows it, which is not atomic",
        Code::Timeout if failure.message.contains("time") => "--timeout-ms MS allows a longer search",
        Code::OutsideRoot if failure.message.contains(".git") => "--allow-git allows it",
        Code::OutsideRoot => "--root DIR names another directory that paths must stay in",
        _ => return,
    };
    if !failure.next_step.contains(flag) {
        let step = failure.next_step.trim_end_matches('.');
        failure.next_step = format!("{step}; {flag}.");
    }
}

/// Prints a failure: for people and for programs on standard error, the report as JSON on standard output. People are
/// shown what comes nearest as well.
pub(crate) fn failure(json: bool, failure: &Failure) -> ExitCode {
    let failure = &mut failure.clone();
    name_flag(failure);
    print(json, failure, String::new);
    complain(&failure.to_string());
    if !json {
        let _ = io::stderr().write_all(details(failure).as_bytes());
    }
    ExitCode::from(failure.code.exit_code())
}

/// Shows how the needle differs from the nearest lines, what may come of a conflict, the edit that was probably meant, and
/// the rule that refuses the edit.
fn details(failure: &Failure) -> String {
    let mut text = String::new();
    if let Some(nearest) = failure.details.nearest.as_ref().filter(|nearest| !nearest.diff.is_empty()) {
        text += &titled(&format!("the old text (-) and {} (+)", nearest.lines), &nearest.diff);
    }
    for (title, lines) in failure.details.conflicts.iter().flat_map(ContestedLines::results) {
        text += &titled(&title, &printable_lines(lines));
    }
    if let Some(lost) = &failure.details.lost {
        text += &titled("the lines that would be lost", &first_lines(lost));
    }
    if let Some(proposal) = &failure.details.proposal {
        let diff = unified_diff("", &proposal.old_string, &proposal.new_string);
        // The names of the files say nothing here.
        let hunks = diff.split_inclusive('\n').skip(2).collect::<String>();
        text += &titled("proposal", &hunks);
    }
    if let Some(rule) = failure.details.rule {
        let _ = writeln!(text, "rule: {rule}");
    }
    text
}

/// Returns lines indented below a title.
fn titled(title: &str, lines: &str) -> String {
    let mut text = format!("{title}:\n");
    for line in lines.lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Returns the first lines of a text, and says how many follow.
fn first_lines(text: &str) -> String {
    const SHOWN: usize = 20;
    let count = text.lines().count();
    let mut shown: Vec<Cow<'_, str>> = text.lines().take(SHOWN).map(Cow::Borrowed).collect();
    if count > SHOWN {
        shown.push(format!("({} more lines)", count - SHOWN).into());
    }
    shown.join("\n")
}

/// Returns whether there is a terminal to ask on.
pub(crate) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Shows a plan and asks whether to carry it out; `verb` says what that does.
pub(crate) fn agreed(plan: &str, verb: &str) -> bool {
    let mut err = io::stderr().lock();
    let asked = write!(err, "{plan}{verb}? [y/N] ").and_then(|()| err.flush());
    let mut answer = String::new();
    asked.is_ok()
        && io::stdin().lock().read_line(&mut answer).is_ok()
        && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

/// Prints bytes as the answer to a question.
pub(crate) fn answer_bytes(bytes: &[u8]) -> ExitCode {
    let mut out = io::stdout().lock();
    if is_told(out.write_all(bytes).and_then(|()| out.flush())) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(Code::Io.exit_code())
    }
}

/// Returns a diff as the reader of standard output should get it.
pub(crate) fn diff(diff: &str) -> Cow<'_, str> {
    if !io::stdout().is_terminal() {
        return Cow::Borrowed(diff);
    }
    Cow::Owned(String::from_utf8_lossy(&colour::for_terminal(diff.as_bytes())).into_owned())
}

/// Prints one report on standard output; says, and complains, if it cannot.
pub(crate) fn print(json: bool, report: &impl Serialize, text: impl FnOnce() -> String) -> bool {
    let mut out = io::stdout().lock();
    let written = if json {
        serde_json::to_writer(&mut out, report).map_err(io::Error::from).and_then(|()| out.write_all(b"\n"))
    } else {
        out.write_all(text().as_bytes())
    };
    is_told(written.and_then(|()| out.flush()))
}

/// Says, and complains, if standard output could not be written.
fn is_told(written: io::Result<()>) -> bool {
    match written {
        // A reader that has seen enough is no error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("{}: standard output: {error}", Code::Io));
            false
        }
        _ => true,
    }
}

/// Says what became of batches that killed processes left half done.
pub(crate) fn recovered(batches: &[Recovered]) {
    for Recovered { finished, left, leftovers } in batches {
        let done = if *finished { "finished" } else { "taken back" };
        complain(&format!("a batch that was interrupted is {done}"));
        for path in left {
            complain(&format!(
                "`{}` holds neither its old text nor the new one, and was left as it is",
                path.display()
            ));
        }
        for path in leftovers {
            complain(&format!("`{}` is left of it and cannot be removed; remove it by hand", path.display()));
        }
    }
}

/// Prints a line on standard error, if anyone listens.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "fuzzy-edit: {}", printable(line));
}

/// Prints lines on standard error, if anyone listens.
fn complain_in_lines(text: &str) {
    let _ = writeln!(io::stderr(), "fuzzy-edit: {}", printable_lines(text));
}

/// Answers a command line that cannot be understood, or one that asks for help.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::from(Code::Io.exit_code()),
            _ => ExitCode::SUCCESS,
        };
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    // The arguments were not understood, so whether JSON was asked for is a guess, and the only one there is.
    if std::env::args_os().any(|argument| argument == "--json") {
        let message = text.split("\n\n").next().unwrap_or(text);
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        print(true, &Failure::bad_input(message, "Read `fuzzy-edit help`."), String::new);
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        complain_in_lines(&format!("{}: no command is given\n\n{text}", Code::BadInput));
    } else {
        complain_in_lines(&format!("{}: {text}", Code::BadInput));
    }
    ExitCode::from(Code::BadInput.exit_code())
}

/// Says in a line for each edit what was done; nothing of a list that failed.
pub(crate) fn describe_all(list: &ListReport, diff: bool) -> String {
    let ListReport::Success { edits, .. } = list else { return String::new() };
    let mut text = String::new();
    for report in edits {
        if let Report::Success(success) = report {
            text += &describe(success, diff);
        }
    }
    text
}

/// Says in a line what was done, and shows it if asked to.
pub(crate) fn describe(success: &Success, diff: bool) -> String {
    let mut text = success.summary();
    if let Some(strategy) = success.strategy {
        let _ = write!(text, " ({strategy}, similarity {:.3})", success.similarity);
    }
    text.push('\n');
    if let Some(note) = &success.note {
        let _ = writeln!(text, "{}", printable_lines(note));
    }
    if diff {
        text += &self::diff(&trim_diff(&success.diff));
    }
    text
}

/// Of so many edits people are told why they failed; `--json` has them all.
const TOLD: usize = 20;

/// Says of each edit that failed what is wrong, and that nothing was written.
pub(crate) fn complain_of(edits: &[Report]) {
    let mut failed = 0;
    for (index, report) in edits.iter().enumerate() {
        if let Report::Failure(failure) = report {
            failed += 1;
            if failed <= TOLD {
                let rule = failure.details.rule.map_or_else(String::new, |rule| format!(" (rule: {rule})"));
                complain(&format!("edit {}: {failure}{rule}", index + 1));
            }
        }
    }
    if failed > TOLD {
        complain(&format!("{} more edits failed; --json says why", failed - TOLD));
    }
    complain(&format!("{failed} of {} edits failed, so nothing was written", edits.len()));
}

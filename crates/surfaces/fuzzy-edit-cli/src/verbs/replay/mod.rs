//! `replay`: counts the answers of ladders to recorded edits.

mod case;
mod counted;
mod groups;
mod input;
mod logs;
mod page;
mod record;
mod report;
#[cfg(feature = "parquet")]
mod rows;
mod sides;
mod table;
mod tally;
mod times;
mod worst;

use std::io::{BufWriter, IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use clap::Args;
use fuzzy_edit::Failure;
use indicatif::{ProgressBar, ProgressStyle};

use self::counted::{Counted, Run, ladder};
use self::groups::Columns;
use self::record::{Item, Line};
use self::report::Unreadable;
use self::worst::Shown;
use crate::options::Search;
use crate::output;
use crate::output_file::OutputFile;

pub(crate) use self::report::Replayed;

/// Repeat recorded edits with each ladder, and count the results
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[command(mut_arg("ladder", |ladder| ladder.value_name("A,B,…").help("The ladders; `fuzzy-edit ladders` lists them [default: adaptive]")))]
pub(crate) struct Arguments {
    /// Logs with texts, files of JSON lines, plain or gzipped, or Parquet files; - for standard input
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// The arguments are logs of this host, or folders of them
    #[arg(long, value_name = "HOST", value_enum)]
    from: Option<logs::From>,
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
    /// Write every edit that a ladder refuses, or that is not as expected, to FILE, one line of JSON for each ladder
    #[arg(long, value_name = "FILE.JSONL")]
    failures: Option<PathBuf>,
    /// Count the answers for each value of these fields, such as model, host or kind, too
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    group_by: Vec<String>,
    /// Write the report as a page of HTML to FILE: charts, groups, and the hundred worst answers side by side
    #[arg(long, value_name = "FILE.HTML")]
    html: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
A line is {\"content\", \"old\", \"new\", \"id\"?, \"replace_all\"?}, or with \"first\" and \"last\", \"after\" or \"before\" instead of \"old\", as `--log FILE --log-text` writes it. With \"expected\", the
expected text or null for a refusal, and \"accept\", a list of others, the answers are counted as right, right but for
whitespace, WRONG or missed; with \"drift\", also by that
kind. Lines of `fuzzy-edit hook --log FILE` are counted by host and model. Unreadable lines are counted and listed. No
file is changed.
A Parquet file has these fields as columns of strings, and replace_all as booleans. If it has the column expected, every
row is labelled, with null for a refusal, unless its expected_kind is unlabelled.
With --from, each edit that the host carried out or refused is repeated on the text of its file where the log has it;
the others are counted by the reason. The kind of such an edit is landed or failed.
The page of --html needs no other file, and no script. It groups by kind (or drift), model and host where a line has them.

Examples:
  fuzzy-edit replay edits.jsonl --ladder adaptive,full
  fuzzy-edit replay monday.jsonl.gz tuesday.jsonl.gz --ladder conservative --json
  fuzzy-edit replay edits.parquet --ladder adaptive,full
  fuzzy-edit replay edits.jsonl --failures failures.jsonl
  fuzzy-edit replay edits.jsonl --ladder adaptive,conservative,full --html report.html
  fuzzy-edit replay edits.jsonl --group-by model,kind
  fuzzy-edit replay --from claude-code ~/.claude/projects --group-by kind,model
  cat edits.jsonl | fuzzy-edit replay - --ladder adaptive,conservative";

/// Replays every log. The exit code is 0 if there was anything to replay, even if edits failed.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let editors = match arguments.search.alone().editors() {
        Ok(editors) => editors,
        Err(failure) => return output::failure(arguments.json, &failure),
    };
    let created =
        |option, path: Option<&PathBuf>| path.map(|path| OutputFile::new(option, path, &arguments.logs)).transpose();
    let created = created("--failures", arguments.failures.as_ref())
        .and_then(|failures| Ok((failures, created("--html", arguments.html.as_ref())?)));
    let (failures, page) = match created {
        Ok(files) => files,
        Err(failure) => return output::failure(arguments.json, &failure),
    };
    let failures = failures.map(|file| Mutex::new(BufWriter::new(file)));
    let limit = arguments.search.max_bytes().saturating_mul(4);
    let columns = Columns::new(&arguments.group_by, page.is_some());
    let run = Run { editors: &editors, columns: &columns, failures: failures.as_ref(), has_page: page.is_some() };
    let (replayed, worst) = replay(&run, arguments.from, &arguments.logs, limit);
    if replayed.edits == 0 && replayed.without_texts == 0 {
        let why = replayed.unreadable.first.first().map(|first| format!(": `{}`: {}", first.source, first.why));
        let left_out =
            || replayed.left_out.first_key_value().map(|(why, count)| format!(": {count} edits left out, {why}"));
        let why = why.or_else(left_out);
        let message = format!("nothing could be read{}", why.unwrap_or_default());
        let next_step = match arguments.from {
            Some(_) => "Name a log of that host, or a folder that contains some.",
            None => "Give logs written by `--log FILE --log-text`, or JSON lines with content, old and new.",
        };
        return output::failure(arguments.json, &Failure::bad_input(message, next_step));
    }
    if let Err(failure) = finish(failures, page, || page::render(&replayed, &worst)) {
        return output::failure(arguments.json, &failure);
    }
    let is_known = |name: &&String| replayed.ladders.iter().any(|ladder| ladder.groups.contains_key(*name));
    for name in columns.wanted().iter().filter(|name| !is_known(name)) {
        output::complain(&format!("no line has the field `{}` of --group-by", name.escape_debug()));
    }
    for Unreadable { source, line, why } in &replayed.unreadable.first {
        output::complain(&format!("`{source}`, line {line}: {why}"));
    }
    output::answer(arguments.json, &replayed, || table::render(&replayed))
}

/// Puts the files of `--failures` and `--html` into place.
fn finish(
    failures: Option<Mutex<BufWriter<OutputFile>>>,
    page: Option<OutputFile>,
    render: impl FnOnce() -> String,
) -> Result<(), Box<Failure>> {
    // The file keeps an error of a write until its end.
    if let Some(failures) = failures {
        let mut file = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        let _ = file.flush();
        file.into_parts().0.finish()?;
    }
    if let Some(mut page) = page {
        let _ = page.write_all(render().as_bytes());
        page.finish()?;
    }
    Ok(())
}

/// Replays every log; returns the report and the worst answers.
fn replay(run: &Run<'_>, from: Option<logs::From>, paths: &[PathBuf], limit: u64) -> (Replayed, Vec<Shown>) {
    let progress = match from {
        Some(from) => progress(&logs::logs(from, paths)),
        None => progress(paths),
    };
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    // The channel holds as many lines as there are workers, so the longest lines bound the memory.
    let (sender, receiver) = sync_channel::<Line>(jobs);
    let receiver = Arc::new(Mutex::new(receiver));
    let mut all = Counted::new(run);
    thread::scope(|scope| {
        let mut workers = Vec::with_capacity(jobs);
        for _ in 0..jobs {
            let lines = Arc::clone(&receiver);
            workers.push(scope.spawn(move || run.work(&lines)));
        }
        // Without this, `sender` would wait forever if all workers have ended.
        drop(receiver);
        let sink = |item| match item {
            Item::Line(line) => sender.send(line).is_ok(),
            Item::WithoutTexts => {
                all.without_texts += 1;
                true
            }
            Item::LeftOut(why) => {
                *all.left_out.entry(why).or_default() += 1;
                true
            }
            Item::Unreadable(at, why) => {
                all.unreadable(&at, why);
                true
            }
        };
        match from {
            Some(from) => logs::read(from, paths, run.columns, limit, &progress, sink),
            None => input::read(paths, run.columns, limit, &progress, sink),
        }
        drop(sender);
        for worker in workers {
            match worker.join() {
                Ok(counted) => all.merge(counted),
                // A panic of the engine is a defect that must be visible.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    progress.finish_and_clear();
    let ladders = run.editors.iter().map(ladder).zip(all.tallies);
    let mut ladders: Vec<_> = ladders.map(|(ladder, tally)| tally.of_ladder(ladder, run.columns.names())).collect();
    for ladder in &mut ladders {
        // A column that no record has.
        ladder.groups.retain(|_, groups| groups.keys().any(|value| value != groups::NONE));
    }
    let replayed = Replayed {
        status: "replayed",
        edits: all.edits,
        labelled: all.labelled,
        without_texts: all.without_texts,
        left_out: all.left_out,
        unreadable: all.unreadable.into_list(),
        hosts: all.hosts.into_counts(),
        ladders,
        disagreements: all.disagreements.into_list(),
    };
    (replayed, all.worst.into_list())
}

/// Returns a progress bar, hidden unless standard error is a terminal.
fn progress(logs: &[PathBuf]) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(input::length(logs));
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

//! `replay`: counts the answers of ladders to recorded edits.

mod case;
mod input;
mod record;
mod report;
#[cfg(feature = "parquet")]
mod rows;
mod table;
mod tally;
mod times;

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use clap::Args;
use fuzzy_edit::{Code, Editor, Failure, apply_within};
use fuzzy_hosts::Sums;
use fuzzy_pipeline::Document;
use indicatif::{ProgressBar, ProgressStyle};

use self::case::{Case, Hooked, Logged, Worth};
use self::record::{At, Item, Line, Record};
use self::report::{Disagreement, Failed, LadderAnswer, Unreadable};
use self::tally::{Answer, Listed, Tally};
use crate::options::Search;
use crate::output;

pub(crate) use self::report::Replayed;

/// Repeat recorded edits with each ladder, and count the results
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[command(mut_arg("ladder", |ladder| ladder.value_name("A,B,…").help("The ladders; `fuzzy-edit ladders` lists them [default: adaptive]")))]
pub(crate) struct Arguments {
    /// Logs with texts, files of JSON lines, plain or gzipped, or Parquet files; - for standard input
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Print one report as JSON
    #[arg(short, long)]
    json: bool,
    /// Write every edit that a ladder refuses, or that is not as expected, to FILE, one line of JSON for each ladder
    #[arg(long, value_name = "FILE.JSONL")]
    failures: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
A line is {\"content\", \"old\", \"new\", \"id\"?, \"replace_all\"?}, or with \"first\" and \"last\", \"after\" or \"before\" instead of \"old\", as `--log FILE --log-text` writes it. With \"expected\", the
expected text or null for a refusal, the answers are counted as right, WRONG or missed; with \"drift\", also by that
kind. Lines of `fuzzy-edit hook --log FILE` are counted by host and model. Unreadable lines are counted and listed. No
file is changed.
A Parquet file has these fields as columns of strings, and replace_all as booleans. If it has the column expected, every
row is labelled, with null for a refusal, unless its expected_kind is neither full nor refuse.

Examples:
  fuzzy-edit replay edits.jsonl --ladder adaptive,full
  fuzzy-edit replay monday.jsonl.gz tuesday.jsonl.gz --ladder conservative --json
  fuzzy-edit replay edits.parquet --ladder adaptive,full
  fuzzy-edit replay edits.jsonl --failures failures.jsonl
  cat edits.jsonl | fuzzy-edit replay - --ladder adaptive,conservative";

/// The counts of one thread.
struct Counted {
    edits: u64,
    labelled: u64,
    without_texts: u64,
    unreadable: Listed<Unreadable>,
    hosts: Sums,
    tallies: Vec<Tally>,
    disagreements: Listed<Disagreement>,
}

/// Replays every log. The exit code is 0 if there was anything to replay, even if edits failed.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let editors = match arguments.search.alone().editors() {
        Ok(editors) => editors,
        Err(failure) => return output::failure(arguments.json, &failure),
    };
    let failures = match arguments.failures.as_ref().map(File::create).transpose() {
        Ok(file) => file.map(|file| Mutex::new(BufWriter::new(file))),
        Err(error) => {
            let failure = Failure::bad_input(format!("--failures: {error}"), "Name a file that can be written.");
            return output::failure(arguments.json, &failure);
        }
    };
    let limit = arguments.search.max_bytes().saturating_mul(4);
    let replayed = replay(&editors, &arguments.logs, limit, failures.as_ref());
    let written = failures.map_or(Ok(()), |failures| {
        let mut file = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        file.flush()
    });
    if let Err(error) = written {
        let failure = Failure::new(Code::Io, format!("--failures: {error}"), "Free some space, and repeat the run.");
        return output::failure(arguments.json, &failure);
    }
    if replayed.edits == 0 && replayed.without_texts == 0 {
        let why = replayed.unreadable.first.first().map(|first| format!(": `{}`: {}", first.source, first.why));
        let message = format!("nothing could be read{}", why.unwrap_or_default());
        let next_step = "Give logs written by `--log FILE --log-text`, or JSON lines with content, old and new.";
        return output::failure(arguments.json, &Failure::bad_input(message, next_step));
    }
    for Unreadable { source, line, why } in &replayed.unreadable.first {
        output::complain(&format!("`{source}`, line {line}: {why}"));
    }
    output::answer(arguments.json, &replayed, || table::render(&replayed))
}

/// A file of failures that all threads write.
type Failures = Mutex<BufWriter<File>>;

fn replay(editors: &[Editor], logs: &[PathBuf], limit: u64, failures: Option<&Failures>) -> Replayed {
    let progress = progress(logs);
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    // The channel holds as many lines as there are workers, so the longest lines bound the memory.
    let (sender, receiver) = sync_channel::<Line>(jobs);
    let receiver = Arc::new(Mutex::new(receiver));
    let mut all = Counted::new(editors.len());
    thread::scope(|scope| {
        let mut workers = Vec::with_capacity(jobs);
        for _ in 0..jobs {
            let lines = Arc::clone(&receiver);
            workers.push(scope.spawn(move || work(editors, &lines, failures)));
        }
        // Without this, `sender` would wait forever if all workers have ended.
        drop(receiver);
        input::read(logs, limit, &progress, |item| match item {
            Item::Line(line) => sender.send(line).is_ok(),
            Item::WithoutTexts => {
                all.without_texts += 1;
                true
            }
            Item::Unreadable(at, why) => {
                all.unreadable(&at, why);
                true
            }
        });
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
    let ladders = editors.iter().map(ladder).zip(all.tallies);
    Replayed {
        status: "replayed",
        edits: all.edits,
        labelled: all.labelled,
        without_texts: all.without_texts,
        unreadable: all.unreadable.into_list(),
        hosts: all.hosts.into_counts(),
        ladders: ladders.map(|(ladder, tally)| tally.of_ladder(ladder)).collect(),
        disagreements: all.disagreements.into_list(),
    }
}

/// Returns the name of an editor's ladder.
fn ladder(editor: &Editor) -> &'static str {
    editor.pipeline().ladder().name()
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

/// Tries lines until there are no more.
fn work(editors: &[Editor], lines: &Mutex<Receiver<Line>>, failures: Option<&Failures>) -> Counted {
    let mut counted = Counted::new(editors.len());
    loop {
        let line = lines.lock().ok().and_then(|lines| lines.recv().ok());
        let Some(line) = line else { return counted };
        counted.add(editors, &line, failures);
    }
}

impl Counted {
    fn new(ladders: usize) -> Self {
        Self {
            edits: 0,
            labelled: 0,
            without_texts: 0,
            unreadable: Listed::new(),
            hosts: Sums::default(),
            tallies: (0..ladders).map(|_| Tally::new()).collect(),
            disagreements: Listed::new(),
        }
    }

    fn unreadable(&mut self, at: &At, why: String) {
        self.unreadable.add(at, Unreadable { source: at.source.to_string(), line: at.line, why });
    }

    fn merge(&mut self, other: Self) {
        self.edits += other.edits;
        self.labelled += other.labelled;
        self.without_texts += other.without_texts;
        self.unreadable.merge(other.unreadable);
        other.hosts.into_counts().iter().for_each(|count| self.hosts.add(count));
        for (tally, other) in self.tallies.iter_mut().zip(other.tallies) {
            tally.merge(other);
        }
        self.disagreements.merge(other.disagreements);
    }

    /// Tries the edit of a line with every ladder.
    fn add(&mut self, editors: &[Editor], line: &Line, failures: Option<&Failures>) {
        let bytes = match &line.record {
            Record::Case(case) => return self.add_case(editors, &line.at, case, failures),
            Record::Json(bytes) => bytes,
        };
        match serde_json::from_slice::<Case<'_>>(bytes) {
            Ok(case) if case.old.is_none() && case.quote.is_empty() => {
                self.add_unreadable(&line.at, bytes, "missing field `old`".to_owned());
            }
            Ok(case) => self.add_case(editors, &line.at, &case, failures),
            Err(error) => self.add_unreadable(&line.at, bytes, error.to_string()),
        }
    }

    /// Counts a line that is no edit: one of a log without texts, or an unreadable one.
    fn add_unreadable(&mut self, at: &At, bytes: &[u8], why: String) {
        match serde_json::from_slice(bytes) {
            Ok(Logged { edit_hash, hooked }) if edit_hash.is_some() || hooked.is_some() => {
                self.without_texts += 1;
                self.hook(hooked.as_ref());
            }
            _ => self.unreadable(at, why),
        }
    }

    /// Counts an edit of a host.
    fn hook(&mut self, hooked: Option<&Hooked>) {
        if let Some(Hooked { host, model, outcome }) = hooked {
            self.hosts.add_edit(host, model, *outcome);
        }
    }

    fn add_case(&mut self, editors: &[Editor], at: &At, case: &Case<'_>, failures: Option<&Failures>) {
        self.edits += 1;
        self.hook(case.hooked.as_ref());
        let document = Document::new(&*case.content);
        let mut answers = Vec::with_capacity(editors.len());
        let mut outputs = Vec::with_capacity(editors.len());
        for (editor, tally) in editors.iter().zip(&mut self.tallies) {
            let (answer, output) = answer(editor, case, &document);
            tally.add(&answer, case.drift.as_deref());
            if let Some(failures) = failures {
                write_failure(failures, ladder(editor), at, case, &answer, output.as_deref());
            }
            answers.push(answer);
            outputs.push(output);
        }
        self.labelled += u64::from(answers.first().is_some_and(|answer| answer.worth.is_some()));
        if outputs.windows(2).any(|pair| pair[0] != pair[1]) {
            let answers = editors.iter().zip(&answers).map(|(editor, answer)| LadderAnswer {
                ladder: ladder(editor),
                answer: answer.code.map(Code::as_str).or(answer.strategy).unwrap_or_default(),
                worth: answer.worth,
            });
            let (id, source, answers) = (case.id.clone(), at.source.to_string(), answers.collect());
            let words = |output: &Option<String>| {
                output.as_ref().map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            };
            let only_whitespace =
                outputs.windows(2).all(|pair| pair[0].is_some() && words(&pair[0]) == words(&pair[1]));
            self.disagreements.add(at, Disagreement { id, source, line: at.line, only_whitespace, answers });
        }
    }
}

/// Writes an edit that was refused, or whose answer is not the expected one. An error ends in a short file, which the end
/// of the run reports.
fn write_failure(
    failures: &Failures,
    ladder: &'static str,
    at: &At,
    case: &Case<'_>,
    answer: &Answer,
    output: Option<&str>,
) {
    let is_refused = answer.code.is_some_and(|code| code != Code::AlreadyApplied);
    if answer.worth.map_or(!is_refused, |worth| worth == Worth::Right) {
        return;
    }
    let Answer { strategy, code, rule, worth, .. } = *answer;
    let failed = Failed {
        id: &case.id,
        source: &at.source,
        line: at.line,
        drift: case.drift.as_deref(),
        ladder,
        output,
        code,
        rule,
        strategy,
        worth,
        content: &case.content,
        old: case.old.as_deref(),
        new: &case.new,
    };
    let mut line = serde_json::to_vec(&failed).unwrap_or_default();
    line.push(b'\n');
    let _ = failures.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
}

/// Returns a ladder's answer to an edit, and the resulting text unless it was refused.
fn answer(editor: &Editor, case: &Case<'_>, document: &Document<'_>) -> (Answer, Option<String>) {
    use fuzzy_pipeline::Failure::{AlreadyApplied, Ambiguous};

    let max_bytes = editor.workspace().limits().max_bytes;
    let start = Instant::now();
    let mut rule = None;
    let result = match case.content.len() as u64 {
        length if length > max_bytes => Err(Code::TooLarge),
        _ => match case.edit() {
            Ok(edit) => {
                let attempt = editor.attempt(edit, document);
                let judgement = attempt.decide();
                let result = apply_within(&judgement, max_bytes).map_err(|unfit| unfit.code());
                rule = result.as_ref().is_ok_and(Result::is_err).then(|| judgement.rule()).flatten();
                result
            }
            Err(failure) => Err(failure.code),
        },
    };
    let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let (strategy, code, output) = match result {
        Err(code) => (None, Some(code), None),
        Ok(Ok(applied)) => (Some(applied.found.strategy), None, Some(applied.output)),
        Ok(Err(AlreadyApplied { .. })) => (None, Some(Code::AlreadyApplied), Some(case.content.to_string())),
        Ok(Err(failure)) => {
            let strategy = match failure {
                Ambiguous { strategy, .. } => Some(strategy),
                _ => None,
            };
            (strategy, Some(Code::from(&failure)), None)
        }
    };
    (Answer { strategy, code, rule, worth: case.worth(output.as_deref()), ns }, output)
}

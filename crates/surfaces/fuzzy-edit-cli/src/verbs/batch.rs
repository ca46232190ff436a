//! `batch`: answers edits of texts, line by line; changes no file.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use fuzzy_edit::{Code, Editor, Failure, LineQuote, TextAnswer, apply_within};
use fuzzy_pipeline::{Document, Edit};
use fuzzy_report::named_edit;
use indicatif::{ProgressBar, ProgressStyle};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::options::Search;
use crate::output;

/// Answer edits of texts, one JSON object per line, without changing files
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Search and replace byte by byte, without adapting line endings
    #[arg(long)]
    raw_endings: bool,
    /// Add `us`: the time of decision and replacement, in microseconds
    #[arg(long)]
    time: bool,
    /// Answer N lines at once [default: the number of cores; 1 with --time]
    #[arg(long, value_name = "N", conflicts_with = "time")]
    jobs: Option<NonZeroUsize>,
    /// Leave out `output`, which repeats each text
    #[arg(long)]
    no_output: bool,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
A line on standard input is {\"id\", \"content\", \"old\", \"new\", \"replace_all\"?, \"line\"?, \"base\"?}; other fields are
ignored. If several places match equally, the one nearest to the line is chosen. The base is the file when the edit was
written: where the content lacks the old text, its place is the one that it had there. Instead of \"old\", \"first\" and
\"last\" name the ends of the lines to replace (with \"expected_lines\" or \"lines\": [12, 30]), and \"after\" or \"before\" a line
beside new ones.
The answer is {\"id\", \"ok\", \"output\"?, \"code\"?, \"rule\"?, \"strategy\"?, \"similarity\"?, \"confidence\"?,
\"proposal\"?, \"us\"?}, in the same order. \"rule\" is the rule that refuses the edit; \"proposal\" is the
probably intended edit, {\"old_string\", \"new_string\"}.
Any other line gets the code bad_input, with its number as \"line\" and the \"reason\"; the exit code is then 2. A line of
more than four times --max-bytes, and more than a MiB, gets too_large.

Exit codes:
  0  every line was an edit, even if some were refused
  2  a line was no edit, or the run was interrupted

Examples:
  fuzzy-edit batch --ladder full --jobs 2 < cases.jsonl > answers.jsonl
  fuzzy-edit batch --ladder full --raw-endings --time < cases.jsonl
  fuzzy-edit batch --no-output < cases.jsonl > codes.jsonl
  echo '{\"id\":1,\"content\":\"a  b\",\"old\":\"a b\",\"new\":\"c\"}' | fuzzy-edit batch";

/// The least limit on the length of a line, in bytes, for a small `--max-bytes`.
const LEAST: u64 = 1 << 20;

/// The most lines that are read and not yet written, for each job. With so many, the other jobs go on while one line
/// takes as long as fifty.
const LINES_PER_JOB: usize = 64;

/// A line of input.
#[derive(Deserialize)]
struct Case<'l> {
    id: Value,
    #[serde(borrow)]
    content: Cow<'l, str>,
    #[serde(borrow, default, alias = "old_string")]
    old: Option<Cow<'l, str>>,
    #[serde(borrow, alias = "new_string")]
    new: Cow<'l, str>,
    replace_all: Option<bool>,
    line: Option<usize>,
    #[serde(borrow, default)]
    base: Option<Cow<'l, str>>,
    first: Option<String>,
    last: Option<String>,
    expected_lines: Option<usize>,
    after: Option<String>,
    before: Option<String>,
    lines: Option<(usize, usize)>,
}

/// The id of a line that is JSON but no case.
#[derive(Deserialize)]
struct Named {
    id: Value,
}

/// A line of output.
#[derive(Default, JsonSchema, Serialize)]
pub(crate) struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    text: TextAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<f64>,
    /// The number of the line, counted from 1, if it is no edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The reason why the line is no edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Answer {
    /// Returns the answer to a line that is no edit.
    fn bad(id: Option<Value>, reason: impl Into<String>) -> Self {
        Self { id, text: TextAnswer::refused(Code::BadInput), reason: Some(reason.into()), ..Self::default() }
    }

    /// Returns the answer to a line or a text over the limit.
    fn too_large(id: Option<Value>) -> Self {
        Self { id, text: TextAnswer::refused(Code::TooLarge), ..Self::default() }
    }
}

/// A line of input as it was read.
enum Line {
    Whole(Vec<u8>),
    /// A line over the limit. It is skipped, because its end may never arrive.
    TooLong,
}

impl Line {
    /// Reads the next line; returns `None` at the end.
    fn read(input: &mut impl BufRead, longest: u64) -> io::Result<Option<Self>> {
        let mut line = Vec::new();
        if input.take(longest.saturating_add(1)).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 > longest && !line.ends_with(b"\n") {
            drop(line);
            input.skip_until(b'\n')?;
            return Ok(Some(Self::TooLong));
        }
        Ok(Some(Self::Whole(line)))
    }

    fn len(&self) -> u64 {
        match self {
            Self::Whole(line) => line.len() as u64,
            Self::TooLong => 0,
        }
    }
}

/// Answers one line after the other. `answer` is given the number of a line, counted from 1.
fn one_by_one(
    longest: u64,
    progress: &ProgressBar,
    answer: impl Fn(u64, Line) -> io::Result<Vec<u8>>,
    mut output: impl Write,
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, progress.wrap_read(io::stdin().lock()));
    for number in 1.. {
        // A client that sends one line and waits for its answer receives it.
        if input.buffer().is_empty() {
            output.flush()?;
        }
        let Some(line) = Line::read(&mut input, longest)? else { return output.flush() };
        output.write_all(&answer(number, line)?)?;
    }
    Ok(())
}

/// The lines that were read and are not written yet.
#[derive(Default)]
struct UnderWay {
    bytes: u64,
    lines: usize,
    /// Whether reading has to end because the output cannot be written.
    is_over: bool,
}

/// Answers several lines at once, and writes the answers in the order of the lines.
///
/// At most [`LINES_PER_JOB`] lines for each job, and at most as many bytes as the longest line may have, are read and
/// not yet written; a single line always may be.
fn side_by_side(
    jobs: usize,
    longest: u64,
    progress: &ProgressBar,
    answer: &(impl Fn(u64, Line) -> io::Result<Vec<u8>> + Sync),
    mut output: impl Write,
) -> io::Result<()> {
    type Task = (u64, Line, SyncSender<io::Result<Vec<u8>>>);
    let under_way = (Mutex::new(UnderWay::default()), Condvar::new());
    let (room, lock) = (&under_way.1, || under_way.0.lock().unwrap_or_else(PoisonError::into_inner));
    let (tasks, taken) = channel::<Task>();
    let taken = Mutex::new(taken);
    let (queue, promised) = channel::<(u64, Receiver<io::Result<Vec<u8>>>)>();
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let task = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, line, sender)) = task else { return };
                    // A send fails only if the output has ended.
                    let _ = sender.send(answer(number, line));
                }
            });
        }
        let lock = &lock;
        let reader = scope.spawn(move || -> io::Result<()> {
            let mut input = BufReader::with_capacity(1 << 16, progress.wrap_read(io::stdin().lock()));
            let mut number = 0;
            while let Some(line) = Line::read(&mut input, longest)? {
                number += 1;
                let bytes = line.len();
                let mut now = lock();
                while !now.is_over
                    && now.lines > 0
                    && (now.lines >= LINES_PER_JOB * jobs || now.bytes + bytes > longest)
                {
                    now = room.wait(now).unwrap_or_else(PoisonError::into_inner);
                }
                if now.is_over {
                    break;
                }
                now.bytes += bytes;
                now.lines += 1;
                drop(now);
                let (sender, receiver) = sync_channel(1);
                if queue.send((bytes, receiver)).is_err() || tasks.send((number, line, sender)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        let written = write_in_order(&promised, &mut output, |bytes| {
            let mut now = lock();
            now.bytes -= bytes;
            now.lines -= 1;
            room.notify_all();
        });
        lock().is_over = true;
        room.notify_all();
        drop(promised);
        written?;
        reader.join().unwrap_or_else(|_| Err(io::Error::other("the reader of standard input panicked")))
    })
}

/// Writes answers in the order of the lines; calls `written` with the length of each line after its answer.
fn write_in_order(
    promised: &Receiver<(u64, Receiver<io::Result<Vec<u8>>>)>,
    output: &mut impl Write,
    written: impl Fn(u64),
) -> io::Result<()> {
    loop {
        let next = match promised.try_recv() {
            Ok(next) => next,
            Err(TryRecvError::Disconnected) => return output.flush(),
            Err(TryRecvError::Empty) => {
                // A client that sends one line and waits for its answer receives it.
                output.flush()?;
                let Ok(next) = promised.recv() else { return output.flush() };
                next
            }
        };
        let (bytes, answer) = next;
        let answer = if let Ok(answer) = answer.try_recv() {
            answer
        } else {
            output.flush()?;
            answer.recv().map_err(|_| io::Error::other("a job ended before its answer"))?
        };
        output.write_all(&answer?)?;
        written(bytes);
    }
}

/// Answers every line.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let search = arguments.search.alone();
    let editor = match search.workspace().and_then(|workspace| search.editor(workspace)) {
        Ok(editor) => editor,
        Err(failure) => return output::failure(false, &failure),
    };
    let bad = Mutex::new(Bad::default());
    let answered = arguments.answer_all(&editor, &bad);
    match (answered, bad.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        (Ok(()), Bad { first: Some((line, reason)), count }) => {
            let message = format!("{count} of the lines are no edits; line {line}: {reason}");
            output::failure(false, &Failure::bad_input(message, "`fuzzy-edit batch --help` describes a line."))
        }
        (Ok(()), _) => ExitCode::SUCCESS,
        (Err(error), _) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(Code::Io.exit_code()),
        (Err(error), _) => {
            let next_step = "Fix the cause, and repeat the run.";
            output::failure(false, &Failure::new(Code::Io, format!("the run was interrupted: {error}"), next_step))
        }
    }
}

/// The lines that are no edits.
#[derive(Default)]
struct Bad {
    count: u64,
    /// The first one, and the reason.
    first: Option<(u64, String)>,
}

impl Bad {
    fn add(&mut self, line: u64, reason: &str) {
        self.count += 1;
        if self.first.as_ref().is_none_or(|(first, _)| line < *first) {
            self.first = Some((line, reason.to_owned()));
        }
    }
}

/// Returns a line about the bytes that are read, hidden unless a person sees it and nothing else.
fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdin().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    // How much is to read is unknown: it may be a pipe.
    let bar = ProgressBar::no_length();
    match ProgressStyle::with_template("{bytes} read in {elapsed}, {bytes_per_sec}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Arguments {
    /// Returns the number of lines to answer at once; one if times are measured.
    fn jobs(&self) -> usize {
        match self.jobs {
            _ if self.time => 1,
            Some(jobs) => jobs.get(),
            None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        }
    }

    fn answer_all(&self, editor: &Editor, bad: &Mutex<Bad>) -> io::Result<()> {
        // Bounds the memory of a line: three texts of the largest size, and the characters that JSON adds.
        let longest = editor.workspace().limits().max_bytes.saturating_mul(4).max(LEAST);
        let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let (progress, answer) = (progress(), |number, line| self.answer_line(editor, number, line, bad));
        let answered = match self.jobs() {
            1 => one_by_one(longest, &progress, answer, output),
            jobs => side_by_side(jobs, longest, &progress, &answer, output),
        };
        progress.finish_and_clear();
        answered
    }

    /// Returns the answer to a line as a line of JSON.
    fn answer_line(&self, editor: &Editor, number: u64, line: Line, bad: &Mutex<Bad>) -> io::Result<Vec<u8>> {
        let mut answer = match line {
            Line::Whole(line) => self.answer(editor, &line),
            Line::TooLong => Answer::too_large(None),
        };
        if let Some(reason) = &answer.reason {
            answer.line = Some(number);
            bad.lock().unwrap_or_else(PoisonError::into_inner).add(number, reason);
        }
        if self.no_output {
            answer.text.output = None;
        }
        let mut json = serde_json::to_vec(&answer)?;
        json.push(b'\n');
        Ok(json)
    }

    fn answer(&self, editor: &Editor, line: &[u8]) -> Answer {
        let case = match serde_json::from_slice::<Case<'_>>(line) {
            Ok(case) => case,
            Err(error) => {
                let id = serde_json::from_slice(line).ok().map(|Named { id }| id);
                // Each line is a text of its own, so its own line is always the first.
                return Answer::bad(id, error.to_string().replace(" at line 1 column ", " at column "));
            }
        };
        let max_bytes = editor.workspace().limits().max_bytes;
        let replace_all = case.replace_all == Some(true);
        let Case { first, last, expected_lines, after, before, lines, .. } = case;
        let quote = LineQuote { first, last, expected_lines, after, before, lines, insert_line: None };
        let named = (!quote.is_empty()).then(|| {
            quote.check(case.old.is_some(), replace_all).map_err(|error| Box::new(Failure::from(error)))?;
            named_edit(&quote, ("", &case.content), &case.new, false)
        });
        let edit = match (named, &case.old) {
            (Some(Ok(edit)), _) => edit,
            (None, Some(old)) => Edit::new(old, &case.new).with_replace_all(replace_all),
            (Some(Err(failure)), _) => return Answer::bad(Some(case.id), failure.message),
            (None, None) => return Answer::bad(Some(case.id), "missing field `old`"),
        };
        let edit = edit.with_line(case.line).with_base(case.base.as_deref()).with_raw_endings(self.raw_endings);

        let start = Instant::now();
        let document = Document::new(&*case.content);
        let attempt = editor.attempt(edit, &document);
        if case.content.len() as u64 > max_bytes {
            return Answer::too_large(Some(case.id));
        }
        let judgement = attempt.decide();
        let result = apply_within(&judgement, max_bytes);
        let us = self.time.then(|| microseconds(start.elapsed()));
        Answer { id: Some(case.id), text: TextAnswer::of(&judgement, result), us, ..Answer::default() }
    }
}

fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1_000.0
}

//! `batch`: answers edits of texts, line by line; no file is touched.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use fuzzy_edit::{Code, Editor, Failure, TextAnswer, apply_within};
use fuzzy_pipeline::{Document, Edit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::options::Search;
use crate::output;

/// Answer edits of texts, one JSON object a line; no file is touched
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Search and paste to the byte, without fitting line endings
    #[arg(long)]
    raw_endings: bool,
    /// Add `us`: the microseconds that decision and replacement took
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    search: Search,
}

const AFTER_HELP: &str = "\
A line on standard input is {\"id\", \"content\", \"old\", \"new\", \"replace_all\"?, \"line\"?}; other fields are ignored.
Of places that nothing else tells apart, the one nearest to the line is meant.
The answer is {\"id\", \"ok\", \"output\"?, \"code\"?, \"strategy\"?, \"similarity\"?, \"confidence\"?, \"proposal\"?,
\"us\"?}, in the same order; a proposal is {\"old_string\", \"new_string\"}, the edit that was probably meant.
A line that is not such JSON is answered with the code bad_input, one of more than four times --max-bytes, and of
more than a MiB, with too_large, and the run goes on.

Examples:
  fuzzy-edit batch --ladder full < cases.jsonl > answers.jsonl
  fuzzy-edit batch --ladder full --raw-endings --time < cases.jsonl
  echo '{\"id\":1,\"content\":\"a  b\",\"old\":\"a b\",\"new\":\"c\"}' | fuzzy-edit batch";

/// A line of so many bytes is read, however small the texts have to be.
const LEAST: u64 = 1 << 20;

/// A line of input.
#[derive(Deserialize)]
struct Case<'l> {
    id: Value,
    #[serde(borrow)]
    content: Cow<'l, str>,
    #[serde(borrow)]
    old: Cow<'l, str>,
    #[serde(borrow)]
    new: Cow<'l, str>,
    #[serde(default)]
    replace_all: Option<bool>,
    #[serde(default)]
    line: Option<usize>,
}

/// What is left of a line that is JSON but no case.
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
}

/// Answers every line. The exit code says whether the run reached its end, not how the edits fared.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let editor = match arguments.search.workspace().and_then(|workspace| arguments.search.editor(workspace)) {
        Ok(editor) => editor,
        Err(failure) => return output::failure(false, &failure),
    };
    match arguments.answer_all(&editor) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(Code::Io.exit_code()),
        Err(error) => {
            let next_step = "Repeat the run once the cause is gone.";
            output::failure(false, &Failure::new(Code::Io, format!("the run ended early: {error}"), next_step))
        }
    }
}

impl Arguments {
    fn answer_all(&self, editor: &Editor) -> io::Result<()> {
        let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
        let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        // One line at a time, in memory that the longest one needs: three texts of the largest size, and what JSON adds.
        let longest = editor.workspace().limits().max_bytes.saturating_mul(4).max(LEAST);
        let mut line = Vec::new();
        loop {
            // Whoever sends one line and waits for its answer gets it.
            if input.buffer().is_empty() {
                output.flush()?;
            }
            line.clear();
            if (&mut input).take(longest.saturating_add(1)).read_until(b'\n', &mut line)? == 0 {
                return output.flush();
            }
            let answer = if line.len() as u64 > longest && !line.ends_with(b"\n") {
                // Who has sent so much without an end may go on for ever.
                line = Vec::new();
                input.skip_until(b'\n')?;
                Answer { text: TextAnswer::refused(Code::TooLarge), ..Answer::default() }
            } else {
                self.answer(editor, &line)
            };
            serde_json::to_writer(&mut output, &answer)?;
            output.write_all(b"\n")?;
        }
    }

    fn answer(&self, editor: &Editor, line: &[u8]) -> Answer {
        let Ok(case) = serde_json::from_slice::<Case<'_>>(line) else {
            let id = serde_json::from_slice(line).ok().map(|Named { id }| id);
            return Answer { id, text: TextAnswer::refused(Code::BadInput), us: None };
        };
        let max_bytes = editor.workspace().limits().max_bytes;
        let edit =
            Edit::new(&case.old, &case.new).with_replace_all(case.replace_all == Some(true)).with_line(case.line);

        let start = Instant::now();
        let document = Document::new(&*case.content);
        let attempt = if self.raw_endings {
            edit.attempt(editor.pipeline(), &document)
        } else {
            edit.fit(editor.pipeline(), &document)
        };
        let attempt = editor.bounded(attempt);
        if case.content.len() as u64 > max_bytes {
            return Answer { id: Some(case.id), text: TextAnswer::refused(Code::TooLarge), us: None };
        }
        let judgement = attempt.decide();
        let result = apply_within(&judgement, max_bytes);
        let us = self.time.then(|| microseconds(start.elapsed()));
        Answer { id: Some(case.id), text: TextAnswer::of(&judgement, result), us }
    }
}

fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1_000.0
}

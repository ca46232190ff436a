//! Measures the MCP server over its pipes: the time until a cancelled edit stops, and the time of a hundred
//! simultaneous calls while a slow call runs.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fuzzy_tools::table::{Table, number, yes_or_no};
use fuzzy_tools::times::{milliseconds, percentile};
use serde_json::{Value, json};

use super::scratch::line;

/// The number of cancelled edits; each is cancelled later after its start than the one before.
const CANCELLED: u64 = 20;
/// The difference between two cancellations, in milliseconds.
const LATER: u64 = 7;
/// The number of files, each with one of the simultaneous calls.
const FILES: usize = 100;
/// The number of rounds of simultaneous calls.
const ROUNDS: usize = 5;
/// The number of lines of the slow file.
const LINES: usize = 50_000;
/// The number of lines of each edit of the slow call, and the number of edits.
const SLOW: (usize, usize) = (2_000, 20);
/// The name of the file of equal lines, and its line.
const EQUAL: (&str, &str) = ("equal.txt", "    same line of text\n");
/// The number of lines of that file, and of each of its edits.
const EQUAL_LINES: (usize, usize) = (200_000, 501);
/// The time after which the measurement fails for lack of an answer.
const PATIENCE: Duration = Duration::from_mins(2);

/// Measures a server of this command and renders the figures.
pub(super) fn table(program: &Path) -> Result<String> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("slow.rs"), (0..LINES).map(line).collect::<String>())?;
    for file in 0..FILES {
        fs::write(folder.path().join(format!("{file}.txt")), "one\n".to_owned() + &"line\n".repeat(200))?;
    }
    fs::write(folder.path().join(EQUAL.0), EQUAL.1.repeat(EQUAL_LINES.0))?;
    let mut server = Server::start(program, folder.path())?;
    let stopped = server.stopped(&slow_edits(), &line(LINES - 1))?;
    let in_equal = server.stopped(&edits_of_equal_lines(), EQUAL.1)?;
    let answered = server.answered()?;
    server.end()?;
    let mut table = Table::new(1, &["measurement", "median, ms", "p99, ms", "longest, ms", "at most, ms", "holds"]);
    let next = format!("from a cancellation to the answer of the next call on the file, {CANCELLED} measurements");
    let beside = format!("an edit of one of {FILES} files, all simultaneous with a slow call, {ROUNDS} rounds");
    let (lines, of) = (EQUAL_LINES.1, EQUAL_LINES.0);
    let equal = format!("the same, edits of {lines} lines in a file of {of} equal lines");
    for (what, mut times, percent, at_most) in
        [(next, stopped, 100, 50.0), (equal, in_equal, 100, 50.0), (beside, answered, 99, 100.0)]
    {
        times.sort_by(f64::total_cmp);
        let [median, p99, longest] = [50, 99, 100].map(|percent| percentile(&times, percent));
        let holds = percentile(&times, percent) <= at_most;
        let cells = [median, p99, longest, at_most].map(number);
        table.row([vec![what], cells.to_vec(), vec![yes_or_no(holds)]].concat());
    }
    let (lines, edits) = SLOW;
    Ok(format!(
        "`fuzzy-edit mcp` through pipes; the slow call is {edits} edits of {lines} lines each in {LINES} lines.\n\n{}",
        table.render()
    ))
}

/// Returns the edits of the slow call.
fn slow_edits() -> Value {
    let (lines, edits) = SLOW;
    let needles = (0..edits).map(|number| {
        let first = number * (LINES / edits);
        (first..first + lines).map(line).collect::<String>().replace("measure", "mesure")
    });
    let edits: Vec<Value> =
        needles.map(|old| json!({"old_string": old, "new_string": old.replace("input", "output")})).collect();
    json!({"file_path": "slow.rs", "edits": edits})
}

/// Returns edits of equal lines; all edits except the last occur everywhere.
fn edits_of_equal_lines() -> Value {
    let same = EQUAL.1.repeat(EQUAL_LINES.1 - 1);
    let edit =
        |number| json!({"old_string": format!("{same}other {number}"), "new_string": format!("{same}new {number}")});
    json!({"file_path": EQUAL.0, "edits": (0..50).map(edit).collect::<Vec<_>>()})
}

/// A running server and the messages it wrote.
struct Server {
    process: Child,
    input: ChildStdin,
    said: Receiver<(Instant, Value)>,
    last: u64,
}

impl Server {
    fn start(program: &Path, folder: &Path) -> Result<Self> {
        let state = tempfile::tempdir_in(folder)?.keep();
        let mut command = Command::new(program);
        command.args(["mcp", "--ladder", "adaptive"]).current_dir(folder).env("XDG_STATE_HOME", state);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start mcp")?;
        let (input, output) = (process.stdin.take().context("no input")?, process.stdout.take().context("no output")?);
        let (say, said) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let now = Instant::now();
                if serde_json::from_str(&line).is_ok_and(|value| say.send((now, value)).is_err()) {
                    break;
                }
            }
        });
        let mut server = Self { process, input, said, last: 0 };
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        });
        let id = server.ask("initialize", &params)?;
        server.answer(id)?;
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    /// Cancels slow calls; returns for each the time until the next call on the file, which searches for `next`, was
    /// answered, in milliseconds.
    fn stopped(&mut self, edits: &Value, next: &str) -> Result<Vec<f64>> {
        let mut times = Vec::new();
        for round in 0..CANCELLED {
            let id = self.begin(edits)?;
            thread::sleep(Duration::from_millis(round * LATER));
            let start = Instant::now();
            self.cancel(id)?;
            let next = self.call("locate", &json!({"file_path": edits["file_path"], "old_string": next}))?;
            times.push(milliseconds(self.answer(next)?.duration_since(start)));
        }
        Ok(times)
    }

    /// Calls all files simultaneously while a slow call runs; returns the times of the answers in milliseconds.
    fn answered(&mut self) -> Result<Vec<f64>> {
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            let slow = self.begin(&slow_edits())?;
            let words = if round % 2 == 0 { ["one", "two"] } else { ["two", "one"] };
            let mut sent = HashMap::new();
            for file in 0..FILES {
                let [old, new] = words;
                let edit = json!({"file_path": format!("{file}.txt"), "old_string": old, "new_string": new});
                let start = Instant::now();
                sent.insert(self.call("edit", &edit)?, start);
            }
            while !sent.is_empty() {
                let (now, value) = self.hear()?;
                let id = value["id"].as_u64();
                ensure!(id != Some(slow), "the slow call was not slow enough");
                if let Some(start) = id.and_then(|id| sent.remove(&id)) {
                    ensure!(value["result"]["isError"] == false, "an edit was refused: {value}");
                    times.push(milliseconds(now.duration_since(start)));
                }
            }
            self.cancel(slow)?;
            let next = self.call("locate", &json!({"file_path": "slow.rs", "old_string": line(0)}))?;
            self.answer(next)?;
        }
        Ok(times)
    }

    /// Sends a slow call with these edits and waits until its first edit is planned.
    fn begin(&mut self, edits: &Value) -> Result<u64> {
        let id = self.last + 1;
        let params = json!({"name": "preview_edit", "arguments": edits, "_meta": {"progressToken": id}});
        self.ask("tools/call", &params)?;
        loop {
            let (_, value) = self.hear()?;
            ensure!(value["id"].as_u64() != Some(id), "the slow call was not slow enough");
            if value["params"]["progressToken"].as_u64() == Some(id) {
                return Ok(id);
            }
        }
    }

    fn cancel(&mut self, id: u64) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}))
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<u64> {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Sends a request and returns its number.
    fn ask(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        Ok(self.input.write_all(format!("{message}\n").as_bytes())?)
    }

    /// Waits for the response to a request and returns the time of its arrival.
    fn answer(&self, id: u64) -> Result<Instant> {
        loop {
            let (now, value) = self.hear()?;
            if value["id"].as_u64() == Some(id) {
                ensure!(value.get("result").is_some(), "a call failed: {value}");
                return Ok(now);
            }
        }
    }

    fn hear(&self) -> Result<(Instant, Value)> {
        match self.said.recv_timeout(PATIENCE) {
            Ok(said) => Ok(said),
            Err(_) => bail!("the server says nothing any more"),
        }
    }

    /// Closes the pipes and waits until the process ends.
    fn end(self) -> Result<()> {
        let Self { mut process, input, .. } = self;
        drop(input);
        let status = process.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

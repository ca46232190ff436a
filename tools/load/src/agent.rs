//! One session: an agent that runs turns, restores and undoes, and knows the expected transcript.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::table::{Table, number};
use fuzzy_tools::times::{milliseconds, percentile};
use serde_json::{Value, json};

use crate::client::{Answer, Client};

/// The pause before a request is retried, in milliseconds.
const PAUSE: u64 = 50;

/// The counts and times of the requests.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) times: BTreeMap<&'static str, Vec<Duration>>,
    pub(crate) turns: usize,
    pub(crate) messages: usize,
    pub(crate) restores: usize,
    /// The number of restores that were requested twice at once.
    pub(crate) doubled: usize,
    pub(crate) undone: usize,
    /// The number of turns without a checkpoint, because another session was restoring the worktree.
    pub(crate) unpinned: usize,
    /// The number of requests to retry, because another session was using the worktree.
    pub(crate) busy: usize,
}

impl Tally {
    /// Formats the times per route, in milliseconds.
    pub(crate) fn table(&self) -> String {
        let mut table = Table::new(1, &["route", "requests", "median, ms", "p99, ms", "longest, ms"]);
        for (route, times) in &self.times {
            let mut times = times.clone();
            times.sort_unstable();
            let mut row = vec![(*route).to_owned(), times.len().to_string()];
            row.extend([50, 99, 100].map(|percent| number(milliseconds(percentile(&times, percent)))));
            table.row(row);
        }
        table.render()
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (route, times) in other.times {
            self.times.entry(route).or_default().extend(times);
        }
        self.turns += other.turns;
        self.messages += other.messages;
        self.restores += other.restores;
        self.doubled += other.doubled;
        self.undone += other.undone;
        self.unpinned += other.unpinned;
        self.busy += other.busy;
    }
}

/// A turn that can be restored.
#[derive(Clone)]
struct Turn {
    checkpoint: String,
    /// The number of messages in the transcript with its prompt.
    length: usize,
    /// The content of the session's file at its start.
    file: Option<String>,
}

pub(crate) struct Agent {
    client: Client,
    number: usize,
    session: String,
    /// The file of the session.
    file: PathBuf,
    /// Whether no other session works in the worktree, so that only this session changes the file.
    alone: bool,
    transcript: Vec<String>,
    turns: Vec<Turn>,
    steps: usize,
    tally: Tally,
}

impl Agent {
    pub(crate) fn new(number: usize, client: Client, worktree: &Path, alone: bool) -> Result<Self> {
        let made =
            client.post("/api/sessions", &json!({"worktree": worktree, "title": format!("load {number}")}), None)?;
        ensure!(made.status < 300, "no session: {} {}", made.status, made.body);
        let session = text(&made.body, "id")?;
        let file = worktree.join(format!("written-by-{number}.txt"));
        let (transcript, turns) = (Vec::new(), Vec::new());
        Ok(Self { client, number, session, file, alone, transcript, turns, steps: 0, tally: Tally::default() })
    }

    /// Runs a turn, or a restore and perhaps an undo; then compares everything.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps.is_multiple_of(4) && !self.turns.is_empty() {
            self.restore()?;
        } else {
            self.turn()?;
        }
        self.look()
    }

    /// Compares for the last time.
    pub(crate) fn finish(mut self) -> Result<Tally> {
        self.look()?;
        Ok(self.tally)
    }

    fn turn(&mut self) -> Result<()> {
        let prompt = format!("session {}, step {}", self.number, self.steps);
        let begun = self.post("begin a turn", "turns", &json!({"message": prompt}), None)?;
        let turn = text(&begun.body, "id")?;
        self.transcript.push(prompt);
        match text(&begun.body, "checkpoint_id") {
            Ok(checkpoint) => {
                self.turns.push(Turn { checkpoint, length: self.transcript.len(), file: self.written() });
            }
            // A restore of the other session interfered, and the turn continues without a checkpoint.
            Err(_) if !self.alone && begun.body["uncheckpointed"].is_string() => self.tally.unpinned += 1,
            Err(error) => return Err(error),
        }
        for part in 0..=self.steps % 3 {
            let body = format!("answer {part} of step {}", self.steps);
            self.post("append a message", "messages", &json!({"turn": turn, "role": "assistant", "body": body}), None)?;
            self.transcript.push(body);
            self.tally.messages += 1;
        }
        fs::write(&self.file, format!("step {}\n", self.steps))?;
        self.post("end a turn", &format!("turns/{turn}/end"), &json!({"status": "complete"}), None)?;
        self.tally.turns += 1;
        Ok(())
    }

    /// Restores one of the last turns; in some rounds sends the request twice at once.
    fn restore(&mut self) -> Result<()> {
        let back = 1 + (self.steps / 4) % 3;
        let index = self.turns.len().saturating_sub(back);
        let target = self.turns[index].clone();
        let key = format!("restore-{}", self.steps);
        let path = format!("checkpoints/{}/restore", target.checkpoint);
        let twice = self.steps.is_multiple_of(8);
        let twin = twice.then(|| {
            let (client, path, key) = (self.client.clone(), self.path(&path), key.clone());
            thread::spawn(move || client.post(&path, &json!({}), Some(&key)))
        });
        let restored = self.post("restore", &path, &json!({}), Some(&key))?;
        if let Some(twin) = twin {
            let twin = twin.join().map_err(|_| anyhow::anyhow!("a request panicked"))??;
            // It may have arrived during the first one, or have been the one that another session disturbed.
            let later = matches!(twin.code(), "restore_in_progress" | "changed_during");
            let same = later || twin.status == 200 && twin.body == restored.body;
            ensure!(same, "requested twice: {} and {}", twin.body, restored.body);
            self.tally.doubled += 1;
        }
        let trimmed = self.transcript.len() - target.length;
        ensure!(restored.body["messages_deleted"] == trimmed, "{trimmed} to trim, but {}", restored.body);
        self.tally.restores += 1;
        let before = (self.transcript.split_off(target.length), self.turns.split_off(index + 1), self.written());
        if self.alone {
            ensure!(before.2 == target.file, "the file is {:?}, not {:?}", before.2, target.file);
        }
        if self.steps.is_multiple_of(12) {
            self.look()?;
            let undo = format!("/api/restores/{}/undo", text(&restored.body, "restore_id")?);
            let undone = self.send("undo", &undo, &json!({}), None)?;
            ensure!(undone.body["messages_deleted"] == trimmed, "{trimmed} to bring back, but {}", undone.body);
            self.transcript.extend(before.0);
            self.turns.extend(before.1);
            self.tally.undone += 1;
        }
        Ok(())
    }

    /// Reads the whole session and compares it.
    fn look(&mut self) -> Result<()> {
        let messages = self.read("list messages", "messages")?;
        let bodies: Vec<&str> = messages["messages"]
            .as_array()
            .context("no messages")?
            .iter()
            .map(|message| message["body"].as_str().unwrap_or_default())
            .collect();
        ensure!(bodies == self.transcript, "the transcript is {bodies:?}, not {:?}", self.transcript);
        let list = self.read("list checkpoints", "checkpoints")?;
        let list = list["checkpoints"].as_array().context("no checkpoints")?;
        for turn in &self.turns {
            ensure!(list.iter().any(|row| row["id"] == turn.checkpoint.as_str()), "{} is not listed", turn.checkpoint);
        }
        self.read("show a session", "")?;
        let sessions = self.client.get("/api/sessions")?;
        ensure!(sessions.status == 200, "{}", sessions.body);
        self.tally.times.entry("list sessions").or_default().push(sessions.took);
        Ok(())
    }

    fn read(&mut self, route: &'static str, path: &str) -> Result<Value> {
        let answer = self.client.get(self.path(path).trim_end_matches('/'))?;
        ensure!(answer.status == 200, "{route}: {} {}", answer.status, answer.body);
        self.tally.times.entry(route).or_default().push(answer.took);
        Ok(answer.body)
    }

    fn post(&mut self, route: &'static str, path: &str, body: &Value, key: Option<&str>) -> Result<Answer> {
        self.send(route, &self.path(path), body, key)
    }

    /// Retries until the request succeeds: another session may be restoring the worktree.
    fn send(&mut self, route: &'static str, path: &str, body: &Value, key: Option<&str>) -> Result<Answer> {
        loop {
            let answer = self.client.post(path, body, key)?;
            match answer.code() {
                // The other session of the worktree may have written during the restore, which is finished later.
                "restore_in_progress" | "changed_during" | "busy" => {
                    self.tally.busy += 1;
                    thread::sleep(Duration::from_millis(PAUSE));
                }
                _ => {
                    ensure!(answer.status < 300, "{route}: {} {}", answer.status, answer.body);
                    self.tally.times.entry(route).or_default().push(answer.took);
                    return Ok(answer);
                }
            }
        }
    }

    fn path(&self, path: &str) -> String {
        format!("/api/sessions/{}/{path}", self.session)
    }

    fn written(&self) -> Option<String> {
        fs::read_to_string(&self.file).ok()
    }
}

fn text(body: &Value, key: &str) -> Result<String> {
    body[key].as_str().map(str::to_owned).with_context(|| format!("no {key} in {body}"))
}

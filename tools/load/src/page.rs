//! A long session on the page: the time until its pages are loaded.

use std::fs;

use anyhow::{Context, Result, ensure};
use fuzzy_tools::table::{Table, number, yes_or_no};
use fuzzy_tools::times::{milliseconds, percentile};
use serde_json::{Value, json};

use crate::client::Client;
use crate::scene::Scene;

/// The number of messages per turn, including its prompt.
const MESSAGES_OF_TURN: usize = 200;
/// The number of requests per page.
const ROUNDS: usize = 21;
/// The time limit of a session's page, in milliseconds.
const AT_MOST: f64 = 300.0;

/// Fills a session with messages, and measures its pages.
pub(crate) fn measure(messages: usize, database: &str) -> Result<()> {
    let scene = Scene::new(1, database)?;
    let client = Client::new(&scene.address);
    let worktree = scene.worktree(0);
    let made = client.post("/api/sessions", &json!({ "worktree": worktree, "title": "long" }), None)?;
    let session = text(&made.body, "id")?;
    let mut written = 0;
    while written < messages {
        let of_turn = MESSAGES_OF_TURN.min(messages - written);
        let begun =
            client.post(&format!("/api/sessions/{session}/turns"), &json!({ "message": prompt(written) }), None)?;
        let turn = text(&begun.body, "id")?;
        fs::write(worktree.join("file-0.txt"), format!("after message {written}\n"))?;
        for said in written + 1..written + of_turn {
            let body = json!({ "turn": turn, "role": "assistant", "body": answer(said) });
            let sent = client.post(&format!("/api/sessions/{session}/messages"), &body, None)?;
            ensure!(sent.status < 300, "message {said}: {}", sent.body);
        }
        let ended = json!({ "status": "complete" });
        client.post(&format!("/api/sessions/{session}/turns/{turn}/end"), &ended, None)?;
        written += of_turn;
    }
    let pages = written.div_ceil(100);
    let mut table = Table::new(1, &["page", "median, ms", "longest, ms", "at most", "holds"]);
    let mut is_held = true;
    for (name, path) in [
        ("the session, its end", format!("/sessions/{session}")),
        ("the session, its begin", format!("/sessions/{session}?page=1")),
        ("the session, its middle", format!("/sessions/{session}?page={}", pages / 2)),
        ("a search", format!("/sessions/{session}/search?text=message")),
        ("all sessions", "/".to_owned()),
    ] {
        let mut times = (0..ROUNDS).map(|_| client.open(&path)).collect::<Result<Vec<_>>>()?;
        times.sort_unstable();
        let [median, longest] = [50, 100].map(|percent| milliseconds(percentile(&times, percent)));
        let holds = median <= AT_MOST;
        is_held &= holds;
        table.row(vec![name.to_owned(), number(median), number(longest), number(AT_MOST), yes_or_no(holds)]);
    }
    println!("\nA session of {written} messages in {} turns:\n", written.div_ceil(MESSAGES_OF_TURN));
    print!("{}", table.render());
    scene.end()?;
    ensure!(is_held, "a page exceeds its time limit");
    Ok(())
}

fn text(body: &Value, key: &str) -> Result<String> {
    Ok(body[key].as_str().with_context(|| format!("no {key} in {body}"))?.to_owned())
}

fn prompt(at: usize) -> String {
    format!("Prompt {at}: make the next thing, and say what you did.")
}

/// The text of an agent: mostly short, sometimes with code.
fn answer(at: usize) -> String {
    if at.is_multiple_of(10) {
        format!("Message {at}:\n\n```rust\nfn step_{at}() -> u32 {{\n    // The next one.\n    {at} + 1\n}}\n```\n")
    } else {
        format!("Message {at}: I looked at `file-{}.txt`, and **nothing** has to change there.", at % 200)
    }
}

//! Reads cases `{id, content, old, new}` as JSON lines and writes what the engine makes of them.

use std::io::{BufRead, Write};
use std::time::Instant;

use fuzzy_alignment::{Decision, decide};
use serde_json::{Value, json};

fn main() {
    let stdin = std::io::stdin().lock();
    let mut stdout = std::io::stdout().lock();
    for line in stdin.lines().map_while(Result::ok) {
        let Ok(case) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let (content, old, new) = (text("content"), text("old"), text("new"));
        let start = Instant::now();
        let decision = decide(content, old, new, false);
        let us = start.elapsed().as_micros();
        let output = decision.output(content);
        let answer = match &decision {
            Decision::Edit { confidence, similarity, .. } => {
                json!({"id": case["id"], "ok": true, "output": output, "confidence": confidence, "similarity": similarity, "us": us})
            }
            Decision::AlreadyApplied { .. } => {
                json!({"id": case["id"], "ok": true, "output": output, "code": "already_applied", "us": us})
            }
            Decision::Refused { reason, proposal, nearest } => {
                let proposal = proposal.as_ref().map(|p| json!({"old": p.needle, "new": p.replacement}));
                let similarity = nearest.as_ref().map(|nearest| nearest.similarity);
                json!({"id": case["id"], "ok": false, "code": format!("{reason:?}"), "proposal": proposal, "similarity": similarity, "us": us})
            }
            _ => json!({"id": case["id"], "ok": false}),
        };
        if writeln!(stdout, "{answer}").is_err() {
            return;
        }
    }
}

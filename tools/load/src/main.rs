//! Many sessions at once on a running service: no message may be lost, and none trimmed twice.

mod agent;
mod client;
mod page;
mod scene;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use clap::Parser;

use agent::{Agent, Tally};
use client::Client;
use scene::Scene;

/// Let many sessions use the checkpoint service at once, and check every answer.
#[derive(Parser)]
#[command(bin_name = "cargo xtask load")]
struct Arguments {
    /// The number of sessions.
    #[arg(long, default_value_t = 50)]
    sessions: usize,
    /// The number of worktrees; if there are fewer than sessions, the first ones have two sessions.
    #[arg(long, default_value_t = 40)]
    worktrees: usize,
    /// The duration, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// A new database for each run: `sqlite`, or the URL of an empty one on a Postgres server.
    #[arg(long, default_value = "sqlite")]
    database: Vec<String>,
    /// Instead, fill one session with this number of messages and measure its pages.
    #[arg(long, value_name = "MESSAGES", conflicts_with_all = ["sessions", "worktrees", "seconds"])]
    page: Option<usize>,
}

fn main() -> ExitCode {
    fuzzy_tools::run::exit(run(&Arguments::parse()))
}

/// Runs the load on each database.
fn run(arguments: &Arguments) -> Result<()> {
    ensure!(arguments.worktrees > 0, "the sessions need a worktree");
    for database in &arguments.database {
        match arguments.page {
            Some(messages) => page::measure(messages, database)?,
            None => on(arguments, database)?,
        }
    }
    Ok(())
}

fn on(arguments: &Arguments, database: &str) -> Result<()> {
    let worktrees = arguments.worktrees.min(arguments.sessions);
    let scene = Scene::new(worktrees, database)?;
    let client = Client::new(&scene.address);
    let mut agents = Vec::new();
    for number in 0..arguments.sessions {
        let place = number % worktrees;
        let alone = (place..arguments.sessions).step_by(worktrees).count() == 1;
        agents.push(Agent::new(number, client.clone(), &scene.worktree(place), alone)?);
    }
    let start = Barrier::new(agents.len());
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let tallies: Vec<Result<Tally>> = thread::scope(|scope| {
        let threads: Vec<_> = agents.into_iter().map(|agent| scope.spawn(|| live(agent, &start, end))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| bail!("an agent panicked"))).collect()
    });
    let mut whole = Tally::default();
    let mut failures = BTreeMap::new();
    for tally in tallies {
        match tally {
            Ok(tally) => whole.add(tally),
            Err(error) => *failures.entry(format!("{error:#}")).or_insert(0) += 1,
        }
    }
    let kind = database.split(':').next().unwrap_or_default();
    println!("\n{} sessions in {worktrees} worktrees for {} s on {kind}:\n", arguments.sessions, arguments.seconds);
    print!("{}", whole.table());
    println!(
        "\n{} turns ({} without a checkpoint), {} messages, {} restores ({} of them asked for twice at once), {} \
         undone; {} requests to retry.\nEvery transcript was compared after every step.",
        whole.turns, whole.unpinned, whole.messages, whole.restores, whole.doubled, whole.undone, whole.busy,
    );
    for (failure, sessions) in &failures {
        println!("FAILED in {sessions} sessions: {failure}");
    }
    ensure!(failures.is_empty(), "{} sessions failed on {kind}", failures.values().sum::<usize>());
    scene.end()
}

/// Runs an agent from the common start until the end; returns its counts.
fn live(mut agent: Agent, start: &Barrier, end: Instant) -> Result<Tally> {
    start.wait();
    while Instant::now() < end {
        agent.step()?;
    }
    agent.finish()
}

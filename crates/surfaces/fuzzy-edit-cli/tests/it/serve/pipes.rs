//! A pipe in the place of each file that is opened: whoever opens it waits for the other end, and nobody else does.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::support::Server;
use crate::place::{Place, run};

/// The deadline of a call of git, with some time for the rest of a verb.
const DEADLINE: Duration = Duration::from_secs(75);
/// Files of git, without which it cannot go on: its calls end with the deadline.
const OF_GIT: [&str; 3] = ["repo/.git/HEAD", "repo/.git/config", "repo/.git/packed-refs"];
/// Files of ours, and those of git that are read here.
const OF_OURS: [&str; 9] = [
    "repo/.git/fuzzy-edit-worktree",
    "repo/.git/index",
    "repo/.git/info/exclude",
    "repo/.gitignore",
    "repo/dir/.gitignore",
    "repo/new/.gitignore",
    "repo/a.txt",
    "state/fuzzy-edit/git.json",
    "state/fuzzy-edit/wt/*/warm.index",
];

/// Returns where a file is; one directory may have any name.
fn find(place: &Place, name: &str) -> PathBuf {
    match name.split_once("/*/") {
        Some((above, file)) => fs::read_dir(place.dir.join(above)).unwrap().next().unwrap().unwrap().path().join(file),
        None => place.dir.join(name),
    }
}

/// Puts the pipe there, and returns how long the slowest verb took.
fn tried(name: &str) -> Duration {
    let place = Place::new();
    place.write("new/file", "in no index\n");
    let id = place.create();
    let calm = Place::new();
    let server = Server::start(&place, &[]);
    let other = server.post("/api/sessions", &json!({"worktree": calm.root()})).text("id");
    let ours = server.session(&place);
    let path = find(&place, name);
    let _ = fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let checkpoints = |session: &str| format!("/api/sessions/{session}/checkpoints");
    let verbs = [&["create"][..], &["list"], &["show", &id], &["diff", &id], &["restore", &id, "--yes"], &["doctor"]];
    let slowest = thread::scope(|scope| {
        let mut asked: Vec<_> = verbs
            .into_iter()
            .map(|verb| {
                let place = &place;
                scope.spawn(move || {
                    let begin = Instant::now();
                    run(&mut place.command(&place.root(), verb));
                    begin.elapsed()
                })
            })
            .collect();
        let (server, ours) = (&server, checkpoints(&ours));
        asked.push(scope.spawn(move || {
            let begin = Instant::now();
            let _ = server.ask("POST", &ours, &[], Some("{}"));
            begin.elapsed()
        }));
        let (begin, waiting) = (Instant::now(), asked.iter().filter(|one| !one.is_finished()).count());
        server.post(&checkpoints(&other), &json!({})).ok();
        println!("{name}: another session after {:?}, beside {waiting}", begin.elapsed());
        let begin = Instant::now();
        drop(Server::start(&place, &[]));
        println!("{name}: a server listens after {:?}", begin.elapsed());
        asked.into_iter().map(|one| one.join().unwrap()).max().unwrap()
    });
    // A git that still waits reads nothing, and ends.
    drop(File::options().read(true).write(true).open(&path));
    println!("{name}: the slowest verb took {slowest:?}");
    slowest
}

#[test]
fn the_rules_of_a_new_directory_stop_nothing() {
    // The deadline of the client is the same.
    assert!(tried("repo/new/.gitignore") < DEADLINE);
}

#[test]
#[ignore = "it takes as long as the deadlines; `cargo xtask checkpoints` runs it"]
fn no_file_stops_a_verb_for_longer_than_its_deadline() {
    thread::scope(|scope| {
        for name in OF_OURS.into_iter().chain(OF_GIT) {
            scope.spawn(move || assert!(tried(name) < DEADLINE, "{name}"));
        }
    });
}

//! A named pipe in the place of each file that is opened: only the verb that opens it waits for the other end.

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
/// Files of git that its commands require: these calls end with the deadline.
const OF_GIT: [&str; 3] = ["repo/.git/HEAD", "repo/.git/config", "repo/.git/packed-refs"];
/// Our files, and files of git that this program reads.
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

/// Returns the path of a file; one component may be a wildcard.
fn find(place: &Place, name: &str) -> PathBuf {
    match name.split_once("/*/") {
        Some((above, file)) => fs::read_dir(place.dir.join(above)).unwrap().next().unwrap().unwrap().path().join(file),
        None => place.dir.join(name),
    }
}

/// Puts the pipe there, and returns the time of the slowest verb.
fn slowest_verb(name: &str) -> Duration {
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
        let mut pending: Vec<_> = verbs
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
        pending.push(scope.spawn(move || {
            let begin = Instant::now();
            let _ = server.request("POST", &ours, &[], Some("{}"));
            begin.elapsed()
        }));
        let (begin, waiting) = (Instant::now(), pending.iter().filter(|one| !one.is_finished()).count());
        server.post(&checkpoints(&other), &json!({})).ok();
        println!("{name}: another session after {:?}, beside {waiting}", begin.elapsed());
        let begin = Instant::now();
        drop(Server::start(&place, &[]));
        println!("{name}: a server listens after {:?}", begin.elapsed());
        pending.into_iter().map(|one| one.join().unwrap()).max().unwrap()
    });
    // A git process that still waits reads nothing, and exits.
    drop(File::options().read(true).write(true).open(&path));
    println!("{name}: the slowest verb took {slowest:?}");
    slowest
}

#[test]
fn a_pipe_as_rules_of_a_new_directory_blocks_no_verb() {
    // The client has the same deadline.
    assert!(slowest_verb("repo/new/.gitignore") < DEADLINE);
}

#[test]
#[ignore = "it takes as long as the deadlines; `cargo xtask checkpoints` runs it"]
fn no_file_blocks_a_verb_beyond_its_deadline() {
    thread::scope(|scope| {
        for name in OF_OURS.into_iter().chain(OF_GIT) {
            scope.spawn(move || assert!(slowest_verb(name) < DEADLINE, "{name}"));
        }
    });
}

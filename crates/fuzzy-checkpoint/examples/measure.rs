//! Measures captures and restores on 50,000 files against the plain git commands one would use instead, in one run.
//!
//! ```text
//! cargo run --release -p fuzzy-checkpoint --example measure [FILES]
//! ```

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fuzzy_checkpoint::{CaptureOptions, Engine, Snapshot, Worktree};

/// How many files change before a restore.
const CHANGED: usize = 250;

fn git(root: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(root).env("GIT_CONFIG_GLOBAL", "/dev/null").args([
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@localhost",
    ]);
    let output = command.args(args).output().expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn name(number: usize) -> String {
    format!("d{}/e{}/f{number}.txt", number % 50, number / 50 % 20)
}

fn fill(root: &Path, files: usize) {
    for number in 0..files {
        let path = root.join(name(number));
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, format!("line {number}\n").repeat(20)).expect("written");
    }
    git(root, &["init", "-q", "."]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "first"]);
    git(root, &["gc", "-q"]);
}

/// Changes as an agent would: 150 files changed, 50 deleted, 50 new.
fn change(root: &Path, files: usize) {
    for number in 0..CHANGED {
        let path = root.join(name(number * (files / CHANGED)));
        match number % 5 {
            0 => fs::remove_file(path).expect("removed"),
            1 => fs::write(path.with_extension("new"), "new\n").expect("written"),
            _ => fs::write(path, format!("changed {number}\n")).expect("written"),
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed(), done)
}

/// Repeats and keeps the best: the machine's other work only ever adds.
fn best(times: usize, mut work: impl FnMut()) -> Duration {
    (0..times).map(|_| timed(&mut work).0).min().unwrap_or_default()
}

/// Is the recipe that reads HEAD into a fresh index and adds everything.
fn plain_capture(root: &Path, index: &Path) {
    let _ = fs::remove_file(index);
    let run = |args: &[&str]| {
        let output =
            Command::new("git").current_dir(root).env("GIT_INDEX_FILE", index).args(args).output().expect("git runs");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    run(&["read-tree", "HEAD"]);
    run(&["add", "-A"]);
    let tree = run(&["write-tree"]);
    let commit =
        run(&["-c", "user.name=t", "-c", "user.email=t@localhost", "commit-tree", &tree, "-p", "HEAD", "-m", "c"]);
    run(&["update-ref", "refs/plain/c", &commit]);
}

fn capture(worktree: &Worktree, name: &str) -> Snapshot {
    let locked = worktree.lock().expect("locked");
    let snapshot = locked.capture(&CaptureOptions::default()).expect("captured");
    locked.pin(name, &snapshot.commit).expect("pinned");
    snapshot
}

fn restore(worktree: &Worktree, to: &Snapshot, name: &str) -> Snapshot {
    let locked = worktree.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions { exempt: Some(to.tree.clone()) }).expect("captured");
    locked.pin(name, &safety.commit).expect("pinned");
    let plan = locked.plan(&safety, to, &[]).expect("a plan");
    locked.apply(&safety, &plan).expect("applied");
    locked.restore_index(&safety, to).expect("an outcome");
    safety
}

fn main() {
    let files = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50_000);
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("repo");
    fs::create_dir(&root).expect("created");
    fill(&root, files);
    let plain = best(3, || plain_capture(&root, &dir.path().join("index")));

    let worktree = Engine::new(dir.path().join("state")).open(&root).expect("a worktree");
    let (first, start) = timed(|| capture(&worktree, "A0"));
    let mut number = 0;
    let warm = best(5, || {
        number += 1;
        capture(&worktree, &format!("A{number}"));
    });
    change(&root, files);
    let (changed, _) = timed(|| capture(&worktree, "B"));
    let (mut to, mut undo) = (Duration::MAX, Duration::MAX);
    for round in 0..3 {
        let (time, safety) = timed(|| restore(&worktree, &start, &format!("R{round}")));
        to = to.min(time);
        undo = undo.min(timed(|| restore(&worktree, &safety, &format!("U{round}"))).0);
    }
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "second"]);
    let mut forth = false;
    let checkout = best(6, || {
        forth = !forth;
        git(&root, &["checkout", "-q", "--detach", if forth { "HEAD~1" } else { "@{-1}" }]);
    });

    let ratio = |time: Duration, against: Duration| time.as_secs_f64() / against.as_secs_f64();
    println!("{files} files");
    println!("plain capture      {plain:>10.3?}");
    println!("first capture      {first:>10.3?}  {:.2} x plain", ratio(first, plain));
    println!("warm capture       {warm:>10.3?}  {:.3} x plain", ratio(warm, plain));
    println!("with {CHANGED} changes   {changed:>10.3?}  {:.3} x plain", ratio(changed, plain));
    println!("git checkout       {checkout:>10.3?}");
    println!("restore, safe      {to:>10.3?}  {:.2} x checkout", ratio(to, checkout));
    println!("undo               {undo:>10.3?}  {:.2} x checkout", ratio(undo, checkout));
}

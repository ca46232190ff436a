//! Measures captures and restores of 50,000 files against plain git commands for the same job, in one run.
//!
//! ```text
//! cargo run --release -p fuzzy-checkpoint --example measure [FILES [ROUNDS]]
//! ```
//!
//! Every round measures all operations once, so that other load affects them equally; the best round counts. The exit
//! status is 1 if a limit is exceeded.

#![allow(clippy::print_stdout, reason = "a measurement prints its table")]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use fuzzy_checkpoint::{CaptureOptions, Engine, Snapshot, Worktree};

/// The number of files that change before a restore.
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
        fs::write(path, format!("line {number}\n").repeat(200)).expect("written");
    }
    git(root, &["init", "-q", "."]);
    // Otherwise background housekeeping would be measured, too.
    git(root, &["config", "gc.auto", "0"]);
    git(root, &["config", "maintenance.auto", "false"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "first"]);
    git(root, &["gc", "-q"]);
}

/// Changes files as an agent would: changes 150, deletes 50, adds 50.
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

/// The cost of an operation.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    /// The processor time of this process and its children, which other load hardly changes.
    cpu: f64,
}

impl Cost {
    const MAX: Self = Self { wall: f64::MAX, cpu: f64::MAX };

    fn min(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }

    fn show(self, what: &str) {
        println!("{what:<20} {:7.3} s wall {:7.3} s cpu", self.wall, self.cpu);
    }

    /// Prints the cost and returns whether it is at most `bound` times that of `base`.
    fn is_within(self, what: &str, bound: f64, base: (Self, &str)) -> bool {
        let ratio = self.wall / base.0.wall;
        let held = ratio <= bound;
        let verdict = if held { "within" } else { "MISSES" };
        let Self { wall, cpu } = self;
        println!("{what:<20} {wall:7.3} s wall {cpu:7.3} s cpu  {ratio:.3} x {}, {verdict} {bound}", base.1);
        held
    }
}

/// Reads the processor time so far, in seconds, from the four fields after the 13th of `/proc/self/stat`.
fn cpu() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").expect("linux");
    let fields = text.rsplit(')').next().expect("fields").split_whitespace().skip(11).take(4);
    fields.map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0).sum()
}

fn timed<T>(work: impl FnOnce() -> T) -> (Cost, T) {
    let (start, before) = (Instant::now(), cpu());
    let done = work();
    (Cost { wall: start.elapsed().as_secs_f64(), cpu: cpu() - before }, done)
}

/// Reads HEAD into a fresh index and adds all files.
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
    let safety = locked.capture(&CaptureOptions::before(to)).expect("captured");
    locked.pin(name, &safety.commit).expect("pinned");
    let plan = locked.plan(&safety, to, &[]).expect("a plan");
    locked.apply(&safety, to, &plan).expect("applied");
    locked.restore_index(&safety, to).expect("an outcome");
    safety
}

/// Returns the number in argument `at`, or the default.
fn argument(at: usize, default: usize) -> usize {
    std::env::args().nth(at).and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() -> ExitCode {
    let (files, rounds) = (argument(1, 50_000), argument(2, 5));
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("repo");
    fs::create_dir(&root).expect("created");
    fill(&root, files);
    // The same change as a commit, for git to check out.
    git(&root, &["checkout", "-q", "-b", "changed"]);
    change(&root, files);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "second"]);
    git(&root, &["checkout", "-q", "--detach", "HEAD~1"]);

    let [mut plain, mut first, mut warm, mut changed, mut to, mut undo, mut checkout] = [Cost::MAX; 7];
    for round in 0..rounds {
        let name = |step: &str| format!("R{round}{step}");
        plain = plain.min(timed(|| plain_capture(&root, &dir.path().join("index"))).0);
        checkout = checkout.min(timed(|| git(&root, &["checkout", "-q", "--detach", "changed"])).0);
        checkout = checkout.min(timed(|| git(&root, &["checkout", "-q", "--detach", "HEAD~1"])).0);
        // With a new state directory, every round's first capture is a cold one.
        let worktree = Engine::new(dir.path().join(name("state"))).open(&root).expect("a worktree");
        let (cost, start) = timed(|| capture(&worktree, &name("A")));
        first = first.min(cost);
        warm = warm.min(timed(|| capture(&worktree, &name("B"))).0);
        change(&root, files);
        changed = changed.min(timed(|| capture(&worktree, &name("C"))).0);
        let (cost, safety) = timed(|| restore(&worktree, &start, &name("D")));
        to = to.min(cost);
        undo = undo.min(timed(|| restore(&worktree, &safety, &name("E"))).0);
        to = to.min(timed(|| restore(&worktree, &start, &name("F"))).0);
        git(&root, &["update-index", "-q", "--refresh"]);
    }

    println!("{files} files, the best of {rounds} rounds");
    plain.show("plain capture");
    let first = first.is_within("first capture", 4.0, (plain, "plain"));
    let warm = warm.is_within("warm capture", 0.2, (plain, "plain"));
    changed.show("with 250 changes");
    checkout.show("git checkout");
    let to = to.is_within("restore of 250", 4.0, (checkout, "checkout"));
    undo.show("undo");
    if first && warm && to { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Every system call that changes files fails or kills the process, in `apply`, `patch`, `undo` and a restore: afterwards
//! each file is old or new, all of them alike, and an exit code of 0 means new.
//!
//! `strace` injects the faults, so the test is left out where it cannot trace. `FUZZY_FAULTS` is the number of faults for
//! each command; the default is a sample.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::place::{Place, run};

/// The calls that change a file, a directory or their durability; `openat` may create a file. The last ones start threads
/// and processes.
const CALLS: [&str; 23] = [
    "clone",
    "clone3",
    "openat",
    "write",
    "pwrite64",
    "ftruncate",
    "fallocate",
    "fsync",
    "fdatasync",
    "syncfs",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "link",
    "linkat",
    "fchmod",
    "fchmodat",
    "fchown",
];

const EFFECTS: [&str; 4] = ["error=ENOSPC", "error=EIO", "error=EACCES", "signal=KILL"];

/// The longest run of a command. A restore under `strace` takes a second.
pub(crate) const LIMIT: Duration = Duration::from_secs(90);

pub(crate) type Files = BTreeMap<PathBuf, (bool, Vec<u8>)>;

/// One command in a place of its own.
pub(crate) struct Scenario {
    pub(crate) place: Place,
    pub(crate) arguments: Vec<String>,
    pub(crate) old: Files,
    pub(crate) new: Files,
    /// The command that finishes or rolls back what an interrupted one left.
    pub(crate) recover: &'static [&'static str],
}

pub(crate) fn scenario(name: &str) -> Scenario {
    let place = Place::new();
    place.write("c.txt", "gamma\n");
    let old = place.files();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let with = |changes: &[(&str, Option<&str>)]| {
        let mut files = place.files();
        for (name, text) in changes {
            match text {
                Some(text) => _ = files.insert(place.path(name), (false, text.as_bytes().to_vec())),
                None => _ = files.remove(&place.path(name)),
            }
        }
        files
    };
    let recover: &[&str] = &["undo", "--list"];
    match name {
        "apply" => {
            let new = with(&[("a.txt", Some("ALPHA\n"))]);
            Scenario {
                arguments: words(&["apply", "a.txt", "--old", "alpha", "--new", "ALPHA"]),
                old,
                new,
                recover,
                place,
            }
        }
        "patch" => {
            let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-alpha\n+ALPHA\n--- a/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gamma\n\
                         --- /dev/null\n+++ b/new/d.txt\n@@ -0,0 +1 @@\n+delta\n";
            fs::write(place.dir.join("patch"), patch).unwrap();
            let file = place.dir.join("patch").to_str().unwrap().to_owned();
            let new = with(&[("a.txt", Some("ALPHA\n")), ("c.txt", None), ("new/d.txt", Some("delta\n"))]);
            Scenario { arguments: vec!["patch".to_owned(), file], old, new, recover, place }
        }
        "undo" => {
            let patch = scenario("patch");
            let done = command(&patch.place, None).args(&patch.arguments).output().unwrap();
            assert!(done.status.success(), "{done:?}");
            Scenario { arguments: words(&["undo"]), old: patch.new, new: patch.old, ..patch }
        }
        _ => {
            let id = place.create();
            place.write("a.txt", "changed\n");
            place.write("new.txt", "new\n");
            fs::remove_file(place.path("c.txt")).unwrap();
            let (old, new) = (place.files(), old);
            let recover: &[&str] = &["checkpoint", "recover"];
            Scenario { arguments: words(&["checkpoint", "restore", &id, "--yes"]), old, new, recover, place }
        }
    }
}

/// Returns our command, below `strace` with these options.
pub(crate) fn command(place: &Place, traced: Option<&[String]>) -> Command {
    let program = env!("CARGO_BIN_EXE_fuzzy-edit");
    let mut command = match traced {
        None => place.clean(program, &place.root()),
        Some(options) => {
            let mut strace = place.clean("strace", &place.root());
            strace.args(["-f", "-qq"]).args(options).arg(program);
            strace
        }
    };
    command.env("TMPDIR", &place.dir).env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

/// Counts the calls of a command, the most of one thread by name.
pub(crate) fn counted(name: &str) -> Option<Vec<(&'static str, usize)>> {
    let scenario = scenario(name);
    let log = scenario.place.dir.join("calls");
    let options =
        ["-o".to_owned(), log.to_str().unwrap().to_owned(), "-e".to_owned(), format!("trace={}", CALLS.join(","))];
    let output = command(&scenario.place, Some(&options)).args(&scenario.arguments).output().ok()?;
    let text = fs::read_to_string(log).unwrap_or_default();
    if !output.status.success() || text.is_empty() {
        return None;
    }
    assert_eq!(scenario.place.files(), scenario.new, "{name}");
    let mut counts = BTreeMap::<(&str, &str), usize>::new();
    for line in text.lines() {
        let (thread, rest) = line.split_once(' ').unwrap_or_default();
        if let Some(call) = CALLS.iter().find(|call| rest.trim_start().starts_with(&format!("{call}("))) {
            *counts.entry((call, thread)).or_default() += 1;
        }
    }
    let most = |call: &str| counts.iter().filter(|((name, _), _)| *name == call).map(|(_, count)| *count).max();
    Some(CALLS.iter().filter_map(|call| Some((*call, most(call)?))).collect())
}

/// Runs a command with a fault, and checks the files.
fn fails_well(name: &str, fault: &str) {
    let scenario = scenario(name);
    let Scenario { place, arguments, old, new, recover } = &scenario;
    let log = place.dir.join("faults");
    let options =
        ["-o", log.to_str().unwrap(), "-e", "trace=write", "-e", &format!("inject={fault}")].map(str::to_owned);
    let mut child = command(place, Some(&options)).args(arguments).spawn().unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(begun.elapsed() < LIMIT, "{name} {fault}: hangs");
        thread::sleep(Duration::from_millis(2));
    };
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    let is_silent = said.is_empty();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut said).unwrap();
    assert!(!said.contains("panicked"), "{name} {fault}: {said}");
    if status.success() {
        let now = without_named(place.files(), &said);
        assert_eq!(&now, new, "{name} {fault}: done, but the files differ: {said}");
    } else if status.code().is_some() {
        // The fault may be that standard error cannot be written.
        let calls = fs::read_to_string(log).unwrap_or_default();
        let is_muted = calls.lines().any(|line| line.contains("write(2, ") && line.contains("(INJECTED)"));
        assert!(!is_silent || is_muted, "{name} {fault}: {status} without a message");
    }
    // What a killed process left, the next command finishes or rolls back.
    let recovered = run(command(place, None).args(*recover));
    assert!(recovered.code == 0, "{name} {fault}: {said}; {}", recovered.err);
    let after = without_named(place.files(), &said);
    assert!(after == *old || after == *new, "{name} {fault}: {status}: {said}: {:?}", after.keys());
}

/// Returns files without the temporary ones that a message names.
pub(crate) fn without_named(mut files: Files, said: &str) -> Files {
    files.retain(|path, _| {
        let name = path.file_name().unwrap().to_str().unwrap();
        !(name.starts_with(".fuzzy-edit-") && said.contains(name))
    });
    files
}

/// Injects a sample of all faults into a command.
fn campaign(name: &str, usual: usize) {
    let Some(counts) = counted(name) else {
        eprintln!("left out: strace cannot trace here");
        return;
    };
    let mut faults = Vec::new();
    for (call, count) in counts {
        for when in 1..=count {
            faults.extend(EFFECTS.map(|effect| format!("{call}:{effect}:when={when}")));
        }
    }
    Rng::with_seed(14).shuffle(&mut faults);
    let number = std::env::var("FUZZY_FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    println!("{name}: {} of {} faults", number.min(faults.len()), faults.len());
    for fault in faults.iter().take(number) {
        fails_well(name, fault);
    }
}

#[test]
fn faults_in_an_edit() {
    campaign("apply", 20);
}

#[test]
fn faults_in_a_patch() {
    campaign("patch", 20);
}

#[test]
fn faults_in_an_undo() {
    campaign("undo", 20);
}

#[test]
fn faults_in_a_restore() {
    campaign("restore", 15);
}

#[test]
fn settings_on_a_full_disk_are_a_full_disk() {
    for call in ["mkdir", "rename,renameat,renameat2"] {
        let place = Place::new();
        let options = ["-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &format!("inject={call}:error=ENOSPC")];
        let Ok(output) = command(&place, Some(&options.map(str::to_owned))).args(["init", "gemini", "--yes"]).output()
        else {
            return eprintln!("left out: strace cannot trace here");
        };
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("fuzzy-edit: disk_full: ") && said.contains("Free some space"), "{call}: {said}");
    }
}

//! One open of each kind of file fails in each verb that reads turns or checkpoints: the verb ends with words, concludes
//! nothing from what it could not read, and leaves its records as they are; without the fault it sees everything again.
//!
//! `strace` injects the faults, so the test is left out where it cannot trace. `FUZZY_FAULTS` is the number of faults for
//! each verb, of those that `FUZZY_SEED` shuffles; the default is a sample. `FUZZY_VERB` selects one verb.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use fuzzy_checkpoint_store::open_file;
use serde_json::Value;

use crate::faults::{LIMIT, command};
use crate::place::Answer;
use crate::turns::scene::{Scene, event};

const ERRORS: [&str; 3] = ["EIO", "EMFILE", "EACCES"];

/// The verbs: their words, and what is done to the files before each run.
const VERBS: [(&str, &[&str]); 18] = [
    ("turns", &["turns"]),
    ("show", &["turns", "show", "1"]),
    ("diff", &["turns", "diff", "1"]),
    ("revert", &["turns", "revert", "1", "--dry-run"]),
    ("undo", &["turns", "revert", "--dry-run"]),
    ("restore-turn", &["turns", "restore", "2", "--yes"]),
    ("undo-turns", &["turns", "revert", "2..", "--yes"]),
    ("list", &["checkpoint", "list"]),
    ("create", &["checkpoint", "create"]),
    ("plan", &["checkpoint", "restore", "latest", "--dry-run"]),
    ("restore", &["checkpoint", "restore", "latest", "--yes"]),
    ("doctor", &["checkpoint", "doctor"]),
    ("read-data", &["checkpoint", "doctor", "--read-data"]),
    ("recover", &["checkpoint", "recover"]),
    ("prune", &["checkpoint", "prune"]),
    ("warm", &["hook", "--warm"]),
    ("turn-begin", &["hook", "claude-code", "turn-begin"]),
    ("turn-end", &["hook", "claude-code", "turn-end"]),
];

/// Words that conclude something from a file that was not read.
const CLAIMS: [&str; 8] = [
    "no turns yet",
    "no checkpoints yet",
    "is gone",
    "are gone",
    "lost",
    "is not a git worktree",
    "does not exist here",
    "there is no turn",
];

/// The records that no fault may change.
#[derive(Debug, PartialEq, Eq)]
struct Records {
    /// The records of identity, and the refs of checkpoints.
    files: BTreeMap<PathBuf, Vec<u8>>,
    worktrees: Vec<String>,
    /// Each checkpoint with its state.
    checkpoints: BTreeSet<String>,
}

impl Records {
    fn of(scene: &Scene) -> Self {
        let mut files = BTreeMap::new();
        collect(&scene.state(), &mut files);
        let store = open_file(&scene.state().join("state.db")).unwrap();
        let rows = store.worktrees().unwrap();
        let checkpoints = rows.iter().flat_map(|row| store.checkpoints_of(&row.id).unwrap());
        let checkpoints = checkpoints.map(|row| format!("{} {}", row.id, row.commit_oid)).collect();
        Self { files, worktrees: rows.iter().map(|row| format!("{row:?}")).collect(), checkpoints }
    }

    /// Returns what is missing in, or differs from, later records. A verb may have added checkpoints before the fault.
    fn lacks(&self, later: &Self) -> Vec<String> {
        let changed = self.files.iter().filter(|(path, bytes)| later.files.get(*path) != Some(bytes));
        let mut lacks: Vec<String> = changed.map(|(path, _)| format!("{} changed", path.display())).collect();
        let is_id = |path: &&PathBuf| !self.files.contains_key(*path) && path.ends_with("record.json");
        lacks.extend(later.files.keys().filter(is_id).map(|path| format!("{} is new", path.display())));
        lacks.extend(self.checkpoints.difference(&later.checkpoints).map(|row| format!("{row} changed")));
        if self.worktrees != later.worktrees {
            lacks.push(format!("{:?} became {:?}", self.worktrees, later.worktrees));
        }
        lacks
    }
}

/// Collects the records of identity and the pins below the state directory.
fn collect(dir: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let is_pin = path.to_str().unwrap().contains("/refs/fuzzy-edit/checkpoints/");
        if path.is_dir() {
            collect(&path, files);
        } else if is_pin || ["record.json", "fuzzy-edit-worktree"].iter().any(|name| path.ends_with(name)) {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

/// A project with two turns, a session of another host, and a checkpoint by hand.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.turn("s", "first", "echo 1 > a.txt; echo new > made.txt");
    scene.turn("s", "second", "echo 2 >> dir/b.txt");
    scene.place.create();
    scene
}

/// Runs a verb, below `strace` with these options.
fn played(scene: &Scene, name: &str, words: &[&str], traced: Option<&[String]>) -> Answer {
    let mut command: Command = command(&scene.place, traced);
    command.args(words);
    let event = event(&scene.place.root(), "s", "again");
    match words {
        ["hook", "--warm"] => _ = command.arg(scene.place.root()),
        ["hook", ..] => {}
        _ => _ = command.arg("--json"),
    }
    command.stdin(if name.starts_with("turn-") { Stdio::piped() } else { Stdio::null() });
    let mut child = command.spawn().unwrap();
    if let Some(mut input) = child.stdin.take() {
        std::io::Write::write_all(&mut input, event.as_bytes()).unwrap();
    }
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < LIMIT, "{name}: hangs");
        thread::sleep(Duration::from_millis(2));
    }
    let words = words.iter().chain(&["--json"]).map(|word| (*word).to_owned()).collect();
    Answer::of(words, child.wait_with_output().unwrap())
}

/// Prepares what a verb works on.
fn prepare(scene: &Scene, name: &str, time: usize) {
    match name {
        "turn-end" => scene.begin("s", "again"),
        "restore" | "plan" | "revert" | "undo" | "restore-turn" | "undo-turns" => {
            scene.place.write("notes.txt", format!("{time}\n"));
        }
        _ => {}
    }
}

/// Returns the files below the scene that a verb opens: one of each kind. Names with numbers of processes and with times
/// differ in each run.
fn opened(scene: &Scene, name: &str, words: &[&str]) -> Option<Vec<String>> {
    let log = scene.place.dir.join("opens");
    let options = ["-o", log.to_str()?, "-e", "trace=openat"].map(str::to_owned);
    prepare(scene, name, 0);
    let answer = played(scene, name, words, Some(&options));
    let text = fs::read_to_string(&log).unwrap_or_default();
    if answer.code != 0 || text.is_empty() {
        assert!(text.is_empty(), "{name}: {answer:?}");
        return None;
    }
    let dir = scene.place.dir.to_str()?;
    let mut kinds = BTreeMap::new();
    for line in text.lines() {
        let Some(path) = line.split_once("openat(").and_then(|(_, call)| call.split('"').nth(1)) else { continue };
        let name = path.strip_prefix(dir).unwrap_or(path);
        let varies = ["/tmp/", ".next-", "tmp_", ".sync-", "/turns/", ".lock"].iter().any(|part| name.contains(part));
        if (name != path || !path.starts_with('/')) && !varies && !name.is_empty() {
            // The names of objects and of checkpoints are one kind.
            let is_name = |part: &str| part.len() > 15 && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let parts = name.split('/').map(|part| match part {
                part if is_name(part) => "NAME",
                part if part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_hexdigit()) => "XX",
                part => part,
            });
            kinds.entry(parts.collect::<Vec<_>>().join("/")).or_insert_with(|| path.to_owned());
        }
    }
    Some(kinds.into_values().collect())
}

/// Removes what differs between two equal runs.
fn comparable(answer: &Answer) -> Value {
    let mut report = answer.json();
    if let Some(report) = report.as_object_mut() {
        for name in ["storage", "id", "restore_id", "safety_checkpoint_id", "tree", "undo_with", "freed_bytes"] {
            report.remove(name);
        }
    }
    report
}

/// Returns whether a verb reports problems instead of failing, as `doctor` does.
fn is_examined(answer: &Answer) -> bool {
    answer.json()["healthy"] == Value::Bool(false)
}

/// Runs a verb with one fault, then without it; returns what is wrong. A file of the user that cannot be read is not
/// captured, so that a plan leaves it alone.
fn fails_well(scene: &Scene, (name, words): (&str, &[&str]), path: &str, error: &str, time: usize) -> Vec<String> {
    prepare(scene, name, time);
    let is_hook = words[0] == "hook";
    let before = Records::of(scene);
    let turns = scene.list().len();
    let log = scene.place.dir.join("faults");
    let inject = format!("inject=openat:error={error}:when=1");
    let options = ["-o", log.to_str().unwrap(), "-P", path, "-e", "trace=openat", "-e", &inject].map(str::to_owned);
    let answer = played(scene, name, words, Some(&options));
    let injected = fs::read_to_string(&log).unwrap_or_default().contains("(INJECTED)");
    let said = format!("{}{}", answer.text(), answer.err);
    let mut wrong = Vec::new();
    let is_users = scene.place.root().join(path).exists() && !path.split('/').any(|part| part == ".git");
    if answer.code != 0 && !is_hook {
        let code = answer.json()["code"].as_str().unwrap_or("none").to_owned();
        if !["io", "store", "git", "busy", "locked", "permission"].contains(&code.as_str()) && !is_examined(&answer) {
            wrong.push(format!("code {code}"));
        }
    }
    wrong.extend(CLAIMS.iter().filter(|claim| said.contains(*claim)).map(|claim| format!("says {claim:?}")));
    if said.contains("panicked") || is_hook && answer.code != 0 {
        wrong.push("a panic or a failed hook".to_owned());
    }
    let after = Records::of(scene);
    // Pruning and restores remove refs, if they reach that.
    wrong.extend(before.lacks(&after));
    // The same verb without the fault.
    if is_hook {
        scene.begin("s", "after");
        scene.end("s");
        let listed = scene.json(&[]);
        let now = listed["turns"].as_array().unwrap().len();
        let failed = listed["failed_events"].as_array().map_or(0, Vec::len);
        if now < turns + 1 {
            wrong.push(format!("{now} of {turns} turns and one more, {failed} failed events"));
        }
    } else {
        prepare(scene, name, time);
        let again = played(scene, name, words, None);
        if again.code != 0 {
            wrong.push(format!("then {}: {}{}", again.code, again.text(), again.err));
        } else if answer.code == 0
            && !is_users
            && !["create", "restore", "restore-turn", "undo-turns", "recover"].contains(&name)
        {
            let (then, now) = (comparable(&answer), comparable(&again));
            if then != now {
                wrong.push(format!("ended with 0 and said {then} instead of {now}"));
            }
        }
        if scene.list().len() != turns {
            wrong.push("lists other turns".to_owned());
        }
    }
    if wrong.is_empty() || !injected {
        return Vec::new();
    }
    wrong
        .iter()
        .map(|wrong| format!("{name}, {error} at {path}: {wrong}; exit {}; {}", answer.code, said.trim()))
        .collect()
}

/// Injects a sample of all faults into a verb.
fn campaign(scene: &Scene, verb: (&str, &[&str]), usual: usize) -> Vec<String> {
    let Some(paths) = opened(scene, verb.0, verb.1) else {
        eprintln!("left out: strace cannot trace here");
        return Vec::new();
    };
    let mut faults: Vec<(&str, &str)> =
        paths.iter().flat_map(|path| ERRORS.map(|error| (path.as_str(), error))).collect();
    let seed = std::env::var("FUZZY_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(61);
    Rng::with_seed(seed).shuffle(&mut faults);
    let number = std::env::var("FUZZY_FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    println!("{}: {} of {} faults", verb.0, number.min(faults.len()), faults.len());
    let faults = faults.into_iter().take(number).enumerate();
    let wrong = faults.flat_map(|(time, (path, error))| fails_well(scene, verb, path, error, time + 1));
    // A long run says at once what it finds.
    wrong.inspect(|wrong| println!("{wrong}")).collect()
}

#[test]
fn a_file_that_cannot_be_opened_means_nothing() {
    let scene = scene();
    let only = std::env::var("FUZZY_VERB").ok();
    let verbs = VERBS.into_iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name));
    let wrong: Vec<String> = verbs.flat_map(|verb| campaign(&scene, verb, 1)).collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_probe_that_fails_once_is_no_missing_capability() {
    use std::os::unix::fs::PermissionsExt;

    let scene = Scene::new();
    let path = scene.place.path("a.txt");
    let set = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    set(0o755);
    let log = scene.place.dir.join("faults");
    let words = ["checkpoint", "create"];
    for calls in ["?chmod,?fchmodat", "?symlink,?symlinkat"] {
        for error in ["EIO", "EACCES", "ENOSPC"] {
            let inject = format!("inject={calls}:error={error}:when=1");
            let trace = format!("trace={calls}");
            let options = ["-o", log.to_str().unwrap(), "-e", &trace, "-e", &inject].map(str::to_owned);
            let answer = played(&scene, "create", &words, Some(&options));
            if !fs::read_to_string(&log).unwrap_or_default().contains("(INJECTED)") {
                eprintln!("left out: strace cannot trace here");
                return;
            }
            assert_eq!(answer.code, 2, "{calls} {error}: {}{}", answer.text(), answer.err);
            let id = scene.place.create();
            set(0o644);
            scene.place.restore(&id);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755, "{calls} {error}");
        }
    }
}

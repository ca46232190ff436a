//! Random edits, and the conditions that hold after a restore and its undo.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use fuzzy_checkpoint::{Plan, Reason, Snapshot};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::{CAP, Files, Lab};

/// One random change of a worktree.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Write(usize, u8, bool),
    Delete(usize),
    Grow(usize),
    Link(usize, usize),
    Exec(usize, bool),
    Rules(usize, usize),
    Nest(usize),
    Unnest(usize),
    Stage,
    StageByForce(usize),
    Unstage,
    Commit,
}

impl Step {
    /// Returns whether the step writes to the git directory.
    pub(crate) const fn is_gits(&self) -> bool {
        matches!(self, Self::Stage | Self::StageByForce(_) | Self::Unstage | Self::Commit)
    }
}

const NAMES: [&str; 12] = ["a", "b", "d", "d/a", "d/e", "d/e/x", "d/f.log", "k.log", "n/x", "n/y/z", "-o", "é\n"];
const PLACES: [&str; 3] = [".gitignore", "d/.gitignore", "n/.gitignore"];
const RULES: [Option<&str>; 6] =
    [None, Some("*.log\n"), Some("d/\n"), Some("*\n!a\n"), Some("a\nn/\n"), Some(".gitignore\n*.log\nx\n")];

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = || 0..NAMES.len();
    let step = prop_oneof![
        8 => (name(), any::<u8>(), any::<bool>()).prop_map(|(name, byte, crlf)| Step::Write(name, byte, crlf)),
        4 => name().prop_map(Step::Delete),
        2 => name().prop_map(Step::Grow),
        1 => (name(), name()).prop_map(|(name, to)| Step::Link(name, to)),
        1 => (name(), any::<bool>()).prop_map(|(name, yes)| Step::Exec(name, yes)),
        4 => (0..PLACES.len(), 0..RULES.len()).prop_map(|(place, rules)| Step::Rules(place, rules)),
        1 => (0_usize..2).prop_map(Step::Nest),
        1 => (0_usize..2).prop_map(Step::Unnest),
        1 => Just(Step::Stage),
        1 => name().prop_map(Step::StageByForce),
        1 => Just(Step::Unstage),
        1 => Just(Step::Commit),
    ];
    prop::collection::vec(step, 0..10)
}

/// Deletes everything in the way of a file, as an agent would.
fn make_way(lab: &Lab, name: &str) {
    let mut at = String::new();
    for part in name.split('/') {
        at = if at.is_empty() { part.to_owned() } else { format!("{at}/{part}") };
        let meta = fs::symlink_metadata(lab.path(&at));
        if meta.is_ok_and(|meta| at == name || !meta.is_dir()) {
            lab.remove(&at);
        }
    }
    fs::create_dir_all(lab.path(name).parent().expect("a parent")).expect("created");
}

pub(crate) fn run(lab: &Lab, step: &Step) {
    let exists = |name: &str| fs::symlink_metadata(lab.path(name)).is_ok();
    match *step {
        Step::Write(name, byte, crlf) => {
            make_way(lab, NAMES[name]);
            lab.write(NAMES[name], format!("{byte}{}", if crlf { "\r\n" } else { "\n" }));
        }
        Step::Delete(name) if exists(NAMES[name]) => lab.remove(NAMES[name]),
        Step::Grow(name) => {
            make_way(lab, NAMES[name]);
            lab.write(NAMES[name], vec![b'g'; usize::try_from(CAP).expect("fits") + 1]);
        }
        Step::Link(name, to) => {
            make_way(lab, NAMES[name]);
            symlink(NAMES[to], lab.path(NAMES[name])).expect("linked");
        }
        Step::Exec(name, yes) if lab.path(NAMES[name]).is_file() && !lab.path(NAMES[name]).is_symlink() => {
            lab.executable(NAMES[name], yes);
        }
        Step::Rules(place, rules) => match RULES[rules] {
            Some(rules) => {
                make_way(lab, PLACES[place]);
                lab.write(PLACES[place], rules);
            }
            None if exists(PLACES[place]) => lab.remove(PLACES[place]),
            None => {}
        },
        Step::Nest(dir) => {
            let dir = lab.path(["d", "n"][dir]);
            if dir.is_dir() && !dir.is_symlink() && !dir.join(".git").exists() {
                Lab::git_in(&dir, &["init", "-q", "."]);
            }
        }
        Step::Unnest(dir) if exists(&format!("{}/.git", ["d", "n"][dir])) => {
            lab.remove(&format!("{}/.git", ["d", "n"][dir]));
        }
        // Git itself refuses some of these, for instance beside an unborn nested repository.
        Step::Stage => drop(lab.try_git(&["add", "-A"])),
        Step::StageByForce(name) => drop(lab.try_git(&["add", "-f", "--", NAMES[name]])),
        Step::Unstage => drop(lab.try_git(&["rm", "-rq", "--cached", "--ignore-unmatch", "."])),
        Step::Commit => drop(lab.try_git(&["commit", "-q", "--allow-empty", "-m", "c"])),
        _ => {}
    }
}

/// Returns the files on disk that a capture contains.
fn covered(lab: &Lab, snapshot: &Snapshot, files: &Files) -> Files {
    let listed = lab.kept_git(&["ls-tree", "-r", "-z", "--name-only", snapshot.tree.as_str()]);
    let names: BTreeSet<Vec<u8>> =
        listed.split('\0').filter(|name| !name.is_empty()).map(|name| name.as_bytes().to_vec()).collect();
    files.iter().filter(|(name, _)| names.contains(*name)).map(|(name, node)| (name.clone(), node.clone())).collect()
}

/// Runs the steps `before`, captures, runs the steps `after`, restores and undoes.
pub(crate) fn check(lab: &Lab, before: &[Step], after: &[Step]) {
    for step in before {
        run(lab, step);
    }
    check_from_here(lab, after);
}

/// Captures, runs the steps `after`, restores and undoes.
pub(crate) fn check_from_here(lab: &Lab, after: &[Step]) {
    let target = lab.capture_unseen();
    let first = lab.files();
    for step in after {
        run(lab, step);
    }
    let second = lab.files();

    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    let options = fuzzy_checkpoint::CaptureOptions {
        exempt: Some(target.tree.clone()),
        ..fuzzy_checkpoint::CaptureOptions::default()
    };
    let safety = locked.capture(&options).expect("a safety capture");
    lab.assert_gits_tree(&safety);
    let plan = locked.plan(&safety, &target, &[]).expect("a plan");
    if !plan.obstructed.is_empty() {
        assert!(locked.apply(&safety, &target, &plan).is_err(), "an obstruction is refused");
        assert_eq!(second, lab.files(), "a refused restore writes nothing");
        let saved = covered(lab, &safety, &second);
        for path in &plan.obstructed {
            assert!(
                !saved.contains_key(path.as_bytes()) || plan.kept.contains(path),
                "{path:?} is saved, so not in the way"
            );
        }
        return;
    }
    locked.apply(&safety, &target, &plan).expect("applied");
    drop(locked);
    after_restore(lab, &target, &safety, &plan, &first, &second);

    // The undo: restored files are captured, so it is never obstructed.
    let (again, undo, _) = lab.restore(&safety);
    assert!(
        undo.kept.iter().all(|path| unproved(&safety, path) || plan.kept.contains(path) || ignored_at(lab, path)),
        "{undo:?}"
    );
    let now = lab.files();
    for name in second.keys() {
        assert_eq!(second.get(name), now.get(name), "{:?} after the undo", String::from_utf8_lossy(name));
    }
    let _ = again;
}

fn after_restore(lab: &Lab, target: &Snapshot, safety: &Snapshot, plan: &Plan, first: &Files, second: &Files) {
    let now = lab.files();
    let (then, saved) = (covered(lab, target, first), covered(lab, safety, second));
    for (name, node) in &then {
        assert_eq!(Some(node), now.get(name), "{:?} was captured", String::from_utf8_lossy(name));
        assert!(matches!(lab.mode(name), None | Some(0o644 | 0o755)), "{:?}", String::from_utf8_lossy(name));
    }
    for (name, node) in second {
        let text = String::from_utf8_lossy(name);
        let path = fuzzy_checkpoint::RepoPath::new(name.clone());
        if now.get(name) != Some(node) {
            assert!(saved.contains_key(name), "{text:?} changed and is in no safety capture");
        }
        if !now.contains_key(name) {
            assert!(!first.contains_key(name), "{text:?} existed at the checkpoint and was deleted");
        }
        if plan.kept.contains(&path) {
            assert_eq!(Some(node), now.get(name), "{text:?} should have been kept");
        }
    }
    for name in now.keys() {
        assert!(
            then.contains_key(name) || second.contains_key(name),
            "{:?} is in neither state",
            String::from_utf8_lossy(name)
        );
    }
}

fn unproved(snapshot: &Snapshot, path: &fuzzy_checkpoint::RepoPath) -> bool {
    let not_captured = |left: &&fuzzy_checkpoint::Uncovered| {
        matches!(left.reason, Reason::NestedRepo | Reason::TooLarge | Reason::Unreadable)
    };
    snapshot.uncovered.iter().filter(not_captured).any(|left| path.is_within(&left.path))
}

fn ignored_at(lab: &Lab, path: &fuzzy_checkpoint::RepoPath) -> bool {
    lab.try_kept_git(&["check-ignore", "--no-index", "--", &format!("./{path}")]).starts_with("Some(0)")
}

/// Checks a property with random edits before and after a capture: `cases` times, or `FUZZY_CHECKPOINT_CASES` times,
/// with the seed `FUZZY_CHECKPOINT_SEED`.
pub(crate) fn with_edits(cases: u32, property: impl Fn(&[Step], &[Step]) + Sync) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    let cases = number("FUZZY_CHECKPOINT_CASES").unwrap_or(cases);
    let first = number("FUZZY_CHECKPOINT_SEED").unwrap_or(0);
    let (threads, property) = (2, &property);
    std::thread::scope(|scope| {
        for half in 0..threads {
            scope.spawn(move || {
                let config = Config { cases: cases / threads, failure_persistence: None, ..Config::default() };
                // With fixed seeds, failures are reproducible.
                let mut seed = [0; 32];
                seed[..8].copy_from_slice(&[first.to_le_bytes(), half.to_le_bytes()].concat());
                let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
                let outcome = TestRunner::new_with_rng(config, rng).run(&(steps(), steps()), |(before, after)| {
                    property(&before, &after);
                    Ok(())
                });
                outcome.unwrap_or_else(|error| panic!("{error}"));
            });
        }
    });
}

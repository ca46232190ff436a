//! A process is killed at any step of a write, or any step fails. A single file is old or new at once; a batch is
//! recovered by the next process.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fuzzy_edit::{Code, Editor, Fault, FileEdit, LineTransfer, NewPlace, Operation, Report, Root, inject, passed};

use crate::support::{self, Alone};

/// Every file below a directory with its executable bit and bytes, and every empty directory without.
type Tree = BTreeMap<PathBuf, Option<(bool, Vec<u8>)>>;

/// The names of the batches to interrupt.
const SCENARIOS: &[&str] = &["one", "create", "delete", "links", "batch", "modes", "swap", "transfer"];

fn edit(path: &str, old: &str, new: &str) -> Operation {
    FileEdit::new(Path::new(path), old, new).into()
}

fn mode(path: &str, executable: bool) -> Operation {
    Operation::Mode { path: path.into(), executable }
}

fn transfer(path: &str, lines: &str, to: NewPlace) -> Operation {
    FileEdit::new(Path::new(path), lines, "").with_transfer(LineTransfer::new(to, false)).into()
}

fn rename(from: &str, to: &str) -> Operation {
    Operation::Move { from: from.into(), to: to.into() }
}

fn operations(scenario: &str) -> Vec<Operation> {
    let create =
        |path: &str, text: &str| Operation::Create { path: path.into(), text: text.to_owned(), executable: None };
    match scenario {
        "one" => vec![edit("a", "one", "ONE, and longer")],
        "create" => vec![create("new/deep/file", "text\n")],
        "delete" => vec![Operation::Delete { path: "b".into(), text: None }],
        "links" => vec![edit("hard", "hard", "HARD"), edit("a", "one", "1")],
        "batch" => vec![
            edit("a", "one", "1"),
            edit("b", "two", "2 and more"),
            create("new/file", "new\n"),
            Operation::Delete { path: "c".into(), text: None },
            rename("d", "moved/d"),
            edit("moved/d", "four", "4"),
        ],
        "modes" => vec![mode("a", true), mode("hard", true), edit("d", "four", "4"), mode("b", true)],
        "swap" => vec![rename("a", "b"), rename("b", "c"), edit("c", "three", "3"), rename("c", "a"), mode("a", true)],
        "transfer" => vec![
            transfer("b", "two", NewPlace::after("a one").of_file("a")),
            transfer("d", "four", NewPlace::default().of_file("new/d")),
        ],
        _ => panic!("{scenario}"),
    }
}

/// A directory of files, and another directory for the state.
struct Place {
    directory: tempfile::TempDir,
    old: Tree,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let files = directory.path().join("files");
        fs::create_dir(&files).unwrap();
        for (name, text) in
            [("a", "a one\r\n"), ("b", "two\nb\n"), ("c", "three\u{fe}"), ("d", "four"), ("hard", "hard\n")]
        {
            fs::write(files.join(name), text).unwrap();
        }
        support::set_mode(&files.join("c"), 0o750);
        fs::hard_link(files.join("hard"), files.join("link")).unwrap();
        let mut place = Self { directory, old: Tree::new() };
        place.old = place.tree();
        place
    }

    fn files(&self) -> PathBuf {
        self.directory.path().join("files")
    }

    /// Returns the directory of the files as reports name it.
    fn real(&self) -> PathBuf {
        Root::open(&self.files()).unwrap().path().to_owned()
    }

    fn tree(&self) -> Tree {
        fn add(root: &Path, below: &Path, tree: &mut Tree) {
            let mut is_empty = true;
            for entry in fs::read_dir(root.join(below)).unwrap() {
                is_empty = false;
                let path = below.join(entry.unwrap().file_name());
                if root.join(&path).is_dir() {
                    add(root, &path, tree);
                } else {
                    let can_run = support::can_run(&root.join(&path));
                    tree.insert(path.clone(), Some((can_run, fs::read(root.join(&path)).unwrap())));
                }
            }
            // An undo may leave an empty directory on Windows.
            if is_empty && cfg!(not(windows)) {
                tree.insert(below.to_owned(), None);
            }
        }
        let mut tree = Tree::new();
        add(&self.files(), Path::new(""), &mut tree);
        tree
    }

    fn editor(&self) -> Editor {
        editor(self.directory.path())
    }

    /// Runs a scenario in a child process that is killed at a step; returns whether it was killed.
    fn killed(&self, scenario: &str, step: usize, can_exchange: bool) -> bool {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "crashes::child", "--quiet"]).env("CRASH_IN", self.directory.path());
        child.env("CRASH_SCENARIO", scenario).env("CRASH_AT", step.to_string());
        child.env("CRASH_EXCHANGE", can_exchange.to_string());
        let output = child.output().unwrap();
        assert!(output.status.success() || support::was_killed(output.status), "{output:?}");
        !output.status.success()
    }

    /// Checks that no temporary file and no journal remains.
    fn assert_clean(&self) {
        let is_ours = |path: &PathBuf| path.to_string_lossy().contains(".fuzzy-edit-");
        assert_eq!(self.tree().keys().find(|path| is_ours(path)), None);
        // The lock file of a killed process may remain; it locks nothing.
        let mut pending = fs::read_dir(self.directory.path().join("state/pending")).unwrap();
        assert!(pending.next().is_none());
    }
}

fn editor(directory: &Path) -> Editor {
    let root = Root::open(&directory.join("files")).unwrap();
    support::editor_with(&directory.join("state")).on(|workspace| workspace.within(root).allowing_in_place())
}

/// Not a test: the process that the other tests start and kill.
#[test]
fn child() {
    let Ok(directory) = std::env::var("CRASH_IN") else { return };
    let variable = |name: &str| std::env::var(name).unwrap();
    inject(Fault::KillAt(variable("CRASH_AT").parse().unwrap()), variable("CRASH_EXCHANGE").parse().unwrap());
    let scenario = variable("CRASH_SCENARIO");
    let editor = editor(Path::new(&directory));
    match scenario.as_str() {
        "recover" => {
            editor.workspace().recover();
        }
        "undo" => {
            editor.workspace().undo().unwrap();
        }
        _ => assert!(is_done(&editor.applied(&operations(&scenario)))),
    }
}

fn is_done(reports: &[Report]) -> bool {
    reports.iter().all(|report| matches!(report, Report::Success(_)))
}

/// Returns the result of a scenario and its number of steps.
fn outcome(scenario: &str, can_exchange: bool) -> (Tree, usize) {
    let place = Place::new();
    inject(Fault::None, can_exchange);
    assert!(is_done(&place.editor().applied(&operations(scenario))));
    let steps = passed();
    inject(Fault::None, true);
    place.assert_clean();
    (place.tree(), steps)
}

/// The distance between tested steps: 1 in a long run, `few` otherwise.
fn stride(few: usize) -> usize {
    if std::env::var_os("FUZZY_EDIT_CRASHES").is_some() { 1 } else { few }
}

/// Checks that each path has its old or its new content at any time.
fn assert_each_old_or_new(place: &Place, new: &Tree, scenario: &str) {
    for (path, now) in place.tree() {
        let is_visible = now.is_some() && !path.to_string_lossy().contains(".fuzzy-edit-");
        // A file that is written in place is not replaced atomically.
        if is_visible && !matches!(scenario, "links" | "modes") {
            let known = [place.old.get(&path), new.get(&path)];
            assert!(known.contains(&Some(&now)), "{}", path.display());
        }
    }
}

#[test]
fn killed_at_every_step() {
    let mut kills = 0;
    for (scenario, can_exchange) in SCENARIOS.iter().flat_map(|it| [(*it, true), (*it, false)]) {
        let (new, steps) = outcome(scenario, can_exchange);
        let is_short = !can_exchange && scenario == "batch";
        for step in (0..steps).step_by(if is_short { stride(4) } else { 1 }) {
            let place = Place::new();
            assert!(place.killed(scenario, step, can_exchange), "{scenario} {step}");
            kills += 1;
            assert_each_old_or_new(&place, &new, scenario);
            let recovered = place.editor().workspace().recover();
            let now = place.tree();
            let left = recovered.iter().any(|recovered| !recovered.left.is_empty());
            if left {
                // The write in place was incomplete.
                assert_eq!(scenario, "links", "{recovered:?}");
                continue;
            }
            assert!(now == place.old || now == new, "{scenario} {step} {can_exchange}: {recovered:?} {now:?}");
            assert!(recovered.iter().all(|recovered| recovered.finished == (now == new)));
            place.assert_clean();
            // Nothing is left to recover, and the files can be edited.
            assert_eq!(place.editor().workspace().recover(), []);
            if now == place.old {
                assert!(is_done(&place.editor().applied(&operations(scenario))));
                assert_eq!(place.tree(), new);
            }
            assert!(place.editor().workspace().undo().is_ok());
            assert_eq!(place.tree(), place.old, "{scenario} {step}");
        }
        assert!(!Place::new().killed(scenario, steps, can_exchange));
    }
    println!("{kills} processes were killed");
}

#[test]
fn killed_again_while_recovering() {
    let (new, steps) = outcome("batch", true);
    for step in (0..steps).step_by(stride(6)) {
        for again in (0..).step_by(stride(7)) {
            let place = Place::new();
            assert!(place.killed("batch", step, true));
            let was_killed = place.killed("recover", again, true);
            assert_each_old_or_new(&place, &new, "batch");
            place.editor().workspace().recover();
            let now = place.tree();
            assert!(now == place.old || now == new, "{step} {again}: {now:?}");
            place.assert_clean();
            if !was_killed {
                break;
            }
        }
    }
}

#[test]
fn killed_while_undoing() {
    for scenario in ["batch", "modes", "swap"] {
        let (new, _) = outcome(scenario, true);
        for step in (0..).step_by(stride(2)) {
            let place = Place::new();
            assert!(is_done(&place.editor().applied(&operations(scenario))));
            let was_killed = place.killed("undo", step, true);
            assert_each_old_or_new(&place, &new, scenario);
            place.editor().workspace().recover();
            let now = place.tree();
            assert!(now == place.old || now == new, "{scenario} {step}: {now:?}");
            place.assert_clean();
            // A batch that was not undone can be undone; an undone one is forgotten.
            assert_eq!(place.editor().workspace().undo().is_ok(), now == new, "{scenario} {step}");
            assert_eq!(place.tree(), place.old);
            if !was_killed {
                break;
            }
        }
    }
}

#[test]
fn killed_while_undoing_a_mode_that_someone_took_back_already() {
    for step in 0.. {
        let place = Place::new();
        assert!(is_done(&place.editor().applied(&operations("modes"))));
        support::set_mode(&place.files().join("a"), 0o644);
        let was_killed = place.killed("undo", step, true);
        place.editor().workspace().recover();
        let a = (false, b"a one\r\n".to_vec());
        assert_eq!(place.tree().remove(Path::new("a")), Some(Some(a)), "{step}");
        let _ = place.editor().workspace().undo();
        assert_eq!(place.tree(), place.old, "{step}");
        if !was_killed {
            break;
        }
    }
}

#[test]
fn writes_after_the_crash_are_kept() {
    let (new, steps) = outcome("batch", true);
    for step in (0..steps).step_by(stride(3)) {
        let place = Place::new();
        assert!(place.killed("batch", step, true));
        fs::write(place.files().join("b"), "theirs").unwrap();
        let recovered = place.editor().workspace().recover();
        let mut now = place.tree();
        now.retain(|path, _| !path.to_string_lossy().contains(".fuzzy-edit-"));
        assert_eq!(now.remove(Path::new("b")), Some(Some((false, b"theirs".to_vec()))));
        let without_b =
            |tree: &Tree| tree.iter().filter(|(path, _)| **path != *"b").map(|(a, b)| (a.clone(), b.clone())).collect();
        let (old, new): (Tree, Tree) = (without_b(&place.old), without_b(&new));
        assert!(now == old || now == new, "{step}: {now:?}");
        for recovered in recovered {
            assert_eq!(recovered.left, [place.real().join("b")]);
        }
        assert_eq!(place.editor().workspace().recover(), []);
    }
}

/// A killed process leaves a temporary file, which the next start removes. A leftover that cannot be removed is
/// reported each time.
#[test]
fn a_leftover_is_reported_until_it_can_be_removed() {
    let (_, steps) = outcome("one", true);
    let beside = |place: &Place| place.tree().into_keys().find(|path| path.to_string_lossy().contains(".fuzzy-edit-"));
    let (place, left) = (0..steps)
        .find_map(|step| {
            let place = Place::new();
            assert!(place.killed("one", step, true));
            let left = beside(&place)?;
            Some((place, left))
        })
        .expect("a step between the making of the file and its end");
    let path = place.real().join(&left);
    // A directory that is not empty cannot be removed.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("x"), "").unwrap();
    for _ in 0..2 {
        let recovered = place.editor().workspace().recover();
        assert_eq!(recovered.iter().flat_map(|it| &it.leftovers).collect::<Vec<_>>(), [&path]);
    }
    fs::remove_dir_all(&path).unwrap();
    fs::write(&path, "a ONE").unwrap();
    place.editor().workspace().recover();
    assert_eq!(beside(&place), None);
    place.assert_clean();
}

#[test]
fn every_step_may_fail() {
    for (scenario, can_exchange) in SCENARIOS.iter().flat_map(|it| [(*it, true), (*it, false)]) {
        let (new, steps) = outcome(scenario, can_exchange);
        for step in 0..steps {
            let place = Place::new();
            let editor = place.editor();
            inject(Fault::FailAt(step), can_exchange);
            let reports = editor.applied(&operations(scenario));
            inject(Fault::None, true);
            let expected = if is_done(&reports) { &new } else { &place.old };
            assert_eq!(&place.tree(), expected, "{scenario} {step} {can_exchange}");
            place.assert_clean();
            for report in reports {
                assert!(!matches!(report, Report::Failure(failure) if failure.code != Code::Io));
            }
        }
    }
}

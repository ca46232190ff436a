//! Random sequences of turns, checkpoints, restores, undos, redos, prunings, copies and moves, compared with a model.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, Operations};
use fuzzy_checkpoint_store::{CheckpointId, Kind, ListFilter, RestoreOptions, Retention, SessionId};

use crate::support::{Place, bodies, turn};

/// The state that a user sees: files; messages by their places; checkpoints of turns, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct View {
    files: Files,
    messages: Vec<(usize, String)>,
    visible: Vec<(usize, CheckpointId)>,
}

/// The expected state. A mark is a state with the number of messages and of checkpoints up to it.
#[derive(Default)]
struct Model {
    now: View,
    marks: BTreeMap<CheckpointId, (View, usize, usize)>,
    undo: Vec<Operation>,
    redo: Vec<Operation>,
}

/// The files that an undo or a redo expects, and the state that it leaves then. A merge keeps other changes.
#[derive(Clone)]
struct Operation(Files, View);

type Files = BTreeMap<PathBuf, Vec<u8>>;

impl Model {
    fn restore(&mut self, id: &CheckpointId) {
        let (then, messages, visible) = &self.marks[id];
        self.undo.push(Operation(then.files.clone(), self.now.clone()));
        self.redo.clear();
        self.now.files = then.files.clone();
        self.now.messages.retain(|(place, _)| place <= messages);
        self.now.visible.retain(|(place, _)| place <= visible);
    }

    fn undo(&mut self) -> Option<()> {
        let Operation(_, then) = self.undo.pop()?;
        self.redo.push(Operation(then.files.clone(), std::mem::replace(&mut self.now, then)));
        Some(())
    }

    fn redo(&mut self) -> Option<()> {
        let Operation(_, then) = self.redo.pop()?;
        self.undo.push(Operation(then.files.clone(), std::mem::replace(&mut self.now, then)));
        Some(())
    }
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("it fits") % limit
    }
}

/// A session under test.
struct Trial {
    _dir: tempfile::TempDir,
    place: Place,
    root: PathBuf,
    service: Checkpointer,
    session: SessionId,
    random: Random,
    model: Model,
    /// The number of messages, and of checkpoints other than those of restores.
    places: (usize, usize),
    copies: usize,
}

const NAMES: [&str; 6] = ["a.txt", "b.txt", "dir/b.txt", "dir/new.txt", "new/deep/c.txt", "note.md"];

impl Trial {
    fn new(seed: u64) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let place = Place::new(dir.path());
        let (root, service) = (place.root(), place.service());
        let session = service.create_session(&root, "t").expect("created");
        let random = Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let model = Model { now: View { files: files(&root), ..View::default() }, ..Model::default() };
        Self { _dir: dir, place, root, service, session, random, model, places: (0, 0), copies: 0 }
    }

    fn edit(&mut self) {
        for _ in 0..=self.random.below(3) {
            let path = self.root.join(NAMES[self.random.below(NAMES.len())]);
            if self.random.below(4) == 0 {
                let _ = fs::remove_file(path);
            } else {
                fs::create_dir_all(path.parent().expect("a parent")).expect("created");
                fs::write(path, format!("{}\n", self.random.below(1000))).expect("written");
            }
        }
        self.model.now.files = files(&self.root);
    }

    fn mark(&mut self, id: CheckpointId, messages: usize, files: Files, kind: Kind) {
        self.places.1 += 1;
        if kind != Kind::Manual {
            self.model.now.visible.push((self.places.1, id.clone()));
        }
        let then = View { files, ..View::default() };
        self.model.marks.insert(id, (then, messages, self.places.1));
    }

    fn turn(&mut self) {
        let before = files(&self.root);
        let prompt = format!("prompt {}", self.places.0);
        let (service, session) = (self.place.service(), self.session.clone());
        let done = turn(&service, &session, &prompt, || self.edit());
        self.places.0 += 1;
        let anchor = self.places.0;
        self.model.now.messages.push((anchor, prompt));
        self.mark(done.checkpoint.expect("taken").checkpoint.id, anchor, before, Kind::Turn);
        self.places.0 += 1;
        self.model.now.messages.push((self.places.0, "done".to_owned()));
        let end = service.list(&session, ListFilter::default()).expect("listed");
        let end = end.into_iter().rfind(|row| row.kind == Kind::End).expect("taken").id;
        let after = files(&self.root);
        self.mark(end, self.places.0, after, Kind::End);
        self.model.undo.clear();
        self.model.redo.clear();
    }

    fn step(&mut self) -> String {
        match self.random.below(10) {
            0 | 1 => {
                self.turn();
                "turn".to_owned()
            }
            2 | 3 => {
                self.edit();
                let taken = self.service.create(&self.session, &CreateOptions::default()).expect("taken").checkpoint.id;
                self.mark(taken, self.places.0, self.model.now.files.clone(), Kind::Manual);
                "create".to_owned()
            }
            4 | 5 => {
                let visible = self.service.list(&self.session, ListFilter::default()).expect("listed");
                let marks: Vec<_> = visible.into_iter().filter(|row| !row.kind.is_of_restore()).collect();
                if marks.is_empty() {
                    return "nothing".to_owned();
                }
                let id = marks[self.random.below(marks.len())].id.clone();
                self.service.restore(&self.session, &id, RestoreOptions::default(), None).expect("restored");
                self.model.restore(&id);
                format!("restore {id}")
            }
            6 => {
                let Some(Operation(expected, _)) = self.model.undo.last().cloned() else {
                    return "nothing to undo".to_owned();
                };
                self.before_changes(expected);
                let newest = self.operations().to_undo().expect("one").id.clone();
                self.service.undo(&newest.as_str().into(), None).expect("undone");
                self.model.undo().expect("it was done");
                "undo".to_owned()
            }
            7 => {
                let Some(Operation(expected, _)) = self.model.redo.last().cloned() else {
                    return "nothing to redo".to_owned();
                };
                self.before_changes(expected);
                let operations = self.operations();
                let (newest, since) = operations.to_redo().expect("one");
                assert_eq!(since, None, "nothing was written since");
                self.service.undo(&newest.id.as_str().into(), None).expect("done again");
                self.model.redo().expect("it was undone");
                "redo".to_owned()
            }
            8 => {
                let report = self.service.prune(&Retention::default(), None).expect("pruned");
                assert!(report.pruned.is_empty() && report.unreachable.is_empty(), "all is young: {report:?}");
                "prune".to_owned()
            }
            _ => self.elsewhere(),
        }
    }

    fn operations(&self) -> Operations {
        let worktree = self.service.session(&self.session).expect("read").worktree_id;
        self.service.operations(&worktree, &[]).expect("listed")
    }

    /// Gives the files the state that the next operation expects.
    fn before_changes(&mut self, expected: Files) {
        for path in self.model.now.files.keys().filter(|path| !expected.contains_key(*path)) {
            fs::remove_file(self.root.join(path)).expect("removed");
        }
        for (path, bytes) in &expected {
            let path = self.root.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, bytes).expect("written");
        }
        self.model.now.files = expected;
    }

    /// Copies the worktree and changes the copy, or moves the worktree.
    fn elsewhere(&mut self) -> String {
        self.copies += 1;
        let other = self.place.0.join(format!("other-{}", self.copies));
        if self.random.below(2) == 0 {
            fs::rename(&self.root, &other).expect("renamed");
            self.root = other;
            assert_eq!(self.service.find_session(&self.root, "t").expect("followed").as_ref(), Some(&self.session));
            self.model.now.files = files(&self.root);
            return "move".to_owned();
        }
        assert!(Command::new("cp").arg("-a").args([&self.root, &other]).status().expect("cp runs").success());
        assert_eq!(self.service.find_session(&other, "t").expect("answered"), None, "the copy is another worktree");
        let session = self.service.create_session(&other, "copy").expect("created");
        let taken = self.service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
        fs::write(other.join("a.txt"), "spoilt\n").expect("written");
        self.service.restore(&session, &taken, RestoreOptions::default(), None).expect("restored");
        assert_eq!(files(&other), self.model.now.files, "the copy");
        "copy".to_owned()
    }

    fn check(&self) {
        let visible = self.service.list(&self.session, ListFilter::default()).expect("listed");
        let visible: Vec<_> = visible.into_iter().filter(|row| matches!(row.kind, Kind::Turn | Kind::End)).collect();
        let expected = &self.model.now;
        assert_eq!(files(&self.root), expected.files, "files");
        assert!(
            bodies(&self.service, &self.session).iter().eq(expected.messages.iter().map(|(_, text)| text)),
            "messages"
        );
        assert!(visible.iter().map(|row| &row.id).eq(expected.visible.iter().map(|(_, id)| id)), "checkpoints");
    }
}

/// Returns the files of a worktree, by their paths below its root.
fn files(root: &Path) -> Files {
    let (mut found, mut dirs) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).expect("a directory").flatten() {
            let path = entry.path();
            if !path.is_dir() {
                let name = path.strip_prefix(root).expect("below").to_owned();
                found.insert(name, fs::read(&path).expect("readable"));
            } else if !path.ends_with(".git") {
                dirs.push(path);
            }
        }
    }
    found
}

/// Runs 30 or `FUZZY_CHECKPOINT_SEQUENCES` sequences, starting with the seed `FUZZY_CHECKPOINT_SEED`.
#[test]
fn random_sequences_do_what_the_model_does() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = number("FUZZY_CHECKPOINT_SEQUENCES").unwrap_or(30);
    let first = number("FUZZY_CHECKPOINT_SEED").unwrap_or(0);
    std::thread::scope(|scope| {
        for part in 0..2 {
            scope.spawn(move || {
                for seed in (first..first + count).filter(|seed| seed % 2 == part) {
                    let mut done = Vec::new();
                    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                        let mut trial = Trial::new(seed);
                        for _ in 0..10 {
                            done.push(trial.step());
                            trial.check();
                        }
                    }));
                    assert!(outcome.is_ok(), "seed {seed} after {done:?}");
                }
            });
        }
    });
}

//! Tests for every system: batches and changesets without links and modes.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Instant;

use fuzzy_safe_write::{
    Batch, Change, Changeset, Done, Durability, Error, Expected, Fault, Locks, Mode, Root, State, Step, Wanted, hold,
    inject, meanwhile, passed, recover,
};

/// A directory of files, and another directory for the state.
pub(crate) struct Files {
    directory: PathBuf,
    pub(crate) root: Root,
    /// Removes the directory on drop.
    _removes: Option<tempfile::TempDir>,
}

impl Files {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path().join("files");
        fs::create_dir(&top).unwrap();
        for (path, text) in files {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { root: Root::open(&top).unwrap(), directory: directory.path().to_owned(), _removes: Some(directory) }
    }

    pub(crate) fn state(&self) -> State {
        State::at(self.directory.join("state"))
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.directory.join("files").join(below)
    }

    /// Returns the names and texts of all files below the root, sorted.
    pub(crate) fn all(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        add(&self.path(""), "", &mut all);
        all.sort();
        all
    }

    /// Returns the step that changes one file.
    pub(crate) fn step(&self, path: &str, before: Option<&'static str>, after: Option<&'static str>) -> Step<'static> {
        let bytes = |text: Option<&'static str>| text.map(|text| Cow::Borrowed(text.as_bytes()));
        Step {
            path: path.into(),
            place: self.root.place(path.as_ref()).unwrap(),
            before: bytes(before),
            after: bytes(after),
            attributes: None,
            mode: Mode::Any,
            directories: 0,
        }
    }

    pub(crate) fn write(&self, steps: &[Step<'_>]) -> Result<(), Error> {
        Batch::new(steps, false).write(&self.state(), self.root.path(), None).map(drop).map_err(|(_, error)| error)
    }

    /// Changes one file, creates one in missing directories, and deletes one.
    fn three(&self) -> [Step<'static>; 3] {
        [
            self.step("a", Some("old a"), Some("new a")),
            self.step("d/e/b", None, Some("new b")),
            self.step("c", Some("old c"), None),
        ]
    }
}

const BEFORE: &[(&str, &str)] = &[("a", "old a"), ("c", "old c")];
const AFTER: &[(&str, &str)] = &[("a", "new a"), ("d/e/b", "new b")];

fn add(directory: &Path, above: &str, all: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{above}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            add(&entry.path(), &format!("{name}/"), all);
        } else {
            all.push((name, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

pub(crate) fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_batch_is_written_and_undone() {
    let files = Files::new(BEFORE);
    files.write(&files.three()).unwrap();
    assert_eq!(files.all(), owned(AFTER));

    let done = Done::newest(&files.state(), None, |_, _| true).unwrap().unwrap();
    let steps = done.record().steps(&|_, _, _| None).map_err(|(_, error)| error).unwrap();
    let undo = Batch::new(&steps, false).write(&files.state(), files.root.path(), Some(done.id().to_owned()));
    undo.map_err(|(_, error)| error).unwrap();
    drop(done);
    assert_eq!(files.all(), owned(BEFORE));
    // Some file systems of Windows do not remove an open directory, which is harmless.
    assert!(cfg!(windows) || !files.path("d").exists(), "the directories go with the file that they were made for");
    assert!(Done::newest(&files.state(), None, |_, _| true).unwrap().is_none());
}

#[test]
fn a_batch_that_fails_at_any_step_is_all_or_nothing() {
    for can_exchange in [true, false] {
        let files = Files::new(BEFORE);
        inject(Fault::None, can_exchange);
        files.write(&files.three()).unwrap();
        let steps = passed();
        assert!(steps > 10, "{steps}");
        for step in 0..steps {
            let files = Files::new(BEFORE);
            inject(Fault::FailAt(step), can_exchange);
            let written = files.write(&files.three());
            inject(Fault::None, can_exchange);
            assert_eq!(files.all(), owned(if written.is_ok() { AFTER } else { BEFORE }), "step {step}: {written:?}");
        }
    }
}

/// Not a test: the process that the next test starts and kills.
#[test]
fn child() {
    let Some(directory) = std::env::var_os("BATCH_IN") else { return };
    let directory = PathBuf::from(directory);
    let files = Files { root: Root::open(&directory.join("files")).unwrap(), directory, _removes: None };
    let step = std::env::var("BATCH_AT").unwrap().parse().unwrap();
    inject(Fault::KillAt(step), true);
    files.write(&files.three()).unwrap();
}

#[test]
fn a_batch_that_is_killed_at_any_step_is_recovered() {
    for step in 0.. {
        let files = Files::new(BEFORE);
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "everywhere::child"])
            .env("BATCH_IN", &files.directory)
            .env("BATCH_AT", step.to_string());
        let was_killed = !child.stdout(Stdio::null()).status().unwrap().success();
        recover(&files.state());
        let now = files.all();
        assert!(now == owned(BEFORE) || now == owned(AFTER), "step {step}: {now:?}");
        if !was_killed {
            assert!(step > 10, "{step}");
            break;
        }
    }
}

/// Another program opens the file at any step and writes to it. Expects an error there, or its text in the file.
#[test]
fn a_save_in_place_fails_or_is_kept() {
    inject(Fault::None, true);
    let counted = Files::new(BEFORE);
    counted.write(&counted.three()).unwrap();
    let mut saves = 0;
    for at in 0..passed() {
        let files = Files::new(BEFORE);
        let (path, is_kept) = (files.path("a"), Rc::new(RefCell::new(false)));
        let flag = Rc::clone(&is_kept);
        meanwhile(Some(Box::new(move |step| {
            if step == at {
                *flag.borrow_mut() = fs::write(&path, "theirs").is_ok();
            }
        })));
        inject(Fault::None, true);
        let written = files.write(&files.three());
        meanwhile(None);
        if *is_kept.borrow() {
            saves += 1;
            assert_eq!(fs::read_to_string(files.path("a")).unwrap(), "theirs", "step {at}: {written:?}");
        } else {
            written.unwrap();
        }
    }
    assert!(saves > 5, "{saves}");
}

#[test]
fn a_changeset_is_finished_or_aborted_from_any_step() {
    let change = |path: &str, before: Option<&str>, after: bool| Change {
        path: path.into(),
        before: before.map(|text| Expected::file(text.as_bytes(), Mode::Any)),
        after: after.then_some(Wanted::File(Mode::Any)),
        prune: usize::MAX,
    };
    let changes = [
        change("a", Some("old a"), true),
        change("c", Some("old c"), false),
        change("d/e/b", None, true),
        // A directory becomes a file.
        change("f/g", Some("old g"), false),
        change("f", None, true),
    ];
    let texts = ["new a", "", "new b", "", "new f"];
    let before = [("a", "old a"), ("c", "old c"), ("f/g", "old g")];
    let after = [("a", "new a"), ("d/e/b", "new b"), ("f", "new f")];
    let whole = |files: &Files| {
        let load = |index: usize| Ok(texts[index].as_bytes().to_vec());
        let mut changeset = Changeset::begin(&files.root, &files.state(), &changes, Durability::PowerLoss, load)?;
        assert_eq!(changeset.apply()?.changed, Vec::<PathBuf>::new());
        changeset.finish().map(drop)
    };
    for can_exchange in [true, false] {
        let files = Files::new(&before);
        inject(Fault::None, can_exchange);
        whole(&files).unwrap();
        assert_eq!(files.all(), owned(&after));
        for step in 0..passed() {
            for back in [false, true] {
                let files = Files::new(&before);
                inject(Fault::StopAt(step), can_exchange);
                let _ = whole(&files);
                inject(Fault::None, can_exchange);
                for changeset in Changeset::interrupted(&files.root, &files.state()).unwrap() {
                    if back { changeset.abort() } else { changeset.finish() }.unwrap();
                }
                let now = files.all();
                assert!(now == owned(&before) || now == owned(&after), "step {step}, back {back}: {now:?}");
            }
        }
    }
}

#[test]
fn no_path_leaves_the_root() {
    let files = Files::new(&[("d/a", "text")]);
    for path in ["../a", "d/../../a", ".git/config", "d/GIT~1/x"] {
        let refused = files.root.place(path.as_ref());
        assert!(matches!(refused, Err(Error::OutsideRoot { .. })), "{path}: {refused:?}");
    }
    assert!(files.root.place(&files.path("d/a")).unwrap().is_file());
    assert!(matches!(files.root.place("d".as_ref()).map(|place| place.is_file()), Ok(false)));
}

#[test]
fn a_lock_excludes_other_holders() {
    let files = Files::new(BEFORE);
    let target = files.root.place("a".as_ref()).unwrap().target().to_owned();
    let take = || {
        let mut locks = Locks::default();
        locks.take(&files.state(), [&*target], Some(Instant::now()), || Ok::<(), Error>(())).map(|()| locks)
    };
    let held = hold(&files.state(), &target).unwrap();
    assert!(matches!(take(), Err((_, Error::Busy { .. }))));
    drop(held);
    let first = take().unwrap();
    assert!(matches!(take(), Err((_, Error::Busy { .. }))));
    drop(first);
    take().unwrap();
}

//! Changesets: rejections before the first write, concurrent saves, and limits.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use fuzzy_safe_write::{
    Change, Changeset, Durability, Error, Expected, Fault, Mode, Outcome, Wanted, inject, meanwhile, passed,
};

use crate::support::{self, Goals, Node, Place, Tree, expected, file, goal, goals, tree};

fn changed(paths: &[&str]) -> Outcome {
    Outcome { changed: paths.iter().map(PathBuf::from).collect(), ..Outcome::default() }
}

/// A changed file, a deleted file, a new file and a link.
fn usual() -> (Tree, Goals) {
    let old = tree(&[("a", file("a old", 0o644)), ("d/b", file("b old", 0o755)), ("l", Node::Link("a".to_owned()))]);
    let new = goals(&[
        ("a", goal("a new", Mode::Any)),
        ("l", support::Goal::Link("d".to_owned())),
        ("n/c", goal("c new", Mode::Exactly(0o600))),
    ]);
    (old, new)
}

#[test]
fn every_path_that_changed_is_named_before_anything_is_written() {
    let (old, new) = usual();
    let place = Place::new(&old);
    fs::write(place.path("a"), "a theirs").unwrap();
    fs::remove_file(place.path("l")).unwrap();
    symlink("elsewhere", place.path("l")).unwrap();
    fs::create_dir(place.path("n")).unwrap();
    fs::write(place.path("n/c"), "c theirs").unwrap();
    let theirs = place.tree();
    match place.begin(&old, &new) {
        Err(Error::Changed { paths }) => assert_eq!(paths, ["a", "l", "n/c"].map(PathBuf::from)),
        other => panic!("{other:?}"),
    }
    assert_eq!(place.tree(), theirs);
    place.assert_clean();
}

#[test]
fn a_dropped_changeset_is_found_while_other_threads_start_processes() {
    let (old, new) = usual();
    let place = Place::new(&old);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    Command::new("true").status().unwrap();
                }
            });
        }
        let lost = (0..20).filter(|_| {
            drop(place.begin(&old, &new).unwrap());
            let found = Changeset::interrupted(&place.root, &place.state()).unwrap();
            let count = found.len();
            for changeset in found {
                assert_eq!(changeset.abort().unwrap(), Outcome::default());
            }
            count != 1
        });
        let lost = lost.count();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(lost, 0);
    });
    assert_eq!(place.tree(), old);
    place.assert_clean();
}

#[test]
fn a_changed_mode_is_a_change() {
    let old = tree(&[("a", file("text", 0o644))]);
    for (expected, seen) in [
        (Mode::Any, 0o600),
        (Mode::Executable(false), 0o600),
        (Mode::Executable(true), 0o700),
        (Mode::Exactly(0o644), 0o644),
    ] {
        for mode in [0o600, 0o644, 0o700] {
            let place = Place::new(&old);
            fs::set_permissions(place.path("a"), Permissions::from_mode(mode)).unwrap();
            let change =
                Change { path: "a".into(), before: Some(Expected::file(b"text", expected)), after: None, prune: 0 };
            let load = |_| Err(io::ErrorKind::Other.into());
            let begun = Changeset::begin(&place.root, &place.state(), &[change], Durability::Kill, load);
            let fits = match expected {
                Mode::Any => true,
                Mode::Executable(_) => (mode & 0o100) == (seen & 0o100),
                Mode::Exactly(_) => mode == seen,
            };
            assert_eq!(begun.is_ok(), fits, "{expected:?} {mode:o}");
        }
    }
}

#[test]
fn only_an_existing_expected_file_is_deleted() {
    let old = tree(&[("d/a", file("a", 0o644)), ("d/b", file("b", 0o644))]);
    let place = Place::new(&old);
    let mut changeset = place.begin(&old, &Goals::new()).unwrap();
    fs::write(place.path("d/b"), "theirs").unwrap();
    assert_eq!(changeset.apply().unwrap(), changed(&["d/b"]));
    assert_eq!(changeset.finish().unwrap(), changed(&["d/b"]));
    assert_eq!(fs::read(place.path("d/b")).unwrap(), b"theirs");
    assert!(!place.path("d/a").exists());
    place.assert_clean();
}

#[test]
fn a_save_to_the_old_file_is_found_before_the_end() {
    for is_finished in [true, false] {
        let (old, new) = usual();
        let place = Place::new(&old);
        let mut changeset = place.begin(&old, &new).unwrap();
        let mut open = ["a", "d/b"].map(|path| OpenOptions::new().append(true).open(place.path(path)).unwrap());
        assert_eq!(changeset.apply().unwrap(), Outcome::default());
        for file in &mut open {
            file.write_all(b" and theirs").unwrap();
        }
        let outcome = if is_finished { changeset.finish() } else { changeset.abort() };
        assert_eq!(outcome.unwrap(), changed(&["a", "d/b"]));
        assert_eq!(fs::read(place.path("a")).unwrap(), b"a old and theirs");
        assert_eq!(fs::read(place.path("d/b")).unwrap(), b"b old and theirs");
        place.assert_clean();
    }
}

/// Another program saves twice, at any two steps. Expects its last text at the path; its earlier text remains beside
/// the path only if the changeset had moved it there already.
#[test]
fn two_saves_of_one_path_leave_the_last_one() {
    let old = tree(&[("a", file("old", 0o644))]);
    let new = goals(&[("a", goal("new", Mode::Any))]);
    let (mut besides, mut steps) = (0, 0);
    for can_exchange in [true, false] {
        for (first, second) in (0..18).flat_map(|first| (first + 1..18).map(move |second| (first, second))) {
            let place = Place::new(&old);
            let mut changeset = place.begin(&old, &new).unwrap();
            let path = place.path("a");
            inject(Fault::None, can_exchange);
            meanwhile(Some(Box::new(move |step| {
                if step == first || step == second {
                    let beside = path.with_file_name(".theirs");
                    fs::write(&beside, if step == first { "first" } else { "second" }).unwrap();
                    fs::rename(&beside, &path).unwrap();
                }
            })));
            changeset.apply().unwrap();
            let outcome = changeset.finish().unwrap();
            meanwhile(None);
            steps = steps.max(passed());
            let saved = match passed() {
                passed if passed <= first => "new",
                passed if passed <= second => "first",
                _ => "second",
            };
            assert_eq!(fs::read_to_string(place.path("a")).unwrap(), saved, "{first} {second} {outcome:?}");
            for beside in &outcome.beside {
                besides += 1;
                assert_eq!(fs::read_to_string(place.path(beside)).unwrap(), "first");
                fs::remove_file(place.path(beside)).unwrap();
            }
            place.assert_clean();
        }
    }
    assert!(besides > 0);
    assert!(steps <= 18, "every step has its turn: {steps}");
}

/// A dropped changeset that has changed a path is found again, and can be finished or aborted.
#[test]
fn a_dropped_changeset_is_found_again() {
    for is_finished in [true, false] {
        let (old, new) = usual();
        let place = Place::new(&old);
        let mut changeset = place.begin(&old, &new).unwrap();
        fs::write(place.path("a"), "a theirs").unwrap();
        assert_eq!(changeset.apply().unwrap(), changed(&["a"]));
        assert!(place.interrupted().is_empty(), "its process is there");
        drop(changeset);
        let mut found = place.interrupted();
        let changeset = found.pop().unwrap();
        let outcome = if is_finished { changeset.finish() } else { changeset.abort() };
        assert_eq!(outcome.unwrap(), changed(&["a"]));
        let mut wanted = if is_finished { expected(&old, &new) } else { old.clone() };
        wanted.insert("a".into(), file("a theirs", 0o644));
        assert_eq!(place.tree(), wanted);
        place.assert_clean();
    }
}

#[test]
fn obstacles_are_distinguished_from_changed_paths() {
    // A directory becomes a file, and a file becomes a directory.
    let old = tree(&[("d/a", file("a", 0o644)), ("f", file("f", 0o644))]);
    let new = goals(&[("d", goal("d", Mode::Any)), ("f/a", goal("f/a", Mode::Any))]);
    let place = Place::new(&old);
    let mut changeset = place.begin(&old, &new).unwrap();
    fs::write(place.path("d/new"), "theirs").unwrap();
    fs::write(place.path("f"), "theirs").unwrap();
    let outcome = changeset.apply().unwrap();
    assert_eq!(outcome.changed, [PathBuf::from("f")]);
    assert_eq!(outcome.blocked, ["d", "f/a"].map(PathBuf::from));
    assert_eq!(changeset.abort().unwrap(), changed(&["f"]));
    let theirs = [("d/new", file("theirs", 0o644)), ("f", file("theirs", 0o644)), ("d/a", file("a", 0o644))];
    assert_eq!(place.tree(), tree(&theirs));
    place.assert_clean();
}

#[test]
fn a_directory_with_other_files_cannot_become_a_file() {
    let old = tree(&[("d/a", file("a", 0o644)), ("d/more", file("more", 0o644))]);
    let place = Place::new(&old);
    let known = tree(&[("d/a", file("a", 0o644))]);
    match place.begin(&known, &goals(&[("d", goal("d", Mode::Any))])) {
        Err(Error::Changed { paths }) => assert_eq!(paths, [PathBuf::from("d")]),
        other => panic!("{other:?}"),
    }
    assert_eq!(place.tree(), old);
    place.assert_clean();
}

#[test]
fn directories_are_restored_with_their_modes_and_files() {
    let old = tree(&[("d/e/a", file("a", 0o640)), ("d/empty", Node::Empty)]);
    let place = Place::new(&old);
    for (path, mode) in [("d", 0o750), ("d/e", 0o711), ("d/empty", 0o700)] {
        fs::set_permissions(place.path(path), Permissions::from_mode(mode)).unwrap();
    }
    let inode = fs::metadata(place.path("d/e/a")).unwrap().ino();
    let known = tree(&[("d/e/a", file("a", 0o640))]);
    let mut changeset = place.begin(&known, &goals(&[("d", goal("d", Mode::Any))])).unwrap();
    assert_eq!(changeset.apply().unwrap(), Outcome::default());
    assert_eq!(fs::read(place.path("d")).unwrap(), b"d");
    assert_eq!(changeset.abort().unwrap(), Outcome::default());
    assert_eq!(place.tree(), old);
    for (path, mode) in [("d", 0o750), ("d/e", 0o711), ("d/empty", 0o700)] {
        assert_eq!(fs::metadata(place.path(path)).unwrap().mode() & 0o7777, mode, "{path}");
    }
    assert_eq!(fs::metadata(place.path("d/e/a")).unwrap().ino(), inode);
}

#[test]
fn pruning_stops_at_its_limit_and_spares_directories_that_were_empty() {
    let old = tree(&[("d/e/f/a", file("a", 0o644)), ("d/empty", Node::Empty)]);
    for (prune, left) in [(0, "d/e/f"), (1, "d/e"), (2, "d/empty"), (9, "d/empty")] {
        let place = Place::new(&old);
        let before = Some(Expected::file(b"a", Mode::Any));
        let change = Change { path: "d/e/f/a".into(), before, after: None, prune };
        let load = |_| Err(io::ErrorKind::Other.into());
        let changeset = Changeset::begin(&place.root, &place.state(), &[change], Durability::PowerLoss, load).unwrap();
        changeset.finish().unwrap();
        let mut wanted = tree(&[("d/empty", Node::Empty)]);
        wanted.insert(left.into(), Node::Empty);
        assert_eq!(place.tree(), wanted, "{prune}");
    }
}

#[test]
fn no_change_leaves_the_root() {
    let place = Place::new(&tree(&[("d/a", file("a", 0o644))]));
    fs::create_dir(place.path(".git")).unwrap();
    symlink("/tmp", place.path("out")).unwrap();
    let create = |path: &str| {
        let change = Change { path: path.into(), before: None, after: Some(Wanted::Link), prune: 0 };
        Changeset::begin(&place.root, &place.state(), &[change], Durability::Kill, |_| Ok(b"x".to_vec()))
    };
    for path in ["../a", "/tmp/a", "d/../../a", ".git/a", ".GIT/a", "d/.git"] {
        assert!(matches!(create(path), Err(Error::OutsideRoot { .. })), "{path}");
    }
    assert!(matches!(create("out/a"), Err(Error::Changed { .. })));
    assert!(create("d/b").is_ok());
}

#[test]
fn two_changes_of_one_path_are_refused() {
    let place = Place::new(&Tree::new());
    for (a, b) in [("a", "a"), ("a", "a/b"), ("a/b", "a"), ("a", "a/b/c")] {
        let change = |path: &str| Change { path: path.into(), before: None, after: Some(Wanted::Link), prune: 0 };
        let load = |_| Ok(b"x".to_vec());
        let changes = [change(a), change(b)];
        let begun = Changeset::begin(&place.root, &place.state(), &changes, Durability::Kill, load);
        assert!(matches!(begun, Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::InvalidInput));
    }
}

/// The disk is full while files are written beside the paths. Expects an error that says so, and a rollback that needs
/// no space.
#[test]
fn a_full_disk_is_reported_at_any_step() {
    let (old, new) = usual();
    let place = Place::new(&old);
    inject(Fault::None, true);
    let changeset = place.begin(&old, &new).unwrap();
    let steps = passed();
    changeset.abort().unwrap();
    for step in 0..steps {
        inject(Fault::FullAt(step), true);
        let error = place.begin(&old, &new).unwrap_err();
        assert!(error.is_disk_full(), "{step}: {error}");
        inject(Fault::None, true);
        assert_eq!(place.tree(), old);
        place.assert_clean();
    }
    let full = |_| Err(io::ErrorKind::StorageFull.into());
    let create = [Change { path: "x".into(), before: None, after: Some(Wanted::File(Mode::Any)), prune: 0 }];
    let error = Changeset::begin(&place.root, &place.state(), &create, Durability::Kill, full).unwrap_err();
    assert!(error.is_disk_full());
    place.assert_clean();
}

#[test]
fn hundreds_of_files_have_one_journal() {
    let name = |index: usize| PathBuf::from(format!("{}/{index}", index % 7));
    let old: Tree = (0..400).map(|index| (name(index), file(&format!("old {index}"), 0o644))).collect();
    let new: Goals = (200..600).map(|index| (name(index), goal(&format!("new {index}"), Mode::Any))).collect();
    let place = Place::new(&old);
    let mut changeset = place.begin(&old, &new).unwrap();
    let journals = place.path("../state/changesets");
    assert_eq!(fs::read_dir(journals).unwrap().count(), 1);
    assert_eq!(changeset.apply().unwrap(), Outcome::default());
    assert_eq!(changeset.finish().unwrap(), Outcome::default());
    assert_eq!(place.tree(), expected(&old, &new));
    place.assert_clean();
}

/// A name that is not UTF-8 survives the journal.
#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let name = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    let old: Tree = [(name(b"-\xff\n/a b"), file("old", 0o644)), (name(b"\x80"), Node::Link("\n".to_owned()))].into();
    let new: Goals = [(name(b"-\xff\n"), goal("new", Mode::Any))].into();
    for is_finished in [true, false] {
        let place = Place::new(&old);
        let mut changeset = place.begin(&old, &new).unwrap();
        changeset.apply().unwrap();
        drop(changeset);
        let changeset = place.interrupted().pop().unwrap();
        let outcome = if is_finished { changeset.finish() } else { changeset.abort() };
        assert_eq!(outcome.unwrap(), Outcome::default());
        assert_eq!(place.tree(), if is_finished { expected(&old, &new) } else { old.clone() });
        place.assert_clean();
    }
}

#[test]
fn a_damaged_journal_is_left_alone() {
    let (old, new) = usual();
    let place = Place::new(&old);
    let mut changeset = place.begin(&old, &new).unwrap();
    changeset.apply().unwrap();
    drop(changeset);
    let now = place.tree();
    let journals = place.path("../state/changesets");
    let journal = fs::read_dir(&journals).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read_to_string(&journal).unwrap();
    for damaged in
        [whole.replacen("\"prune\":", "\"prune\" :", 1), whole.replacen("Staged", "staged", 1), whole + "x\n\n"]
    {
        fs::write(&journal, damaged).unwrap();
        assert!(place.interrupted().is_empty());
        assert_eq!(place.tree(), now);
    }
}

/// Opens a file like a program that saves in place.
fn open(place: &Place, name: &str) -> fs::File {
    OpenOptions::new().read(true).write(true).open(place.path(name)).unwrap()
}

#[test]
fn a_file_that_is_held_open_for_writing_keeps_a_name() {
    let (old, new) = usual();
    let place = Place::new(&old);
    let (mut to_write, to_read) = (open(&place, "a"), fs::File::open(place.path("d/b")).unwrap());
    let mut changeset = place.begin(&old, &new).unwrap();
    assert_eq!(changeset.apply().unwrap(), Outcome::default());
    let mut outcome = changeset.finish().unwrap();
    let held = outcome.held.pop().expect("one is held");
    assert_eq!(outcome, Outcome::default(), "who only reads loses nothing");
    to_write.write_all(b"a theirs").unwrap();
    assert_eq!(fs::read_to_string(place.path("a")).unwrap(), "a new");
    assert_eq!(fs::read_to_string(place.root.path().join(&held)).unwrap(), "a theirs");
    drop(to_read);
}

#[test]
fn finish_waits_for_a_program_that_is_saving() {
    let (old, new) = usual();
    let place = Place::new(&old);
    let mut file = open(&place, "a");
    let mut changeset = place.begin(&old, &new).unwrap();
    assert_eq!(changeset.apply().unwrap(), Outcome::default());
    let saver = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        file.write_all(b"a theirs").unwrap();
    });
    let outcome = changeset.finish().unwrap();
    saver.join().unwrap();
    // On a very busy machine the writers are not done in time, and find their text beside the path.
    let beside = outcome.held.iter().chain(&outcome.beside).next();
    let found = beside.map_or_else(|| place.path("a"), |beside| place.root.path().join(beside));
    assert_eq!(fs::read_to_string(found).unwrap(), "a theirs");
}

//! Modes of a changeset's files, and directories that it may not write.

use std::cell::RefCell;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use fuzzy_safe_write::{
    Change, Changeset, Durability, Error, Expected, Fault, Mode, Root, State, Wanted, inject, meanwhile,
};
use fuzzy_testkit::programs;

use crate::support::{Place, file, goal, goals, put, tree};

/// A private file is never readable by others at any step, and set-id bits are never set.
#[test]
fn a_file_never_has_more_permissions_than_requested() {
    let old = tree(&[("key", file("old", 0o600)), ("run", file("old", 0o4755))]);
    let new = goals(&[
        ("key", goal("secret", Mode::Any)),
        ("again", goal("secret", Mode::Exactly(0o600))),
        ("run", goal("new", Mode::Exactly(0o4755))),
        ("on", goal("new", Mode::Executable(true))),
    ]);
    let place = Place::new(&old);
    let directory = place.path("");
    let looks = Rc::new(RefCell::new(0));
    let counted = Rc::clone(&looks);
    inject(Fault::None, true);
    meanwhile(Some(Box::new(move |_| {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if fs::read(&path).unwrap() == b"secret" {
                assert_eq!(fs::metadata(&path).unwrap().mode() & 0o077, 0, "{}", path.display());
                *counted.borrow_mut() += 1;
            }
        }
    })));
    let changeset = place.begin(&old, &new).unwrap();
    changeset.finish().unwrap();
    meanwhile(None);
    assert!(*looks.borrow() > 0);
    assert_eq!(fs::metadata(place.path("run")).unwrap().mode() & 0o7777, 0o755);
    assert_eq!(fs::metadata(place.path("on")).unwrap().mode() & 0o100, 0o100);
}

/// Not a test: the process that the next test starts as another user.
#[test]
fn child() {
    let Some(directory) = std::env::var_os("CHANGESET_IN") else { return };
    reject_forbidden_paths(Path::new(&directory));
}

fn reject_forbidden_paths(directory: &Path) {
    let root = Root::open(&directory.join("files")).unwrap();
    let state = State::at(directory.join("state"));
    let expected = Some(Expected::file(b"text", Mode::Any));
    let change = |path: &str| Change {
        path: path.into(),
        before: expected.clone().filter(|_| !path.ends_with("new")),
        after: (!path.ends_with("gone")).then_some(Wanted::File(Mode::Any)),
        prune: 0,
    };
    for path in ["closed/gone", "closed/a", "closed/new", "closed/new/new", "secret"] {
        let changes = [change("open/a"), change(path)];
        let begun = Changeset::begin(&root, &state, &changes, Durability::Kill, |_| Ok(b"new".to_vec()));
        assert!(matches!(begun, Err(Error::Permission { .. })), "{path}: {begun:?}");
    }
    // Only the superuser can have files of another owner there.
    let sticky = [change("sticky/a")];
    let begun = Changeset::begin(&root, &state, &sticky, Durability::Kill, |_| Ok(b"new".to_vec()));
    assert_eq!(begun.is_err(), fs::metadata(directory).unwrap().uid() == 0, "{begun:?}");
    drop(begun);
    let changes = [change("open/a")];
    assert!(Changeset::begin(&root, &state, &changes, Durability::Kill, |_| Ok(b"new".to_vec())).is_ok());
}

#[test]
fn forbidden_paths_are_rejected_before_the_first_write() {
    const NOBODY: u32 = 65534;
    let directory = tempfile::tempdir().unwrap();
    let files = directory.path().join("files");
    for path in ["open/a", "closed/a", "closed/gone", "secret", "sticky/a"] {
        put(&files.join(path), &file("text", 0o644));
    }
    let is_root = fs::metadata(&files).unwrap().uid() == 0;
    let is_open = if is_root { 0o777 } else { 0o755 };
    for (path, mode) in [("", is_open), ("files", is_open), ("files/open", is_open), ("files/closed", 0o555)] {
        fs::set_permissions(directory.path().join(path), Permissions::from_mode(mode)).unwrap();
    }
    fs::set_permissions(files.join("sticky"), Permissions::from_mode(0o1777)).unwrap();
    fs::set_permissions(files.join("secret"), Permissions::from_mode(0o000)).unwrap();
    if is_root {
        // The superuser may write everywhere.
        let program = directory.path().join("program");
        programs::copy_of_this(&program);
        let mut child = Command::new(&program);
        child.args(["--exact", "permissions::child", "--quiet"]).env("CHANGESET_IN", directory.path()).current_dir("/");
        let output = child.uid(NOBODY).gid(NOBODY).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    } else {
        reject_forbidden_paths(directory.path());
    }
    fs::set_permissions(files.join("closed"), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(fs::read(files.join("open/a")).unwrap(), b"text");
}

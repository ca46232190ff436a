//! The state directory belongs to its user alone.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

use crate::place::Place;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Collects the files and directories below a directory that others can access.
fn open_ones(dir: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let (path, meta) = (entry.path(), entry.metadata().unwrap());
        if meta.is_dir() {
            open_ones(&path, found);
        }
        if meta.mode() & 0o077 != 0 {
            found.push(format!("{} {:o}", path.display(), meta.mode() & 0o777));
        }
    }
}

#[test]
fn no_other_user_can_read_it() {
    let place = Place::new();
    let state = place.dir.join("state/fuzzy-edit");
    // An older program, or a backup, made it.
    fs::create_dir(&state).unwrap();
    set_mode(&state, 0o755);
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.restore(&id);
    assert_eq!(fs::metadata(&state).unwrap().mode() & 0o777, 0o700);
    let mut found = Vec::new();
    for name in ["git.json", "state.db", "wt", "store"] {
        let path = state.join(name);
        let mode = fs::metadata(&path).unwrap().mode() & 0o777;
        assert_eq!(mode & 0o077, 0, "{name} {mode:o}");
        if name == "wt" {
            open_ones(&path, &mut found);
        }
    }
    // Git makes its own files with the usual modes, below a directory that is closed.
    found.retain(|name| !name.contains("/git/") && !name.contains(".index"));
    assert_eq!(found, [""; 0]);
}

#[test]
fn that_of_another_user_is_refused() {
    let place = Place::new();
    let state = place.dir.join("state/fuzzy-edit");
    fs::create_dir(&state).unwrap();
    if chown(&state, Some(12345), None).is_err() {
        eprintln!("left out: only root can give a directory away");
        return;
    }
    let refused = place.run(&["create", "--json"]);
    let report = refused.fails(2, "io");
    let message = report["message"].as_str().unwrap();
    assert!(message.contains("belongs to another user") && message.contains("fuzzy-edit"), "{message}");
    assert_eq!(fs::read_dir(&state).unwrap().count(), 0, "nothing is written there");
    chown(&state, Some(rustix::process::geteuid().as_raw()), None).unwrap();
    place.create();
}

#[test]
fn a_refused_restore_leaves_no_folders() {
    let place = Place::new();
    place.unchecked();
    place.write("a.txt", "only in the checkpoint\n");
    let oid = place.git(&["hash-object", "a.txt"]).trim().to_owned();
    let id = place.create();
    place.write("a.txt", "changed\n");
    place.create();
    let object = place.store().unwrap().join("objects").join(&oid[..2]).join(&oid[2..]);
    fs::remove_file(&object).unwrap();
    let refused = place.run(&["restore", &id, "--yes", "--json"]);
    assert_ne!(refused.code, 0, "{}", refused.text());
    assert_eq!(place.read("a.txt"), b"changed\n");
    let worktrees = fs::read_dir(place.dir.join("state/fuzzy-edit/wt")).unwrap().flatten();
    let left: Vec<_> = worktrees.map(|dir| dir.path().join("restores")).filter(|dir| dir.exists()).collect();
    assert!(left.is_empty(), "{left:?}");
}

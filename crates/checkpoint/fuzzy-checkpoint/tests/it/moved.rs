//! A moved worktree keeps its id and its checkpoints; a copy gets a new id.

use std::fs;
use std::path::Path;
use std::process::Command;

use fuzzy_checkpoint::{CaptureOptions, Error, Worktree};

use crate::support::Lab;

fn open(lab: &Lab, root: &Path) -> Worktree {
    lab.engine().open(root).expect("a worktree")
}

#[test]
fn a_moved_worktree_keeps_its_id_and_a_new_one_at_its_path_gets_another() {
    let lab = Lab::new();
    lab.capture_unseen();
    let name = lab.open().id().to_owned();
    let moved = lab.outside("moved");
    let waiting = lab.open();
    fs::rename(&lab.root, &moved).expect("renamed");
    // A new worktree at its path is opened before the moved one.
    fs::create_dir(&lab.root).expect("created");
    Lab::git_in(&lab.root, &["init", "-q", "."]);
    let other = lab.open().id().to_owned();
    assert_ne!(other, name);
    // An operation that waited for the lock meanwhile.
    assert!(matches!(waiting.lock().expect_err("replaced"), Error::Unreadable { .. }));
    lab.capture();
    assert_eq!(open(&lab, &moved).id(), name);
    drop(open(&lab, &moved).lock().expect("locked"));
    assert_eq!((lab.open().id(), open(&lab, &moved).id()), (&*other, &*name));
    assert_eq!(open(&lab, &moved).pins().expect("pins").len(), 1);
}

#[test]
fn a_copy_gets_a_new_id() {
    let lab = Lab::new();
    lab.capture_unseen();
    let name = lab.open().id().to_owned();
    let copy = lab.outside("copy");
    let copied = Command::new("cp").arg("-a").args([&lab.root, &copy]).status().expect("cp runs");
    assert!(copied.success());
    let copied = open(&lab, &copy).id().to_owned();
    assert_ne!(copied, name);
    drop(open(&lab, &copy).lock().expect("locked"));
    assert_eq!(open(&lab, &copy).id(), copied);
    assert_eq!(lab.open().id(), name);
    // Even at the path of the original, a copy remains a copy.
    let aside = lab.outside("aside");
    fs::rename(&lab.root, &aside).expect("renamed");
    fs::rename(&copy, &lab.root).expect("renamed");
    assert_eq!((lab.open().id(), open(&lab, &aside).id()), (&*copied, &*name));
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").args([from, to]).status().expect("cp runs").success());
}

#[test]
fn a_copy_of_a_linked_worktree_is_refused_and_the_original_keeps_its_id() {
    let lab = Lab::new();
    let [linked, copied, moved] = ["linked", "copied", "moved"].map(|name| lab.outside(name));
    lab.git(&["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "other"]);
    drop(open(&lab, &linked).lock().expect("locked"));
    let name = open(&lab, &linked).id().to_owned();
    copy(&linked, &copied);
    let refused = lab.engine().open(&copied).expect_err("it belongs to the original");
    assert!(matches!(refused, Error::NotAWorktree { .. }));
    assert!(refused.to_string().contains("a copy of"), "{refused}");
    assert_eq!((open(&lab, &linked).id(), open(&lab, &linked).home()), (&*name, &*linked));
    // Without the original the copy can be opened, but with another id.
    fs::rename(&linked, &moved).expect("renamed");
    assert_ne!(open(&lab, &copied).id(), name);
    assert_eq!(open(&lab, &moved).id(), name, "a moved one keeps its id");
    Lab::git_in(&copied, &["worktree", "repair"]);
    assert_ne!(open(&lab, &copied).id(), name);
    assert!(lab.engine().open(&moved).is_err(), "the repaired copy is the original now");
}

#[test]
fn roots_that_share_a_git_directory_have_different_ids() {
    let lab = Lab::empty();
    let kept = lab.outside("kept.git");
    lab.git(&["init", "-q", "--separate-git-dir", kept.to_str().expect("UTF-8"), "."]);
    lab.write("a.txt", "alpha\n");
    let first = lab.capture();
    let name = lab.open().id().to_owned();
    let copied = lab.outside("copied");
    copy(&lab.root, &copied);
    let other = open(&lab, &copied).id().to_owned();
    assert_ne!(other, name);
    for root in [&copied, &lab.root, &copied] {
        drop(open(&lab, root).lock().expect("locked"));
    }
    assert_eq!((lab.open().id(), open(&lab, &copied).id()), (&*name, &*other));
    assert_eq!(lab.open().home(), kept);
    let moved = lab.outside("moved");
    fs::rename(&lab.root, &moved).expect("renamed");
    fs::write(copied.join("mine"), "untouched\n").expect("written");
    let worktree = open(&lab, &moved);
    assert_eq!(worktree.id(), name);
    let locked = worktree.lock().expect("locked");
    assert_eq!(locked.capture(&CaptureOptions::default()).expect("captured").tree, first.tree);
    assert!(copied.join("mine").exists());
}

#[test]
fn a_git_file_leads_to_the_home_of_its_git_directory() {
    let lab = Lab::new();
    let stranger = lab.outside("stranger");
    fs::create_dir(&stranger).expect("created");
    fs::write(stranger.join(".git"), format!("gitdir: {}\n", lab.path(".git").display())).expect("written");
    drop(lab.open().lock().expect("locked"));
    let found = open(&lab, &stranger);
    assert_eq!((found.root(), found.home()), (&*stranger, &*lab.root));
    assert_ne!(found.id(), lab.open().id());
}

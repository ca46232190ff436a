//! A worktree that is moved keeps its name, and with it its checkpoints; a copy gets a name of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use fuzzy_checkpoint::Worktree;

use crate::support::Lab;

fn open(lab: &Lab, root: &Path) -> Worktree {
    lab.engine().open(root).expect("a worktree")
}

#[test]
fn a_moved_worktree_keeps_its_name_and_what_is_made_in_its_place_gets_another() {
    let lab = Lab::new();
    lab.capture_unseen();
    let name = lab.open().id().to_owned();
    let moved = lab.outside("moved");
    fs::rename(&lab.root, &moved).expect("renamed");
    // A new one in its place, opened before the moved one was seen again.
    fs::create_dir(&lab.root).expect("created");
    Lab::git_in(&lab.root, &["init", "-q", "."]);
    let other = lab.open().id().to_owned();
    assert_ne!(other, name);
    lab.capture();
    assert_eq!(open(&lab, &moved).id(), name);
    drop(open(&lab, &moved).lock().expect("locked"));
    assert_eq!((lab.open().id(), open(&lab, &moved).id()), (&*other, &*name));
    assert_eq!(open(&lab, &moved).pins().expect("pins").len(), 1);
}

#[test]
fn a_copy_gets_a_name_of_its_own() {
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
    // Where the original is gone and the copy takes its place, it is a copy still.
    let aside = lab.outside("aside");
    fs::rename(&lab.root, &aside).expect("renamed");
    fs::rename(&copy, &lab.root).expect("renamed");
    assert_eq!((lab.open().id(), open(&lab, &aside).id()), (&*copied, &*name));
}

#[test]
fn a_record_that_was_brought_along_is_not_believed() {
    let lab = Lab::new();
    lab.capture_unseen();
    let record = fs::read_to_string(lab.path(".git/fuzzy-edit-worktree")).expect("written");
    let other = lab.outside("other");
    fs::create_dir(&other).expect("created");
    Lab::git_in(&other, &["init", "-q", "."]);
    for forged in [record.clone(), "../../x 1 1\n".into(), String::new(), record.replace(' ', "\n")] {
        fs::write(other.join(".git/fuzzy-edit-worktree"), forged).expect("written");
        assert_ne!(open(&lab, &other).id(), lab.open().id());
        assert_eq!(open(&lab, &other).id().len(), 16);
    }
}

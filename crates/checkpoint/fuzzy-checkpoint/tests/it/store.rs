//! Checkpoints survive everything that happens to the user's repository, and leave nothing in it.

use std::fs;
use std::path::Path;

use fuzzy_checkpoint::{CaptureOptions, Error, Snapshot};
use fuzzy_testkit::users_repository;

use crate::support::{Lab, assert_same};

/// Returns a lab with changed, new, staged, and both staged and changed files.
fn busy() -> Lab {
    let lab = Lab::new();
    lab.write("committed.txt", "committed\n");
    lab.commit("second");
    edit(&lab);
    lab
}

fn edit(lab: &Lab) {
    lab.write("a.txt", "changed\n");
    lab.write("new.txt", "new\n");
    for path in ["staged.txt", "both.txt"] {
        lab.write(path, format!("staged {path}\n"));
        lab.git(&["add", path]);
    }
    lab.write("both.txt", "changed since\n");
}

/// Restores a checkpoint in the worktree around `root`.
fn restore(lab: &Lab, root: &Path, to: &Snapshot) {
    let worktree = lab.engine().open(root).expect("a worktree");
    let locked = worktree.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions::before(to)).expect("captured");
    let plan = locked.plan(&safety, to, &[]).expect("a plan");
    locked.apply(&safety, to, &plan).expect("applied");
}

/// Deletes everything from the user's repository that only its branches and its index do not need.
fn collect_users(lab: &Lab) {
    lab.git(&["reflog", "expire", "--expire=now", "--all"]);
    lab.git(&["gc", "-q", "--prune=now"]);
}

/// Damages all files, restores the checkpoint, and compares.
fn survives(lab: &Lab, target: &Snapshot, change: impl FnOnce(&Lab)) {
    let files = lab.files();
    change(lab);
    for path in ["a.txt", "new.txt", "both.txt", "dir/b.txt", "gone.txt"] {
        lab.write(path, "damaged\n");
    }
    restore(lab, &lab.root, target);
    assert_same(&files, &lab.files(), "restored");
}

#[test]
fn checkpoints_survive_a_deleted_branch_an_amended_commit_and_a_new_index() {
    let changes: [fn(&Lab); 4] = [
        |lab| {
            lab.git(&["checkout", "-q", "-f", "HEAD~1", "-b", "elsewhere"]);
            lab.git(&["branch", "-q", "-D", "main"]);
        },
        |lab| {
            lab.git(&["rm", "-q", "-r", "-f", "--cached", "."]);
            lab.write("committed.txt", "amended\n");
            lab.git(&["add", "committed.txt", ".gitignore"]);
            lab.git(&["commit", "-q", "--amend", "-m", "amended"]);
        },
        |lab| drop(lab.git(&["read-tree", "--empty"])),
        |lab| {
            lab.git(&["checkout", "-q", "--orphan", "unborn"]);
            lab.git(&["rm", "-q", "-r", "-f", "--cached", "."]);
            lab.git(&["branch", "-q", "-D", "main"]);
        },
    ];
    for change in changes {
        let lab = busy();
        let target = lab.capture_unseen();
        let files = lab.files();
        change(&lab);
        collect_users(&lab);
        restore(&lab, &lab.root, &target);
        assert_same(&files, &lab.files(), "restored");
        let text = lab.kept_git(&["fsck", "--full", "--strict"]);
        assert!(!text.contains("missing") && !text.contains("broken"), "{text}");
    }
}

#[test]
fn checkpoints_survive_the_loss_of_the_repository() {
    for unborn in [false, true] {
        let lab = if unborn { Lab::unborn() } else { busy() };
        if unborn {
            lab.fill();
            edit(&lab);
        }
        let target = lab.capture_unseen();
        let id = lab.open().id().to_owned();
        survives(&lab, &target, |lab| lab.remove(".git"));
        let worktree = lab.open();
        assert!(worktree.is_abandoned() && !worktree.is_sidecar() && worktree.id() == id);
        assert_eq!(lab.engine().open(&lab.path("dir/deep")).expect("opened").root(), lab.root);
        // A new repository in the folder goes on with the same checkpoints.
        lab.git(&["init", "-q", "."]);
        assert_eq!(lab.open().id(), id);
        survives(&lab, &target, |lab| lab.commit("another history"));
    }
}

#[test]
fn shallow_partial_and_sha256_repositories_are_captured() {
    let origin = Lab::new();
    for number in 0..3 {
        origin.write("a.txt", format!("{number}\n"));
        origin.commit("another");
    }
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", origin.root.display());
    for option in ["--depth=1", "--filter=blob:none"] {
        let lab = Lab::empty();
        lab.git(&["clone", "-q", option, &url, "."]);
        edit(&lab);
        let target = lab.capture_unseen();
        survives(&lab, &target, |lab| {
            lab.git(&["reset", "-q", "--hard"]);
            collect_users(lab);
        });
    }
    let lab = Lab::empty();
    lab.git(&["init", "-q", "--object-format=sha256", "-b", "main", "."]);
    lab.fill();
    lab.commit("first");
    edit(&lab);
    let target = lab.capture_unseen();
    assert_eq!(target.tree.as_str().len(), 64);
    survives(&lab, &target, |lab| {
        lab.git(&["reset", "-q", "--hard"]);
        collect_users(lab);
    });
}

#[test]
fn a_moved_project_and_a_linked_worktree_keep_their_checkpoints() {
    let lab = busy();
    let target = lab.capture_unseen();
    let files = lab.files();
    let moved = lab.outside("moved");
    fs::rename(&lab.root, &moved).expect("renamed");
    fs::remove_file(moved.join("new.txt")).expect("removed");
    restore(&lab, &moved, &target);
    fs::rename(&moved, &lab.root).expect("renamed");
    assert_same(&files, &lab.files(), "restored");
    let linked = lab.outside("linked");
    lab.git(&["worktree", "add", "-q", linked.to_str().expect("UTF-8"), "-b", "other"]);
    let open = |root: &Path| lab.engine().open(root).expect("a worktree");
    assert_eq!(open(&linked).store(), lab.open().store(), "one store for each repository");
    fs::write(linked.join("a.txt"), "linked\n").expect("written");
    let theirs = open(&linked).lock().expect("locked").capture(&CaptureOptions::default()).expect("captured");
    fs::remove_file(linked.join("a.txt")).expect("removed");
    restore(&lab, &linked, &theirs);
    assert_eq!(fs::read(linked.join("a.txt")).expect("there"), b"linked\n");
}

/// Captures 5 or `FUZZY_CHECKPOINT_GC` times while `git gc` deletes everything that the repository does not need.
#[test]
fn a_capture_beside_gc_can_be_restored() {
    let count = std::env::var("FUZZY_CHECKPOINT_GC").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let lab = busy();
    for round in 0..count {
        lab.write("a.txt", format!("{round}\n"));
        lab.write("staged.txt", format!("staged {round}\n"));
        lab.git(&["add", "staged.txt"]);
        let mut gc = Lab::command(&lab.root, &["gc", "-q", "--prune=now"]).spawn().expect("started");
        let target = lab.capture();
        let worktree = lab.open();
        worktree.lock().expect("locked").pin(&format!("G{round}"), &target.commit).expect("pinned");
        assert!(gc.wait().expect("ended").success());
        if round % 2 == 0 {
            lab.git(&["read-tree", "HEAD"]);
            collect_users(&lab);
        }
        survives(&lab, &target, |_| ());
        users_repository::assert_whole(&lab.root);
    }
}

#[test]
fn a_repository_with_many_files_is_borrowed_until_they_are_copied() {
    let lab = Lab::new();
    for number in 0..2100 {
        lab.write(format!("many/{number}"), format!("{number}\n"));
    }
    lab.commit("many");
    lab.write("a.txt", "changed\n");
    let target = lab.capture_unseen();
    assert!(lab.open().is_borrowing());
    let files = lab.files();
    assert!(!lab.open().keep_all(10).expect("answered"), "more than ten bytes are borrowed");
    assert!(lab.open().keep_all(1 << 30).expect("copied") && !lab.open().is_borrowing());
    lab.remove(".git");
    lab.remove("many");
    restore(&lab, &lab.root, &target);
    assert_same(&files, &lab.files(), "restored");
}

#[test]
fn a_capture_stores_again_what_the_last_one_borrowed_from_a_lost_commit() {
    let lab = Lab::new();
    for number in 0..2100 {
        lab.write(format!("many/{number}"), format!("{number}\n"));
    }
    lab.commit("many");
    lab.capture_unseen();
    // With the same head, nothing that is borrowed can have been lost.
    lab.write("many/0", "changed\n");
    lab.capture_unseen();
    assert!(lab.open().is_borrowing());
    lab.git(&["rm", "-q", "-r", "--cached", "many"]);
    lab.git(&["commit", "-q", "--amend", "--allow-empty", "-m", "few"]);
    collect_users(&lab);
    let target = lab.capture_unseen();
    let files = lab.files();
    lab.remove("many");
    restore(&lab, &lab.root, &target);
    assert_same(&files, &lab.files(), "restored");
}

#[test]
fn files_of_killed_processes_are_removed() {
    let lab = Lab::new();
    let target = lab.capture_unseen();
    let worktree = lab.open();
    let private = lab.outside("state/wt").join(worktree.id());
    let by_the_next = [worktree.store(), &private, &private.join("git"), &private.join("git/info")];
    let by_the_next = by_the_next.map(|dir| dir.join(".next-1a2b3c"));
    let store = worktree.store();
    let by_collection = ["objects/pack/tmp_pack_1a2b3c", "objects/4b/tmp_obj_1a2b3c", ".sync-1a2b3c"];
    let by_collection = by_collection.map(|name| store.join(name));
    fs::create_dir_all(store.join("objects/4b")).expect("created");
    for path in by_the_next.iter().chain(&by_collection) {
        fs::write(path, "half").expect("written");
    }
    drop(worktree.lock().expect("locked"));
    assert!(by_the_next.iter().all(|path| !path.exists()) && by_collection.iter().all(|path| path.exists()));
    worktree.collect().expect("collected");
    assert!(by_collection.iter().all(|path| !path.exists()));
    restore(&lab, &lab.root, &target);
}

#[test]
fn a_store_that_is_away_is_another_one_when_it_is_made_again() {
    let lab = Lab::new();
    lab.capture_unseen();
    let name = || lab.open().store_name().expect("read");
    let first = name().expect("a store");
    let worktree = lab.open();
    fs::rename(lab.outside("state"), lab.outside("old")).expect("renamed");
    assert_eq!(name(), None);
    assert!(matches!(worktree.lock().expect_err("opened before"), Error::StoreMissing { .. }));
    fs::remove_dir_all(lab.outside("state")).expect("removed");
    lab.capture_unseen();
    assert_ne!(name().expect("a new store"), first);
}

//! Staged changes are kept even if the index itself cannot be restored.

use fuzzy_checkpoint::{IndexKept, IndexLeft, IndexOutcome, Locked, Snapshot};
use fuzzy_testkit::users_repository;

use crate::support::Lab;

/// Stages a text that is neither committed nor on disk.
fn stage(lab: &Lab, path: &str) -> String {
    lab.write(path, format!("staged in {path}\n"));
    lab.git(&["add", "-f", path]);
    let oid = lab.git(&["rev-parse", &format!(":{path}")]).trim().to_owned();
    lab.write(path, "on disk\n");
    oid
}

fn unmerged(lab: &Lab) {
    lab.git(&["checkout", "-q", "-b", "other"]);
    lab.write("a.txt", "theirs\n");
    lab.commit("theirs");
    lab.git(&["checkout", "-q", "main"]);
    lab.write("a.txt", "ours\n");
    lab.commit("ours");
    lab.try_git(&["merge", "-q", "other"]);
}

fn split(lab: &Lab) {
    lab.git(&["update-index", "--split-index"]);
}

fn intent(lab: &Lab) {
    lab.write("later.txt", "later\n");
    lab.git(&["add", "-N", "later.txt"]);
}

fn skipped(lab: &Lab) {
    lab.git(&["update-index", "--skip-worktree", "gone.txt"]);
}

fn restored(lab: &Lab, of: impl FnOnce(&Locked<'_>) -> Option<IndexKept>) -> Option<IndexKept> {
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    of(&locked)
}

#[test]
fn staged_changes_survive_the_loss_of_the_index_and_gits_housekeeping() {
    for (make, left) in [
        (unmerged as fn(&Lab), IndexLeft::Unmerged),
        (split, IndexLeft::Split),
        (intent, IndexLeft::IntentToAdd),
        (skipped, IndexLeft::SkipWorktree),
    ] {
        let lab = Lab::new();
        lab.capture();
        let whole = lab.capture();
        make(&lab);
        let blobs = [stage(&lab, "s.txt"), stage(&lab, "dir/x.ignored")];
        let listed = lab.git(&["ls-files", "-s"]);
        let mut captured: Vec<Snapshot> = Vec::new();
        // Once with a new index, once with a known one.
        for _ in ["listed", "known"] {
            let target = lab.capture_unseen();
            assert_eq!((target.index_tree.as_ref(), target.index_left), (None, Some(left)));
            captured.push(target);
        }
        let target = captured.pop().expect("two");
        // The target's index could be restored, but an undo could not bring back the current one.
        assert_eq!(
            restored(&lab, |locked| locked.index_kept(&target, &whole).expect("compared")),
            Some(IndexKept::NotSaved)
        );
        lab.git(&["read-tree", "--empty"]);
        std::fs::remove_file(lab.path(".git/index")).expect("removed");
        std::fs::remove_dir_all(lab.outside("state/wt")).expect("removed");
        lab.git(&["reset", "-q", "--hard"]);
        lab.git(&["reflog", "expire", "--expire=now", "--all"]);
        lab.git(&["gc", "-q", "--prune=now"]);
        for (blob, path) in blobs.iter().zip(["s.txt", "dir/x.ignored"]) {
            assert_eq!(lab.kept_git(&["cat-file", "blob", blob]), format!("staged in {path}\n"), "{left:?}");
        }
        // The index can be rebuilt manually from the head and these lines.
        let aux = lab.kept_git(&["rev-parse", &format!("{}^", target.commit)]);
        let info = format!("{}:staged/index-info", aux.trim());
        let lines = lab.kept_git(&["cat-file", "blob", &info]);
        for line in lines.split('\0').filter(|line| !line.is_empty()) {
            assert!(listed.contains(line), "{line:?} of {left:?}: {listed}");
        }
        assert!(blobs.iter().all(|blob| lines.contains(blob.as_str())));
        assert_eq!(
            restored(&lab, |locked| {
                let now = locked.capture(&fuzzy_checkpoint::CaptureOptions::default()).expect("captured");
                locked.index_kept(&now, &target).expect("compared")
            }),
            Some(IndexKept::NotCaptured)
        );
    }
}

#[test]
fn an_index_with_missing_objects_is_reported() {
    let lab = Lab::new();
    lab.write("s.txt", "staged\n");
    lab.git(&["add", "s.txt"]);
    let kept = stage(&lab, "kept.txt");
    let blob = lab.git(&["rev-parse", ":s.txt"]).trim().to_owned();
    lab.write("s.txt", "on disk\n");
    lab.unchecked();
    std::fs::remove_file(lab.path(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).expect("removed");
    let target = lab.capture();
    assert_eq!((target.index_tree.as_ref(), target.index_left), (None, Some(IndexLeft::MissingObjects)));
    let pinned = lab.kept_git(&["ls-tree", "--name-only", &format!("{}^:staged", target.commit)]);
    assert_eq!(pinned, format!("{kept}\nindex-info\n"));
}

#[test]
fn an_index_that_is_captured_pins_nothing_else() {
    let lab = Lab::new();
    stage(&lab, "s.txt");
    let target = lab.capture();
    assert_eq!((target.index_tree.is_some(), target.index_left), (true, None));
    let notes = lab.kept_git(&["ls-tree", "--name-only", &format!("{}^", target.commit)]);
    assert_eq!(notes, "index\nmeta.json\n");
}

#[test]
fn a_restored_index_can_be_committed_after_gc_deleted_its_objects() {
    let lab = Lab::new();
    lab.write("dir/staged.txt", "staged\n");
    lab.git(&["add", "dir/staged.txt"]);
    let target = lab.capture_unseen();
    lab.git(&["reset", "-q", "--hard"]);
    lab.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(lab.restore(&target).2, IndexOutcome::Restored);
    users_repository::assert_whole(&lab.root);
    lab.git(&["commit", "-q", "-m", "second"]);
    assert_eq!(lab.git(&["show", "HEAD:dir/staged.txt"]), "staged\n");
}

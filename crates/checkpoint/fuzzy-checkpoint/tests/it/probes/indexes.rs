//! Staged changes, and kinds of indexes.

use fuzzy_checkpoint::IndexOutcome;

use super::{damage, round_trip};
use crate::support::{Lab, assert_same};

#[test]
fn staged_changes() {
    let lab = Lab::new();
    lab.write("a.txt", "staged\n");
    lab.write("added.txt", "added\n");
    lab.git(&["add", "a.txt", "added.txt"]);
    lab.git(&["rm", "-q", "--cached", "gone.txt"]);
    lab.write("a.txt", "then changed\n");
    let target = lab.capture_unseen();
    let (files, status) = (lab.files(), lab.status());
    damage(&lab);
    lab.git(&["add", "-A"]);
    let changed_status = lab.status();
    let (safety, _, index) = lab.restore(&target);
    assert_eq!(index, IndexOutcome::Restored);
    assert_same(&files, &lab.files(), "restored");
    assert_eq!(status, lab.status());
    assert_eq!(lab.restore(&safety).2, IndexOutcome::Restored);
    assert_eq!(changed_status, lab.status());
}

#[test]
fn staged_on_an_unborn_branch_without_an_index() {
    let lab = Lab::unborn();
    lab.write("a", "a\n");
    let target = lab.capture_unseen();
    let status = lab.status();
    lab.git(&["add", "a"]);
    assert_eq!(lab.restore(&target).2, IndexOutcome::Restored);
    assert_eq!(status, lab.status());
}

#[test]
fn force_staged_ignored() {
    let lab = Lab::new();
    lab.git(&["add", "-f", "x.ignored"]);
    lab.write("x.ignored", "changed since\n");
    round_trip(&lab, |lab| lab.remove("x.ignored"));
}

#[test]
fn force_staged_after_the_first_capture() {
    let lab = Lab::new();
    lab.capture();
    lab.git(&["add", "-f", "x.ignored"]);
    round_trip(&lab, |lab| lab.write("x.ignored", "other\n"));
}

#[test]
fn sparse_checkouts() {
    for index in ["--sparse-index", "--no-sparse-index"] {
        let lab = Lab::new();
        lab.write("other/d.txt", "outside the cone\n");
        lab.commit("more");
        lab.git(&["sparse-checkout", "init", "--cone", index]);
        lab.git(&["sparse-checkout", "set", "dir"]);
        assert!(!lab.exists("other/d.txt"));
        let target = round_trip(&lab, |lab| {
            lab.write("dir/b.txt", "changed\n");
            lab.write("dir/n.txt", "new\n");
            lab.remove("a.txt");
        });
        assert!(target.index_tree.is_none());
        lab.git(&["sparse-checkout", "disable"]);
        let (_, plan, _) = lab.restore(&target);
        assert_eq!(plan.kept, ["other/d.txt".into()], "it was outside the cone, so its absence is not proven");
        assert!(lab.exists("other/d.txt"));
    }
}

#[test]
fn split_index() {
    let lab = Lab::new();
    lab.git(&["update-index", "--split-index"]);
    lab.write("a.txt", "staged\n");
    lab.git(&["add", "a.txt"]);
    let target = round_trip(&lab, damage);
    assert!(target.index_tree.is_none());
}

#[test]
fn assume_unchanged() {
    let lab = Lab::new();
    lab.git(&["update-index", "--assume-unchanged", "a.txt"]);
    lab.write("a.txt", "unseen by git\n");
    round_trip(&lab, |lab| lab.write("a.txt", "other\n"));
    assert_eq!(lab.read("a.txt"), b"unseen by git\n");
}

#[test]
fn skip_worktree() {
    let lab = Lab::new();
    lab.git(&["update-index", "--skip-worktree", "a.txt"]);
    lab.write("a.txt", "unseen by git\n");
    round_trip(&lab, |lab| lab.write("a.txt", "other\n"));
}

#[test]
fn intent_to_add() {
    let lab = Lab::new();
    lab.write("soon.txt", "soon\n");
    lab.git(&["add", "-N", "soon.txt"]);
    let target = round_trip(&lab, |lab| lab.write("soon.txt", "other\n"));
    assert!(target.index_tree.is_none());
}

#[test]
fn index_versions() {
    let lab = Lab::new();
    lab.git(&["update-index", "--index-version", "4"]);
    lab.git(&["update-index", "--untracked-cache"]);
    assert!(round_trip(&lab, damage).index_tree.is_some());
}

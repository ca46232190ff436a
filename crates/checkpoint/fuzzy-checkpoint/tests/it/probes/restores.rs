//! Files that a restore keeps, and cases in which it is refused.

use std::fs;

use fuzzy_checkpoint::{CaptureOptions, Error, IndexOutcome, Reason};

use super::{damage, reasons, round_trip};
use crate::support::{CAP, Lab, assert_same};

#[test]
fn later_commits_remain() {
    let lab = Lab::new();
    let target = lab.capture_unseen();
    let files = lab.files();
    damage(&lab);
    lab.commit("by the agent");
    let head = lab.view().head;
    let (_, _, index) = lab.restore(&target);
    assert_eq!(index, IndexOutcome::Kept);
    assert_same(&files, &lab.files(), "restored");
    assert_eq!(head, lab.view().head);
    assert_eq!(lab.open().commits_since(target.head.as_ref()).expect("counted"), 1);
}

#[test]
fn head_moves_back_to_its_branch_and_commit() {
    let lab = Lab::new();
    let target = lab.capture_unseen();
    let (head, status) = (lab.view().head, lab.status());
    damage(&lab);
    lab.commit("by the agent");
    let worktree = lab.open();
    lab.git(&["checkout", "-q", "-b", "elsewhere"]);
    let refused = worktree.lock().expect("locked").restore_head(&target);
    assert!(matches!(refused.expect_err("main has another commit"), Error::HeadMismatch { .. }));
    for branch in ["main", "elsewhere"] {
        lab.git(&["symbolic-ref", "HEAD", &format!("refs/heads/{branch}")]);
        worktree.lock().expect("locked").restore_head(&target).expect("moved");
        worktree.lock().expect("locked").restore_head(&target).expect("moved already");
        assert_eq!(head, lab.view().head);
    }
    let (_, _, index) = lab.restore(&target);
    assert_eq!((index, head, status), (IndexOutcome::Restored, lab.view().head, lab.status()));
    lab.git(&["symbolic-ref", "HEAD", "refs/heads/elsewhere"]);
    lab.write(".git/MERGE_HEAD", lab.git(&["rev-parse", "main"]));
    let refused = worktree.lock().expect("locked").restore_head(&target);
    assert!(matches!(refused.expect_err("a merge is in progress"), Error::HeadMismatch { .. }));
    lab.remove(".git/MERGE_HEAD");
}

#[test]
fn held_index_lock_is_respected() {
    let lab = Lab::new();
    let target = lab.capture_unseen();
    let files = lab.files();
    damage(&lab);
    lab.git(&["add", "-A"]);
    lab.write(".git/index.lock", "another program's");
    let (_, _, index) = lab.restore(&target);
    assert_eq!(index, IndexOutcome::Busy);
    assert_eq!(lab.read(".git/index.lock"), b"another program's");
    assert_same(&files, &lab.files(), "restored");
    lab.remove(".git/index.lock");
}

#[test]
fn capture_waits_for_no_index_lock() {
    let lab = Lab::new();
    lab.write(".git/index.lock", "");
    lab.capture();
    lab.remove(".git/index.lock");
}

#[test]
fn ignored_then_and_captured_now_is_kept() {
    let lab = Lab::new();
    lab.write(".gitignore", ".env\nsecrets/\n");
    lab.write(".env", "KEY=1\n");
    lab.write("secrets/k", "k\n");
    let target = lab.capture_unseen();
    lab.remove(".gitignore");
    lab.write("later/.env", "KEY=2\n");
    lab.write("plain.txt", "deleted again\n");
    let (_, plan, _) = lab.restore(&target);
    assert_eq!(plan.kept, [".env".into(), "later/.env".into(), "secrets/k".into()]);
    assert_eq!(
        (lab.read(".env"), lab.read("secrets/k"), lab.read("later/.env")),
        (b"KEY=1\n".to_vec(), b"k\n".to_vec(), b"KEY=2\n".to_vec())
    );
    assert!(lab.exists(".gitignore") && !lab.exists("plain.txt"));
}

#[test]
fn self_ignored_rules_are_recorded() {
    let lab = Lab::new();
    lab.write(".venv/.gitignore", "*\n");
    lab.write(".venv/lib/x.py", "x\n");
    lab.write("half/.gitignore", "*.log\n.gitignore\n");
    lab.write("half/seen.txt", "seen\n");
    let target = lab.capture_unseen();
    lab.remove(".venv/.gitignore");
    lab.write(".venv/lib/y.py", "y\n");
    lab.remove("half/.gitignore");
    lab.write("half/new.log", "log\n");
    lab.write("half/new.txt", "deleted again\n");
    let (_, plan, _) = lab.restore(&target);
    assert_eq!(plan.kept, [".venv/lib/x.py".into(), ".venv/lib/y.py".into(), "half/new.log".into()]);
    assert_eq!(plan.deletes, ["half/new.txt".into()]);
}

#[test]
fn excludes_of_the_repository_and_the_engine_are_recorded() {
    let lab = Lab::new();
    lab.write(".git/info/exclude", "*.local\n");
    lab.write("a.local", "a\n");
    lab.write("a.extra", "a\n");
    let engine = lab.engine().with_exclude(["*.extra".to_owned()]);
    let worktree = engine.open(&lab.root).expect("a worktree");
    let target = worktree.lock().expect("locked").capture(&CaptureOptions::default()).expect("captured");
    lab.write(".git/info/exclude", "");
    lab.write("b.local", "b\n");
    lab.write("b.extra", "b\n");
    let (_, plan, _) = lab.restore(&target);
    assert_eq!(plan.kept, ["a.extra".into(), "a.local".into(), "b.extra".into(), "b.local".into()]);
}

#[test]
fn over_the_cap_then_and_small_now_is_kept() {
    let lab = Lab::new();
    let big = vec![b'x'; usize::try_from(CAP).expect("fits") + 1];
    lab.write("big", &big);
    let target = lab.capture_unseen();
    assert_eq!(reasons(&target), [("big".to_owned(), Reason::TooLarge)]);
    lab.write("big", "small\n");
    let (_, plan, _) = lab.restore(&target);
    assert_eq!(plan.kept, ["big".into()]);
    assert_eq!(lab.read("big"), b"small\n");
}

#[test]
fn small_then_and_over_the_cap_now_is_saved_first() {
    let lab = Lab::new();
    let big = vec![b'x'; usize::try_from(CAP).expect("fits") + 1];
    round_trip(&lab, |lab| lab.write("a.txt", &big));
    lab.write("a.txt", &big);
    let between = lab.capture();
    assert_eq!(reasons(&between), [("a.txt".to_owned(), Reason::TooLarge)]);
}

#[test]
fn special_files_are_not_captured() {
    let lab = Lab::new();
    let made = std::process::Command::new("mkfifo").arg(lab.path("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    let target = round_trip(&lab, damage);
    assert!(lab.exists("pipe"));
    lab.remove("a.txt");
    let made = std::process::Command::new("mkfifo").arg(lab.path("a.txt")).status().expect("mkfifo runs");
    assert!(made.success());
    assert_eq!(lab.plan(&target).obstructed, ["a.txt".into()]);
}

#[test]
fn obstructions_are_refused_before_any_write() {
    let lab = Lab::new();
    lab.write("conf", "captured\n");
    let target = lab.capture_unseen();
    let worktree = lab.open();
    for obstacle in ["conf", "conf/below"] {
        lab.remove("conf");
        lab.write(".gitignore", "conf\n*.ignored\nbuild/\n");
        // Without the private directory, nothing records that the path was captured.
        fs::remove_dir_all(lab.outside("state/wt")).expect("removed");
        lab.write(obstacle, "precious and ignored\n");
        lab.write("a.txt", "changed\n");
        let files = lab.files();
        let locked = worktree.lock().expect("locked");
        let safety = locked.capture(&CaptureOptions::before(&target)).expect("captured");
        let plan = locked.plan(&safety, &target, &[]).expect("a plan");
        assert_eq!(plan.obstructed, [obstacle.into()]);
        assert!(
            matches!(locked.apply(&safety, &target, &plan), Err(Error::Obstructed { paths, .. }) if paths == [obstacle.into()])
        );
        drop(locked);
        assert_same(&files, &lab.files(), "nothing is written");
    }
    lab.remove("conf");
    lab.write("conf", "captured\n");
    assert!(lab.plan(&target).obstructed.is_empty(), "a file with the same content is not in the way");
}

#[test]
fn a_kept_file_in_the_way_is_refused() {
    let lab = Lab::new();
    lab.write(".gitignore", "keep\n");
    lab.write("name", "a file\n");
    let target = lab.capture_unseen();
    lab.remove("name");
    lab.write("name/keep", "ignored then, captured now\n");
    lab.remove(".gitignore");
    let plan = lab.plan(&target);
    assert_eq!(plan.kept, ["name/keep".into()]);
    assert_eq!(plan.obstructed, ["name/keep".into()]);
}

#[test]
fn nested_repository_in_the_way_is_refused() {
    let lab = Lab::new();
    lab.write("lib/x", "captured\n");
    let target = lab.capture_unseen();
    lab.remove("lib");
    lab.capture();
    lab.write("lib/own", "inner\n");
    Lab::git_in(&lab.path("lib"), &["init", "-q", "."]);
    assert_eq!(lab.plan(&target).obstructed, ["lib".into()]);
}

#[test]
fn a_captured_file_remains_captured_once_ignored() {
    let lab = Lab::new();
    lab.write("note", "one\n");
    lab.capture();
    lab.write(".gitignore", "note\n");
    round_trip(&lab, |lab| lab.write("note", "two\n"));
}

#[test]
fn a_captured_file_is_captured_again_after_an_absence() {
    let lab = Lab::new();
    lab.write("note", "one\n");
    let first = lab.capture();
    lab.write(".gitignore", "note\n");
    lab.remove("note");
    lab.capture();
    let without = lab.capture();
    lab.restore(&first);
    assert_eq!(lab.read("note"), b"one\n");
    lab.restore(&without);
    assert!(!lab.exists("note"), "two captures found it missing");
}

#[test]
fn a_same_size_edit_right_after_a_capture_is_detected() {
    let lab = Lab::new();
    for round in 0..20 {
        lab.write("a.txt", format!("{:05}\n", round * 2));
        let target = lab.capture();
        lab.write("a.txt", format!("{:05}\n", round * 2 + 1));
        lab.restore(&target);
        assert_eq!(lab.read("a.txt"), format!("{:05}\n", round * 2).into_bytes());
    }
}

#[test]
fn a_file_changed_after_the_safety_capture_prevents_the_restore() {
    let lab = Lab::new();
    let target = lab.capture();
    lab.write(".a-first", "two\n");
    lab.write("a.txt", "two\n");
    lab.remove("gone.txt");
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions::default()).expect("captured");
    let plan = locked.plan(&safety, &target, &[]).expect("a plan");
    lab.write("a.txt", "three\n");
    let files = lab.files();
    let error = locked.apply(&safety, &target, &plan).expect_err("it changed");
    assert!(matches!(error, Error::ChangedDuring { .. }));
    assert_same(&files, &lab.files(), "nothing is written");
}

#[test]
fn a_partial_restore_changes_nothing_else() {
    let lab = Lab::new();
    let target = lab.capture();
    lab.write("a.txt", "changed\n");
    lab.write("dir/b.txt", "changed\n");
    lab.write("dir/new", "new\n");
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions::default()).expect("captured");
    let plan = locked.plan(&safety, &target, &["dir".into()]).expect("a plan");
    locked.apply(&safety, &target, &plan).expect("applied");
    assert_eq!(lab.read("a.txt"), b"changed\n");
    assert_eq!(lab.read("dir/b.txt"), b"beta\r\nbeta\n");
    assert!(!lab.exists("dir/new"));
}

#[test]
fn unrelated_files_keep_their_times() {
    let lab = Lab::new();
    let target = lab.capture();
    let before = lab.view().times;
    lab.write("a.txt", "changed\n");
    lab.restore(&target);
    let after = lab.view().times;
    assert_eq!(before.get(&b"gone.txt"[..]), after.get(&b"gone.txt"[..]));
}

#[test]
fn a_stale_warm_index_is_detected() {
    let lab = Lab::new();
    lab.write("loose.txt", "only in a checkpoint\n");
    let first = lab.capture();
    let worktree = lab.open();
    lab.kept_git(&["update-ref", "-d", &format!("refs/fuzzy-edit/warm/{}", worktree.id())]);
    worktree.collect().expect("collected");
    let gone = worktree.lock().expect("locked").load(&first.commit, None, None).expect_err("collected");
    assert!(matches!(gone, Error::Lost { .. }));
    let second = lab.capture_unseen();
    assert_eq!(first.tree, second.tree);
    lab.kept_git(&["rev-list", "--objects", second.commit.as_str()]);
}

#[test]
fn a_loaded_snapshot_equals_the_captured_one() {
    let lab = Lab::new();
    lab.write(".env", "KEY=1\n");
    let mut snapshot = lab.capture();
    assert_eq!(snapshot.secrets, [".env".into()]);
    let worktree = lab.open();
    let loaded =
        worktree.lock().expect("locked").load(&snapshot.commit, snapshot.head.clone(), snapshot.head_ref.clone());
    snapshot.secrets.clear();
    assert_eq!(loaded.expect("loaded"), snapshot);
}

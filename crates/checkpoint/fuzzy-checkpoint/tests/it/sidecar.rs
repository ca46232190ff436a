//! Sidecars: directories without a repository, or with a read-only one, are captured and restored like others.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use fuzzy_checkpoint::{CaptureOptions, Error, IndexKept, IndexLeft, Reason};

use crate::random::{self, Step};
use crate::support::{CAP, Lab, assert_same};

/// The number of random trees in the suite; `cargo xtask checkpoints` and `FUZZY_CHECKPOINT_CASES` run more.
const CASES: u32 = 24;

#[test]
fn random_trees_without_git_are_restored() {
    random::with_edits(CASES, |before, after| {
        let lab = Lab::folder();
        random::check(&lab, before, after);
        assert!(!lab.exists(".git"), "nothing is written into the directory");
    });
}

#[test]
fn random_trees_with_a_read_only_git_directory_are_restored() {
    random::with_edits(CASES, |before, after| {
        let lab = Lab::new().with_sidecar(true);
        for step in before {
            random::run(&lab, step);
        }
        lab.shut();
        let shut = lab.view().git_dir;
        let after: Vec<Step> = after.iter().filter(|step| !step.is_gits()).cloned().collect();
        random::check_from_here(&lab, &after);
        assert_same(&shut, &lab.view().git_dir, "the git directory");
    });
}

#[test]
fn ignore_rules_work_without_a_repository() {
    let lab = Lab::folder();
    // An ignored directory is not searched, so rules inside it do not apply.
    lab.write("logs/.gitignore", "*\n!keep/\n!keep/*.txt\n");
    lab.write("logs/keep/a.txt", "kept\n");
    lab.write("logs/keep/a.bin", "not kept\n");
    lab.write("build/.gitignore", "!out.o\n");
    let target = lab.capture_unseen();
    let listed = lab.kept_git(&["ls-tree", "-r", "--name-only", target.tree.as_str()]);
    let names: Vec<&str> = listed.lines().collect();
    assert_eq!(names, [".gitignore", "a.txt", "dir/b.txt", "dir/deep/c.bin", "gone.txt", "logs/keep/a.txt"]);
    assert!(!lab.open().git_dir().starts_with(&lab.root), "the store is outside of the directory");
}

#[test]
fn a_sidecar_respects_the_tracked_and_excluded_files_of_the_repository() {
    let lab = Lab::new().with_sidecar(true);
    lab.write(".git/info/exclude", "secret.txt\n");
    lab.write("secret.txt", "secret\n");
    lab.write("forced.ignored", "tracked all the same\n");
    lab.git(&["add", "-f", "forced.ignored"]);
    lab.shut();
    let target = lab.capture_unseen();
    assert_eq!((target.head.as_ref(), target.head_ref.as_ref(), target.index_tree.as_ref()), (None, None, None));
    assert_eq!(target.index_left, Some(IndexLeft::Sidecar));
    lab.write("forced.ignored", "changed\n");
    lab.write("secret.txt", "changed\n");
    let plan = lab.plan(&target);
    let locked = lab.open();
    let locked = locked.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions::before(&target)).expect("captured");
    assert_eq!(locked.index_kept(&safety, &target).expect("known"), Some(IndexKept::NotCaptured));
    assert!(locked.check_head(&target).is_err(), "there is no branch to move");
    drop(locked);
    assert_eq!(plan.kept, []);
    lab.restore(&target);
    assert_eq!(lab.read("forced.ignored"), b"tracked all the same\n");
    assert_eq!(lab.read("secret.txt"), b"changed\n");
}

#[test]
fn secrets_modes_and_limits_work_in_a_sidecar() {
    let lab = Lab::folder();
    lab.write("key.pem", "private\n");
    fs::set_permissions(lab.path("key.pem"), fs::Permissions::from_mode(0o600)).expect("set");
    lab.write("large", vec![b'l'; usize::try_from(CAP).expect("fits") + 1]);
    let target = lab.capture_unseen();
    assert_eq!(target.secrets.iter().map(ToString::to_string).collect::<Vec<_>>(), ["key.pem"]);
    assert_eq!(target.uncovered.iter().map(|left| left.reason).collect::<Vec<_>>(), [Reason::TooLarge]);
    lab.remove("key.pem");
    lab.remove(".gitignore");
    lab.write("late.ignored", "it was ignored then\n");
    let (safety, plan, _) = lab.restore(&target);
    assert_eq!(lab.mode("key.pem"), Some(0o600));
    // `x.ignored` was ignored, too: the absence of neither is proven.
    let kept: Vec<String> = plan.kept.iter().map(ToString::to_string).collect();
    assert_eq!(kept, ["build/out.o", "late.ignored", "x.ignored"]);
    lab.restore(&safety);
    assert!(!lab.exists("key.pem") && !lab.exists(".gitignore"));
}

#[test]
fn a_subdirectory_belongs_to_the_captured_directory() {
    let lab = Lab::folder();
    let target = lab.capture();
    let inner = lab.engine().open(&lab.path("dir/deep")).expect("opened");
    assert_eq!(inner.root(), lab.root);
    lab.write("a.txt", "changed\n");
    lab.restore(&target);
    assert_eq!(lab.read("a.txt"), b"alpha\n");
    // A nested repository is not captured by the directories around it, and has its own sidecar.
    Lab::git_in(&lab.path("dir"), &["init", "-q", "."]);
    assert_eq!(lab.engine().open(&lab.path("dir/deep")).expect("opened").root(), lab.path("dir"));
}

#[test]
fn pruned_checkpoints_are_collected_and_the_others_can_be_restored() {
    let lab = Lab::folder();
    lab.write("a.txt", "pruned\n");
    let pruned = lab.capture_unseen();
    lab.write("a.txt", "kept\n");
    let kept = lab.capture_unseen();
    let worktree = lab.open();
    let blob = lab.kept_git(&["rev-parse", &format!("{}:a.txt", pruned.tree)]);
    let (name, _) = worktree.pins().expect("pins").into_iter().find(|(_, oid)| *oid == pruned.commit).expect("pinned");
    worktree.unpin(&[name]).expect("unpinned");
    worktree.collect().expect("collected");
    assert!(lab.try_kept_git(&["cat-file", "-e", blob.trim()]).starts_with("Some(1)"), "its space is freed");
    lab.write("a.txt", "later\n");
    lab.restore(&kept);
    assert_eq!(lab.read("a.txt"), b"kept\n");
}

#[test]
fn a_read_only_repository_is_refused_without_a_sidecar() {
    if rustix::process::geteuid().is_root() {
        println!("left out: root writes everywhere");
        return;
    }
    let lab = Lab::read_only().with_sidecar(false);
    let worktree = lab.open();
    let refused = worktree.lock().expect("locked").capture(&CaptureOptions::default()).expect_err("refused");
    assert!(matches!(refused, Error::NotAWorktree { .. }), "{refused}");
    // Otherwise the directory could not be removed.
    fs::set_permissions(lab.path(".git"), fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn a_full_restore_restores_the_captured_permissions() {
    for lab in [Lab::folder(), Lab::read_only()] {
        let modes: BTreeMap<&str, u32> =
            BTreeMap::from([("a.txt", 0o640), ("gone.txt", 0o755), ("dir/b.txt", 0o600), ("dir/deep/c.bin", 0o444)]);
        for (name, mode) in &modes {
            fs::set_permissions(lab.path(name), fs::Permissions::from_mode(*mode)).expect("set");
        }
        let target = lab.capture_unseen();
        for name in modes.keys() {
            lab.remove(name);
        }
        lab.restore(&target);
        for (name, mode) in modes {
            assert_eq!(lab.mode(name), Some(mode), "{name}");
        }
    }
}

//! Every kind of worktree we know to be difficult: capture is not seen, restore and undo are byte-exact.

mod support;

use std::fs;
use std::os::unix::fs::symlink;

use fuzzy_checkpoint::{CaptureOptions, Error, IndexOutcome, Reason, Snapshot};
use support::{CAP, Lab, assert_same};

/// Does what an agent may do: change, delete, add, replace a directory, stage.
fn damage(lab: &Lab) {
    if lab.exists("a.txt") {
        lab.write("a.txt", "ALPHA\n");
    }
    if lab.exists("gone.txt") {
        lab.remove("gone.txt");
    }
    if lab.exists("dir") && !lab.path("dir").is_symlink() {
        lab.remove("dir");
        lab.write("dir", "now a file\n");
    }
    lab.write("new/file.txt", "new\n");
    lab.write("new/run.sh", "#!/bin/true\n");
    lab.executable("new/run.sh", true);
    symlink("a.txt", lab.path("new/link")).expect("linked");
}

/// Captures, lets `change` loose, restores and undoes; everything on disk and in the status must come back both times.
fn round_trip(lab: &Lab, change: impl FnOnce(&Lab)) -> Snapshot {
    let target = lab.capture_unseen();
    let (files, status, head) = (lab.files(), lab.status(), lab.view().head);
    change(lab);
    let (changed, changed_status, changed_head) = (lab.files(), lab.status(), lab.view().head);
    assert_ne!(files, changed, "the change must show");
    let (safety, plan, _) = lab.restore(&target);
    assert_same(&files, &lab.files(), "restored");
    assert!(plan.kept.is_empty(), "{plan:?}");
    if head == changed_head {
        assert_eq!(status, lab.status(), "status after the restore");
    }
    lab.restore(&safety);
    assert_same(&changed, &lab.files(), "undone");
    assert_eq!(changed_status, lab.status(), "status after the undo");
    assert_eq!(changed_head, lab.view().head, "a restore leaves the head");
    lab.restore(&target);
    assert_same(&files, &lab.files(), "restored again");
    target
}

fn reasons(snapshot: &Snapshot) -> Vec<(String, Reason)> {
    snapshot.uncovered.iter().map(|left| (left.path.to_string(), left.reason)).collect()
}

#[test]
fn normal() {
    round_trip(&Lab::new(), damage);
}

#[test]
fn unchanged_worktrees_get_the_same_commit() {
    let lab = Lab::new();
    assert_eq!(lab.capture().commit, lab.capture().commit);
}

#[test]
fn unborn_head() {
    let lab = Lab::unborn();
    lab.fill();
    let target = round_trip(&lab, damage);
    assert!(target.head.is_none() && target.head_ref.as_deref() == Some("refs/heads/main"));
}

#[test]
fn unborn_and_empty() {
    round_trip(&Lab::unborn(), damage);
}

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
fn nested_repositories() {
    for commit in [true, false] {
        let lab = Lab::new();
        lab.write("nested/inner.txt", "inner\n");
        Lab::git_in(&lab.path("nested"), &["init", "-q", "."]);
        if commit {
            Lab::git_in(&lab.path("nested"), &["add", "-A"]);
            Lab::git_in(&lab.path("nested"), &["commit", "-q", "-m", "inner"]);
        }
        let target = round_trip(&lab, damage);
        assert_eq!(reasons(&target), [("nested".to_owned(), Reason::NestedRepo)], "with a commit: {commit}");
        lab.write("nested/inner.txt", "changed\n");
        lab.write("nested/new.txt", "new\n");
        lab.restore(&target);
        assert_eq!(lab.read("nested/inner.txt"), b"changed\n");
        assert!(lab.exists("nested/new.txt") && lab.exists("nested/.git"));
    }
}

#[test]
fn nested_repository_that_loses_its_git_directory() {
    let lab = Lab::new();
    lab.write("nested/inner.txt", "inner\n");
    Lab::git_in(&lab.path("nested"), &["init", "-q", "."]);
    let target = lab.capture_unseen();
    lab.remove("nested/.git");
    damage(&lab);
    let (_, plan, _) = lab.restore(&target);
    assert_eq!(plan.kept, ["nested/inner.txt".into()]);
    assert_eq!(lab.read("nested/inner.txt"), b"inner\n");
}

#[test]
fn submodule() {
    let lab = Lab::new();
    let other = Lab::new();
    lab.git(&["submodule", "--quiet", "add", &other.root.to_string_lossy(), "sub"]);
    lab.commit("with a submodule");
    let target = round_trip(&lab, damage);
    assert!(reasons(&target).contains(&("sub".to_owned(), Reason::Submodule)));
    lab.write("sub/a.txt", "changed in the submodule\n");
    lab.restore(&target);
    assert_eq!(lab.read("sub/a.txt"), b"changed in the submodule\n");
}

#[test]
fn symlinks() {
    let lab = Lab::new();
    symlink("a.txt", lab.path("link")).expect("linked");
    symlink("nowhere", lab.path("dangling")).expect("linked");
    symlink("dir", lab.path("to-dir")).expect("linked");
    lab.commit("links");
    round_trip(&lab, |lab| {
        lab.remove("link");
        lab.write("link", "a file now\n");
        lab.remove("dangling");
        lab.remove("to-dir");
        lab.write("to-dir/x", "a directory now\n");
        lab.remove("a.txt");
        symlink("gone.txt", lab.path("a.txt")).expect("linked");
    });
}

#[test]
fn directory_replaced_by_a_symlink() {
    let lab = Lab::new();
    let outside = lab.outside("elsewhere");
    fs::create_dir(&outside).expect("created");
    fs::write(outside.join("b.txt"), "outside\n").expect("written");
    round_trip(&lab, |lab| {
        lab.remove("dir");
        symlink(&outside, lab.path("dir")).expect("linked");
    });
    assert_eq!(fs::read(outside.join("b.txt")).expect("there"), b"outside\n");
}

#[test]
fn ignored_directory_replaced_by_a_symlink() {
    let lab = Lab::new();
    lab.write("d/e/x", "x\n");
    round_trip(&lab, |lab| {
        lab.write(".gitignore", "*.ignored\nbuild/\nx\n");
        lab.remove("d/e");
        symlink("../a.txt", lab.path("d/e")).expect("linked");
    });
}

#[test]
fn exec_bit() {
    let lab = Lab::new();
    lab.write("run", "#!/bin/true\n");
    lab.executable("run", true);
    round_trip(&lab, |lab| {
        lab.executable("run", false);
        lab.executable("a.txt", true);
    });
}

#[test]
fn file_and_directory_change_places() {
    let lab = Lab::new();
    lab.write("f", "file\n");
    lab.write("d/x/y", "deep\n");
    round_trip(&lab, |lab| {
        lab.remove("f");
        lab.write("f/x/y", "deep now\n");
        lab.remove("d");
        lab.write("d", "file now\n");
    });
}

#[test]
fn conversions() {
    for setting in [&["core.autocrlf=true", "core.safecrlf=true"][..], &["core.autocrlf=input"], &["core.eol=crlf"]] {
        let lab = Lab::new();
        for pair in setting {
            let (key, value) = pair.split_once('=').expect("a pair");
            lab.git(&["config", key, value]);
        }
        lab.write("mixed.txt", "one\r\ntwo\nthree\r\n");
        lab.write("crlf.txt", "one\r\ntwo\r\n");
        round_trip(&lab, |lab| {
            damage(lab);
            lab.write("mixed.txt", "one\ntwo\n");
            lab.write("crlf.txt", "one\n");
        });
    }
}

#[test]
fn utf_16_ident_and_filters() {
    let lab = Lab::new();
    lab.git(&["config", "filter.large.clean", "sed s/./L/g"]);
    lab.git(&["config", "filter.large.smudge", "sed s/./S/g"]);
    lab.git(&["config", "filter.large.required", "true"]);
    let rules = "*.u16 text working-tree-encoding=UTF-16LE eol=crlf\n*.id ident\n*.lfs filter=large\n[attr]odd filter=large ident\n*.odd odd\n* text=auto eol=crlf\n";
    lab.write(".gitattributes", rules);
    lab.write("w.u16", b"a\0\r\0\n\0b\0\n\0");
    lab.write("broken.u16", b"\xff\xff\xff");
    lab.write("k.id", "$Id$ and $Id: 1234 $\n");
    lab.write("big.lfs", "content\n");
    lab.write("o.odd", "$Id$\n");
    round_trip(&lab, |lab| {
        for name in ["w.u16", "k.id", "big.lfs", "o.odd"] {
            lab.write(name, "other\r\n");
        }
        lab.remove(".gitattributes");
        lab.remove("broken.u16");
    });
}

#[test]
fn odd_names() {
    let lab = Lab::new();
    let names: [&[u8]; 13] = [
        b"-rf",
        b"--all",
        b"a\nb",
        b"tab\there",
        b"*",
        b"[a]",
        b":(top)x",
        b" lead",
        b"trail ",
        b"quo\"te\\",
        b"caf\xe9",
        "é/ü".as_bytes(),
        b"#x",
    ];
    for name in names {
        lab.write(name, name);
    }
    lab.write("deep/-x/\u{1}", "control\n");
    round_trip(&lab, |lab| {
        for name in names {
            fs::remove_file(lab.path(name)).expect("removed");
        }
        lab.write(b"\xfe\xff", "new\n");
        lab.write("deep/-x/\u{1}", "changed\n");
    });
}

#[test]
fn reserved_names_are_left_alone() {
    let lab = Lab::new();
    for name in ["sub/.GIT/config", "git~1", "other/.git ", "x/.git::$INDEX_ALLOCATION"] {
        lab.write(name, "reserved\n");
    }
    symlink("/etc/passwd", lab.path(".gitmodules")).expect("linked");
    let target = round_trip(&lab, damage);
    assert_eq!(target.uncovered.iter().filter(|left| left.reason == Reason::ReservedName).count(), 5);
    assert_eq!(lab.read("git~1"), b"reserved\n");
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
        assert_eq!(plan.kept, ["other/d.txt".into()], "outside the cone then, so nothing is proved");
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

#[test]
fn partial_clone() {
    let origin = Lab::new();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    origin.write("a.txt", "second\n");
    origin.commit("second");
    let lab = Lab::empty();
    let url = format!("file://{}", origin.root.display());
    lab.git(&["clone", "-q", "--filter=blob:none", &url, "."]);
    lab.write("x.ignored", "ignored\n");
    round_trip(&lab, damage);
}

#[test]
fn shallow_clone() {
    let origin = Lab::new();
    origin.write("a.txt", "second\n");
    origin.commit("second");
    let lab = Lab::empty();
    let url = format!("file://{}", origin.root.display());
    lab.git(&["clone", "-q", "--depth=1", &url, "."]);
    round_trip(&lab, damage);
}

#[test]
fn mid_merge() {
    let lab = Lab::new();
    lab.git(&["checkout", "-q", "-b", "side"]);
    lab.write("a.txt", "side\n");
    lab.commit("side");
    lab.git(&["checkout", "-q", "main"]);
    lab.write("a.txt", "main\n");
    lab.commit("main");
    assert!(lab.try_git(&["merge", "side"]).starts_with("Some(1)"));
    let target = round_trip(&lab, damage);
    assert!(target.index_tree.is_none());
    assert!(lab.git(&["ls-files", "-u"]).contains("a.txt"), "the conflict is still recorded");
    assert!(lab.exists(".git/MERGE_HEAD"));
}

#[test]
fn detached_and_linked_worktrees() {
    let lab = Lab::new();
    lab.git(&["checkout", "-q", "--detach"]);
    let target = round_trip(&lab, damage);
    assert!(target.head_ref.is_none() && target.head.is_some());
    let mut linked = Lab::new();
    let place = linked.outside("linked");
    linked.git(&["worktree", "add", "-q", &place.to_string_lossy(), "-b", "other"]);
    let first = linked.open();
    linked.root = place;
    assert_ne!(first.id(), linked.open().id());
    round_trip(&linked, damage);
}

#[test]
fn sha256() {
    let lab = Lab::empty();
    lab.git(&["init", "-q", "-b", "main", "--object-format=sha256", "."]);
    lab.fill();
    lab.commit("first");
    let target = round_trip(&lab, damage);
    assert_eq!(target.commit.as_str().len(), 64);
}

#[test]
fn commits_made_since_stay() {
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
fn head_moves_back_only_on_the_same_branch() {
    let lab = Lab::new();
    let target = lab.capture_unseen();
    let (head, status) = (lab.view().head, lab.status());
    damage(&lab);
    lab.commit("by the agent");
    let worktree = lab.open();
    lab.git(&["checkout", "-q", "-b", "elsewhere"]);
    let refused = worktree.lock().expect("locked").restore_head(&target);
    assert_eq!(refused.expect_err("another branch").code(), "head_mismatch");
    lab.git(&["checkout", "-q", "main"]);
    worktree.lock().expect("locked").restore_head(&target).expect("moved");
    let (_, _, index) = lab.restore(&target);
    assert_eq!((index, head, status), (IndexOutcome::Restored, lab.view().head, lab.status()));
}

#[test]
fn held_index_lock_is_respected() {
    let lab = Lab::new();
    let target = lab.capture_unseen();
    let files = lab.files();
    damage(&lab);
    lab.git(&["add", "-A"]);
    lab.write(".git/index.lock", "somebody else's");
    let (_, _, index) = lab.restore(&target);
    assert_eq!(index, IndexOutcome::Busy);
    assert_eq!(lab.read(".git/index.lock"), b"somebody else's");
    assert_same(&files, &lab.files(), "restored");
}

#[test]
fn capture_waits_for_no_index_lock() {
    let lab = Lab::new();
    lab.write(".git/index.lock", "");
    lab.capture();
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
fn rules_that_ignore_themselves_are_remembered() {
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
fn excludes_of_the_repository_and_the_engine_are_remembered() {
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
fn special_files_are_left_alone() {
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
        // With the state lost, nothing remembers that the path was covered.
        fs::remove_dir_all(lab.outside("state")).expect("removed");
        lab.write(obstacle, "precious and ignored\n");
        lab.write("a.txt", "changed\n");
        let files = lab.files();
        let locked = worktree.lock().expect("locked");
        let safety = locked.capture(&CaptureOptions { exempt: Some(target.tree.clone()) }).expect("captured");
        let plan = locked.plan(&safety, &target, &[]).expect("a plan");
        assert_eq!(plan.obstructed, [obstacle.into()]);
        assert!(matches!(locked.apply(&safety, &plan), Err(Error::Obstructed { paths }) if paths == [obstacle.into()]));
        drop(locked);
        assert_same(&files, &lab.files(), "nothing is written");
    }
    lab.remove("conf");
    lab.write("conf", "captured\n");
    assert!(lab.plan(&target).obstructed.is_empty(), "the same bytes are in nobody's way");
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
fn sticky_coverage() {
    let lab = Lab::new();
    lab.write("note", "one\n");
    lab.capture();
    lab.write(".gitignore", "note\n");
    round_trip(&lab, |lab| lab.write("note", "two\n"));
}

#[test]
fn sticky_coverage_outlives_an_absence() {
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
    assert!(!lab.exists("note"), "two captures looked for it and did not find it");
}

#[test]
fn same_size_edit_right_after_a_capture_is_seen() {
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
fn a_file_changed_after_the_safety_capture_stops_the_restore() {
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
    let error = locked.apply(&safety, &plan).expect_err("it changed");
    assert_eq!(error.code(), "changed_during");
    assert_same(&files, &lab.files(), "nothing is written");
}

#[test]
fn partial_restore_touches_nothing_else() {
    let lab = Lab::new();
    let target = lab.capture();
    lab.write("a.txt", "changed\n");
    lab.write("dir/b.txt", "changed\n");
    lab.write("dir/new", "new\n");
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions::default()).expect("captured");
    let plan = locked.plan(&safety, &target, &["dir".into()]).expect("a plan");
    locked.apply(&safety, &plan).expect("applied");
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
fn stale_warm_index_is_noticed() {
    let lab = Lab::new();
    lab.write("loose.txt", "only in a checkpoint\n");
    let first = lab.capture();
    let worktree = lab.open();
    lab.git(&["update-ref", "-d", &format!("refs/fuzzy-edit/warm/{}", worktree.id())]);
    lab.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(worktree.lock().expect("locked").load(&first.commit, None, None).expect_err("collected").code(), "lost");
    let second = lab.capture_unseen();
    assert_eq!(first.tree, second.tree);
    lab.git(&["rev-list", "--objects", second.commit.as_str()]);
}

#[test]
fn load_gives_back_what_was_captured() {
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

//! Kinds of repositories and files.

use std::fs;
use std::os::unix::fs::symlink;

use fuzzy_checkpoint::{CaptureOptions, Engine, Limits, Reason};

use super::{damage, reasons, round_trip};
use crate::support::Lab;

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
fn our_own_state_in_the_worktree_is_not_captured() {
    let lab = Lab::new();
    lab.write("a dir/there", "covered\n");
    let state = lab.path("a dir/[state]*");
    let engine = Engine::new(&state).with_limits(Limits { min_free_bytes: 1, ..Limits::default() });
    let worktree = engine.open(&lab.root).expect("a worktree");
    let locked = worktree.lock().expect("locked");
    let capture = |options| locked.capture(&options).expect("captured");
    let first = capture(CaptureOptions::default());
    fs::write(state.join("state.db"), "a database").expect("written");
    lab.write("a dir/beside", "covered\n");
    let second = capture(CaptureOptions::before(&first));
    let plan = locked.plan(&second, &first, &[]).expect("a plan");
    assert!(plan.writes.is_empty(), "{plan:?}");
    let deleted: Vec<String> = plan.deletes.iter().map(ToString::to_string).collect();
    assert_eq!(deleted, ["a dir/beside"]);
    locked.apply(&second, &first, &plan).expect("applied");
    assert!(state.join("state.db").exists() && !lab.exists("a dir/beside"));
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
fn reserved_names_are_not_captured() {
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

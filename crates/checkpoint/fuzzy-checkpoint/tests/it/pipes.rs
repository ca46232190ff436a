//! Pipes in place of files: opening one would block.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::process::Command;
use std::time::Duration;

use fuzzy_checkpoint::{CaptureOptions, Limits};

use crate::support::Lab;

fn pipe(lab: &Lab, path: &str) {
    let path = lab.path(path);
    if fs::symlink_metadata(&path).is_ok() {
        fs::remove_file(&path).expect("removed");
    }
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

#[test]
fn pipes_in_place_of_our_own_files_are_replaced() {
    let lab = Lab::new();
    lab.capture_unseen();
    let (name, store) = (lab.open().id().to_owned(), lab.open().store().to_owned());
    let private = lab.outside("state/wt").join(&name);
    for place in [private.join("record.next"), store.join("record.next"), store.join("synced"), store.join("config")] {
        pipe(&lab, place.to_str().expect("UTF-8"));
        lab.capture_unseen();
        assert_eq!(lab.open().id(), name, "{place:?}");
    }
    for place in [".git/info/exclude", ".git/fuzzy-edit-worktree"] {
        pipe(&lab, place);
        lab.capture();
        lab.remove(place);
    }
}

#[test]
fn pipes_in_place_of_ignore_rules_are_refused_before_any_deadline() {
    let lab = Lab::new();
    lab.write("new/deep/file", "in no checkpoint yet\n");
    let limits = Limits { min_free_bytes: 1, timeout: Duration::from_hours(24), ..Limits::default() };
    let worktree = lab.engine().with_limits(limits).open(&lab.root).expect("a worktree");
    let capture = || worktree.lock().and_then(|locked| locked.capture(&CaptureOptions::default()));
    for place in ["new/deep/.gitignore", ".gitignore", "dir/.gitignore"] {
        pipe(&lab, place);
        let refused = capture().expect_err("git would wait");
        assert!(refused.to_string().contains(place), "{refused}");
        assert!(fs::symlink_metadata(lab.path(place)).expect("there").file_type().is_fifo());
        lab.remove(place);
        capture().expect("captured");
    }
}

#[test]
fn pipes_in_place_of_repository_files_are_refused_before_any_deadline() {
    let lab = Lab::new();
    lab.capture();
    let limits = Limits { min_free_bytes: 1, timeout: Duration::from_hours(24), ..Limits::default() };
    let engine = lab.engine().with_limits(limits);
    let capture = || engine.open(&lab.root)?.lock()?.capture(&CaptureOptions::default()).map(drop);
    let branch = lab.git(&["symbolic-ref", "HEAD"]).trim().to_owned();
    for place in [".git/HEAD", ".git/config", ".git/packed-refs", &format!(".git/{branch}")] {
        let before = fs::read(lab.path(place)).ok();
        pipe(&lab, place);
        // A pipe that git does not open does not matter.
        match capture() {
            Err(refused) => assert!(refused.to_string().contains(place), "{place}: {refused}"),
            Ok(()) => assert!(!["HEAD", "config"].iter().any(|name| place.ends_with(name)), "{place}"),
        }
        lab.remove(place);
        if let Some(before) = before {
            fs::write(lab.path(place), before).expect("written");
        }
        capture().expect("captured");
    }
}

#[test]
fn pipes_that_a_configuration_includes_are_refused_before_any_deadline() {
    let lab = Lab::new();
    lab.capture();
    let limits = Limits { min_free_bytes: 1, timeout: Duration::from_hours(24), ..Limits::default() };
    let engine = lab.engine().with_limits(limits);
    let open = || engine.open(&lab.root).map(drop);
    let config = String::from_utf8(lab.read(".git/config")).expect("UTF-8");
    pipe(&lab, ".git/pipe");
    lab.write(".git/more", "[include] Path = \"pipe\"\n");
    for included in ["[include]\n\tpath = pipe\n", "[core]\n[includeIf \"gitdir:**\"]\npath=more\n"] {
        lab.write(".git/config", config.clone() + included);
        let refused = open().expect_err("git would wait").to_string();
        assert!(refused.contains(".git/pipe"), "{refused}");
    }
    lab.write(".git/config", config);
    open().expect("opened");
}

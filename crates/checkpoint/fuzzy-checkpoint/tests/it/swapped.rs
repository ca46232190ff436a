//! A path may lead elsewhere when git reads it; a capture holds only files beneath the root.

use std::fs;
use std::os::unix::fs::symlink;

use fuzzy_checkpoint::{CaptureOptions, Engine, Snapshot};
use fuzzy_testkit::programs;

use crate::support::Lab;

/// Captures while git, after it has read the files to be added, is made to believe that `dir/new` has another content, as
/// it does where it followed a link.
fn captured(lab: &Lab, then: &str) -> Snapshot {
    let program = lab.outside("misled-git");
    let script = format!(
        r#"case "$*" in *--add*--stdin*)
           git "$@" || exit
           oid=$(printf 'from outside\n' | git hash-object -w --stdin)
           git update-index --add --cacheinfo "100644,$oid,dir/new"
           {then}
           exit 0;; esac"#
    );
    programs::git_that(&program, &script);
    let worktree = Engine::new(lab.outside("state")).with_git(program).open(&lab.root).expect("a worktree");
    let locked = worktree.lock().expect("locked");
    locked.capture(&CaptureOptions::default()).expect("captured")
}

fn shown(lab: &Lab, snapshot: &Snapshot) -> String {
    lab.try_git(&["cat-file", "-p", &format!("{}:dir/new", snapshot.tree)])
}

#[test]
fn what_lies_beneath_the_root_is_captured_whatever_git_read() {
    let lab = Lab::new();
    lab.write("dir/new", "inside\n");
    assert!(shown(&lab, &captured(&lab, "")).ends_with("inside\n"), "the first capture");
    lab.write("dir/new", "inside again\n");
    assert!(shown(&lab, &captured(&lab, "")).ends_with("inside again\n"), "one that knows most files");
}

#[test]
fn what_lies_behind_a_link_is_not_captured() {
    let lab = Lab::new();
    lab.write("dir/new", "inside\n");
    let outside = lab.outside("elsewhere");
    fs::create_dir(&outside).expect("created");
    fs::write(outside.join("new"), "from outside\n").expect("written");
    symlink(&outside, lab.outside("link")).expect("linked");
    let snapshot = captured(&lab, "mv dir ../away && mv ../link dir");
    assert!(!shown(&lab, &snapshot).contains("outside"));
    assert!(snapshot.uncovered.iter().any(|left| left.path == "dir/new".into()), "{:?}", snapshot.uncovered);
}

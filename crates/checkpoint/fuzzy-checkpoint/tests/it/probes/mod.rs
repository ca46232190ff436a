//! All known difficult kinds of worktrees: captures are invisible, restores and undos are byte-exact.

mod indexes;
mod kinds;
mod restores;

use std::os::unix::fs::symlink;

use fuzzy_checkpoint::{Reason, Snapshot};

use crate::support::{Lab, assert_same};

/// Changes, deletes and adds files, and replaces a directory, as an agent may.
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

/// Captures, runs `change`, restores and undoes; checks that all files and the status are restored both times.
fn round_trip(lab: &Lab, change: impl FnOnce(&Lab)) -> Snapshot {
    let target = lab.capture_unseen();
    let (files, status, head) = (lab.files(), lab.status(), lab.view().head);
    change(lab);
    let (changed, changed_status, changed_head) = (lab.files(), lab.status(), lab.view().head);
    assert_ne!(files, changed, "the change must be visible");
    let (safety, plan, _) = lab.restore(&target);
    assert_same(&files, &lab.files(), "restored");
    assert!(plan.kept.is_empty(), "{plan:?}");
    if head == changed_head {
        assert_eq!(status, lab.status(), "status after the restore");
    }
    lab.restore(&safety);
    assert_same(&changed, &lab.files(), "undone");
    assert_eq!(changed_status, lab.status(), "status after the undo");
    assert_eq!(changed_head, lab.view().head, "a restore does not move the head");
    lab.restore(&target);
    assert_same(&files, &lab.files(), "restored again");
    target
}

fn reasons(snapshot: &Snapshot) -> Vec<(String, Reason)> {
    snapshot.uncovered.iter().map(|left| (left.path.to_string(), left.reason)).collect()
}

//! Directories: git does not store them, and a restore keeps those that existed.

use std::fs;

use crate::support::{self, Lab};

/// Creates an empty directory.
fn make(lab: &Lab, path: &str) {
    fs::create_dir_all(lab.path(path)).expect("created");
}

#[test]
fn an_empty_directory_remains_when_new_files_in_it_are_deleted() {
    for lab in [Lab::new(), Lab::folder()] {
        make(&lab, "out");
        make(&lab, "a/b/c");
        // A directory whose only file is not captured is in no tree either.
        lab.write("large/file", vec![b'l'; usize::try_from(support::CAP).expect("fits") + 1]);
        let target = lab.capture_unseen();
        lab.remove("large/file");
        for path in ["out/new", "a/b/c/d/new", "a/e/new", "large/new", "late/new"] {
            lab.write(path, "new\n");
        }
        let (safety, ..) = lab.restore(&target);
        for dir in ["out", "a/b/c", "large"] {
            assert!(fs::read_dir(lab.path(dir)).expect(dir).next().is_none(), "{dir} is there, and empty");
        }
        for dir in ["a/b/c/d", "a/e", "late"] {
            assert!(!lab.exists(dir), "{dir} was not there");
        }
        lab.restore(&safety);
        assert_eq!(lab.read("a/b/c/d/new"), b"new\n");
        lab.restore(&target);
        assert!(lab.exists("out") && lab.exists("a/b/c") && !lab.exists("late"));
    }
}

#[test]
fn an_emptied_directory_remains_after_an_undo() {
    let lab = Lab::new();
    let target = lab.capture_unseen();
    lab.remove("dir/deep/c.bin");
    lab.remove("dir/b.txt");
    let (safety, ..) = lab.restore(&target);
    assert!(lab.exists("dir/deep/c.bin") && lab.exists("dir/b.txt"));
    lab.restore(&safety);
    assert!(lab.exists("dir/deep") && !lab.exists("dir/b.txt"));
}

#[test]
fn a_directory_that_became_a_file_is_not_an_obstruction() {
    let lab = Lab::new();
    make(&lab, "out");
    let target = lab.capture_unseen();
    fs::remove_dir(lab.path("out")).expect("removed");
    lab.write("out", "a file\n");
    let (safety, plan, _) = lab.restore(&target);
    assert_eq!(plan.deletes, ["out".into()]);
    assert!(!lab.exists("out"), "a deleted empty directory is not restored");
    make(&lab, "out");
    lab.restore(&safety);
    assert_eq!(lab.read("out"), b"a file\n");
}

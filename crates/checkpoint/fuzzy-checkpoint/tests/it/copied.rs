//! Directories copied from another system, whose configuration describes that system, and file permissions.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use fuzzy_checkpoint::Error;

use crate::support::{self, Lab};

/// Returns the permission bits of every file.
fn modes(lab: &Lab) -> BTreeMap<Vec<u8>, u32> {
    let bits = |name: &Vec<u8>| fs::symlink_metadata(lab.path(name)).expect("there").permissions().mode() & 0o7777;
    lab.files().into_keys().map(|name| (name.clone(), bits(&name))).collect()
}

fn set(lab: &Lab, path: &str, bits: u32) {
    fs::set_permissions(lab.path(path), fs::Permissions::from_mode(bits)).expect("set");
}

#[test]
fn a_configuration_from_another_file_system_is_ignored() {
    let lab = Lab::new();
    lab.write("README", "upper\n");
    lab.write("run.sh", "#!/bin/sh\n");
    lab.write("cafe\u{301}.txt", "decomposed\n");
    lab.commit("as it was there");
    for key in ["core.ignorecase", "core.precomposeUnicode"] {
        lab.git(&["config", key, "true"]);
    }
    for key in ["core.fileMode", "core.symlinks"] {
        lab.git(&["config", key, "false"]);
    }
    // This file system distinguishes case, and supports executable bits and links.
    fs::rename(lab.path("README"), lab.path("readme")).expect("renamed");
    lab.write("Readme", "a third one\n");
    lab.executable("run.sh", true);
    lab.write("caf\u{e9}.txt", "composed\n");
    symlink("readme", lab.path("link")).expect("linked");
    let (then, then_modes) = (lab.files(), modes(&lab));
    let target = lab.capture_unseen();
    assert_eq!(target.uncovered, []);
    for name in ["readme", "Readme", "run.sh", "caf\u{e9}.txt", "cafe\u{301}.txt", "link"] {
        lab.remove(name);
    }
    lab.write("README", "back\n");
    lab.write("LINK", "a file\n");
    let (now, now_modes) = (lab.files(), modes(&lab));
    let (safety, ..) = lab.restore(&target);
    support::assert_same(&then, &lab.files(), "restored");
    assert_eq!(then_modes, modes(&lab));
    lab.restore(&safety);
    support::assert_same(&now, &lab.files(), "undone");
    assert_eq!(now_modes, modes(&lab));
}

#[test]
fn a_new_repository_in_a_captured_directory_is_an_obstruction() {
    for change in ["changed", "deleted", "new"] {
        let lab = Lab::new();
        let target = lab.capture();
        match change {
            "changed" => lab.write("dir/b.txt", "changed\n"),
            "deleted" => lab.remove("dir/b.txt"),
            _ => lab.write("dir/new.txt", "new\n"),
        }
        lab.capture();
        Lab::git_in(&lab.path("dir"), &["init", "-q", "."]);
        let files = lab.files();
        assert_eq!(lab.plan(&target).obstructed, ["dir".into()], "{change}");
        support::assert_same(&files, &lab.files(), change);
    }
}

#[test]
fn an_index_that_is_a_pipe_is_refused() {
    let lab = Lab::new();
    lab.unchecked();
    lab.remove(".git/index");
    let made = std::process::Command::new("mkfifo").arg(lab.path(".git/index")).status().expect("mkfifo runs");
    assert!(made.success());
    let refused = lab.engine().open(&lab.root).expect_err("no index");
    assert!(matches!(refused, Error::NotAWorktree { .. }));
}

#[test]
fn files_are_restored_with_their_permissions() {
    let lab = Lab::new();
    for (name, bits) in [("key", 0o600), ("shared", 0o664), ("tool", 0o700), ("setuid", 0o4755), ("edited", 0o640)] {
        lab.write(name, name);
        set(&lab, name, bits);
    }
    let target = lab.capture();
    for name in ["key", "shared", "tool", "setuid", "a.txt"] {
        lab.remove(name);
    }
    lab.write("edited", "changed\n");
    set(&lab, "edited", 0o660);
    let (safety, ..) = lab.restore(&target);
    let found = modes(&lab);
    let bits = |name: &str| found[name.as_bytes()];
    assert_eq!(["key", "shared", "tool", "setuid", "edited"].map(bits), [0o600, 0o664, 0o700, 0o755, 0o660]);
    lab.restore(&safety);
    lab.restore(&target);
    assert_eq!(modes(&lab), found, "once more");
}

/// The second capture reads only the permissions of changed files, and misses no change.
#[test]
fn a_change_of_permissions_is_recorded() {
    let lab = Lab::new();
    lab.write("key", "secret\n");
    let first = lab.capture();
    set(&lab, "key", 0o600);
    let second = lab.capture();
    assert_eq!(first.tree, second.tree);
    let third = lab.capture();
    assert_eq!(second.commit, third.commit, "the same again");
    for (target, bits) in [(&third, 0o600), (&first, 0o644)] {
        lab.remove("key");
        lab.restore(target);
        assert_eq!(modes(&lab)[&b"key"[..]], bits);
    }
}

//! Power failures after a command has ended: a block device is copied, and the copy is mounted in its place.
//!
//! The script needs root and loop devices; elsewhere it says so, and the tests check nothing.

use std::path::Path;
use std::process::Command;

use crate::support::program;

/// Runs the script for a kind of command, with and without `sync` before it. `FUZZY_EDIT_POWER_FAILURES` is the number of
/// failures of each kind, up to 20 seconds after the command; without it one, at once.
fn survives(kind: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/power_failures.sh");
    let tries = std::env::var("FUZZY_EDIT_POWER_FAILURES").ok();
    let (tries, seconds) = tries.as_deref().map_or(("1", "0.5"), |tries| (tries, "20"));
    for sync in [None, Some("sync")] {
        let mut command = Command::new("bash");
        command.arg(&script).arg(program()).args([kind, tries, seconds]).args(sync);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        print!("{said}");
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_restore_survives() {
    survives("restore");
}

#[test]
fn a_new_checkpoint_survives() {
    survives("create");
}

#[test]
fn a_turn_survives() {
    survives("turn");
}

#[test]
fn an_undone_turn_survives() {
    survives("undo");
}

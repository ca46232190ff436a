//! Programs that tests make and start.
//!
//! Another process writes them: a child that another thread of this process forks while it writes has the file open,
//! too, until it becomes another program, and what somebody may still write to cannot be started ("text file busy").

use std::env;
use std::path::Path;
use std::process::Command;

/// Makes a program that runs `script` and then becomes the git that is found on the `PATH`; its arguments are in `$*`.
///
/// # Panics
///
/// Panics if there is no git, or if the program cannot be written.
pub fn git_that(program: &Path, script: &str) {
    let path = env::var_os("PATH").expect("a PATH");
    let git = env::split_paths(&path).map(|dir| dir.join("git")).find(|file| file.is_file()).expect("git");
    let text = format!("#!/bin/sh\n{script}\nexec '{}' \"$@\"\n", git.display());
    run(Command::new("sh").args(["-c", r#"printf %s "$1" >"$2" && chmod 755 "$2""#, "sh", &text]).arg(program));
}

/// Copies the program that runs, for instance to where another user can start it.
///
/// # Panics
///
/// Panics if it cannot be copied.
pub fn copy_of_this(program: &Path) {
    run(Command::new("cp").arg(env::current_exe().expect("this program")).arg(program));
}

fn run(command: &mut Command) {
    let status = command.status().expect("it starts");
    assert!(status.success(), "{command:?}: {status}");
}

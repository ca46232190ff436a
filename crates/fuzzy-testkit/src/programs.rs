//! Programs that tests create and start.
//!
//! Another process writes them. If this process wrote them while another thread forks a child, that child would have
//! the file open until it runs its program, and a file that is open for writing cannot be started ("text file busy").

use std::env;
use std::path::Path;
use std::process::Command;

/// Creates a program that runs `script` and then git from the `PATH`; its arguments are in `$*`.
///
/// # Panics
///
/// Panics if there is no git, or if the program cannot be written.
pub fn git_that(program: &Path, script: &str) {
    let path = env::var_os("PATH").expect("a PATH");
    let git = env::split_paths(&path).map(|dir| dir.join("git")).find(|file| file.is_file()).expect("git");
    let text = format!("#!/bin/sh\n{script}\nexec '{}' \"$@\"\n", git.display());
    read(Command::new("sh").args(["-c", r#"printf %s "$1" >"$2" && chmod 755 "$2""#, "sh", &text]).arg(program));
}

/// Copies the running program, for example to a place where another user can start it.
///
/// # Panics
///
/// Panics if the copy fails.
pub fn copy_of_this(program: &Path) {
    read(Command::new("cp").arg(env::current_exe().expect("this program")).arg(program));
}

/// Returns a git command for a directory, with an author and without the settings of the user.
#[must_use]
pub fn git(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(dir).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "tester").env(format!("GIT_{who}_EMAIL"), "tester@localhost");
    }
    command.env("GIT_OPTIONAL_LOCKS", "0");
    command
}

/// Runs a program and returns its output.
///
/// # Panics
///
/// Panics if it cannot be started or fails.
pub fn read(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

//! Runs commands with a Postgres server.

use std::env;
use std::path::Path;
use std::process::Command;

/// The part of a test's name that marks a test that needs a server.
pub(super) const FILTER: &str = "postgres";
/// The environment variable with the URL of the server; if it is set, that server is used.
pub(crate) const VARIABLE: &str = "FUZZY_EDIT_TEST_POSTGRES";
/// Debian's program that runs a command with a new server, and removes the server when the command ends.
const TEMPORARY_SERVER: &str = "pg_virtualenv";
/// Sets the variable in `$0` to the URL of that server, and runs the arguments.
const WITH_URL: &str =
    r#"export TMPDIR="$SCRATCH" "$0=postgres://$PGUSER:$PGPASSWORD@127.0.0.1:$PGPORT/postgres" && exec "$@""#;

/// Returns whether there is a server, or the program that makes one.
pub(crate) fn is_found() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::var_os(VARIABLE).is_some()
        || env::split_paths(&path).any(|dir| dir.join(TEMPORARY_SERVER).is_file())
            && Path::new("/usr/lib/postgresql").is_dir()
}

/// Prepares a command that runs `command` with the URL of a server in this environment variable.
pub(crate) fn on_server(mut command: Command, variable: &str) -> Command {
    if let Some(url) = env::var_os(VARIABLE) {
        command.env(variable, url);
        return command;
    }
    let mut outer = Command::new(TEMPORARY_SERVER);
    // The server need not survive a crash, and each test opens several connections.
    outer.args(["-t", "-o", "max_connections=200", "-o", "fsync=off", "sh", "-c", WITH_URL, variable]);
    outer.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    // The user of the server has to read its files, and the folder of this run is private.
    outer.env("SCRATCH", env::temp_dir()).env("TMPDIR", "/tmp");
    if let Some(folder) = command.get_current_dir() {
        outer.current_dir(folder);
    }
    outer
}

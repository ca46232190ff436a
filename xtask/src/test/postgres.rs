//! Runs a Postgres server for the suite.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use fuzzy_tools::run::{read, run};
use tempfile::TempDir;

/// The part of a test's name that marks a test that needs a server.
pub(super) const FILTER: &str = "postgres";
/// The environment variable with the URL of the server.
pub(crate) const VARIABLE: &str = "FUZZY_EDIT_TEST_POSTGRES";
/// The users that can run the server if this user is root; the server refuses to run as root.
const USERS: [&str; 2] = ["postgres", "nobody"];
/// Runs a server until its input ends, so that the server stops however the process that started it ends.
const UNTIL_INPUT_ENDS: &str =
    r#"exec 3<&0; "$@" & server=$!; { read -r _ <&3; kill -INT "$server"; } & wait "$server""#;
/// The longest permitted time of a start or a stop.
const WAIT: Duration = Duration::from_mins(1);

/// Runs `work` with the URL of a running server.
pub(crate) fn with_server<T>(work: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    // Another process may take the free port before the server opens it.
    let server = Server::start().or_else(|_| Server::start())?;
    work(&server.url)
}

/// Returns the folder with the programs of the newest server: Debian's folder, otherwise the one in the path.
pub(crate) fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut packaged: Vec<PathBuf> = versions.map(|entry| entry.path()).collect();
    packaged.sort_by_key(|path| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()));
    let packaged = packaged.into_iter().rev().map(|path| path.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    packaged
        .chain(std::env::split_paths(&path))
        .find(|dir| ["initdb", "postgres"].iter().all(|program| dir.join(program).is_file()))
}

/// A running server; dropping the value stops it.
struct Server {
    url: String,
    process: Child,
    // The last field, so that the files exist until the process has ended.
    _folder: TempDir,
}

impl Server {
    fn start() -> Result<Self> {
        let programs = programs().context("there is no Postgres")?;
        let user = user()?;
        let folder = TempDir::with_prefix("postgres-")?;
        let [data, log, secret] = ["data", "log", "secret"].map(|name| folder.path().join(name));
        // The password is valid only for this run and this machine.
        let password = format!("{:x}", SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos());
        fs::write(&secret, &password)?;
        if let Some((user, group)) = user {
            for path in [folder.path(), &secret] {
                chown(path, Some(user), Some(group))?;
            }
        }
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600))?;
        let mut initdb = command_of(user, &programs.join("initdb"), folder.path());
        initdb.args(["--username=tester", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]);
        initdb.arg("--pwfile").arg(&secret).arg("--pgdata").arg(&data);
        initdb.stdout(Stdio::null());
        run(initdb)?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let mut postgres = command_of(user, Path::new("sh"), folder.path());
        postgres.args(["-c", UNTIL_INPUT_ENDS, "sh"]).arg(programs.join("postgres")).stdin(Stdio::piped());
        postgres.arg("-D").arg(&data).args(["-h", "127.0.0.1", "-p", &port.to_string(), "-k", "", "-F", "-N", "200"]);
        let output = fs::File::create(&log)?;
        postgres.stdout(output.try_clone()?).stderr(output);
        let process = postgres.spawn().context("cannot start postgres")?;
        let url = format!("postgres://tester:{password}@127.0.0.1:{port}/postgres");
        let mut server = Self { url, process, _folder: folder };
        server.wait(&data, &log)?;
        println!("a server listens at port {port}");
        Ok(server)
    }

    /// Waits until the server answers.
    fn wait(&mut self, data: &Path, log: &Path) -> Result<()> {
        let deadline = Instant::now() + WAIT;
        // The server writes its state to the last line of this file.
        while !fs::read_to_string(data.join("postmaster.pid")).is_ok_and(|text| text.trim_end().ends_with("ready")) {
            if let Some(status) = self.process.try_wait()? {
                bail!("postgres ended with {status}:\n{}", fs::read_to_string(log)?);
            }
            if Instant::now() > deadline {
                bail!("postgres does not get ready:\n{}", fs::read_to_string(log)?);
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let deadline = Instant::now() + WAIT;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(50));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the command that runs a program in a folder, as this user and group if given.
fn command_of(user: Option<(u32, u32)>, program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    if let Some((user, group)) = user {
        command.uid(user).gid(group);
    }
    command
}

/// Returns the user and group to run as; `None` for the current ones.
fn user() -> Result<Option<(u32, u32)>> {
    let mut id = Command::new("id");
    id.arg("-u");
    if read(id)?.trim() != "0" {
        return Ok(None);
    }
    let accounts = fs::read_to_string("/etc/passwd")?;
    let user = USERS.iter().find_map(|user| {
        let mut lines = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let fields = lines.find(|fields| fields[0] == *user)?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    });
    user.context("Postgres refuses to run as root, and there is no other user to run it as").map(Some)
}

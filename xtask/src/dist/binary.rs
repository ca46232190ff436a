//! Checks that the command is one file that needs no other.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use fuzzy_tools::run::{read, works};
use serde_json::Value;

use crate::build::Build;

/// The name of the file.
pub(super) const NAME: &str = "fuzzy-edit";

/// The absolute path, because the programs that it starts have another `PATH`.
const UNSHARE: &str = "/usr/bin/unshare";

/// The working directory of the programs, relative to their root.
const TREE: &str = "tree";

/// Runs the binary in a root directory that contains nothing else, then with git, which makes checkpoints.
///
/// A test build needs its libraries in the root and contains no page of the playground; the suite `playground` builds
/// that page.
pub(super) fn try_out(binary: &Path, build: Build) -> Result<()> {
    let empty = Root::with(binary, build)?;
    fs::write(empty.path("tree/cart.py"), "def total(cart):\n\treturn sum(cart)\n")?;
    empty.fuzzy_edit(&["apply", "cart.py", "--old", "    return sum(cart)", "--new", "    return 0"])?;
    let edited = fs::read_to_string(empty.path("tree/cart.py"))?;
    ensure!(edited == "def total(cart):\n\treturn 0\n", "the edit made {edited:?}");
    empty.fuzzy_edit(&["undo"])?;
    ensure!(fs::read_to_string(empty.path("tree/cart.py"))?.contains("sum(cart)"), "nothing was undone");

    let root = Root::with(binary, build)?;
    let mut which = Command::new("sh");
    which.args(["-c", "command -v git"]);
    root.add_program(Path::new(read(which)?.trim()))?;
    // Git needs `/dev/null` for discarded output and `/dev/urandom` for file names.
    fs::create_dir(root.path("dev"))?;
    fs::write(root.path("dev/null"), "")?;
    let mut random = [0; 4096];
    File::open("/dev/urandom")?.read_exact(&mut random)?;
    fs::write(root.path("dev/urandom"), random)?;
    let file = root.path("tree/a.txt");
    fs::write(&file, "one\n")?;
    root.run("/git", &["init", "--quiet"])?;
    let created = root.fuzzy_edit(&["checkpoint", "create", "--json"])?;
    let created: Value = serde_json::from_str(&created).context("the checkpoint is not JSON")?;
    let id = created["id"].as_str().with_context(|| format!("no id in {created}"))?;
    fs::write(&file, "two\n")?;
    root.fuzzy_edit(&["checkpoint", "restore", id, "--yes"])?;
    let restored = fs::read_to_string(&file)?;
    ensure!(restored == "one\n", "the restore left {restored:?}");
    ensure!(has_database(&root.path("state"))?, "no database of SQLite was made");
    if build == Build::Shipped { serves_the_playground(&empty) } else { Ok(()) }
}

/// Checks that the binary alone serves the page and the engine.
fn serves_the_playground(root: &Root) -> Result<()> {
    let mut command = root.command("/fuzzy-edit", &["playground", "--addr", "127.0.0.1:0"]);
    let mut server = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("cannot start unshare")?;
    let asked = server.stdout.take().context("no output").and_then(engine_of);
    server.kill()?;
    server.wait()?;
    let engine = asked?;
    ensure!(
        engine.windows(8).any(|bytes| bytes == b"\0asm\x01\0\0\0"),
        "the page has no engine: {} bytes",
        engine.len()
    );
    Ok(())
}

/// Reads the server's address from its output, requests the engine, and returns it.
fn engine_of(output: impl Read) -> Result<Vec<u8>> {
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let address = line.trim().strip_prefix("listening at http://").and_then(|rest| rest.strip_suffix('/'));
    let address = address.with_context(|| format!("the server said {line:?}"))?;
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET /engine.wasm HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}

/// A folder that is the root of the file system for the programs in it.
struct Root(tempfile::TempDir);

impl Root {
    fn with(binary: &Path, build: Build) -> Result<Self> {
        let root = Self(tempfile::tempdir()?);
        match build {
            Build::Debug => root.add_program(binary)?,
            Build::Shipped => drop(fs::copy(binary, root.path(NAME)).context("cannot copy the binary")?),
        }
        fs::create_dir(root.path(TREE))?;
        Ok(root)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Copies a program and the libraries that it is linked to.
    fn add_program(&self, program: &Path) -> Result<()> {
        let mut ldd = Command::new("ldd");
        ldd.arg(program);
        for line in read(ldd)?.lines() {
            let Some(library) = line.split_whitespace().find(|word| word.starts_with('/')) else { continue };
            let to = self.path(library.trim_start_matches('/'));
            fs::create_dir_all(to.parent().unwrap_or(self.0.path()))?;
            fs::copy(library, &to).with_context(|| format!("cannot copy {library}"))?;
        }
        let name = program.file_name().with_context(|| format!("{} has no name", program.display()))?;
        fs::copy(program, self.0.path().join(name)).with_context(|| format!("cannot copy {}", program.display()))?;
        Ok(())
    }

    fn fuzzy_edit(&self, arguments: &[&str]) -> Result<String> {
        self.run("/fuzzy-edit", arguments)
    }

    /// Prepares a program of this root to run in it.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(UNSHARE);
        // Only root may change its root directory; every user may be root in a new user namespace.
        if !works("sh", &["-c", "test \"$(id -u)\" = 0"]) {
            command.arg("--map-root-user");
        }
        command.arg("--root").arg(self.0.path()).arg(format!("--wd=/{TREE}")).arg(program).args(arguments);
        command.env_clear().envs([
            ("PATH", "/"),
            ("HOME", "/"),
            ("XDG_STATE_HOME", "/state"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ]);
        command
    }

    /// Runs a program of this root in it, and returns its output.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let mut command = self.command(program, arguments);
        let output = command.stdin(Stdio::null()).output().context("cannot start unshare")?;
        let (printed, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        ensure!(
            output.status.success(),
            "{program} {} ended with {}: {printed}{said}",
            arguments.join(" "),
            output.status
        );
        Ok(printed.into_owned())
    }
}

/// Returns whether a folder contains a `SQLite` database.
fn has_database(folder: &Path) -> Result<bool> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let is_one =
            if path.is_dir() { has_database(&path)? } else { fs::read(&path)?.starts_with(b"SQLite format 3\0") };
        if is_one {
            return Ok(true);
        }
    }
    Ok(false)
}

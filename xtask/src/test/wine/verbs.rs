//! Tests the verbs that communicate with other programs: the MCP server, the hooks of hosts, the service.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::emulator::on_drive_z;

/// Fails unless `mcp`, `hook`, `init` and `serve` answer, and wrong names are refused with a next step.
pub(super) fn answer(fuzzy_edit: impl Fn() -> Command) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (tree, state) = (folder.path().join("tree"), folder.path().join("state"));
    fs::create_dir_all(tree.join("home"))?;
    let with = |arguments: &[&str]| {
        let mut command = fuzzy_edit();
        command.args(arguments).current_dir(&tree).env("LOCALAPPDATA", on_drive_z(&state));
        command.env("USERPROFILE", on_drive_z(&tree.join("home"))).env_remove("XDG_STATE_HOME");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    mcp(with(&["mcp"]), &tree)?;
    hook(with(&["hook", "gemini", "repair"]), &tree)?;
    init(with, &tree)?;
    serve(with(&["serve", "--addr", "127.0.0.1:0"]))?;
    names(with, &tree)
}

/// Gives a program its input; returns its output, and whether it succeeded.
fn talk(mut command: Command, input: &str) -> Result<(bool, String, String)> {
    let mut child = command.spawn().context("Wine does not start")?;
    child.stdin.take().context("it takes input")?.write_all(input.as_bytes())?;
    let output = child.wait_with_output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.success(), text(&output.stdout), text(&output.stderr)))
}

fn mcp(server: Command, tree: &Path) -> Result<()> {
    // The bytes are not UTF-8; the edit must change only its own bytes.
    fs::write(tree.join("menu.txt"), b"Th\xe9, caf\xe9\r\nS\xfc\xdfigkeiten\r\nprice = 1\r\n")?;
    let client =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    let edit = json!({ "file_path": "menu.txt", "old_string": "price = 1", "new_string": "price = 2" });
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "edit", "arguments": edit } }),
    ];
    let input = lines.map(|line| line.to_string() + "\n").concat();
    let (_, out, err) = talk(server, &input)?;
    ensure!(out.lines().count() == 2, "mcp said {out:?} and {err:?}");
    let menu = fs::read(tree.join("menu.txt"))?;
    ensure!(menu == b"Th\xe9, caf\xe9\r\nS\xfc\xdfigkeiten\r\nprice = 2\r\n", "mcp made {menu:?} and said {out}");
    Ok(())
}

fn hook(hook: Command, tree: &Path) -> Result<()> {
    fs::write(tree.join("a.py"), "def a():\r\n\tb = 1\r\n")?;
    let input = json!({ "file_path": "a.py", "old_string": "    b = 1", "new_string": "    b = 2" });
    let event = json!({ "cwd": on_drive_z(tree), "tool_name": "replace", "tool_input": input });
    let (_, out, err) = talk(hook, &event.to_string())?;
    let answer: Value = serde_json::from_str(&out).with_context(|| format!("hook said {out:?} and {err:?}"))?;
    let repaired = &answer["hookSpecificOutput"]["tool_input"]["old_string"];
    ensure!(repaired == "\tb = 1", "hook said {out}");
    Ok(())
}

fn init(with: impl Fn(&[&str]) -> Command, tree: &Path) -> Result<()> {
    let settings = tree.join(".gemini/settings.json");
    fs::create_dir(tree.join(".gemini"))?;
    fs::write(&settings, "{\r\n  // ours\r\n  \"theme\": \"dark\"\r\n}\r\n")?;
    let before = fs::read(&settings)?;
    let (done, out, err) = talk(with(&["init", "gemini", "--project", "--yes"]), "")?;
    let text = fs::read_to_string(&settings)?;
    ensure!(done && text.contains("fuzzy-edit") && text.contains("// ours"), "init said {out} {err} and made {text}");
    let (done, out, err) = talk(with(&["init", "gemini", "--project", "--yes", "--remove"]), "")?;
    ensure!(done && fs::read(&settings)? == before, "init --remove said {out} {err}");
    Ok(())
}

fn serve(mut service: Command) -> Result<()> {
    let mut child = service.spawn().context("Wine does not start")?;
    let answered = asked(&mut child);
    child.kill()?;
    let output = child.wait_with_output()?;
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    answered.with_context(|| format!("serve said {err}"))
}

fn asked(child: &mut Child) -> Result<()> {
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("it has output")?).read_line(&mut line)?;
    let Some(address) = line.trim().strip_prefix("listening at http://") else { bail!("it printed {line:?}") };
    let address = address.trim_end_matches('/');
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET /api/sessions HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(answer.starts_with("HTTP/1.1 200"), "it answered {answer:?}");
    Ok(())
}

/// Requests files by paths of many kinds.
fn names(with: impl Fn(&[&str]) -> Command, tree: &Path) -> Result<()> {
    let file = tree.join("Names/File.txt");
    fs::create_dir(tree.join("Names"))?;
    let whole = on_drive_z(&file);
    let found = [
        "Names/File.txt".to_owned(),
        r"names\FILE.TXT".to_owned(),
        whole.clone(),
        whole.replace('/', r"\"),
        format!(r"\\?\{}", whole.replace('/', r"\")),
        format!(r"\\?\UNC\localhost\{}", whole.replace("Z:", "Z$").replace('/', r"\")),
    ];
    for path in &found[..5] {
        fs::write(&file, "one\r\n")?;
        let (done, _, err) = talk(with(&["apply", path, "--old", "one", "--new", "two"]), "")?;
        ensure!(done && fs::read(&file)? == b"two\r\n", "{path}: {err}");
    }
    let (done, _, err) = talk(with(&["apply", &found[5], "--old", "two", "--new", "three"]), "")?;
    ensure!(!done && !err.contains("panicked"), "a share that is not there: {err}");
    for path in ["Names/aux", "NUL.txt", "Names/a.", "Names/b ", "Names/a?b", "Names/File.txt:stream"] {
        let (done, out, err) = talk(with(&["apply", path, "--old", "", "--new", "text", "--json"]), "")?;
        ensure!(!done && (out + &err).contains("Choose another name"), "{path}: {err}");
    }
    ensure!(fs::read_dir(tree.join("Names"))?.count() == 1, "a wrong name made a file");
    Ok(())
}

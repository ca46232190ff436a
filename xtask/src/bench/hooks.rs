//! Measures hooks and compares them with the start of the command alone.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use serde_json::json;

use super::comparison::{Comparison, took, took_with};
use super::scratch::{ROUNDS, line, scratch};

/// The number of lines of the edited file, 10 kB together.
const LINES: usize = 200;

/// Runs the hook for an exact edit and the hook for an edit that needs repair, each alternately with `fuzzy-edit
/// --version`.
pub(super) fn compare(program: &Path) -> Result<[Comparison; 2]> {
    let (folder, _) = scratch()?;
    let file = folder.path().join("file.rs");
    fs::write(&file, (0..LINES).map(line).collect::<String>())?;
    let old = [LINES / 2, LINES / 2 + 1, LINES / 2 + 2].map(line).concat();
    let event = |name: &str, old: &str| {
        let input =
            json!({ "file_path": file, "old_string": old, "new_string": old.replacen("measure", "compute", 2) });
        let event = json!({ "cwd": folder.path(), "tool_name": "replace", "tool_input": input });
        let path = folder.path().join(name);
        fs::write(&path, event.to_string()).map(|()| path)
    };
    let (exact, wrong) = (event("exact.json", &old)?, event("wrong.json", &old.replace("    ", "\t"))?);
    let command = |arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path()).env("XDG_STATE_HOME", folder.path().join("state"));
        command
    };
    let hook = |event: &Path| took_with(command(&["hook", "gemini", "repair"]), Stdio::from(File::open(event)?));
    let (mut exacts, mut repairs, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        exacts.push(hook(&exact)?);
        starts.push(took(command(&["--version"]))?);
        repairs.push(hook(&wrong)?);
    }
    let counted = command(&["hook", "--stats", "--json"]).output()?.stdout;
    let counted = String::from_utf8(counted)?;
    let all = format!("\"exact\":{ROUNDS},\"repaired\":{ROUNDS},\"refused\":0");
    ensure!(counted.contains(&all), "the hooks did not have the measured results: {counted}");
    let exact = "`hook` of an exact edit in 10 kB, and `fuzzy-edit --version`".to_owned();
    let repair = "`hook` of an edit with tabs for blanks in 10 kB, and `fuzzy-edit --version`".to_owned();
    Ok([
        Comparison { what: exact, ours: exacts, theirs: starts.clone(), at_most: 3.0 },
        Comparison { what: repair, ours: repairs, theirs: starts, at_most: 5.0 },
    ])
}

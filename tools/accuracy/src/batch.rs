//! Sends cases to `fuzzy-edit batch`.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;

/// Returns the command's answers to some cases, one line of JSON each, in the order of the cases.
pub(crate) fn ask<T: Serialize>(
    binary: &Path,
    arguments: &[&str],
    cases: impl ExactSizeIterator<Item = T> + Send,
) -> Result<Vec<String>> {
    let sent = cases.len();
    let mut child = Command::new(binary)
        .arg("batch")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", binary.display()))?;
    let input = child.stdin.take().context("no standard input")?;
    let output = child.stdout.take().context("no standard output")?;
    let (written, answers) = thread::scope(|scope| {
        let writer = scope.spawn(|| send(input, cases));
        let answers = BufReader::new(output).lines().collect::<io::Result<Vec<_>>>();
        (writer.join(), answers)
    });
    let status = child.wait()?;
    let answers = answers?;
    let written = written.map_err(|_| anyhow!("the writer panicked"))?;
    if answers.len() != sent {
        written.context("fuzzy-edit stopped reading")?;
        bail!("fuzzy-edit gave {} answers to {sent} cases and ended with {status}", answers.len());
    }
    Ok(answers)
}

fn send<T: Serialize>(input: impl Write, cases: impl Iterator<Item = T>) -> Result<()> {
    let mut input = BufWriter::new(input);
    for case in cases {
        serde_json::to_writer(&mut input, &case)?;
        input.write_all(b"\n")?;
    }
    input.flush()?;
    Ok(())
}

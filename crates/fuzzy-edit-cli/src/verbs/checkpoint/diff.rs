//! `checkpoint diff`: what changed since one, or between two.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fuzzy_checkpoint::{Diff, Kind, RepoPath};
use fuzzy_checkpoint_service::{ProcessBackend, Side};
use fuzzy_checkpoint_store::CheckpointId;
use serde::Serialize;

use super::options::{Session, Shared};
use super::place::Place;
use super::problem::Problem;
use super::text;
use crate::output;

/// Show what changed since a checkpoint, or between two
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The checkpoint to compare from
    from: String,
    /// The checkpoint to compare with, instead of what is on disk now
    to: Option<String>,
    /// Only these files, or what lies below these directories
    #[arg(long, value_name = "PATH", num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Only the names of the files that differ
    #[arg(long)]
    names: bool,
    #[command(flatten)]
    session: Session,
}

const AFTER_HELP: &str = "\
Examples:
  fuzzy-edit checkpoint diff 01KAN3F2
  fuzzy-edit checkpoint diff 01KAN3F2 01KAN4QX --names
  fuzzy-edit checkpoint diff 01KAN3F2 --paths src docs";

#[derive(Serialize)]
struct Report {
    from: CheckpointId,
    /// What it is compared with; none for what is on disk.
    to: Option<CheckpointId>,
    files: Vec<File>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<Patch>,
}

#[derive(Serialize)]
struct File {
    path: RepoPath,
    change: Kind,
}

/// A patch as text, or as bytes where a file's lines are not UTF-8.
#[derive(Serialize)]
#[serde(untagged)]
enum Patch {
    Text(String),
    Bytes(Vec<u8>),
}

pub(super) fn run(shared: &Shared, arguments: &Arguments) -> Result<ExitCode, Problem> {
    let place = Place::open(shared, ProcessBackend::default())?;
    let session = place.session(&arguments.session)?;
    let from = place.checkpoint(session.as_ref(), &arguments.from)?;
    let to = arguments.to.as_ref().map(|id| place.checkpoint(session.as_ref(), id)).transpose()?.map(|row| row.id);
    let paths = place.paths(&arguments.paths)?.unwrap_or_default();
    let side = to.clone().map_or(Side::Worktree, Side::Checkpoint);
    let diff =
        place.service.diff(&from.session_id, &Side::Checkpoint(from.id.clone()), &side, &paths, !arguments.names)?;
    if !shared.json {
        return Ok(print(&diff, arguments.names));
    }
    let files = diff.files.into_iter().map(|(path, change)| File { path, change }).collect();
    let patch = String::from_utf8(diff.patch).map_or_else(|error| Patch::Bytes(error.into_bytes()), Patch::Text);
    let patch = Some(patch).filter(|_| !arguments.names);
    Ok(output::answer(true, &Report { from: from.id, to, files, patch }, String::new))
}

/// Prints the bytes of the patch as they are; on a terminal coloured, and without what would steer it.
fn print(diff: &Diff, names: bool) -> ExitCode {
    if diff.files.is_empty() {
        output::complain("no difference");
    }
    let mut out = io::stdout().lock();
    let shown = if names {
        let letter = |kind: Kind| match kind {
            Kind::Added => 'A',
            Kind::Changed => 'M',
            Kind::Deleted => 'D',
        };
        let lines = diff.files.iter().map(|(path, kind)| format!("{} {}\n", letter(*kind), text::quoted(path)));
        lines.collect::<String>().into_bytes()
    } else if out.is_terminal() {
        coloured(&diff.patch, std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    } else {
        diff.patch.clone()
    };
    match out.write_all(&shown).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            output::complain(&format!("io: standard output: {error}"));
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

fn coloured(patch: &[u8], colours: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        let colour: &[u8] = match line.first() {
            _ if !colours => b"",
            _ if line.starts_with(b"diff ") || line.starts_with(b"+++") || line.starts_with(b"---") => b"\x1b[1m",
            Some(b'+') => b"\x1b[32m",
            Some(b'-') => b"\x1b[31m",
            Some(b'@') => b"\x1b[36m",
            _ => b"",
        };
        out.extend_from_slice(colour);
        for byte in line {
            match byte {
                b'\n' if !colour.is_empty() => out.extend_from_slice(b"\x1b[m\n"),
                b'\n' | b'\t' => out.push(*byte),
                // A file's own control characters are shown as `^[` and so on.
                0..0x20 | 0x7f => out.extend_from_slice(&[b'^', byte ^ 0x40]),
                _ => out.push(*byte),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::coloured;

    #[test]
    fn a_terminal_gets_colours_and_no_orders() {
        let patch = b"diff --git a/x b/x\n@@ -1 +1 @@\n-a\x1b[2J\n+b\tc\r\n d\n";
        let shown = String::from_utf8(coloured(patch, true)).unwrap();
        let expected = "\x1b[1mdiff --git a/x b/x\x1b[m\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-a^[[2J\x1b[m\n\
                        \x1b[32m+b\tc^M\x1b[m\n d\n";
        assert_eq!(shown, expected);
        let plain = String::from_utf8(coloured(patch, false)).unwrap();
        assert!(!plain.contains('\x1b') && plain.contains("-a^[[2J\n"), "{plain}");
    }
}

//! The chat history of aider: the blocks of each answer, and the commits that it made of them. The texts of files are in
//! the repository around the history.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use fuzzy_patch::{Change, FilePatch};
use fuzzy_plan::is_unique;

use super::sink::{NEW_FILE, NOT_RUN, Sink, Tried, regular};

/// The words about blocks that do not occur.
const FAILED: [&str; 2] = ["SEARCH/REPLACE block failed to match!", "SEARCH/REPLACE blocks failed to match!"];

/// The last paragraph of the report about them.
const LAST: &str = "The SEARCH section must exactly match";

/// The lines that may follow it.
const AFTER_LAST: [&str; 3] = ["# The other ", "Don't re-send them", "Just reply with fixed versions"];

/// One answer of the model, and what aider says below it.
#[derive(Default)]
struct Answer {
    blocks: String,
    /// The blocks that failed, as aider repeats them; `None` if none did.
    report: Option<String>,
    is_reported: bool,
    applied: Vec<String>,
    commit: Option<String>,
}

/// Passes on the edits of a history.
pub(super) fn read(log: &Path, limit: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut bytes = Vec::new();
    regular(log)?.take(limit).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let directory = log.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (mut model, mut last, mut answer) = (String::new(), None, Answer::default());
    for line in text.lines() {
        let said = line.strip_prefix("> ").map(str::trim_end);
        if FAILED.iter().any(|words| line.contains(words)) {
            answer.report.get_or_insert_default();
        } else if let Some(said) = said {
            if let Some(name) = said.strip_prefix("Model: ") {
                name.split(" with ").next().unwrap_or(name).clone_into(&mut model);
            }
            answer.said(said);
        } else if line.starts_with("#### ") || line.starts_with("# aider chat started") || answer.is_over(line) {
            last = std::mem::take(&mut answer).pass_on(directory, &model, last, sink);
            answer.line(line);
        } else {
            answer.line(line);
        }
        if !sink.goes_on {
            return Ok(());
        }
    }
    answer.pass_on(directory, &model, last, sink);
    Ok(())
}

impl Answer {
    /// Reads a line of the model, or of the report.
    fn line(&mut self, line: &str) {
        self.is_reported |= self.report.is_some() && line.starts_with(LAST);
        let lines = self.report.as_mut().unwrap_or(&mut self.blocks);
        lines.push_str(line);
        lines.push('\n');
    }

    /// Reads a line of aider.
    fn said(&mut self, said: &str) {
        if let Some(file) = said.strip_prefix("Applied edit to ") {
            self.applied.push(file.to_owned());
        } else if let Some(commit) = said.strip_prefix("Commit ") {
            self.commit = commit.split(' ').next().filter(|id| is_hash(id)).map(str::to_owned);
        }
    }

    /// Returns whether a line is the first one of another answer: the model answers to the report.
    fn is_over(&self, line: &str) -> bool {
        self.is_reported && !line.trim().is_empty() && !AFTER_LAST.iter().any(|words| line.starts_with(words))
    }

    /// Passes on the edits of an answer; returns the last commit.
    fn pass_on(self, directory: &Path, model: &str, last: Option<String>, sink: &mut Sink<'_>) -> Option<String> {
        let Self { blocks, report, applied, commit, .. } = self;
        let Ok(patch) = fuzzy_patch::parse(&blocks, None) else { return commit.or(last) };
        // The commit contains the edits, so its parent has the files before them. A failed edit follows the last commit.
        let before = commit.as_ref().map(|commit| format!("{commit}^")).or_else(|| last.clone());
        for (index, FilePatch { file, change, .. }) in patch.files.iter().enumerate() {
            let Change::Update { edits, .. } = change else {
                sink.leave_out(NEW_FILE);
                continue;
            };
            let mut content = before.as_deref().and_then(|before| blob(directory, before, file));
            for (number, edit) in edits.iter().enumerate() {
                let (old, new) = (&*edit.old, &*edit.new);
                let has_failed = report.as_ref().is_some_and(|report| report.contains(&format!("SEARCH\n{old}")));
                let has_landed = !has_failed && commit.is_some() && applied.contains(file);
                if !has_landed && !has_failed {
                    sink.leave_out(NOT_RUN);
                    continue;
                }
                let id = format!("{}.{index}.{number}", commit.as_deref().unwrap_or("failed"));
                let text = content.clone();
                sink.tried(Tried {
                    id: &id,
                    model,
                    path: file,
                    content: text,
                    old,
                    new,
                    replace_all: false,
                    has_landed,
                });
                // Each block of an answer is applied to the result of those before it.
                if has_landed {
                    content = content.filter(|text| is_unique(text, old)).map(|text| text.replacen(old, new, 1));
                }
            }
        }
        commit.or(last)
    }
}

fn is_hash(id: &str) -> bool {
    (7..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the text of a file in a commit. `cat-file` runs no program that the repository names.
fn blob(directory: &Path, commit: &str, file: &str) -> Option<String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(directory).args(["cat-file", "blob", &format!("{commit}:./{file}")]);
    let output = git.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then_some(())?;
    String::from_utf8(output.stdout).ok()
}

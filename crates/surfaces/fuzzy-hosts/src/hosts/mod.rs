//! The hosts, a file each.

mod claude_code;
mod cline;
mod codex;
mod copilot;
mod crush;
mod cursor;
mod gemini;
mod opencode;
mod qwen;
mod vscode;

use crate::host::Host;

/// Every host, by name.
pub(crate) const ALL: &[&Host] = &[
    &claude_code::HOST,
    &cline::HOST,
    &codex::HOST,
    &copilot::HOST,
    &crush::HOST,
    &cursor::HOST,
    &gemini::HOST,
    &opencode::HOST,
    &qwen::HOST,
    &vscode::HOST,
];

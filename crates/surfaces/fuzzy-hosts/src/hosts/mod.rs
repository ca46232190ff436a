//! The hosts, one file each.

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
const ALL: &[&Host] = &[
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

impl Host {
    /// Returns the host with a name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().copied().find(|host| host.name == name)
    }

    /// Returns every host.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ALL.iter().copied()
    }
}

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
    /// Returns the host with a name, if there is one: its own, that of its program (`claude`), or either with `-cli` or
    /// `-code` at the end (`gemini-cli`, `qwen-code`).
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let is_named = |host: &Self, name: &str| host.name == name || host.programs.contains(&name);
        let short = name.strip_suffix("-cli").or_else(|| name.strip_suffix("-code")).unwrap_or(name);
        [name, short].into_iter().find_map(|name| ALL.iter().copied().find(|host| is_named(host, name)))
    }

    /// Returns every host.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ALL.iter().copied()
    }
}

//! The hosts in whose shells a process runs.

/// The variables that hosts set for the commands of their shells: one that is always set, and one with the id of the session,
/// if there is one. The last one is ours, for the programs of `fuzzy-edit run`.
const VARIABLES: [(&str, &str, &str); 8] = [
    ("claude-code", "CLAUDECODE", "CLAUDE_CODE_SESSION_ID"),
    ("codex", "CODEX_THREAD_ID", "CODEX_THREAD_ID"),
    ("copilot", "COPILOT_CLI", ""),
    ("cursor", "CURSOR_AGENT", ""),
    ("gemini", "GEMINI_CLI", ""),
    ("opencode", "OPENCODE", ""),
    ("qwen", "QWEN_CODE", ""),
    ("run", RUN_VARIABLE, RUN_VARIABLE),
];

/// The variable with the id of the session of a program that `fuzzy-edit run` started.
pub const RUN_VARIABLE: &str = "FUZZY_EDIT_RUN";

/// Returns the names of the hosts in whose shells a process with these variables runs, each with the host's id of the session
/// if the variables have it.
pub fn hosts_around(variable: impl Fn(&str) -> Option<String>) -> Vec<(&'static str, Option<String>)> {
    let set = |name: &str| variable(name).filter(|value| !name.is_empty() && !value.is_empty());
    let around = |(host, mark, id): &(&'static str, &str, &str)| set(mark).map(|_| (*host, set(id)));
    VARIABLES.iter().filter_map(around).collect()
}

//! GitHub Copilot CLI. It blocks the call of a tool if a hook fails.

use serde_json::json;

use crate::host::{Failures, Host, PLAIN, Places, SHARED_FAILURES};
use crate::item::{Item, Parts, Site, TIMEOUT_S, server};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "copilot",
    title: "GitHub Copilot CLI",
    event: Places { tool: "/toolName", input: "/toolArgs", directory: &["/cwd"], model: &["/model"] },
    edit_tools: &["edit", "str_replace_editor"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "modifiedArgs": input }),
    failures: Some(Failures {
        tool: "/toolName",
        input: "/toolArgs",
        context: |text| json!({ "additionalContext": text }),
        ..SHARED_FAILURES
    }),
    turns: Some(Turns {
        session_begin: &["sessionStart"],
        begin: &["userPromptSubmitted"],
        end: &["agentStop"],
        session_end: &["sessionEnd"],
        tool_before: &["preToolUse"],
        tool_after: &["postToolUse", "postToolUseFailure"],
        session: &["/sessionId", "/session_id"],
        ..SHARED_TURNS
    }),
    repair_hooks: &[("preToolUse", None, "repair"), ("postToolUseFailure", None, "failed")],
    programs: &["copilot"],
    directories: &[".copilot"],
    settings,
    note: None,
    ..PLAIN
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let (hooks, servers) = match &site.project {
        Some(project) => (project.join(".github/hooks"), None),
        None => (site.home.join(".copilot/hooks"), Some(site.home.join(".copilot/mcp-config.json"))),
    };
    let command =
        |call: String| json!({ "type": "command", "bash": call, "powershell": call, "timeoutSec": TIMEOUT_S });
    let file = HOST.own_file(hooks.join("fuzzy-edit.json"), (site, parts), json!({ "version": 1 }), command);
    let server = servers.filter(|_| parts.mcp).map(|path| Item::Entry(path, server(site)));
    file.into_iter().chain(server).collect()
}

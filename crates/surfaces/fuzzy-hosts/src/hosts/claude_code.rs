//! Claude Code. It sends no `PreToolUse` event for an edit whose old text is not in the file, so a plugin module
//! requests the repair.

use serde_json::{Map, Value, json};

use crate::conversation;
use crate::host::{Failures, Hook, Host, PLAIN, SHARED_FAILURES, additional_context};
use crate::item::{Item, Parts, Site, TIMEOUT_S, server};
use crate::moment::{SHARED_TURNS, Turns};
use crate::shown::{Reads, Shown};

pub(crate) const HOST: Host = Host {
    name: "claude-code",
    title: "Claude Code",
    edit_tools: &["Edit"],
    denied: Some(|reason| {
        json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
        } })
    }),
    failures: Some(Failures {
        calls: "/tool_calls",
        response: "/tool_response",
        is_failure: |response| text(response).is_some_and(|text| text.contains("<tool_use_error>")),
        context: |text| additional_context("PostToolBatch", text),
        ..SHARED_FAILURES
    }),
    reads: Some(Reads {
        tool: "Read",
        shown: |_, response| Shown::of(response.pointer("/file/content"), response.pointer("/file/startLine")),
        output: Some("/stdout"),
    }),
    // The module of the plugin repairs edits: it does not know the session.
    turns: Some(Turns {
        end: &["Stop", "StopFailure"],
        tool_after: &["PostToolBatch"],
        repairs: false,
        named: ["/prompt_id", "/transcript_path"],
        told: Some(|text| additional_context("UserPromptSubmit", text)),
        way_back: Some((
            "press Esc twice in Claude Code, choose the prompt, then `Restore conversation`",
            conversation::claude_code,
        )),
        ..SHARED_TURNS
    }),
    repair_hooks: &[("PostToolBatch", None, "failed")],
    programs: &["claude"],
    directories: &[".claude"],
    settings,
    note: Some("Claude Code loads the plugin at its next start; repairs need version 2.1.287 or newer"),
    ..PLAIN
};

/// Returns the text of a response, which may be one of several parts.
fn text(response: &Value) -> Option<&str> {
    let part = response.as_array().and_then(|parts| parts.iter().find_map(|part| part.get("text")));
    part.unwrap_or(response).as_str()
}

/// The plugin: its description, and the module that requests repairs.
const PLUGIN: &str = include_str!("claude_code/plugin.json");
const MOD: &str = include_str!("claude_code/register.js");

/// Returns the plugin in the directory of skills, from which Claude Code loads plugins without an installation.
fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let mut items = Vec::new();
    if parts.repair || parts.turns {
        let plugin = site.directory("CLAUDE_CONFIG_DIR", ".claude").join("skills/fuzzy-edit");
        let program = Value::from(site.program.as_str()).to_string();
        let file = |name: &str, text: String| Item::File { path: plugin.join(name), text, executable: false };
        items.push(file(".claude-plugin/plugin.json", PLUGIN.to_owned()));
        items.push(file("hooks/hooks.json", format!("{:#}\n", hooks(site, parts))));
        if parts.repair {
            items.push(file("hooks/register.js", MOD.replace("'fuzzy-edit'", &program)));
        }
    }
    if let (true, Some(project)) = (parts.mcp, &site.project) {
        items.push(Item::Entry(project.join(".mcp.json"), server(site)));
    }
    items
}

/// Returns the events that call us, and the module.
fn hooks(site: &Site, parts: Parts) -> Value {
    let hook = |(event, _, ours): Hook| {
        let args: Vec<&str> = ["hook", HOST.name].into_iter().chain(ours.split(' ')).collect();
        let command = json!({ "type": "command", "command": site.program, "args": args, "timeout": TIMEOUT_S });
        (event.to_owned(), json!([{ "hooks": [command] }]))
    };
    let mut events: Map<_, _> = HOST.hooks(parts).into_iter().map(hook).collect();
    if parts.turns && parts.repair {
        // The event after a batch has the lines with their numbers.
        let (event, mut read) = hook(("PostToolUse", None, "tool-after"));
        read[0]["matcher"] = "Read|Bash".into();
        events.insert(event, read);
        // The module repairs edits; a whole-file write may be stopped.
        let (event, mut write) = hook(("PreToolUse", None, "tool-before"));
        write[0]["matcher"] = "Write".into();
        if let Some(before) = events.get_mut(&event).and_then(Value::as_array_mut) {
            before.push(write[0].take());
        }
    }
    let mut hooks = json!({ "hooks": events });
    if parts.repair {
        hooks["modules"] = json!(["./register.js"]);
    }
    hooks
}

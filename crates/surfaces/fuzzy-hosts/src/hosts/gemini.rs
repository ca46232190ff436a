//! Gemini CLI.

use serde_json::json;

use crate::host::{Failures, Host, PLAIN, SHARED_FAILURES, additional_context};
use crate::item::{Item, Parts, Site, TIMEOUT_S, in_file, server};
use crate::moment::{SHARED_TURNS, Turns};
use crate::shown::{Reads, Shown};

pub(crate) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    edit_tools: &["replace"],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "BeforeTool", "tool_input": input } }),
    denied: Some(|reason| json!({ "decision": "deny", "reason": reason })),
    failures: Some(Failures {
        response: "/tool_response/error",
        // The model receives only the error of a failed call: a context is dropped, and the reason of a denial replaces
        // the error.
        replaced: Some("/tool_response/error/message"),
        context: |text| json!({ "decision": "deny", "reason": text }),
        ..SHARED_FAILURES
    }),
    reads: Some(Reads {
        tool: "read_file",
        shown: |input, response| Shown::of(response.get("llmContent"), input.get("start_line")),
        output: None,
    }),
    turns: Some(Turns {
        // After a compaction the agent has no text of a file. No event tells of one that Gemini CLI begins by itself.
        session_begin: &["SessionStart", "PreCompress"],
        begin: &["BeforeAgent"],
        end: &["AfterAgent"],
        tool_before: &["BeforeTool"],
        tool_after: &["AfterTool"],
        told: Some(|text| additional_context("BeforeAgent", text)),
        way_back: Some(("`/rewind` in Gemini CLI, choose the prompt, then rewind only the conversation", |_, _| None)),
        ..SHARED_TURNS
    }),
    repair_hooks: &[("BeforeTool", Some("replace"), "repair"), ("AfterTool", Some("replace"), "failed")],
    programs: &["gemini"],
    directories: &[".gemini"],
    settings,
    note: None,
    ..PLAIN
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    // Gemini CLI expects milliseconds.
    let mut entries = HOST.groups(site, parts, TIMEOUT_S * 1_000);
    // It fires `PreCompress` before each request to the model, also if it compresses nothing then.
    for entry in entries.iter_mut().filter(|entry| entry.path[1] == "PreCompress") {
        entry.value["matcher"] = "manual".into();
    }
    entries.extend(parts.mcp.then(|| server(site)));
    in_file(&site.base().join(".gemini/settings.json"), entries)
}

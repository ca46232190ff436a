//! Events of turns: the canned ones of each host, and events of other shapes.

use fuzzy_hosts::{Host, HostTurn, Moment, ToolEvent, ToolKind, TurnError, When};

use crate::support::Project;

const MOMENTS: [Moment; 3] = [Moment::Begin, Moment::End, Moment::SessionEnd];

#[test]
fn every_host_reports_session_directory_and_prompt() {
    let project = Project::new();
    for host in Host::all() {
        for moment in MOMENTS {
            let event = project.event(host, moment.verb(), "", "");
            let expected = host.name != "crush" && (moment != Moment::SessionEnd || host.ends_sessions());
            assert_eq!(event.is_some(), expected, "{} {moment:?}: a canned event", host.name);
            let Some(event) = event else { continue };
            let found = host.turn_event(moment, event.to_string().as_bytes()).expect(host.name).expect(host.name);
            assert_eq!((found.session.as_str(), found.directory.as_path()), ("0b6c", project.path()), "{}", host.name);
            let prompt = if host.name == "cline" { "" } else { "Count the items." };
            if moment == Moment::Begin {
                assert_eq!(found.prompt, prompt, "{}", host.name);
            }
        }
    }
}

/// Returns the kinds of the calls in an event, and checks that each has the session and the directory.
fn kinds(host: &'static Host, when: When, event: &serde_json::Value) -> Vec<ToolKind> {
    let events = host.tool_events(when, &event.to_string()).into_iter();
    let kind = |event: ToolEvent| {
        assert_eq!((event.session.as_str(), event.when), ("0b6c", when), "{}", host.name);
        event.kind
    };
    events.map(kind).collect()
}

#[test]
fn every_host_with_turns_names_the_files_of_its_edits() {
    let project = Project::new();
    for host in Host::all() {
        for (name, when) in [("edit", When::Before), ("patch", When::Before), ("failed", When::After)] {
            let Some(event) = project.event(host, name, "a", "b") else { continue };
            let mut event = event;
            // Some canned events have no session.
            let turns = project.event(host, "turn-begin", "", "").unwrap_or_default();
            for session in ["session_id", "sessionId", "conversation_id", "taskId"] {
                if let Some(id) = turns.get(session) {
                    event[session] = id.clone();
                }
            }
            let found = kinds(host, when, &event);
            if host.name == "crush" {
                assert_eq!(found, [], "it has no turns");
                continue;
            }
            let named =
                found.iter().find_map(|kind| if let ToolKind::Edit { paths } = kind { Some(paths) } else { None });
            assert_eq!(named, Some(&vec![project.cart()]), "{} {name}", host.name);
        }
    }
}

#[test]
fn tools_are_told_apart_by_what_they_do() {
    let [claude, codex, gemini] = ["claude-code", "codex", "gemini"].map(|name| Host::named(name).expect("a host"));
    let batch = serde_json::json!({
        "session_id": "0b6c", "cwd": "/project",
        "tool_calls": [
            {"tool_name": "Write", "tool_input": {"file_path": "/project/new.txt", "content": "x"}},
            {"tool_name": "Read", "tool_input": {"file_path": "/project/read.txt"}},
            {"tool_name": "Edit", "tool_input": {"file_path": "a.txt", "old_string": "a", "new_string": "b"}},
            {"tool_name": "mcp__x__y", "tool_input": null},
        ],
    });
    let edit = |paths: &[&str]| ToolKind::Edit { paths: paths.iter().map(Into::into).collect() };
    let expected = [edit(&["/project/new.txt"]), ToolKind::Read, edit(&["/project/a.txt"]), ToolKind::Other];
    assert_eq!(kinds(claude, When::After, &batch), expected);
    let patch = "*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-b\n+B\n*** End Patch\n";
    let call = |tool: &str, input: serde_json::Value| serde_json::json!({ "session_id": "0b6c", "cwd": "/project", "tool_name": tool, "tool_input": input });
    let moved = edit(&["/project/b.txt", "/project/c.txt"]);
    for (host, event, expected) in [
        (codex, call("apply_patch", serde_json::json!({ "command": patch })), moved.clone()),
        (codex, call("Bash", serde_json::json!({ "command": format!("apply_patch <<'EOF'\n{patch}EOF\n") })), moved),
        (codex, call("Bash", serde_json::json!({ "command": "rm a" })), ToolKind::Shell),
        (codex, call("shell", serde_json::json!({ "command": ["rm", "a"] })), ToolKind::Shell),
        (gemini, call("run_shell_command", serde_json::json!({ "command": "rm a" })), ToolKind::Shell),
        (gemini, call("read_many_files", serde_json::json!({})), ToolKind::Read),
        (gemini, call("later_tool", serde_json::json!("text")), ToolKind::Other),
    ] {
        let is_shell = event.to_string().contains("rm a");
        assert_eq!(kinds(host, When::Before, &event), [expected], "{event}");
        let command = host.tool_events(When::Before, &event.to_string()).pop().and_then(|event| event.command);
        assert_eq!(command.filter(|_| is_shell).map(|command| command.text), is_shell.then(|| "rm a".to_owned()));
    }
    let none = serde_json::json!({"tool_name": "replace", "tool_input": {"file_path": "a"}});
    assert_eq!(gemini.tool_events(When::Before, &none.to_string()), [], "it names no session");
}

#[test]
fn the_result_of_a_tool_begins_no_turn_in_qwen_code() {
    let project = Project::new();
    let qwen = Host::named("qwen").expect("a host");
    let event = project.event(qwen, "turn-begin-not", "", "").expect("an event");
    assert_eq!(qwen.turn_event(Moment::Begin, event.to_string().as_bytes()), Ok(None));
}

#[test]
fn an_event_of_another_shape_is_an_error() {
    for host in Host::all() {
        for moment in MOMENTS {
            for event in ["", "{", "[]", "null", "7", "{}", r#"{"session_id":7}"#, r#"{"session_id":""}"#] {
                let read = host.turn_event(moment, event.as_bytes());
                assert!(read.is_err() || host.name == "crush" && read == Ok(None), "{} {event}", host.name);
            }
        }
    }
}

#[test]
fn an_invalid_session_id_is_rejected_and_a_long_prompt_is_cut_between_characters() {
    let claude = Host::named("claude-code").expect("a host");
    let event = |session: &str, prompt: &str| {
        let event = serde_json::json!({ "session_id": session, "cwd": "/", "prompt": prompt });
        claude.turn_event(Moment::Begin, event.to_string().as_bytes())
    };
    assert_eq!(event("a\u{1b}[2J", "x"), Err(TurnError::BadSession));
    assert_eq!(event(&"a".repeat(201), "x"), Err(TurnError::BadSession));
    let cut = event("a", &format!("a{}", "é".repeat(40_000))).expect("read").expect("a turn").prompt;
    assert_eq!((cut.len(), cut.ends_with('é')), ((64 << 10) - 1, true));
}

#[test]
fn the_way_back_of_claude_code_is_the_entry_before_the_prompt() {
    let project = Project::new();
    let transcript = project.path().join("transcript.jsonl");
    let entry = |kind: &str, prompt: &str, id: &str, parent: Option<&str>| {
        serde_json::json!({ "type": kind, "promptId": prompt, "uuid": id, "parentUuid": parent }).to_string()
    };
    let lines = [
        entry("user", "p1", "1", None),
        entry("assistant", "p1", "2", Some("1")),
        "{ cut".to_owned(),
        entry("attachment", "p2", "3", Some("2")),
        entry("user", "p2", "4", Some("3")),
        entry("user", "p2", "5", Some("4")),
    ];
    std::fs::write(&transcript, lines.join("\n")).expect("written");
    let claude = Host::named("claude-code").expect("a host");
    let resumed = |entry: &str| Some(format!("claude -p PROMPT --resume 'a b' --resume-session-at {entry}"));
    for (turn, transcript, command) in [
        ("p2", transcript.clone(), resumed("3")),
        ("p1", transcript.clone(), None),
        ("p3", transcript.clone(), None),
        ("", transcript, None),
        ("p2", project.path().join("none"), None),
    ] {
        let way_back = claude.way_back("a b", &HostTurn { turn: turn.to_owned(), transcript }).expect("words");
        assert_eq!(way_back.command, command, "{turn}");
    }
    assert!(Host::named("qwen").expect("a host").way_back("a", &HostTurn::default()).is_none());
}

//! Views: which lines an agent was shown, and the edits that this decides.

use std::fs;

use fuzzy_hosts::{Base, Host, RepairOptions, Views};
use serde_json::{Value, json};

use crate::support::{Project, edit_in};

/// A function, whose quote has one wrong word in a line that the edit replaces.
const FILE: &str = "def prepare(cart):\n    check_stock(cart)\n    lock_prices(cart)\n    log(\"cart %s is ready\", cart)\n    \
                    notify(cart.owner)\n    return cart\n";
const WRITTEN: &str = "    debug(\"cart %s is now complete and checked\", cart)\n";

/// A project and the views of its agents.
struct Seen {
    project: Project,
    views: Views,
    /// The directory of the views.
    _state: tempfile::TempDir,
}

impl Seen {
    fn new(file: &str) -> Self {
        let state = tempfile::tempdir().expect("a directory");
        Self { project: Project::with(file.as_bytes()), views: Views::at(state.path().join("views")), _state: state }
    }

    fn event(&self, tool: &str, mut input: Value, response: &Value) -> Value {
        input["file_path"] = json!(self.project.cart());
        json!({
            "session_id": "s", "cwd": self.project.path(), "tool_name": tool, "tool_input": input,
            "tool_response": response,
        })
    }

    fn note(&self, host: &str, event: &Value) {
        Host::named(host).expect("a host").note_views(&self.views, &event.to_string(), |_| true);
    }

    /// Lets Claude Code read lines.
    fn read(&self, first: usize, content: &str) {
        let response = json!({ "type": "text", "file": { "content": content, "startLine": first } });
        self.note("claude-code", &self.event("Read", json!({}), &response));
    }

    /// Returns the old text of the repaired edit; none if it is not repaired.
    fn repaired(&self, host: &str, event: &Value) -> Option<(String, String)> {
        let options = RepairOptions::default().with_views(Some(self.views.clone()));
        let host = Host::named(host).expect("a host");
        edit_in(&host.repair_with(&event.to_string(), |_| Some(options), &|_| None).output)
    }

    /// Returns whether an edit whose replaced line is misquoted is repaired.
    fn lands(&self) -> bool {
        self.repaired("claude-code", &self.event("Edit", slip(), &Value::Null)).is_some()
    }
}

/// An edit with one wrong word in the line that it replaces.
fn slip() -> Value {
    let old = FILE.replace("is ready", "is now complete");
    let line = old.lines().nth(3).expect("a line").to_owned() + "\n";
    json!({ "old_string": old, "new_string": old.replace(&line, WRITTEN) })
}

#[test]
fn a_view_is_the_lines_that_were_shown_and_are_in_the_file() {
    let quoted = FILE.trim_end();
    let half: String = FILE.split_inclusive('\n').take(3).collect();
    let rest: String = FILE.split_inclusive('\n').skip(3).collect();
    let numbered = FILE.replace("def", "     1\tdef");
    for (what, reads, lands) in [
        ("nothing was read", vec![], false),
        ("a whole read", vec![(1, FILE)], true),
        ("a whole read without the last line break", vec![(1, quoted)], true),
        ("two parts", vec![(1, &*half), (4, &*rest)], true),
        ("one part", vec![(1, &*half)], false),
        ("another part at the place", vec![(3, &*half)], false),
        ("lines with numbers", vec![(1, &*numbered)], false),
        ("a cut line", vec![(1, &FILE[..FILE.len() - 8])], false),
        ("another text", vec![(1, "def prepare(cart):\n    check_stock(cart, 1)\n")], false),
    ] {
        let seen = Seen::new(FILE);
        for (first, content) in reads {
            seen.read(first, content);
        }
        assert_eq!(seen.lands(), lands, "{what}");
        if lands {
            let options = RepairOptions::default().with_views(Some(seen.views.clone()));
            let claude = Host::named("claude-code").expect("a host");
            let event = seen.event("Edit", slip(), &Value::Null).to_string();
            let records = claude.repair_with(&event, |_| Some(options), &|_| None).records(claude, false);
            assert_eq!(records[0].base, Some(Base::Seen));
        }
    }
}

#[test]
fn some_lines_are_enough_at_their_place() {
    let (head, tail) = ("import cart\n\n".repeat(20), "\n# the end\n".repeat(20));
    let seen = Seen::new(&(head.clone() + FILE + &tail));
    let part = |before: usize| -> String {
        let text = head.clone() + FILE + &tail;
        text.split_inclusive('\n').skip(40 - before).take(6 + 2 * before).collect()
    };
    seen.read(41, &part(0));
    assert!(!seen.lands(), "the lines beside the place were not seen");
    seen.read(33, &part(8));
    assert!(seen.lands());
    // A refusal names the lines that have changed since then.
    fs::write(seen.project.cart(), head.clone() + &FILE.replace("lock", "hold") + &tail).expect("written");
    let edit = json!({ "old_string": "    lock_prices(cart)\n", "new_string": "    keep_prices(cart)\n" });
    let call = seen.event("Edit", edit, &json!([{ "text": "<tool_use_error>no</tool_use_error>" }]));
    let event = json!({ "session_id": "s", "cwd": seen.project.path(), "tool_calls": [call] }).to_string();
    let options = RepairOptions::default().with_views(Some(seen.views.clone()));
    let said = Host::named("claude-code").expect("a host").explain_with(&event, |_| Some(options)).output;
    assert!(said.contains("You saw line 43 "), "{said}");
}

#[test]
fn the_line_endings_and_the_mark_of_a_file_are_no_difference() {
    let seen = Seen::new(&format!("\u{feff}{}", FILE.replace('\n', "\r\n")));
    seen.read(1, FILE);
    assert!(seen.lands());
}

#[test]
fn a_view_ends_with_its_session_and_belongs_to_one_agent() {
    let seen = Seen::new(FILE);
    seen.read(1, FILE);
    let mut event = seen.event("Edit", slip(), &Value::Null);
    event["agent_id"] = json!("inner");
    assert_eq!(seen.repaired("claude-code", &event), None, "another agent");
    event["agent_id"] = json!("");
    event["session_id"] = json!("other");
    assert_eq!(seen.repaired("claude-code", &event), None, "another session");
    event["session_id"] = Value::Null;
    assert!(seen.repaired("claude-code", &event).is_some(), "the only view of the host");
    seen.views.forget_session("claude-code", "s");
    assert!(!seen.lands());
    seen.read(1, FILE);
    seen.views.forget_below(seen.project.path());
    assert!(!seen.lands());
}

#[test]
fn changes_of_others_are_kept_or_a_conflict() {
    // The agent's line is elsewhere twice; its view knows which one it was.
    let seen = Seen::new("a()\nb()\nc()\n");
    seen.read(1, "a()\nb()\nc()\n");
    fs::write(seen.project.cart(), "b()\na()\nb()\nc()\n").expect("written");
    let edit = seen.event("Edit", json!({ "old_string": "b()", "new_string": "b(1)" }), &Value::Null);
    let (old, new) = seen.repaired("claude-code", &edit).expect("repaired");
    assert_eq!("b()\na()\nb()\nc()\n".replacen(&old, &new, 1), "b()\na()\nb(1)\nc()\n");
    // Somebody changed the line itself.
    fs::write(seen.project.cart(), "a()\nb(x, y)\nc()\n").expect("written");
    let edit = seen.event("Edit", json!({ "old_string": "a()\nb()", "new_string": "a()\nb(1)" }), &Value::Null);
    assert_eq!(seen.repaired("claude-code", &edit), None);

    // A slip in the quote, and a change at another line of it.
    let seen = Seen::new(FILE);
    seen.read(1, FILE);
    let changed = FILE.replace("check_stock(cart)", "check_stock(cart, 2)");
    fs::write(seen.project.cart(), &changed).expect("written");
    let edit = seen.event("Edit", slip(), &Value::Null);
    let (old, new) = seen.repaired("claude-code", &edit).expect("repaired");
    let expected = changed.replace("    log(\"cart %s is ready\", cart)\n", WRITTEN);
    assert_eq!(changed.replacen(&old, &new, 1), expected);
    fs::write(seen.project.cart(), FILE.replace("cart %s is ready", "all carts were prepared by us")).expect("written");
    assert_eq!(seen.repaired("claude-code", &edit), None);
}

#[test]
fn an_edit_of_the_agent_is_made_in_its_view() {
    let seen = Seen::new(FILE);
    seen.read(1, FILE);
    let edit = json!({ "old_string": "def prepare(cart):\n", "new_string": "# Prepares.\ndef prepare(cart):\n" });
    fs::write(seen.project.cart(), "# Prepares.\n".to_owned() + FILE).expect("written");
    let mut event = seen.event("Edit", edit.clone(), &Value::Null);
    event["tool_calls"] = json!([{ "tool_name": "Edit", "tool_input": event["tool_input"], "tool_response": "ok" }]);
    seen.note("claude-code", &event);
    assert!(seen.lands());
    // A part of a line.
    fs::write(seen.project.cart(), FILE.replace("check_stock", "check_all")).expect("written");
    let seen = Seen { views: seen.views.clone(), ..seen };
    fs::write(seen.project.cart(), FILE).expect("written");
    seen.read(1, FILE);
    fs::write(seen.project.cart(), FILE.replace("check_stock", "check_all")).expect("written");
    event["tool_calls"][0]["tool_input"]["old_string"] = json!("check_stock");
    event["tool_calls"][0]["tool_input"]["new_string"] = json!("check_all");
    seen.note("claude-code", &event);
    let mut edit = slip();
    for name in ["old_string", "new_string"] {
        edit[name] = json!(edit[name].as_str().expect("a text").replace("check_stock", "check_all"));
    }
    assert!(seen.repaired("claude-code", &seen.event("Edit", edit, &Value::Null)).is_some());
    // Lines that a formatter changed leave the view.
    fs::write(seen.project.cart(), FILE.replace("    ", "  ")).expect("written");
    event["tool_calls"][0]["tool_input"]["old_string"] = json!("check_all");
    seen.note("claude-code", &event);
    assert!(!seen.lands());
}

#[test]
fn a_failed_call_and_a_notebook_give_no_view() {
    let seen = Seen::new(FILE);
    let response = json!({ "llmContent": FILE, "error": { "message": "no" } });
    seen.note("gemini", &seen.event("read_file", json!({}), &response));
    let edit = seen.event("replace", slip(), &Value::Null);
    assert_eq!(seen.repaired("gemini", &edit), None);
    seen.note("gemini", &seen.event("read_file", json!({}), &json!({ "llmContent": FILE })));
    assert!(seen.repaired("gemini", &edit).is_some());

    let notebook = seen.project.path().join("a.ipynb");
    fs::write(&notebook, FILE).expect("written");
    let mut event = seen.event("Read", json!({}), &json!({ "file": { "content": FILE, "startLine": 1 } }));
    event["tool_input"]["file_path"] = json!(notebook);
    seen.note("claude-code", &event);
    let mut edit = seen.event("Edit", slip(), &Value::Null);
    edit["tool_input"]["file_path"] = json!(notebook);
    assert_eq!(seen.repaired("claude-code", &edit), None);
}

#[test]
fn only_simple_commands_show_a_file() {
    for (command, output, lands) in [
        ("cat cart.py", FILE, true),
        ("sed -n '1,6p' cart.py", FILE, true),
        ("head -n 6 cart.py", FILE, true),
        ("cat cart.py | head -n 6", FILE, false),
        ("cat cart.py; true", FILE, false),
        ("cat cart.py cart.py", FILE, false),
        ("sed -n '2,6p' cart.py", FILE, false),
        ("grep -n . cart.py", FILE, false),
        ("cat *.py", FILE, false),
        ("cat cart.py", &FILE[..40], false),
    ] {
        let seen = Seen::new(FILE);
        let input = json!({ "command": command });
        seen.note("claude-code", &seen.event("Bash", input, &json!({ "stdout": output, "stderr": "" })));
        assert_eq!(seen.lands(), lands, "{command}");
    }
}

#[test]
fn opencode_shows_lines_with_their_number() {
    let seen = Seen::new(FILE);
    let response = json!({ "display": { "text": FILE, "lineStart": 1, "lineEnd": 6, "totalLines": 6 } });
    seen.note("opencode", &seen.event("read", json!({}), &response));
    assert!(seen.repaired("opencode", &seen.event("edit", slip(), &Value::Null)).is_some());
}

#[test]
fn a_write_over_unseen_lines_is_stopped_once() {
    for (host, tool, reason) in [
        ("claude-code", "Write", "/hookSpecificOutput/permissionDecisionReason"),
        ("gemini", "write_file", "/reason"),
        ("opencode", "write", "/deny"),
    ] {
        let seen = Seen::new(FILE);
        let stopped = |content: &str| {
            let options = RepairOptions::default().with_views(Some(seen.views.clone()));
            let event = seen.event(tool, json!({ "content": content }), &Value::Null).to_string();
            let output = Host::named(host).expect("a host").repair_with(&event, |_| Some(options), &|_| None).output;
            let answer: Value = serde_json::from_str(&output).unwrap_or_default();
            answer.pointer(reason).map(|reason| reason.as_str().expect("a text").to_owned())
        };
        let why = stopped("new\n").expect("a reason");
        assert!(why.contains("6 lines that you have not read"), "{why}");
        assert_eq!(stopped("new\n"), None, "the same call again");
        assert!(stopped("newer\n").is_some(), "another text");
        // A lazy text is stopped every time.
        let lazy = "def prepare(cart):\n    # ... existing code ...\n    return None\n";
        assert!(stopped(lazy).is_some() && stopped(lazy).is_some_and(|why| why.contains("whole file")));
        if host == "claude-code" {
            seen.read(1, "def prepare(cart):\n    check_stock(cart)\n");
            assert!(stopped("a\n").is_some_and(|why| why.contains("such as line 3")));
            seen.read(1, FILE);
            assert_eq!(stopped("b\n"), None);
            fs::write(seen.project.cart(), FILE.replace("lock_prices", "hold_prices")).expect("written");
            let why = stopped("c\n").expect("a reason");
            assert!(why.contains("from line 3:\n-     lock_prices(cart)\n+     hold_prices(cart)"), "{why}");
            fs::remove_file(seen.project.cart()).expect("removed");
            assert_eq!(stopped("d\n"), None, "a new file");
        }
    }
}

#[test]
fn an_exact_edit_of_a_twin_is_stopped() {
    let block = "open(x)\nread(x, 1)\nclose(x)\n";
    let seen = Seen::new(&format!("a\nb\n{block}c\nd\n"));
    let file = format!("a\nb\n{block}c\nd\n");
    seen.note("gemini", &seen.event("read_file", json!({}), &json!({ "llmContent": file })));
    let changed = format!("{block}a\nb\n{}c\nd\n", block.replace('1', "2"));
    fs::write(seen.project.cart(), changed).expect("written");
    let edit = json!({ "old_string": block, "new_string": block.replace("close", "wait(x)\nclose") });
    let options = RepairOptions::default().with_views(Some(seen.views.clone()));
    let event = seen.event("replace", edit, &Value::Null).to_string();
    let answer = Host::named("gemini").expect("a host").repair_with(&event, |_| Some(options), &|_| None);
    let output: Value = serde_json::from_str(&answer.output).expect("an answer");
    assert_eq!(output["decision"], "deny", "{output}");

    // Somebody changed the line, and the host's own search would replace it.
    for (host, tool, read) in [
        ("gemini", "replace", ("read_file", json!({ "llmContent": FILE }))),
        ("opencode", "edit", ("read", json!({ "display": { "text": FILE, "lineStart": 1 } }))),
    ] {
        let seen = Seen::new(FILE);
        seen.note(host, &seen.event(read.0, json!({}), &read.1));
        fs::write(seen.project.cart(), FILE.replace("lock_prices(cart)", "hold_prices(cart)")).expect("written");
        let edit = json!({ "old_string": "    lock_prices(cart)\n", "new_string": "    keep_prices(cart)\n" });
        let event = seen.event(tool, edit, &Value::Null).to_string();
        let options = || RepairOptions::default().with_views(Some(seen.views.clone()));
        let answer = Host::named(host).expect("a host").repair_with(&event, |_| Some(options()), &|_| None).output;
        assert!(answer.contains("deny") && answer.contains("You saw line 3 "), "{answer}");
    }

    // Somebody made the insertion already.
    let seen = Seen::new("a()\nb()\nc()\n");
    let file = "a()\nb()\nc()\n";
    seen.note("gemini", &seen.event("read_file", json!({}), &json!({ "llmContent": file })));
    fs::write(seen.project.cart(), "a()\nnew_line()\nb()\nc()\n").expect("written");
    let edit = json!({ "old_string": "a()\n", "new_string": "a()\nnew_line()\n" });
    let event = seen.event("replace", edit, &Value::Null).to_string();
    let options = RepairOptions::default().with_views(Some(seen.views.clone()));
    let answer = Host::named("gemini").expect("a host").repair_with(&event, |_| Some(options), &|_| None);
    assert!(answer.output.contains("deny"), "{}", answer.output);
}

//! The text of a message: fenced code is preserved, long texts are folded.

use fuzzy_checkpoint_service::text::{count, plain, size};
use maud::{Markup, html};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::markdown::markdown;
use super::syntax::{code, of_name};

/// Texts with more lines or bytes are folded.
const FOLD_LINES: usize = 40;
const FOLD_BYTES: usize = 4_000;
/// Longer texts are rendered only in part; a separate page has the whole text.
const RENDERED_BYTES: usize = 60_000;

/// The format of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Text with fenced code.
    Plain,
    /// Markdown, as agents write it.
    Markdown,
}

/// Renders the input or output of a tool: folded, with a one-line summary.
pub(super) fn tool(text: &str, address: &str) -> Markup {
    let summary = summary(text);
    html! {
        details.tool {
            summary { bdi { (plain(&summary)) } " " span.soft { (size(text.len() as u64)) } }
            (whole(text, address, Form::Plain))
        }
    }
}

/// Returns a one-line summary of a message.
pub(super) fn summary_line(text: &str) -> String {
    if is_data(text) { summary(text) } else { first_line(text) }
}

/// Returns whether a text is data of a program: a JSON object or list.
pub(super) fn is_data(text: &str) -> bool {
    object(text).is_some() || text.starts_with('[') && serde_json::from_str::<Vec<IgnoredAny>>(text).is_ok()
}

fn object(text: &str) -> Option<Map<String, Value>> {
    // Longer texts are not parsed just for a summary.
    (text.starts_with('{') && text.len() <= RENDERED_BYTES).then(|| serde_json::from_str(text).ok())?
}

/// Returns a one-line summary of a tool call: the name of the tool, and its first text argument, found under the usual
/// keys. For other texts, returns the first line.
fn summary(text: &str) -> String {
    const NAMES: [&str; 4] = ["name", "tool", "tool_name", "type"];
    const GIVEN: [&str; 4] = ["input", "arguments", "args", "parameters"];
    let Some(call) = object(text) else { return first_line(text) };
    let Some(name) = NAMES.iter().find_map(|key| call.get(*key)?.as_str()) else { return first_line(text) };
    let given = GIVEN.iter().find_map(|key| call.get(*key));
    if given.is_none() {
        // The arguments are next to the name, in the same object.
        let first = call.iter().filter(|(key, _)| !NAMES.contains(&key.as_str())).find_map(|(_, given)| given.as_str());
        return brief(&first.map_or_else(|| name.to_owned(), |first| format!("{name} {}", first_line(first))));
    }
    let first = given.and_then(|given| match given {
        Value::Object(given) => given.values().find_map(Value::as_str),
        given => given.as_str(),
    });
    brief(&first.map_or_else(|| name.to_owned(), |first| format!("{name}: {}", first_line(first))))
}

/// Renders a text, up to the limit.
fn whole(text: &str, address: &str, form: Form) -> Markup {
    let rendered = beginning(text, RENDERED_BYTES);
    html! {
        @match form {
            Form::Plain => (plain_text(rendered)),
            Form::Markdown => div.text.markdown dir="auto" { (markdown(rendered)) },
        }
        @if rendered.len() < text.len() {
            p.note { "Only the beginning is rendered. " a href=(address) { "The whole text, " (size(text.len() as u64)) } }
        }
    }
}

/// Renders a message's text; `address` is the page of the whole text.
pub(super) fn body(text: &str, address: &str, form: Form) -> Markup {
    let lines = text.lines().count();
    let whole = whole(text, address, form);
    html! {
        @if lines > FOLD_LINES || text.len() > FOLD_BYTES {
            details.fold {
                summary { span.excerpt dir="auto" { (first_line(text)) } " " span.more { (count(lines as u64, "line")) } }
                (whole)
            }
        } @else if text.trim().is_empty() {
            p.soft { "(empty)" }
        } @else {
            (whole)
        }
    }
}

fn plain_text(text: &str) -> Markup {
    html! {
        @for part in parts(text) {
            @match part {
                Part::Text(text) => div.text dir="auto" { (text) },
                // A tab stop makes it scrollable with the keyboard.
                Part::Code(name, text) => pre tabindex="0" { code { (code(text, of_name(name))) } },
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    /// The name after the fence, and the code.
    Code(&'a str, &'a str),
}

/// Splits a text at its fences. An unclosed fence extends to the end.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut fence) = (0, 0, None::<(&str, &str)>);
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        let trimmed = line.trim();
        match fence {
            None => {
                if let Some(opened) = opening(trimmed) {
                    push_text(&mut parts, &text[start..at]);
                    (fence, start) = (Some(opened), next);
                }
            }
            Some((ticks, name)) if trimmed.starts_with(ticks) && trimmed.trim_start_matches('`').is_empty() => {
                parts.push(Part::Code(name, &text[start..at]));
                (fence, start) = (None, next);
            }
            Some(_) => {}
        }
        at = next;
    }
    match fence {
        Some((_, name)) => parts.push(Part::Code(name, &text[start..])),
        None => push_text(&mut parts, &text[start..]),
    }
    parts
}

fn push_text<'a>(parts: &mut Vec<Part<'a>>, text: &'a str) {
    let text = text.trim_matches('\n');
    if !text.trim().is_empty() {
        parts.push(Part::Text(text));
    }
}

/// Returns the backticks that open a code block, and the name after them.
fn opening(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start_matches('`');
    let ticks = &line[..line.len() - rest.len()];
    (ticks.len() >= 3 && !rest.contains('`')).then_some((ticks, rest.trim()))
}

/// Returns the first non-blank line, truncated if it is long.
pub(super) fn first_line(text: &str) -> String {
    // Some characters turn the rest of a line around.
    brief(&plain(text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("(empty)")))
}

/// Returns the title of a session, or a placeholder for an empty one.
pub(super) fn named(title: &str) -> String {
    if title.trim().is_empty() { "Untitled".to_owned() } else { plain(&brief(title)) }
}

/// Truncates a text for one line, because titles, roles and labels may be as long as a message.
pub(super) fn brief(text: &str) -> String {
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Truncates a text at a character boundary.
fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::{Form, Part, body, first_line, is_data, parts, summary, summary_line, tool};

    #[test]
    fn calls_of_tools_are_one_line() {
        for (text, says) in [
            (r#"{"name": "bash", "input": {"command": "ls -l\npwd"}}"#, "bash: ls -l"),
            (r#"{"tool": "read", "arguments": "a.py"}"#, "read: a.py"),
            (r#"{"type": "done"}"#, "done"),
            (r#"{"name":"read","path":"a.py"}"#, "read a.py"),
            (r#"{"type":"tool_use","name":"read","limit":3,"path":"a.py\nb"}"#, "read a.py"),
            (r#"{"other": 1}"#, r#"{"other": 1}"#),
            ("\nplain output\nmore", "plain output"),
            ("{not json", "{not json"),
        ] {
            assert_eq!(summary(text), says);
        }
        assert!(is_data("[1]") && is_data("{}") && !is_data("[x] done") && !is_data("{x}") && !is_data("text"));
        assert_eq!(summary_line(r#"{"name": "bash", "input": {"command": "ls"}}"#), "bash: ls");
        assert_eq!(summary_line("\nbash: ls\n-l"), "bash: ls");
        let rendered = tool("<b>\u{1b}[31m</b>", "/x").into_string();
        assert!(rendered.starts_with(r#"<details class="tool"><summary><bdi>&lt;b&gt;\u{1b}"#), "{rendered}");
    }

    #[test]
    fn fences_are_separated_from_text() {
        use Part::{Code, Text};
        for (text, expected) in [
            ("a", vec![Text("a")]),
            ("a\n```rust\nlet x;\n```\nb\n", vec![Text("a"), Code("rust", "let x;\n"), Text("b")]),
            ("````\n```\nin\n```\n````", vec![Code("", "```\nin\n```\n")]),
            ("```\nnever closed", vec![Code("", "never closed")]),
            ("use ```x``` inline", vec![Text("use ```x``` inline")]),
            ("```\n```", vec![Code("", "")]),
            ("", vec![]),
        ] {
            assert_eq!(parts(text), expected, "{text:?}");
        }
    }

    #[test]
    fn texts_are_escaped() {
        for form in [Form::Plain, Form::Markdown] {
            let text = "<script>alert(1)</script>\n```\n</code><img src=x onerror=alert(1)>\n```";
            let rendered = body(text, "/x", form).into_string();
            assert!(!rendered.contains("<script") && !rendered.contains("<img"), "{rendered}");
            assert!(rendered.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{rendered}");
        }
    }

    #[test]
    fn long_texts_are_folded_and_very_long_ones_truncated() {
        assert!(!body("short", "/x", Form::Plain).into_string().contains("<details"));
        assert!(body(&"line\n".repeat(41), "/x", Form::Plain).into_string().contains("41 lines"));
        let endless = body(&"é".repeat(1_000_000), "/whole", Form::Markdown).into_string();
        assert!(endless.contains(r#"href="/whole""#) && endless.len() < 200_000, "{}", endless.len());
    }

    #[test]
    fn first_lines_are_truncated() {
        assert_eq!(first_line("\n\n  a\nb"), "a");
        assert_eq!(first_line(" \n"), "(empty)");
        assert_eq!(first_line("a\u{202e}b\u{7}"), "a\\u{202e}b\\u{7}");
        assert_eq!(first_line(&"x".repeat(200)).chars().count(), 161);
    }
}

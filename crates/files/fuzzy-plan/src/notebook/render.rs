//! JSON in the layout of a notebook.

use std::fmt::Write as _;

use fuzzy_core::Span;
use fuzzy_report::CellType;

/// Returns whether a text of JSON escapes characters beyond ASCII; none if it has no such characters.
pub(super) fn is_ascii(json: &str) -> Option<bool> {
    if !json.is_ascii() {
        return Some(false);
    }
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let digits = rest[at + 1..].strip_prefix('u').and_then(|digits| digits.get(..4));
        if digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).is_some_and(|c| c >= 0x80) {
            return Some(true);
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    None
}

/// Returns a string of JSON.
pub(super) fn string(text: &str, is_ascii: bool) -> String {
    format!("\"{}\"", escaped(text, is_ascii))
}

/// Returns the inside of a string of JSON.
pub(super) fn escaped(text: &str, is_ascii: bool) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inside = &quoted[1..quoted.len() - 1];
    if !is_ascii || inside.is_ascii() {
        return inside.to_owned();
    }
    let mut escaped = String::with_capacity(inside.len() * 2);
    for c in inside.chars() {
        if c.is_ascii() {
            escaped.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    escaped
}

/// The indentation of a value in a notebook.
#[derive(Clone)]
pub(super) struct Layout {
    /// That of the line on which the value begins; none if the notebook has no line breaks between its values.
    indentation: Option<String>,
    /// That of each further level.
    unit: String,
    /// The line break of the file.
    line_break: &'static str,
}

impl Layout {
    /// Returns the layout of a value in the text of a notebook.
    pub(super) fn of(text: &str, value: Span) -> Self {
        let start = text[..value.start()].rfind('\n').map(|line| line + 1);
        let lead = |line: &str| line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned();
        // The first property of the notebook has one level.
        let inside = text.trim_start().strip_prefix('{').unwrap_or_default();
        let first = inside.trim_start_matches([' ', '\t', '\r']).strip_prefix('\n');
        Self {
            indentation: start.filter(|_| first.is_some()).map(|start| lead(&text[start..])),
            unit: first.map(lead).unwrap_or_default(),
            line_break: if text.contains("\r\n") { "\r\n" } else { "\n" },
        }
    }

    /// Returns the line break and the indentation of a value that is so much deeper.
    fn line(&self, levels: usize) -> String {
        match &self.indentation {
            Some(indentation) => format!("{}{indentation}{}", self.line_break, self.unit.repeat(levels)),
            None => String::new(),
        }
    }

    /// Returns a list of strings with the blanks of another one.
    pub(super) fn list(&self, old: &str, lines: &[&str], is_ascii: bool) -> String {
        if lines.is_empty() {
            return "[]".to_owned();
        }
        let inside = old.trim_start_matches('[').trim_end_matches(']');
        let blanks = |part: &str| part.chars().all(|c| c.is_ascii_whitespace());
        let (open, close) = if blanks(inside) {
            (self.line(1), self.line(0))
        } else {
            let open = &inside[..inside.len() - inside.trim_start().len()];
            (open.to_owned(), inside[inside.trim_end().len()..].to_owned())
        };
        let between = if open.is_empty() { ", ".to_owned() } else { format!(",{open}") };
        let strings: Vec<String> = lines.iter().map(|line| string(line, is_ascii)).collect();
        format!("[{open}{}{close}]", strings.join(&between))
    }

    /// Returns the layout of a value that is one level deeper.
    pub(super) fn deeper(&self) -> Self {
        Self { indentation: self.indentation.as_ref().map(|lead| format!("{lead}{}", self.unit)), ..self.clone() }
    }

    /// Returns a list with one value.
    pub(super) fn around(&self, value: &str) -> String {
        format!("[{}{value}{}]", self.line(1), self.line(0))
    }

    /// Returns a new cell, whose line has this layout.
    pub(super) fn cell(&self, kind: CellType, id: Option<&str>, source: &str, is_ascii: bool) -> String {
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let mut parts = vec![format!("\"cell_type\": \"{}\"", kind.as_str())];
        if kind == CellType::Code {
            parts.push("\"execution_count\": null".to_owned());
        }
        parts.extend(id.map(|id| format!("\"id\": {}", string(id, is_ascii))));
        parts.push("\"metadata\": {}".to_owned());
        if kind == CellType::Code {
            parts.push("\"outputs\": []".to_owned());
        }
        parts.push(format!("\"source\": {}", self.deeper().list("[]", &lines, is_ascii)));
        let between = if self.indentation.is_some() { format!(",{}", self.line(1)) } else { ", ".to_owned() };
        format!("{{{}{}{}}}", self.line(1), parts.join(&between), self.line(0))
    }
}

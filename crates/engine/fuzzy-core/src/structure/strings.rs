//! Finds the lines that begin inside a string of several lines: their blanks are a part of its value.

use crate::ranges::lines::{FileLines, body, is_word_part};

/// The string in which a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Nothing,
    /// A string that documents its block, the first statement there: readers ignore its indentation.
    Documentation,
    Value,
}

/// The marks of a value that precede a string.
const BEFORE: [char; 13] = ['=', '(', '[', '{', ',', ':', '+', '>', '?', '&', '|', '<', '%'];

/// A mark that opens a string, and how it ends.
struct Opening<'t> {
    /// The offset after the mark, in its line.
    after: usize,
    close: Close<'t>,
}

enum Close<'t> {
    /// At this text.
    Text(String),
    /// At an odd quotation mark: no string of several lines ends where another one of one line begins.
    Quote(char),
    /// At a backtick outside `${…}`.
    Template,
    /// At a line with only this word.
    Line(&'t str),
    /// At the end of a comment, which is no string.
    Comment,
}

/// Returns for each line the string in which it begins. A string without an end is none.
///
/// # Complexity
///
/// One pass, and one search for each kind of string that is not closed.
pub(crate) fn inside_strings(lines: &FileLines<'_>) -> Vec<Inside> {
    let mut inside = vec![Inside::Nothing; lines.len()];
    let mut unclosed: Vec<String> = Vec::new();
    if has_lifetimes(lines.text()) {
        unclosed.push("'".to_owned());
    }
    let (mut at, mut from) = (0, 0);
    while at < lines.len() {
        let line = lines.line(at);
        let Some(opening) = opening(line, from) else {
            (at, from) = (at + 1, 0);
            continue;
        };
        let key = opening.close.key();
        let end = if unclosed.contains(&key) { None } else { end(lines, at, &opening) };
        if let Some((last, after)) = end {
            let kind = if is_documentation(lines, at) { Inside::Documentation } else { Inside::Value };
            if !matches!(opening.close, Close::Comment) {
                inside[at + 1..=last].fill(kind);
            }
            (at, from) = (last, after);
        } else {
            // Another quotation mark may be closed.
            if !matches!(opening.close, Close::Quote(_)) {
                unclosed.push(key);
            }
            from = opening.after;
        }
    }
    inside
}

impl Close<'_> {
    fn key(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Quote(quote) => quote.to_string(),
            Self::Template => "`".to_owned(),
            Self::Line(word) => format!("\n{word}"),
            Self::Comment => "*/".to_owned(),
        }
    }
}

/// Returns whether single quotation marks name lifetimes in a text, as in `<'a>` and `&'a str`, and quote only characters.
fn has_lifetimes(text: &str) -> bool {
    ["<'", "&'"].iter().flat_map(|mark| text.match_indices(mark)).any(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        let after = rest.trim_start_matches(is_word_part);
        after.len() < rest.len() && after.starts_with(['>', ',', ' ', ':'])
    })
}

/// Returns the offset after the string of one line that a quotation mark at an offset opens.
fn string_end(line: &str, at: usize, quote: char) -> Option<usize> {
    let end = closing(line, at + 1, quote)?;
    let is_character = || line[at + 1..].starts_with('\\') || line[at + 1..end].chars().count() == 2;
    (quote != '\'' || is_character() || !has_lifetimes(line)).then_some(end)
}

/// Returns the characters of a line outside its strings, and their offsets; a mark that opens no string is one.
pub(super) fn outside_strings(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (start, c) = (at, line[at..].chars().next()?);
            at += c.len_utf8();
            let end = ['"', '\'', '`'].contains(&c).then(|| string_end(line, start, c)).flatten();
            match end {
                Some(end) => at = end,
                None if c == '\\' => at += line[at..].chars().next().map_or(0, char::len_utf8),
                None => return Some((start, c)),
            }
        }
    })
}

/// Returns whether the string that begins in a line is alone there, below the line that opens its block.
fn is_documentation(lines: &FileLines<'_>, at: usize) -> bool {
    let line = body(lines.line(at)).trim_start_matches(['r', 'R', 'u', 'U']);
    let above = (0..at).rev().find(|at| !lines.is_blank(*at));
    let is_string = line.starts_with("\"\"\"") || line.starts_with("'''");
    is_string && above.is_some_and(|above| body(lines.line(above)).ends_with(':'))
}

/// Returns the first string or comment of a line, from an offset on, that does not end in this line.
fn opening(line: &str, from: usize) -> Option<Opening<'_>> {
    let mut at = from;
    while let Some(c) = line[at..].chars().next() {
        let (head, rest) = line.split_at(at);
        let before = head.trim_end();
        let is_apart = head.is_empty() || head.ends_with(char::is_whitespace);
        let next = at + c.len_utf8();
        let is_value = || before.ends_with(BEFORE) || before.ends_with("return") || is_command(head);
        let found = match c {
            '#' if is_apart => return None,
            '/' if rest.starts_with("//") && !head.ends_with(':') => return None,
            '-' if rest.starts_with("-- ") && is_apart => return None,
            '/' if rest.starts_with("/*") && is_apart => Some((Close::Comment, at + 2)),
            '<' if rest.starts_with("<<") => {
                here_document(&rest[2..]).map(|(word, length)| (Close::Line(word), at + 2 + length))
            }
            '`' if rest.starts_with("```") => return None,
            '`' if is_value() || head.ends_with(is_word_part) => Some((Close::Template, next)),
            '`' => Some((Close::Text("`".to_owned()), next)).filter(|_| rest[1..].contains('`')),
            '"' | '\'' if rest.starts_with("\"\"\"") || rest.starts_with("'''") => {
                Some((Close::Text(c.to_string().repeat(3)), at + 3))
            }
            '"' if head.ends_with('#') => {
                let marks = head.len() - head.trim_end_matches('#').len();
                let is_raw = head[..head.len() - marks].ends_with('r');
                is_raw.then(|| (Close::Text(format!("\"{}", "#".repeat(marks))), next))
            }
            '"' | '\'' => match string_end(line, at, c) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => is_value().then_some((Close::Quote(c), next)),
            },
            '\\' => {
                at = next + line[next..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
            _ => None,
        };
        let Some((close, after)) = found else {
            at = next;
            continue;
        };
        match close.end_in(line, after) {
            Some(end) => at = end,
            None => return Some(Opening { after, close }),
        }
    }
    None
}

/// Returns whether a quotation mark after `head` is the first argument of a command: `echo "`.
fn is_command(head: &str) -> bool {
    let word = head.trim();
    !word.is_empty() && head.ends_with(' ') && word.chars().all(|c| c.is_ascii_lowercase())
}

/// Returns the word of a here document, and its length with quotation marks: `<<EOF`, `<<'EOF'`, `<<-EOF`.
fn here_document(rest: &str) -> Option<(&str, usize)> {
    let word = rest.trim_start_matches(['-', '\'', '"']);
    let before = rest.len() - word.len();
    let length = word.find(|c| !is_word_part(c)).unwrap_or(word.len());
    let is_word = word[..length].starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    is_word.then_some((&word[..length], before + length))
}

/// Returns the offset after the next closing mark that no backslash precedes.
fn closing(text: &str, from: usize, quote: char) -> Option<usize> {
    let mut chars = text[from..].char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return Some(from + at + c.len_utf8());
        }
    }
    None
}

impl Close<'_> {
    /// Returns the offset in the line after the end of what begins at `from`, if it ends there.
    fn end_in(&self, line: &str, from: usize) -> Option<usize> {
        let rest = &line[from..];
        match self {
            Self::Text(text) => {
                let is_escaped = |at: usize| rest[..at].ends_with('\\') && !rest[..at].ends_with("\\\\");
                rest.match_indices(text.as_str()).find(|(at, _)| !is_escaped(*at)).map(|(at, _)| from + at + text.len())
            }
            Self::Quote(quote) => closing(line, from, *quote),
            Self::Template => template_end(rest, &mut 0).map(|end| from + end),
            Self::Line(_) => None,
            Self::Comment => rest.find("*/").map(|at| from + at + 2),
        }
    }
}

/// Returns the offset after the backtick that ends a template; `depth` counts the braces of `${…}` that are open.
fn template_end(rest: &str, depth: &mut usize) -> Option<usize> {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '$' if rest[at..].starts_with("${") => {
                *depth += 1;
                chars.next();
            }
            '{' if *depth > 0 => *depth += 1,
            '}' => *depth = depth.saturating_sub(1),
            '`' if *depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns the last line of a string that begins in the line `at`, and the offset there after its end.
fn end(lines: &FileLines<'_>, at: usize, opening: &Opening<'_>) -> Option<(usize, usize)> {
    let mut depth = 0;
    if matches!(opening.close, Close::Template) {
        template_end(&lines.line(at)[opening.after..], &mut depth);
    }
    for below in at + 1..lines.len() {
        let line = lines.line(below);
        match &opening.close {
            Close::Line(word) if line.trim() == *word => return Some((below, line.len())),
            Close::Template => {
                if let Some(end) = template_end(line, &mut depth) {
                    return Some((below, end));
                }
            }
            Close::Quote(quote) => {
                if let Some(end) = closing(line, 0, *quote) {
                    let is_closed = line[end..].matches(*quote).count().is_multiple_of(2);
                    return is_closed.then_some((below, end));
                }
            }
            close => {
                if let Some(end) = close.end_in(line, 0) {
                    return Some((below, end));
                }
            }
        }
    }
    None
}

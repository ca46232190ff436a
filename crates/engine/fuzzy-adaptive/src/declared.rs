//! The names that lines declare: of a function, a class, a key, a selector, a section, a test.
//!
//! Knows no grammar: the name is the word after `class` or the like, or the last word before the line's first bracket,
//! `:` or `=`.

use std::ops::Range;

/// Words that begin a line with a body, and declare nothing.
pub(crate) const UNNAMED: &[&str] = &[
    "assert", "await", "catch", "default", "do", "elif", "else", "elsif", "except", "finally", "for", "foreach", "if",
    "loop", "match", "new", "raise", "return", "switch", "throw", "try", "unless", "until", "when", "while", "with",
    "yield",
];

/// Words right before the name that they declare.
const KEYWORDS: &[&str] =
    &["class", "enum", "interface", "module", "namespace", "object", "record", "struct", "trait", "union"];

/// The most letters by which a word and its slip may differ, added or missing: a replaced letter counts twice.
const MAX_SLIP_LETTERS: usize = 2;

/// The most letters of a word of which a slip adds or misses one letter: `get` is no slip of `set`.
const MAX_SHORT_LETTERS: usize = 4;

/// Returns the name that a line declares, if it begins a block.
pub(crate) fn declared(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = line.strip_prefix("- ").unwrap_or(line);
    if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Some(section);
    }
    if line.starts_with(['.', '#', '@', '&', ':']) {
        // Else it is a comment, or an annotation.
        return line.strip_suffix('{').map(str::trim_end);
    }
    if !line.starts_with(is_word) || UNNAMED.contains(&words(line).next()?) {
        return None;
    }
    if let Some(implemented) = line.strip_prefix("impl") {
        let implemented = implemented.trim_start();
        let end = if implemented.starts_with('<') { group_end(implemented)? } else { 0 };
        return implemented[end..].strip_suffix('{').map(str::trim);
    }
    named(line)
}

/// Returns the word after a keyword, or the last word before the first mark that ends a name, unless the line calls it.
fn named(line: &str) -> Option<&str> {
    if let Some(argument) = first_argument(line) {
        return Some(argument);
    }
    let (mut at, mut name): (usize, Option<Range<usize>>) = (0, None);
    while let Some(next) = line[at..].chars().next() {
        let rest = &line[at..];
        if next.is_alphanumeric() || matches!(next, '_' | '$') {
            let word = words(rest).next()?;
            let before = name.clone().map_or("", |name: Range<usize>| &line[name]);
            if KEYWORDS.contains(&before) && !KEYWORDS.contains(&word) {
                return Some(word);
            }
            name = Some(at..at + word.len());
            at += word.len();
            continue;
        }
        match next {
            '(' if rest[1..].starts_with(['"', '\'', '`']) => return quoted(&rest[1..]),
            '(' | '<' if next == '<' || line[..at].trim_end() == "pub" || line[..at].trim_end() == "func" => {
                at += group_end(rest)?;
            }
            '(' => {
                let name = name?;
                let is_only = name.start == 0;
                let is_called = is_only && (!ends_head(line) || is_macro(&line[name.clone()]));
                return (!is_called && !line[..name.start].ends_with('.')).then(|| &line[name]);
            }
            ':' if rest.starts_with("::") => at += 2,
            // Several names, a statement, prose.
            ',' | ';' => return None,
            ':' | '=' | '{' => break,
            _ => at += next.len_utf8(),
        }
    }
    name.map(|name| &line[name])
}

/// Returns the symbol or the title with which a line calls a method that takes a block: `namespace :api do`.
fn first_argument(line: &str) -> Option<&str> {
    let (call, block) = line.rsplit_once(" do")?;
    let is_block = block.is_empty() || block.trim_start().starts_with('|');
    let argument = call.split_once(' ').filter(|_| is_block)?.1.trim_start();
    if let Some(symbol) = argument.strip_prefix(':') {
        return words(symbol).next();
    }
    if argument.starts_with(['"', '\'']) { quoted(argument) } else { None }
}

/// Returns whether a line ends as one that begins a block, and not as a call over several lines.
fn ends_head(line: &str) -> bool {
    line.ends_with(['{', ':']) || line.ends_with("=>") || line.ends_with(" do")
}

/// Returns whether a name is written as that of a macro, which may be a loop.
fn is_macro(name: &str) -> bool {
    !name.contains(char::is_lowercase)
}

/// Returns the end of the group that a text begins with.
fn group_end(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' if !text[..at].ends_with(['-', '=']) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// Returns the text between the quotes that a text begins with.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next()?;
    text[1..].split_once(quote).map(|(quoted, _)| quoted)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '?' | '!')
}

/// Returns whether two names differ by a slip alone: letter case, separators, a typing error, a plural.
pub(crate) fn is_spelling_variant(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(parts);
    if a.concat() == b.concat() {
        return true;
    }
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| is_slip(a, b))
}

/// Returns whether one of two names has the words of the other, and more before or after them.
pub(crate) fn is_longer(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(parts);
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    !short.is_empty() && (long.starts_with(&short) || long.ends_with(&short))
}

/// Returns the words of a name in lower case: `loadUser2` has `load`, `user2`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        let is_new = !c.is_alphanumeric() || (c.is_uppercase() && after_lower);
        if is_new && !parts[parts.len() - 1].is_empty() {
            parts.push(String::new());
        }
        let last = parts.len() - 1;
        parts[last].extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        after_lower = c.is_lowercase() || c.is_numeric();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns whether a word is a slip of another: nearly all letters are the same, and all digits.
fn is_slip(a: &str, b: &str) -> bool {
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    let length = a.chars().count().max(b.chars().count());
    let most = if length > MAX_SHORT_LETTERS { MAX_SLIP_LETTERS } else { 1 };
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    // Letters in another order.
    let is_swapped = length > 2 && a.len() == b.len() && sorted(a) == sorted(b);
    is_swapped || digits(a) == digits(b) && rapidfuzz::distance::indel::distance(a.chars(), b.chars()) <= most
}

//! The words of generated files, and the tokens of lines.

use std::ops::{Range, RangeBounds};

use fastrand::Rng;

pub(super) const NOUNS: &[&str] = &[
    "account", "address", "amount", "archive", "banner", "batch", "border", "branch", "bucket", "budget", "buffer",
    "button", "cache", "canvas", "chapter", "client", "cluster", "column", "config", "context", "counter", "cursor",
    "customer", "delay", "device", "digest", "domain", "driver", "editor", "engine", "event", "family", "filter",
    "folder", "footer", "frame", "gateway", "graph", "handler", "header", "height", "history", "image", "index",
    "invoice", "journal", "label", "layout", "ledger", "library", "margin", "marker", "member", "message", "method",
    "metric", "minute", "module", "network", "notice", "number", "object", "offset", "option", "order", "output",
    "owner", "packet", "parcel", "parser", "pattern", "payment", "person", "pixel", "planet", "player", "policy",
    "portal", "prefix", "profile", "project", "query", "queue", "record", "region", "report", "request", "result",
    "river", "route", "schema", "screen", "season", "section", "sensor", "server", "session", "shadow", "signal",
    "socket", "source", "station", "storage", "stream", "student", "style", "suffix", "summary", "symbol", "system",
    "target", "tenant", "ticket", "token", "topic", "vendor", "version", "village", "volume", "weather", "widget",
    "window", "worker",
];

pub(super) const VERBS: &[&str] = &[
    "accept", "append", "assign", "attach", "balance", "build", "cancel", "check", "close", "collect", "commit",
    "compare", "compute", "convert", "create", "decode", "define", "deliver", "detect", "drain", "emit", "encode",
    "expand", "extract", "fetch", "finish", "flush", "format", "gather", "handle", "import", "insert", "join",
    "launch", "load", "lookup", "measure", "merge", "notify", "open", "parse", "prepare", "publish", "read", "refresh",
    "register", "release", "remove", "render", "reset", "resolve", "restore", "rotate", "schedule", "select", "shrink",
    "sort", "split", "start", "store", "strip", "submit", "trim", "update", "validate", "visit", "watch", "write",
];

pub(super) const PROSE: &str = "\
    about after again always another because before between careful certain cannot common different \
    during either empty enough every exactly except final first given however inside instead large later \
    little maybe missing modern never older only other outside perhaps possible quick rather really \
    second several should simple since small somewhere still their these third today together unknown \
    until useful usually various whether which without wrong wouldn't doesn't it's can't";

/// Words with two spellings.
pub(super) const SPELLINGS: &[(&str, &str)] = &[
    ("utf-8", "utf8"),
    ("latin-1", "latin1"),
    ("e-mail", "email"),
    ("read-only", "readonly"),
    ("colour", "color"),
    ("behaviour", "behavior"),
    ("normalise", "normalize"),
    ("sub-folder", "subfolder"),
    ("file-name", "filename"),
];

/// Words that may begin a statement and are easily forgotten.
pub(super) const KEYWORDS: &[&str] = &[
    "return ", "let ", "const ", "await ", "async ", "export ", "static ", "pub ", "raise ", "yield ", "throw ",
    "var ", "defer ", "assert ", "private ", "- ",
];

/// Formats in which tools display lines: a line from its number, counted from 1, and its text.
pub(super) const SHOWN: [fn(usize, &str) -> String; 6] = [
    |number, line| format!("{number:>6}\t{line}"),
    |number, line| format!("{number}: {line}"),
    |number, line| format!("{number:4} | {line}"),
    |number, line| format!("{number:5}→{line}"),
    |number, line| format!("{number}|{line}"),
    |_, line| format!("│ {line}"),
];

/// Picks one of some things, of which there must be at least one.
pub(super) fn one<T: Copy>(things: &[T], rng: &mut Rng) -> T {
    things[rng.usize(..things.len())]
}

/// Returns the indentation of a line, in bytes.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns `line` with a part replaced by `text`.
pub(crate) fn replaced(line: &str, place: impl RangeBounds<usize>, text: &str) -> String {
    let mut line = line.to_owned();
    line.replace_range(place, text);
    line
}

/// Returns the ranges of a line's words and numbers, from left to right. An apostrophe between letters belongs to its
/// word.
pub(crate) fn tokens(line: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    for (at, c) in
        line.char_indices().filter(|(at, c)| is_word(*c) || (*c == '\'' && is_between(line, *at, char::is_alphabetic)))
    {
        match places.last_mut() {
            Some(last) if last.end == at => last.end += c.len_utf8(),
            _ => places.push(at..at + c.len_utf8()),
        }
    }
    places
}

/// Returns the keyword at the start of a line, after its indentation.
pub(super) fn keyword(line: &str) -> Option<&'static str> {
    KEYWORDS.iter().copied().find(|keyword| line.trim_start().starts_with(keyword))
}

/// Returns whether a character belongs to a word or number.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether both characters beside the ASCII character `at` match.
pub(super) fn is_between(line: &str, at: usize, matches: fn(char) -> bool) -> bool {
    line[..at].ends_with(matches) && line[at + 1..].starts_with(matches)
}

/// Returns the ranges of the words of at least three letters that begin with an ASCII letter.
pub(super) fn words(text: &str) -> Vec<Range<usize>> {
    let is_name =
        |place: &Range<usize>| place.len() >= 3 && text[place.clone()].starts_with(|c: char| c.is_ascii_alphabetic());
    tokens(text).into_iter().filter(is_name).collect()
}

/// Replaces the words and numbers for which `other` returns another one.
pub(super) fn each_token(line: &str, other: impl Fn(&str) -> Option<String>) -> String {
    let places = tokens(line).into_iter().rev().filter_map(|place| Some((place.clone(), other(&line[place])?)));
    places.fold(line.to_owned(), |text, (place, other)| replaced(&text, place, &other))
}

/// Appends `suffix` to the word at `word`.
pub(super) fn lengthened(text: &str, word: &Range<usize>, suffix: &str) -> String {
    replaced(text, word.end..word.end, suffix)
}

/// Returns a name that differs from `name` by one letter, like two real ones.
pub(super) fn near(name: &str) -> String {
    name.strip_suffix('s').map_or_else(|| format!("{name}s"), str::to_owned)
}

/// Makes a small change inside a text: of a word, or of a line that is neither the first nor the last one.
pub(super) fn changed(text: &str, rng: &mut Rng) -> Option<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.len() < 3 || rng.bool() {
        return Some(lengthened(text, &rng.choice(words(text))?, "_next"));
    }
    let at = rng.usize(1..lines.len() - 1);
    if rng.bool() {
        lines.remove(at);
        return Some(lines.join("\n"));
    }
    let line = lengthened(lines[at], &rng.choice(words(lines[at]))?, "_next");
    lines.insert(at, &line);
    Some(lines.join("\n"))
}

/// Returns the share of the words of `line` that `other` has, 0 to 1; 0 for a line without words.
pub(super) fn shared_words(line: &str, other: &str) -> f64 {
    let [line, other] = [line, other].map(|text| words(text).into_iter().map(|word| &text[word]).collect::<Vec<_>>());
    let shared = line.iter().filter(|word| other.contains(word)).count();
    shared as f64 / line.len().max(1) as f64
}

/// Returns whether a token consists of letters and underscores.
pub(super) fn is_name(token: &str) -> bool {
    token.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
}

/// Returns whether a token consists of digits.
pub(super) fn is_number(token: &str) -> bool {
    token.chars().all(|c| c.is_ascii_digit())
}

/// Returns `word` with a capital first letter.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Picks a word or number of a line for which `matches` holds.
pub(super) fn pick(line: &str, rng: &mut Rng, matches: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    rng.choice(tokens(line).into_iter().filter(|place| matches(&line[place.clone()])).collect::<Vec<_>>())
}

/// Returns the range of the first call's arguments, if it has any and no call inside.
pub(super) fn arguments(line: &str) -> Option<(usize, usize)> {
    let open = line.find('(')?;
    let close = open + line[open..].find(')')?;
    let inside = &line[open + 1..close];
    (!inside.is_empty() && !inside.contains(['(', '"', '\'', '`', '{'])).then_some((open, close))
}

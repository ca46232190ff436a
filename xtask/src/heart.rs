//! Counts lines, constants and conditions of the heart of the engine: the crates that merge, align, decide and audit.
//!
//! The counts of a crate cover its folder `src`:
//!
//! - *lines*: of all Rust files, as `wc -l` counts them.
//! - *code*: lines that are not blank after the removal of comments, strings and character literals.
//! - *constants*: numeric literals whose value is not 0, 1 or 2, of any type and notation (`0.5`, `3`, `1e3`, `0xff`;
//!   not `2.0`, not `1_u32`). A literal counts at any place: in a `const`, in a table, inline, in an attribute or in a
//!   pattern. The index of a tuple (`pair.3`) does not count, and a sign is not part of a literal.
//! - *logic*: `&&`, and `||` unless a word, a brace or a parenthesis follows it. This excludes closures without
//!   arguments, and also most of the other `||`.
//! - *quantifiers*: calls of `any`, `all`, `is_some_and` and `is_none_or` after a dot.
//!
//! All counts except *lines* exclude tests: modules under `#[cfg(test)]`, and files whose path in the crate contains
//! `test/`, `tests/`, `test.rs` or `tests.rs`.

use std::fs;
use std::ops::AddAssign;
use std::path::Path;

use anyhow::{Result, ensure};
use fuzzy_tools::run::{git, read, root};
use fuzzy_tools::table::Table;

/// The crates of the heart.
const HEART: [&str; 4] = [
    "crates/engine/fuzzy-merge",
    "crates/engine/fuzzy-adaptive",
    "crates/engine/fuzzy-audit",
    "crates/strategies/alignment",
];

/// Counts lines, numeric constants and conditions of the heart's crates, and prints a row for each and the sum.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Count the files of this commit instead of the work tree.
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// The folders of the crates, relative to the root of the workspace; default: the four crates of the heart.
    #[arg(value_name = "CRATE")]
    crates: Vec<String>,
}

/// Counts and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let named: Vec<&str> = match arguments.crates.as_slice() {
        [] => HEART.to_vec(),
        crates => crates.iter().map(|folder| folder.trim_end_matches('/')).collect(),
    };
    let commit = arguments.commit.as_deref();
    let mut table =
        Table::new(1, &["crate", "lines", "code", "constants", "logic", "per 1,000", "quantifiers", "per 1,000"]);
    let mut sum = Counts::default();
    for folder in named {
        let counts = count_crate(folder, commit)?;
        table.row(counts.row(folder));
        sum += counts;
    }
    table.row(sum.row("all"));
    println!("{}", table.render());
    Ok(())
}

/// Counts a crate in the work tree or in a commit.
fn count_crate(folder: &str, commit: Option<&str>) -> Result<Counts> {
    let source = format!("{folder}/src");
    let names = match commit {
        Some(commit) => read(git(&["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", &source]))?,
        None => read(git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", &source]))?,
    };
    let mut counts = Counts::default();
    for name in names.split_terminator('\0').filter(|name| Path::new(name).extension() == Some("rs".as_ref())) {
        let text = match commit {
            Some(commit) => read(git(&["show", &format!("{commit}:{name}")]))?,
            // A file that is deleted in the work tree is still listed.
            None => fs::read_to_string(root().join(name)).unwrap_or_default(),
        };
        counts += Counts::of(name.strip_prefix(folder).unwrap_or(name), &text);
    }
    ensure!(counts.lines > 0, "no Rust file below {source}{}", commit.map(|c| format!(" at {c}")).unwrap_or_default());
    Ok(counts)
}

/// The counts of some files.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counts {
    lines: usize,
    code: usize,
    constants: usize,
    logic: usize,
    quantifiers: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.code += other.code;
        self.constants += other.constants;
        self.logic += other.logic;
        self.quantifiers += other.quantifiers;
    }
}

impl Counts {
    /// Counts a file, given its path in its crate.
    fn of(name: &str, text: &str) -> Self {
        let lines = text.matches('\n').count();
        if ["test/", "tests/", "test.rs", "tests.rs"].iter().any(|test| name.contains(test)) {
            return Self { lines, ..Self::default() };
        }
        let code = without_tests(without_comments(text));
        let quantifiers = [".any(", ".all(", ".is_some_and(", ".is_none_or("];
        Self {
            lines,
            code: code.lines().filter(|line| !line.trim().is_empty()).count(),
            constants: constants(&code),
            logic: code.matches("&&").count()
                + code.match_indices("||").filter(|(at, _)| is_or(&code[at + 2..])).count(),
            quantifiers: quantifiers.iter().map(|call| code.matches(call).count()).sum(),
        }
    }

    fn row(self, name: &str) -> Vec<String> {
        let rate = |count: usize| format!("{:.1}", count as f64 * 1_000.0 / self.code.max(1) as f64);
        let Self { lines, code, constants, logic, quantifiers } = self;
        let counts = [lines, code, constants, logic].map(|count| count.to_string());
        let rest = [rate(logic), quantifiers.to_string(), rate(quantifiers)];
        [name.to_owned()].into_iter().chain(counts).chain(rest).collect()
    }
}

/// Returns whether two bars before this text count as an "or".
fn is_or(rest: &str) -> bool {
    !rest.trim_start().starts_with(|next: char| is_word(next) || "{(".contains(next))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns a source text in which comments, strings and character literals are replaced by spaces; line breaks are
/// kept.
fn without_comments(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let follows_word = code.ends_with(is_word);
        let literal = comment(rest).or_else(|| raw_string(rest).filter(|_| !follows_word));
        let end = if let Some(end) = literal.or_else(|| string(rest)).or_else(|| character(rest)) {
            code.extend(rest[..end].chars().map(|hidden| if hidden == '\n' { '\n' } else { ' ' }));
            end
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = &rest[end..];
    }
    code
}

/// Returns the end of a comment at the start of a text.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut end = text.strip_prefix("/*").map(|_| 2)?;
    let mut open = 1;
    while open > 0 {
        let Some(next) = text[end..].chars().next() else { break };
        end += match &text[end..] {
            inner if inner.starts_with("/*") => {
                open += 1;
                2
            }
            inner if inner.starts_with("*/") => {
                open -= 1;
                2
            }
            _ => next.len_utf8(),
        };
    }
    Some(end)
}

/// Returns the end of a raw string at the start of a text.
fn raw_string(text: &str) -> Option<usize> {
    let fences = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let content = fences.trim_start_matches('#');
    let closing = format!("\"{}", &fences[..fences.len() - content.len()]);
    let content = content.strip_prefix('"')?;
    let start = text.len() - content.len();
    Some(content.find(&closing).map_or(text.len(), |end| start + end + closing.len()))
}

/// Returns the end of a string at the start of a text.
fn string(text: &str) -> Option<usize> {
    let content = text.strip_prefix('"')?;
    let mut characters = content.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => _ = characters.next(),
            '"' => return Some(at + 2),
            _ => {}
        }
    }
    Some(text.len())
}

/// Returns the end of a character literal at the start of a text; `None` for a lifetime.
fn character(text: &str) -> Option<usize> {
    let content = text.strip_prefix('\'')?;
    let end = match content.strip_prefix('\\') {
        Some(escape) => 1 + escape.chars().next()?.len_utf8() + escape.get(1..)?.find('\'')?,
        None => content.chars().next().filter(|only| !"'\n".contains(*only))?.len_utf8(),
    };
    content[end..].starts_with('\'').then_some(end + 2)
}

/// Returns code without its modules under `#[cfg(test)]`.
fn without_tests(mut code: String) -> String {
    const TEST: &str = "#[cfg(test)]";
    let mut from = 0;
    while let Some(start) = code[from..].find(TEST).map(|at| from + at) {
        from = start + TEST.len();
        let Some(body) = code[from..].find(['{', ';']).map(|at| from + at) else { break };
        let head: Vec<&str> = code[from..body].split_whitespace().collect();
        if code[body..].starts_with('{') && matches!(head[..], [.., "mod", _]) {
            code.replace_range(start..closing(&code, body), "");
            from = start;
        }
    }
    code
}

/// Returns the end of the block that starts at a brace.
fn closing(code: &str, brace: usize) -> usize {
    let mut depth = 0_usize;
    for (at, character) in code[brace..].char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return brace + at + 1;
        }
    }
    code.len()
}

/// Counts the numeric literals whose value is not 0, 1 or 2.
fn constants(code: &str) -> usize {
    let mut count = 0;
    let mut at = 0;
    while let Some(first) = code[at..].chars().next() {
        let before = &code[..at];
        let is_index = before.ends_with('.') && !before.ends_with("..");
        let length = match first {
            '0'..='9' if !is_index => {
                let length = literal(&code[at..]);
                count += usize::from(!is_small(&code[at..at + length]));
                length
            }
            _ => word(&code[at..]).max(first.len_utf8()),
        };
        at += length;
    }
    count
}

/// Returns the length of the word at the start of a text.
fn word(text: &str) -> usize {
    text.find(|other| !is_word(other)).unwrap_or(text.len())
}

/// Returns the length of the numeric literal at the start of a text.
fn literal(text: &str) -> usize {
    let mut length = word(text);
    let is_decimal = !text.starts_with("0x");
    let digit_after = |at: usize| text[at + 1..].starts_with(|next: char| next.is_ascii_digit());
    if text[length..].starts_with('.') && digit_after(length) {
        length += 1 + word(&text[length + 1..]);
    }
    if is_decimal
        && text[..length].ends_with(['e', 'E'])
        && text[length..].starts_with(['-', '+'])
        && digit_after(length)
    {
        length += 1 + word(&text[length + 1..]);
    }
    length
}

/// Returns whether the value of a numeric literal is 0, 1 or 2.
fn is_small(literal: &str) -> bool {
    let digits = literal.replace('_', "");
    if let Some(radix) = [("0x", 16), ("0o", 8), ("0b", 2)].iter().find(|(prefix, _)| digits.starts_with(prefix)) {
        let digits = &digits[2..];
        let end = digits.find(|digit: char| !digit.is_digit(radix.1)).unwrap_or(digits.len());
        return u128::from_str_radix(&digits[..end], radix.1).is_ok_and(|value| value <= 2);
    }
    // The number ends before its type suffix.
    let number = digits.split(['u', 'i', 'f']).next().unwrap_or_default();
    number.parse::<f64>().is_ok_and(|value| [0.0, 1.0, 2.0].contains(&value))
}

#[cfg(test)]
mod tests {
    use super::{Counts, constants, without_comments};

    const SOURCE: &str = r##"//! Doc && text.

/// Adds 7.
const LIMIT: usize = 4_000; // a || !b

fn f(items: &[u8], pair: (u8, (u8, u8))) -> bool {
    let text = "one && 3 \" .any(
        5"; /* 6 /* 7 */
        8 */ let raw = r#"9 " && "#;
    let quote = '"';
    items.iter().any(|item| *item == pair.1.0 && *item != b'"')
        || !items.is_empty() || f(items, pair)
}

#[cfg(test)]
mod tests {
    fn g<'a>(x: &'a [u8]) -> bool {
        x.iter().all(|_| true && { 99 > 98 })
    }
}

fn h() -> f64 {
    0.5
}
"##;

    #[test]
    fn code_is_counted_without_comments_strings_and_tests() {
        let counts = Counts::of("src/a.rs", SOURCE);
        assert_eq!(counts, Counts { lines: 24, code: 12, constants: 2, logic: 2, quantifiers: 1 });
        for name in ["src/tests.rs", "src/tests/a.rs"] {
            assert_eq!(Counts::of(name, SOURCE), Counts { lines: 24, ..Counts::default() }, "{name}");
        }
    }

    #[test]
    fn literals_keep_their_lines_and_lifetimes_are_none() {
        for (source, code) in [
            ("a // b\nc", "a     \nc"),
            ("/* a\n/* b */ */c", "    \n          c"),
            ("f(\"\\\"//\", b\"x\")", "f(      , b   )"),
            ("r#\"a\"b\"#; br\"\\\"", "        ;      "),
            ("'\\'' 'a' 'é' '\\u{e9}' <'a, 'b>", "                      <'a, 'b>"),
        ] {
            assert_eq!(without_comments(source), code, "{source}");
        }
    }

    #[test]
    fn a_constant_is_a_number_other_than_0_1_and_2() {
        for (code, count) in [
            ("0 1 2 0.0 1.0 2.0 1_u32 2f64 0x0 0b10 1e0 2_usize", 0),
            ("3 0.5 1.5f32 10 0xff 0b11 1e3 1e-3 2.5e+4 1_000u64", 10),
            ("0..5 1..=7 1.max(3)", 3),
            ("pair.3 pair.0.7 x3 _4 a1b2", 0),
            ("1 << 26", 1),
            ("-3", 1),
        ] {
            assert_eq!(constants(code), count, "{code}");
        }
    }
}

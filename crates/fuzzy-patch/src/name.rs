//! Names of files, as diffs quote them and as models write them above a block.

use crate::Problem;

/// Returns the name that stands alone on a line of prose, if one does: `src/a.rs`, `**src/a.rs**:`, `### a.rs`,
/// `File: a.rs`, `` `my file.txt` ``.
pub(crate) fn alone(line: &str) -> Option<String> {
    let mut text = line.trim();
    text = text.trim_start_matches('#').trim();
    for list in ["- ", "* ", "// ", "File:", "file:", "Path:", "path:", "Filename:", "filename:"] {
        text = text.strip_prefix(list).unwrap_or(text).trim_start();
    }
    let is_decoration = |c| matches!(c, '`' | '*' | '"' | '\'' | ':');
    let name = text.trim_matches(is_decoration);
    let is_quoted = text.starts_with(['`', '"', '\'']) || text.starts_with("**");
    let fits = looks_like_path(name) && (is_quoted || !name.contains(char::is_whitespace));
    (fits && !name.contains('`')).then(|| name.to_owned())
}

/// Returns the name in the first line of a fence, if there is one: ```` ```rust src/a.rs ````, `rust:src/a.rs`,
/// `rust title="src/a.rs"`.
pub(crate) fn of_fence(info: &str) -> Option<String> {
    let last = info.split_whitespace().next_back()?;
    let value = last.rsplit_once(['=', ':']).map_or(last, |(_, value)| value);
    let name = value.trim_matches(['"', '\'', '`', '{', '}']);
    looks_like_path(name).then(|| name.to_owned())
}

/// Says whether a word may be the path of a file: it has a directory or an extension, or is a name that everyone knows.
fn looks_like_path(word: &str) -> bool {
    const KNOWN: [&str; 5] = ["Makefile", "Dockerfile", "LICENSE", "README", "Justfile"];
    if word.contains("://") || word.contains(['<', '>', '(', ')', '{', '}', ';', ',', '=']) {
        return false;
    }
    let base = word.rsplit('/').next().unwrap_or(word);
    let has_extension = base.rsplit_once('.').is_some_and(|(_, extension)| {
        !extension.is_empty() && extension.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    });
    !base.is_empty() && (has_extension || KNOWN.contains(&base) || (word.contains('/') && !word.ends_with('.')))
}

/// Returns the name behind a keyword of an envelope or of an extended header, which has no prefix.
pub(crate) fn plain(raw: &str) -> Result<String, Problem> {
    let name = raw.trim();
    if name.starts_with('"') {
        return unquote(name);
    }
    checked(name.trim_matches('`').to_owned())
}

/// Returns the name behind `---` or `+++`, with its prefix and without a date.
pub(crate) fn of_header(raw: &str) -> Result<String, Problem> {
    if raw.starts_with('"') {
        return unquote(raw);
    }
    let name = raw.split('\t').next().unwrap_or(raw).trim();
    checked(without_date(name).to_owned())
}

/// Cuts off ` 2024-01-31 12:00:00 …`, which some tools write behind blanks instead of a tab.
fn without_date(name: &str) -> &str {
    let is_date = |at: usize| {
        let bytes = &name.as_bytes()[at..];
        bytes.len() > 16
            && b"0000-00-00 00:00".iter().zip(bytes).all(|(form, byte)| match form {
                b'0' => byte.is_ascii_digit(),
                other => byte == other,
            })
    };
    let start = name.match_indices(' ').map(|(at, _)| at).find(|at| is_date(at + 1));
    start.map_or(name, |at| name[..at].trim_end())
}

/// Undoes the quotes of git: escapes of C, bytes as three octal digits.
fn unquote(quoted: &str) -> Result<String, Problem> {
    let bad = |why| Problem::BadName { name: quoted.to_owned(), why };
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.as_bytes()[1..].iter().copied();
    loop {
        match rest.next().ok_or_else(|| bad("the quote is not closed"))? {
            b'"' => break,
            b'\\' => {
                let escape = rest.next().ok_or_else(|| bad("the quote is not closed"))?;
                bytes.push(match escape {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => escape,
                    b'0'..=b'3' => {
                        let mut digit = || rest.next().filter(|digit| matches!(digit, b'0'..=b'7'));
                        match (digit(), digit()) {
                            (Some(second), Some(third)) => {
                                ((escape - b'0') << 6) | ((second - b'0') << 3) | (third - b'0')
                            }
                            _ => return Err(bad("an octal escape has three digits")),
                        }
                    }
                    _ => return Err(bad("it has an unknown escape")),
                });
            }
            byte => bytes.push(byte),
        }
    }
    checked(String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8"))?)
}

/// Quotes a name as git does where it has to be.
pub(crate) fn quote(name: &str) -> String {
    use std::fmt::Write;
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\' && byte < 0x7f;
    if name.bytes().all(is_plain) && name.trim() == name {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(char::from(byte));
            }
            byte if is_plain(byte) => quoted.push(char::from(byte)),
            byte => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}

fn checked(name: String) -> Result<String, Problem> {
    let why = if name.is_empty() {
        "it is empty"
    } else if name.contains('\0') {
        "it has a NUL"
    } else if name.ends_with('/') {
        "it ends in a slash"
    } else {
        return Ok(name);
    };
    Err(Problem::BadName { name, why })
}

/// What stands for no file in a diff.
pub(crate) const NOTHING: &str = "/dev/null";

/// Prefixes that git puts before the two names, as pairs.
const PREFIXES: [(&str, &str); 6] =
    [("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("old/", "new/")];

/// Returns the names without the prefixes of a diff.
///
/// A prefix goes where both names have theirs, or where the two are the same name without it.
pub(crate) fn without_prefixes(old: &str, new: &str) -> (String, String) {
    let owned = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    for (before, after) in PREFIXES {
        match (old.strip_prefix(before), new.strip_prefix(after)) {
            (Some(old), Some(new)) if !old.is_empty() && !new.is_empty() => return owned(old, new),
            (Some(bare), _) if new == NOTHING || new == bare => return owned(bare, new),
            (_, Some(bare)) if old == NOTHING || old == bare => return owned(old, bare),
            _ => {}
        }
    }
    owned(old.strip_suffix(".orig").filter(|name| *name == new).unwrap_or(old), new)
}

/// Returns the names in a line `diff --git`, which only files without hunks need: both are the same, or quoted, or
/// without blanks.
pub(crate) fn of_git_line(rest: &str) -> Option<(String, String)> {
    if rest.starts_with('"') {
        let quotes = rest.match_indices('"').map(|(at, _)| at).skip(1);
        let end = quotes.into_iter().find(|at| !rest[..*at].ends_with('\\'))?;
        let new = rest.get(end + 2..)?;
        let new = if new.starts_with('"') { unquote(new).ok()? } else { new.to_owned() };
        return Some(without_prefixes(&unquote(rest).ok()?, &new));
    }
    let same = |at: usize| {
        let (old, new) = without_prefixes(&rest[..at], &rest[at + 1..]);
        (old == new).then_some((old, new))
    };
    // Where both names are the same, the blank between them is the middle one.
    let middle = rest.len() / 2;
    let candidates = [middle, middle.saturating_sub(1), middle + 1];
    let is_blank = |at: &usize| rest.as_bytes().get(*at) == Some(&b' ');
    candidates.into_iter().filter(is_blank).find_map(same).or_else(|| {
        let (old, new) = rest.split_once(' ').filter(|(_, new)| !new.contains(' '))?;
        Some(without_prefixes(old, new))
    })
}

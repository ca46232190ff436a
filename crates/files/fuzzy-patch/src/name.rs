//! File names in diffs, which may be quoted, and above blocks.

use crate::Problem;

/// Returns the name that is alone on a line of prose, if there is one: `src/a.rs`, `**src/a.rs**:`, `### 2. a.rs`,
/// `File: a.rs (new)`, `` `my file.txt` ``.
pub(crate) fn alone(line: &str) -> Option<String> {
    let text = unlabelled(line);
    let name = text.trim_matches(is_decoration);
    let is_path = looks_like_path(name) && !name.contains('`');
    let is_quoted = text.starts_with(['`', '"', '\'']);
    if is_path && (is_quoted || !name.contains(char::is_whitespace)) {
        return Some(name.to_owned());
    }
    only(line).or_else(|| (is_path && text.starts_with("**")).then(|| name.to_owned()))
}

/// Returns a line without the decoration that models put around names, if it may be the name of a file beneath a root.
pub(crate) fn undecorated(line: &str) -> Option<&str> {
    // The limit of common file systems for one component. A longer line is prose and needs no file check.
    const MAX_NAME_BYTES: usize = 255;
    let name = unlabelled(line).trim_matches(is_decoration);
    let is_relative = !name.starts_with('/') && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
    (is_relative && name.len() <= MAX_NAME_BYTES).then_some(name)
}

/// Returns a line without the marks of headings and lists, and without labels.
fn unlabelled(line: &str) -> &str {
    let mut text = line.trim().trim_start_matches('#').trim();
    for list in ["- ", "* ", "// ", "File:", "file:", "Path:", "path:", "Filename:", "filename:"] {
        text = text.strip_prefix(list).unwrap_or(text).trim_start();
    }
    text
}

/// Returns whether models put `c` around names.
const fn is_decoration(c: char) -> bool {
    matches!(c, '`' | '*' | '"' | '\'' | ':')
}

/// Returns the only file that a line mentions, if the rest of the line is numbers, signs, and remarks in parentheses.
fn only(line: &str) -> Option<String> {
    const LABELS: [&str; 4] = ["file", "path", "filename", "filepath"];
    let mut files = mentioned(line);
    let file = files.next()?;
    if !files.all(|other| other == file) {
        return None;
    }
    let rest = without_remarks(&line.replace(file, " "));
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .all(|word| {
            LABELS.iter().any(|label| label.eq_ignore_ascii_case(word))
                || word.bytes().all(|byte| byte.is_ascii_digit())
        })
        .then(|| file.to_owned())
}

/// Replaces parentheses and their content by blanks.
fn without_remarks(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = text.chars().map(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => return c,
            _ => {}
        }
        ' '
    });
    outside.collect()
}

/// Returns the words of a line of prose that are almost certainly files: they have a directory and an extension, or a
/// common extension.
pub(crate) fn mentioned(line: &str) -> impl Iterator<Item = &str> {
    let line = if line.contains('.') { line } else { "" };
    let words = line.split_whitespace().filter(|word| !word.contains("://"));
    let parts = words.flat_map(|word| word.split(|c: char| c.is_ascii_punctuation() && !"./_-@$~+%\\".contains(c)));
    parts
        .map(|part| part.trim_end_matches(ends_no_name).trim_start_matches(begins_no_name))
        .filter(|part| is_file(part))
}

/// Returns whether a sign at the end of a name in prose belongs to the sentence.
fn ends_no_name(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '_' | '$')
}

/// Returns whether a sign at the beginning of a name in prose belongs to the sentence.
fn begins_no_name(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '.' | '/' | '_' | '@' | '$' | '-' | '~')
}

/// Returns whether a word has an extension, and a directory or a common extension.
fn is_file(word: &str) -> bool {
    let (folder, base) = word.rsplit_once(['/', '\\']).map_or((None, word), |(folder, base)| (Some(folder), base));
    base.rsplit_once('.').is_some_and(|(stem, extension)| {
        let is_word = extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let has_letter = extension.bytes().any(|byte| byte.is_ascii_alphabetic());
        let in_folder = folder.is_some_and(|folder| !folder.is_empty());
        !stem.is_empty()
            && is_word
            && ((in_folder && has_letter) || EXTENSIONS.split(' ').any(|known| known.eq_ignore_ascii_case(extension)))
    })
}

/// Extensions of files that prose mentions without a directory: only common ones, because `self.items` is not a file.
const EXTENSIONS: &str = "bash bat c cc cfg cjs clj cmake conf cpp cs css csv cxx dart ex exs fish go gradle graphql h \
    hpp hs htm html ini ipynb java jl js json jsonl jsx kt kts less lock lua m md mdx mjs mk ml nix php pl proto ps1 py \
    pyi r rb rs rst sass scala scss sh sql svelte swift tex tf toml ts tsx txt vb vue xml yaml yml zig zsh";

/// Returns whether two names may be the same file: they are equal, or one is the end of the other.
pub(crate) fn may_be_same(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|name| name.trim_start_matches("./"));
    is_end_of_path(one, other) || is_end_of_path(other, one)
}

/// Returns whether `path` ends in the whole components of `end`.
fn is_end_of_path(end: &str, path: &str) -> bool {
    path.strip_suffix(end).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Returns the name in the first line of a fence, if there is one: ```` ```rust src/a.rs ````, `rust:src/a.rs`, `rust
/// title="src/a.rs"`.
pub(crate) fn of_fence(info: &str) -> Option<String> {
    let last = info.split_whitespace().next_back()?;
    let value = last.rsplit_once(['=', ':']).map_or(last, |(_, value)| value);
    let name = value.trim_matches(['"', '\'', '`', '{', '}']);
    looks_like_path(name).then(|| name.to_owned())
}

/// Returns whether a word may be the path of a file: it has a directory or an extension, or is a well-known name.
fn looks_like_path(word: &str) -> bool {
    const WITHOUT_EXTENSION: [&str; 12] = [
        "Makefile",
        "Dockerfile",
        "LICENSE",
        "README",
        "CHANGELOG",
        "NOTICE",
        "Gemfile",
        "Rakefile",
        "Procfile",
        "Jenkinsfile",
        "Justfile",
        "justfile",
    ];
    if word.contains("://") || word.contains(['<', '>', '{', '}', ';', ',', '=']) {
        return false;
    }
    // A directory may be in parentheses; a call has them at its end.
    if word.contains(['(', ')']) && !word.split('/').all(is_balanced) {
        return false;
    }
    let base = word.rsplit('/').next().unwrap_or(word);
    let has_extension = base.rsplit_once('.').is_some_and(|(_, extension)| {
        !extension.is_empty() && extension.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    });
    !base.is_empty()
        && (has_extension || WITHOUT_EXTENSION.contains(&base) || (word.contains('/') && !word.ends_with('.')))
}

/// Returns whether a component has no parentheses, or is enclosed in them.
fn is_balanced(component: &str) -> bool {
    let inside = component.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(component);
    !inside.contains(['(', ')'])
}

/// Returns the name after a keyword of an envelope or of an extended header, which has no prefix.
pub(crate) fn plain(raw: &str) -> Result<String, Problem> {
    let name = raw.trim();
    if name.starts_with('"') {
        return unquote(name);
    }
    checked(name.trim_matches('`').to_owned())
}

/// Returns the name after `---` or `+++`, with its prefix and without a date.
pub(crate) fn of_header(raw: &str) -> Result<String, Problem> {
    if raw.starts_with('"') {
        return unquote(raw);
    }
    let name = raw.split('\t').next().unwrap_or(raw).trim();
    checked(without_date(name).to_owned())
}

/// Returns the name after `mark` on a line of a diff, if the line begins with `mark` and the name is valid.
pub(crate) fn after(mark: &str, line: &str) -> Option<String> {
    line.strip_prefix(mark).and_then(|raw| of_header(raw).ok())
}

/// Removes ` 2024-01-31 12:00:00 …`, which some tools write after blanks instead of a tab.
fn without_date(name: &str) -> &str {
    date_start(name).map_or(name, |at| name[..at].trim_end())
}

/// Returns the date after a name.
fn date_of(raw: &str) -> Option<&str> {
    date_start(&raw.replace('\t', " ")).map(|at| raw[at..].trim())
}

/// Returns the position of the blank before a date.
fn date_start(name: &str) -> Option<usize> {
    name.match_indices(' ').map(|(at, _)| at).find(|at| begins_with_date(&name[at + 1..]))
}

/// Returns whether `text` begins with a date and a time to the minute, and continues.
fn begins_with_date(text: &str) -> bool {
    const FORM: &str = "0000-00-00 00:00";
    text.len() > FORM.len()
        && FORM.bytes().zip(text.bytes()).all(|(form, byte)| match form {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        })
}

/// Reads git's quotes: escapes of C, and bytes as three octal digits.
fn unquote(quoted: &str) -> Result<String, Problem> {
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.as_bytes()[1..].iter().copied();
    loop {
        match rest.next().ok_or_else(|| bad_name(quoted, "the quote is not closed"))? {
            b'"' => break,
            b'\\' => {
                let escape = rest.next().ok_or_else(|| bad_name(quoted, "the quote is not closed"))?;
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
                            _ => return Err(bad_name(quoted, "an octal escape has three digits")),
                        }
                    }
                    _ => return Err(bad_name(quoted, "it has an unknown escape")),
                });
            }
            byte => bytes.push(byte),
        }
    }
    checked(String::from_utf8(bytes).map_err(|_| bad_name(quoted, "it is not UTF-8"))?)
}

/// Quotes a name like git, if necessary.
pub(crate) fn quote(name: &str) -> String {
    use std::fmt::Write;
    if name.bytes().all(needs_no_escape) && name.trim() == name {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(char::from(byte));
            }
            byte if needs_no_escape(byte) => quoted.push(char::from(byte)),
            byte => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Returns whether git writes a byte of a name unchanged.
fn needs_no_escape(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

/// Makes the error of an invalid name.
fn bad_name(name: &str, why: &'static str) -> Problem {
    Problem::BadName { name: name.to_owned(), why }
}

/// Returns the name if it is valid for a file.
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

/// The name of a missing file in a diff.
pub(crate) const NOTHING: &str = "/dev/null";

/// Pairs of prefixes that git puts before the two names.
const PREFIXES: [(&str, &str); 6] =
    [("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("old/", "new/")];

/// The interpretation of the beginning of a name in a diff.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Prefixes {
    /// A prefix of a tool, if it looks like one.
    #[default]
    Taken,
    /// Part of the name, unless two names show that it is a prefix.
    Part,
}

impl Prefixes {
    /// Returns the names without their prefixes.
    pub(crate) fn off<'n>(self, old: &'n str, new: &'n str) -> (&'n str, &'n str) {
        match self {
            Self::Part if [old, new].contains(&NOTHING) => (old, new),
            _ => without_prefixes(old, new),
        }
    }
}

/// Returns the names without the prefixes of a diff.
///
/// Prefixes are removed if both names have theirs, or if the names are equal without them. A single name only loses the
/// default prefix of git: any other may be a directory.
pub(crate) fn without_prefixes<'n>(old: &'n str, new: &'n str) -> (&'n str, &'n str) {
    if new == NOTHING {
        return (old.strip_prefix(PREFIXES[0].0).unwrap_or(old), new);
    }
    if old == NOTHING {
        return (old, new.strip_prefix(PREFIXES[0].1).unwrap_or(new));
    }
    for (before, after) in PREFIXES {
        match (old.strip_prefix(before), new.strip_prefix(after)) {
            (Some(old), Some(new)) if !old.is_empty() && !new.is_empty() => return (old, new),
            (Some(bare), _) if new == bare => return (bare, new),
            (_, Some(bare)) if old == bare => return (old, bare),
            _ => {}
        }
    }
    // Two trees side by side: `project-1.0/` and `project-1.1/`.
    match (below_first_folder(old), below_first_folder(new)) {
        (Some(old_rest), Some(new_rest)) if old != new && old_rest == new_rest => (old_rest, new_rest),
        _ => (old.strip_suffix(".orig").filter(|name| *name == new).unwrap_or(old), new),
    }
}

/// Returns the part of a name after its first directory.
fn below_first_folder(name: &str) -> Option<&str> {
    name.split_once('/').map(|(_, rest)| rest).filter(|rest| !rest.is_empty())
}

/// Returns whether the date after a name in a header is the first second of 1970, in any time zone: tools write it for
/// a file that does not exist.
pub(crate) fn is_epoch(raw: &str) -> bool {
    let Some(date) = date_of(raw) else { return false };
    let mut words = date.split_whitespace();
    let (Some(day), Some(time)) = (words.next(), words.next()) else { return false };
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let [hours, minutes, seconds] = [0, 3, 6].map(|at| number(clock, at).unwrap_or(0));
    let zone = words.next().unwrap_or("+0000");
    let ahead = number(zone, 1).zip(number(zone, 3)).map_or(0, |(hours, minutes)| hours * 60 + minutes);
    let ahead = if zone.starts_with('-') { -ahead } else { ahead };
    let days = match day {
        "1970-01-01" => 0,
        "1969-12-31" => -1,
        _ => return false,
    };
    (days * 24 + hours) * 60 + minutes == ahead && seconds == 0 && fraction.bytes().all(|digit| digit == b'0')
}

/// Returns the number of two digits at byte `at`.
fn number(text: &str, at: usize) -> Option<i64> {
    text.get(at..at + 2)?.parse().ok()
}

/// Returns the names in a line `diff --git`, which only files without hunks need: both are equal, or quoted, or without
/// blanks.
pub(crate) fn of_git_line(rest: &str) -> Option<(String, String)> {
    if rest.starts_with('"') {
        let quotes = rest.match_indices('"').map(|(at, _)| at).skip(1);
        let end = quotes.into_iter().find(|at| !rest[..*at].ends_with('\\'))?;
        let new = rest.get(end + 2..)?;
        let new = if new.starts_with('"') { unquote(new).ok()? } else { new.to_owned() };
        let old = unquote(rest).ok()?;
        let (old, new) = without_prefixes(&old, &new);
        return Some((old.to_owned(), new.to_owned()));
    }
    // If both names are equal, the blank between them is the middle one.
    let middle = rest.len() / 2;
    let same = [middle, middle.saturating_sub(1), middle + 1]
        .into_iter()
        .filter(|at| rest.as_bytes().get(*at) == Some(&b' '))
        .map(|at| without_prefixes(&rest[..at], &rest[at + 1..]))
        .find(|(old, new)| old == new);
    let (old, new) = same.or_else(|| {
        let (old, new) = rest.split_once(' ').filter(|(_, new)| !new.contains(' '))?;
        Some(without_prefixes(old, new))
    })?;
    Some((old.to_owned(), new.to_owned()))
}

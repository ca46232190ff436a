//! Writes the paths of files as one text, in which a database can search.

use std::fmt::Write as _;

use fuzzy_checkpoint::RepoPath;

/// Returns the paths as a text in which `\n`, the path and another `\n` occur for each of them.
pub(crate) fn joined(paths: &[RepoPath]) -> String {
    let mut text = "\n".to_owned();
    for path in paths {
        text += &written(path);
        text.push('\n');
    }
    text
}

/// Returns a path on one line: control characters, `%` and bytes that are not UTF-8 are percent-encoded.
pub(crate) fn written(path: &RepoPath) -> String {
    let mut text = String::new();
    for chunk in path.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || c == '%' {
                encode(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut text);
            } else {
                text.push(c);
            }
        }
        encode(chunk.invalid(), &mut text);
    }
    text
}

fn encode(bytes: &[u8], text: &mut String) {
    for byte in bytes {
        let _ = write!(text, "%{byte:02X}");
    }
}

/// Reads the result of [`joined`].
pub(crate) fn parsed(text: &str) -> Vec<RepoPath> {
    text.split('\n').filter(|line| !line.is_empty()).map(read).collect()
}

fn read(line: &str) -> RepoPath {
    let mut bytes = Vec::new();
    let mut rest = line.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        if let Some(byte) = code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    RepoPath::new(bytes)
}

#[cfg(test)]
mod tests {
    use fuzzy_checkpoint::RepoPath;

    use super::{joined, parsed};

    #[test]
    fn every_path_is_read_back() {
        let paths = [&b"a b/c.py"[..], b"100%.txt", b"%41", b"two\nlines", b"caf\xe9", "é/\u{85}".as_bytes()];
        let paths: Vec<RepoPath> = paths.into_iter().map(RepoPath::new).collect();
        let text = joined(&paths);
        assert_eq!(parsed(&text), paths);
        assert_eq!(text, "\na b/c.py\n100%25.txt\n%2541\ntwo%0Alines\ncaf%E9\né/%C2%85\n");
        assert!(parsed(&joined(&[])).is_empty());
    }
}

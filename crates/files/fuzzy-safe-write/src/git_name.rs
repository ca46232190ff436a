//! Recognizes names that some file system treats as `.git`.

/// Code points that HFS+ ignores when it compares names.
const IGNORED_BY_HFS: &[char] = &[
    '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{206a}', '\u{206b}', '\u{206c}', '\u{206d}', '\u{206e}', '\u{206f}', '\u{feff}',
];

/// Returns whether some file system treats the component `name` as `.git`.
///
/// In any letter case, this rejects the name itself, and the name with code points that HFS+ ignores, with dots, blanks
/// or a stream name at the end (which NTFS drops), or after a backslash (a separator on Windows); also the short names
/// `git~1` to `git~9…`. Git itself rejects nearly the same names.
pub(crate) fn means_git(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    let kept: String = name.chars().filter(|c| !IGNORED_BY_HFS.contains(c)).map(|c| c.to_ascii_lowercase()).collect();
    kept.split('\\').any(|part| {
        let part = part.split(':').next().unwrap_or(part).trim_end_matches(['.', ' ']);
        part == ".git"
            || part.strip_prefix("git~").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::means_git;

    #[test]
    fn odd_spellings_are_denied() {
        for name in [
            ".git",
            ".GIT",
            ".gIt",
            ".git.",
            ".git ",
            ".git. . ",
            ".git::$INDEX_ALLOCATION",
            ".git:stream",
            "git~1",
            "GIT~2",
            "git~1 ",
            "git~1.",
            ".g\u{200c}it",
            "\u{feff}.git",
            ".git\u{202e}",
            ".G\u{206f}iT",
            "a\\.git",
            ".git\\hooks",
            "git~10",
            ".Git. :x",
        ] {
            assert!(means_git(name.as_bytes()), "{name:?}");
        }
    }

    #[test]
    fn names_that_only_look_alike_are_not() {
        for name in [
            ".gitignore",
            ".github",
            "git",
            "git~",
            "git~a",
            "a.git",
            "..git",
            ".git-old",
            ".git_",
            " .git",
            "x git~1",
            ".gitmodules",
            "...",
            "",
            ".g",
            "gi\u{200c}t",
        ] {
            assert!(!means_git(name.as_bytes()), "{name:?}");
        }
        assert!(!means_git(b"\xff.git"));
    }
}

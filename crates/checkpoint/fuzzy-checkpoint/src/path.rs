//! Paths inside a worktree, as bytes.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path relative to the worktree's root: bytes as git stores them, separated by `/`, never empty.
///
/// In JSON it is a string if it is UTF-8, otherwise an array of bytes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RepoPath(Vec<u8>);

impl RepoPath {
    /// Wraps the bytes without a check.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Returns the bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Yields every parent directory, the outermost first.
    pub fn ancestors(&self) -> impl Iterator<Item = RepoPath> + '_ {
        memchr::memchr_iter(b'/', &self.0).map(|at| Self(self.0[..at].to_vec()))
    }

    /// Returns whether this is `other` or lies below it.
    #[must_use]
    pub fn is_within(&self, other: &RepoPath) -> bool {
        self.0.strip_prefix(other.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }

    /// Returns whether this is one of `others` or lies below one.
    #[must_use]
    pub fn is_within_any(&self, others: &[RepoPath]) -> bool {
        others.iter().any(|other| self.is_within(other))
    }

    /// Returns the last component.
    #[must_use]
    pub fn file_name(&self) -> &[u8] {
        &self.0[memchr::memrchr(b'/', &self.0).map_or(0, |at| at + 1)..]
    }

    /// Returns whether git, or a file system that folds names, may read a component as `.git` or would reject the path.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        self.0
            .split(|byte| *byte == b'/')
            .any(|part| part.is_empty() || part == b"." || part == b".." || folds_to(part, b"git"))
    }

    /// Returns whether the last component may be read as `.gitmodules`, which git rejects as a symlink.
    #[must_use]
    pub fn names_gitmodules(&self) -> bool {
        let name = self.file_name();
        folds_to(name, b"gitmodules")
            || name.to_ascii_lowercase().starts_with(b"gi7eba~")
            || name.contains(&b'~') && short_form(name, b"gitmod")
    }

    /// Returns whether the last component looks like the name of a file with secrets.
    #[must_use]
    pub fn looks_secret(&self) -> bool {
        let name = self.file_name().to_ascii_lowercase();
        let harmless = [&b".example"[..], b".sample", b".template", b".dist", b".pub"];
        let names = [&b".env"[..], b".netrc", b".npmrc", b".pypirc", b".pgpass", b".htpasswd", b"credentials.json"];
        let starts = [&b".env."[..], b"id_rsa", b"id_ecdsa", b"id_ed25519", b"id_dsa"];
        let ends = [&b".pem"[..], b".key", b".p12", b".pfx", b".keystore", b".jks", b".kdbx"];
        !harmless.iter().any(|end| name.ends_with(end))
            && (names.contains(&&name[..])
                || starts.iter().any(|start| name.starts_with(start))
                || ends.iter().any(|end| name.ends_with(end)))
    }
}

/// Folds `part` as HFS+ and NTFS do and compares it with `.` + `name`, or with the short form `git~1`.
fn folds_to(part: &[u8], name: &[u8]) -> bool {
    let visible: Vec<u8> = match std::str::from_utf8(part) {
        Ok(text) => text.chars().filter(|letter| !ignored_by_hfs(*letter)).collect::<String>().into_bytes(),
        Err(_) => part.to_vec(),
    };
    let low = visible.to_ascii_lowercase();
    let plain = low.strip_prefix(b".").and_then(|rest| rest.strip_prefix(name)).is_some_and(ignored_by_ntfs);
    plain || name == b"git" && low.strip_prefix(b"git~1").is_some_and(ignored_by_ntfs)
}

/// Returns whether NTFS ignores these bytes at the end of a name: it drops final dots and blanks, and opens the file
/// itself for `name::stream`.
fn ignored_by_ntfs(rest: &[u8]) -> bool {
    let end = memchr::memchr(b':', rest).unwrap_or(rest.len());
    rest[..end].iter().all(|byte| matches!(byte, b'.' | b' '))
}

fn short_form(name: &[u8], stem: &[u8]) -> bool {
    let low = name.to_ascii_lowercase();
    low.strip_prefix(stem)
        .and_then(|rest| rest.strip_prefix(b"~"))
        .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
}

fn ignored_by_hfs(letter: char) -> bool {
    matches!(letter, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

impl From<&str> for RepoPath {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

/// The two forms in JSON.
#[derive(Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes(Vec<u8>),
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for RepoPath {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RepoPath".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Form::json_schema(generator)
    }
}

impl Serialize for RepoPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for RepoPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Form::deserialize(deserializer)? {
            Form::Text(text) => text.into_bytes(),
            Form::Bytes(bytes) => bytes,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::RepoPath;

    #[test]
    fn reserves_every_spelling_of_the_git_directory() {
        for name in [
            ".git",
            ".GIT",
            ".Git/config",
            "a/.gIt/b",
            "git~1",
            "GIT~1/x",
            ".git. .",
            ".git::$INDEX_ALLOCATION",
            ".g\u{200c}it",
            "a//b",
            "../x",
            "a/./b",
        ] {
            assert!(RepoPath::from(name).is_reserved(), "{name}");
        }
        for name in [".gitignore", "git", ".github/x", "git~2", ".git2", "a/.git-x", "..a", "x.git"] {
            assert!(!RepoPath::from(name).is_reserved(), "{name}");
        }
    }

    #[test]
    fn knows_secrets_from_their_examples() {
        for name in [".env", "a/.env.local", "k.pem", "id_rsa", "x/id_ed25519", "CERT.P12"] {
            assert!(RepoPath::from(name).looks_secret(), "{name}");
        }
        for name in [".env.example", "id_rsa.pub", "environment", "a.envx", "pem"] {
            assert!(!RepoPath::from(name).looks_secret(), "{name}");
        }
    }

    #[test]
    fn keeps_any_bytes_through_json() {
        for bytes in [&b"a/b"[..], b"caf\xe9", b"\xff\n", "é".as_bytes()] {
            let path = RepoPath::new(bytes);
            let text = serde_json::to_string(&path).expect("writes");
            assert_eq!(serde_json::from_str::<RepoPath>(&text).expect("reads"), path);
        }
    }

    #[test]
    fn is_within_respects_component_ends() {
        let inner = RepoPath::from("a/bc/d");
        assert!(inner.is_within(&"a/bc".into()) && inner.is_within(&"a/bc/d".into()));
        assert!(!inner.is_within(&"a/b".into()) && !inner.is_within(&"a/bc/d/e".into()));
        assert_eq!(inner.ancestors().collect::<Vec<_>>(), [RepoPath::from("a"), "a/bc".into()]);
    }
}

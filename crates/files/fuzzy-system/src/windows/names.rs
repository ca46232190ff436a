//! Paths and names of Windows.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf, Prefix};

/// Names of devices, with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Returns the bytes that identify a path.
pub fn bytes_of(path: &OsStr) -> &[u8] {
    path.as_encoded_bytes()
}

/// Returns the path of these bytes. Bytes that are not UTF-8 give a name that [`check_name`] rejects.
pub fn path_of(bytes: Vec<u8>) -> OsString {
    String::from_utf8(bytes).map_or_else(|_| no_name(), OsString::from)
}

/// Returns a name that [`check_name`] rejects: half a character.
fn no_name() -> OsString {
    OsString::from_wide(&[0xdc00])
}

/// Returns the path below `root` for a path of git: bytes, separated by `/`. A part that no file can have becomes a
/// name that is rejected.
pub fn on_disk(root: &Path, path: &[u8]) -> PathBuf {
    let mut place = root.to_owned();
    for part in parts(path) {
        place.push(if check_name(&part).is_ok() { part } else { no_name() });
    }
    place
}

/// Returns a path below the root in the form of git.
pub fn in_git(path: &Path) -> Vec<u8> {
    let mut bytes = bytes_of(path.as_os_str()).to_vec();
    bytes.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
    bytes
}

/// Returns whether a file can have such a path of git.
pub fn may_be_named(path: &[u8]) -> bool {
    parts(path).all(|part| check_name(&part).is_ok())
}

fn parts(path: &[u8]) -> impl Iterator<Item = OsString> + '_ {
    path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).map(|part| path_of(part.to_vec()))
}

/// Returns the anchor of an absolute path: a drive, or a share of a server.
pub fn anchor(path: &Path) -> Option<PathBuf> {
    let mut components = path.components();
    let (Some(Component::Prefix(prefix)), Some(Component::RootDir)) = (components.next(), components.next()) else {
        return None;
    };
    let mut anchor = match prefix.kind() {
        Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => {
            OsString::from(format!("{}:", char::from(letter.to_ascii_uppercase())))
        }
        Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => {
            let mut anchor = OsString::from(r"\\");
            anchor.push(server);
            anchor.push(r"\");
            anchor.push(share);
            anchor
        }
        Prefix::DeviceNS(_) | Prefix::Verbatim(_) => return None,
    };
    anchor.push(r"\");
    Some(anchor.into())
}

/// Returns an absolute path without its prefix `\\?\`, and with its drive in capital letters.
pub fn plain(path: PathBuf) -> PathBuf {
    match anchor(&path) {
        Some(mut plain) => {
            // The path after the prefix and its separator.
            plain.extend(path.components().skip(2).map(Component::as_os_str));
            plain
        }
        None => path,
    }
}

/// Returns the name of a path in the native interface.
pub(super) fn native(path: &Path) -> io::Result<OsString> {
    let path = plain(std::path::absolute(path)?);
    if anchor(&path).is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path has no drive and no server share"));
    }
    let path = path.into_os_string();
    let share = path.to_str().and_then(|text| text.strip_prefix(r"\\")).map(|share| format!(r"\??\UNC\{share}"));
    Ok(share.map_or_else(
        || {
            let mut native = OsString::from(r"\??\");
            native.push(&path);
            native
        },
        OsString::from,
    ))
}

/// Checks that a file may have this name; the error is the reason.
///
/// The native interface would create such files, but other programs could not open them.
pub fn check_name(name: &OsStr) -> Result<(), &'static str> {
    match name.to_str() {
        None => Err("has a name that is not Unicode text"),
        Some(name) if name.chars().any(|c| c < ' ' || r#"<>:"/\|?*"#.contains(c)) => {
            Err("has a name with a control character or one of <>:\"/\\|?*, which Windows forbids")
        }
        Some(name) if name.ends_with(['.', ' ']) => {
            Err("has a name with a dot or a space at its end, which Windows drops")
        }
        Some(name) if is_device(name) => Err("has the name of a device of Windows"),
        Some(_) => Ok(()),
    }
}

/// Returns whether a name refers to a device.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ').to_ascii_uppercase();
    let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let is_numbered = numbered.is_some_and(|number| {
        let mut digits = number.chars();
        matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    });
    is_numbered || DEVICES.contains(&&*stem)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{anchor, check_name, in_git, may_be_named, native, on_disk, path_of, plain};

    #[test]
    fn a_path_of_git_that_no_file_can_have_leads_nowhere() {
        let root = Path::new(r"C:\root");
        assert_eq!(on_disk(root, b"a/b c/d.txt"), Path::new(r"C:\root\a\b c\d.txt"));
        assert_eq!(in_git(Path::new(r"a\b c\d.txt")), b"a/b c/d.txt");
        for path in [&b"a\\b"[..], b"a/C:\\x", b"a:b", b"../a", b"a/aux", b"nul.txt/a", b"a.", b"\xff", b"x/\xff"] {
            assert!(!may_be_named(path), "{path:?}");
            let place = on_disk(root, path);
            let name = place.strip_prefix(root).unwrap();
            assert!(name.components().any(|part| check_name(part.as_os_str()).is_err()), "{place:?}");
            assert!(!place.starts_with(r"C:\root\a\b") && !place.starts_with(r"C:\x"), "{place:?}");
        }
        assert!(may_be_named(b"a/b") && may_be_named("é/ü".as_bytes()));
        assert!(check_name(&path_of(b"\xff".to_vec())).is_err());
    }

    #[test]
    fn names_that_no_file_can_have_are_refused() {
        for name in
            ["CON", "nul.txt", "Aux .c", "COM1", "lpt9.log", "com¹", "a.", "a ", "a:b", "a/b", "a\\b", "a?", "\t"]
        {
            assert!(check_name(name.as_ref()).is_err(), "{name:?}");
        }
        for name in ["a", "console", "com", "com10", "nul_", ".gitignore", "a b", "é", "con-1.txt"] {
            assert!(check_name(name.as_ref()).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn a_path_has_one_spelling_of_its_start() {
        for (given, expected, native_name) in [
            (r"c:\a\b", r"C:\a\b", r"\??\C:\a\b"),
            (r"\\?\C:\a", r"C:\a", r"\??\C:\a"),
            (r"\\?\UNC\server\share\a", r"\\server\share\a", r"\??\UNC\server\share\a"),
            (r"\\server\share\a", r"\\server\share\a", r"\??\UNC\server\share\a"),
        ] {
            assert_eq!(plain(given.into()), Path::new(expected));
            assert_eq!(native(given.as_ref()).unwrap(), native_name);
        }
        assert_eq!(anchor(r"\\.\pipe\x".as_ref()), None);
        assert_eq!(anchor("c:a".as_ref()), None);
        assert_eq!(anchor("/a".as_ref()), None);
    }
}

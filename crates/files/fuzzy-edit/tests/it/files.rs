//! Reading, rejections, and the properties of a file that a write keeps.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use fuzzy_edit::{Code, FileEdit, FileError, Report, TextFile};

use crate::support::{self, Alone};

/// Makes a directory with one file of these bytes.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file.txt");
    fs::write(&path, bytes).unwrap();
    (directory, path)
}

fn read(path: &Path) -> Result<TextFile, FileError> {
    TextFile::read(path, 1000)
}

fn code_of(bytes: &[u8]) -> Code {
    let (_directory, path) = file(bytes);
    read(&path).unwrap_err().code()
}

/// Replaces the whole text of a file, which occurs once.
fn write(path: &Path, text: &str) -> Result<(), Code> {
    let editor = support::editor();
    let old = read(path).map_err(|error| error.code())?;
    match editor.applied(&[FileEdit::new(path, old.text(), text)]).remove(0) {
        Report::Success(_) => Ok(()),
        Report::Failure(failure) => Err(failure.code),
    }
}

#[test]
fn text_is_read_without_its_byte_order_mark() {
    let (_directory, path) = file("\u{feff}a\r\nb".as_bytes());
    let file = read(&path).unwrap();
    assert_eq!(file.text(), "a\r\nb");
    assert_eq!(file.mark(), "\u{feff}");
    assert_eq!(file.bytes(), "\u{feff}a\r\nb".as_bytes());
    assert_eq!(file.without_mark("\u{feff}a", "\u{feff}b"), ("a", "b"));
    assert_eq!(file.without_mark("\u{feff}a", "b"), ("a", "b"));
    assert_eq!(file.without_mark("a", "\u{feff}b"), ("a", "\u{feff}b"));
}

#[test]
fn a_mark_in_the_old_text_is_kept_if_the_file_has_none() {
    let (_directory, path) = file(b"a");
    let file = read(&path).unwrap();
    assert_eq!(file.without_mark("\u{feff}a", "\u{feff}b"), ("\u{feff}a", "\u{feff}b"));
}

#[test]
fn an_empty_file_is_text() {
    let (_directory, path) = file(b"");
    assert_eq!(read(&path).unwrap().text(), "");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    assert_eq!(code_of(b"a\0b"), Code::Binary);
    assert_eq!(code_of(b"\x7fELF\0\xff"), Code::Binary);
    assert_eq!(code_of(b"caf\xe9\n"), Code::Encoding);
    assert_eq!(code_of(b"cut off \xe2\x82"), Code::Encoding);
}

#[test]
fn a_wrong_byte_is_named_with_its_line() {
    let (_directory, path) = file(b"one\ntwo\ncaf\xe9\n");
    let error = read(&path).unwrap_err().to_string();
    assert!(error.ends_with("is not valid UTF-8: line 3 has a wrong byte at offset 11"), "{error}");
}

#[test]
fn a_file_may_be_as_large_as_the_limit() {
    let (_directory, path) = file(&[b'a'; 1000]);
    assert!(read(&path).is_ok());
    let (_directory, path) = file(&[b'a'; 1001]);
    assert_eq!(read(&path).unwrap_err().code(), Code::TooLarge);
}

#[test]
fn a_file_that_does_not_know_its_length_is_read_within_the_limit() {
    let path = Path::new("/proc/self/status");
    if !path.exists() {
        eprintln!("skipped: there is no {}", path.display());
        return;
    }
    assert!(TextFile::read(path, 1 << 20).is_ok());
    assert_eq!(TextFile::read(path, 10).unwrap_err().code(), Code::TooLarge);
}

#[test]
#[cfg(unix)]
fn an_irregular_file_is_rejected_at_once() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(read(directory.path()).unwrap_err().code(), Code::NotAFile);
    let pipe = directory.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o644)).unwrap();
    assert_eq!(read(&pipe).unwrap_err().to_string(), format!("`{}` is a pipe, not a regular file", pipe.display()));
    let socket = directory.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert_eq!(read(&socket).unwrap_err().code(), Code::NotAFile);
    assert_eq!(read(Path::new("/dev/null")).unwrap_err().code(), Code::NotAFile);
}

#[test]
#[cfg(unix)]
fn a_path_that_names_nothing_is_missing() {
    let (directory, path) = file(b"a");
    let missing = |path: PathBuf| assert_eq!(read(&path).unwrap_err().code(), Code::Missing, "{}", path.display());
    missing(directory.path().join("nothing"));
    missing(path.join("below-a-file"));
    missing(PathBuf::new());
    missing(directory.path().join("a\0b"));
    missing(directory.path().join("x".repeat(5000)));
    symlink(directory.path().join("nothing"), directory.path().join("dangling")).unwrap();
    missing(directory.path().join("dangling"));
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_to_itself_is_an_error_of_the_system() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("loop");
    symlink(&path, &path).unwrap();
    assert_eq!(read(&path).unwrap_err().code(), Code::Io);
}

#[test]
fn a_read_only_file_can_be_read_and_not_written() {
    let (directory, path) = file(b"a");
    support::set_mode(&path, 0o444);
    assert!(read(&path).is_ok());
    assert_eq!(write(&path, "b").unwrap_err(), Code::Permission);
    assert_eq!(fs::read(&path).unwrap(), b"a");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_file_with_two_names_is_refused() {
    let (directory, path) = file(b"a");
    fs::hard_link(&path, directory.path().join("other")).unwrap();
    assert_eq!(write(&path, "b").unwrap_err(), Code::Refused);
    assert_eq!(fs::read(&path).unwrap(), b"a");
}

#[test]
#[cfg(unix)]
fn mode_owner_and_mark_are_kept() {
    let (directory, path) = file("\u{feff}a".as_bytes());
    for mode in [0o600, 0o644, 0o755, 0o200, 0o4755, 0o2775] {
        support::set_mode(&path, mode);
        let before = fs::metadata(&path).unwrap();
        // A file without read permission for its owner is readable by the superuser only.
        if read(&path).is_err() {
            continue;
        }
        write(&path, &format!("{mode:o}")).unwrap();
        let after = fs::metadata(&path).unwrap();
        assert_eq!(after.mode(), before.mode(), "{mode:o}");
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("\u{feff}{mode:o}"));
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
#[cfg(unix)]
fn another_owner_is_kept_where_that_is_permitted() {
    let (_directory, path) = file(b"a");
    if std::os::unix::fs::chown(&path, Some(12_345), Some(54_321)).is_err() {
        eprintln!("skipped: only the superuser gives files away");
        return;
    }
    write(&path, "b").unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.uid(), after.gid()), (12_345, 54_321));
}

#[test]
#[cfg(unix)]
fn extended_attributes_are_kept() {
    let (_directory, path) = file(b"a");
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(&path, "user.origin", b"here", flags).is_err() {
        eprintln!("skipped: the file system of the temporary directory has no extended attributes");
        return;
    }
    rustix::fs::setxattr(&path, "user.empty", b"", flags).unwrap();
    write(&path, "b").unwrap();
    let mut value = [0; 16];
    let length = rustix::fs::getxattr(&path, "user.origin", &mut value[..]).unwrap();
    assert_eq!(&value[..length], b"here");
    assert_eq!(rustix::fs::getxattr(&path, "user.empty", &mut value[..]).unwrap(), 0);
}

#[test]
#[cfg(unix)]
fn a_symbolic_link_remains_a_link() {
    let (directory, path) = file(b"a");
    fs::create_dir(directory.path().join("links")).unwrap();
    let link = directory.path().join("links/link.txt");
    symlink("../file.txt", &link).unwrap();
    write(&link, "b").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"b");
    assert_eq!(fs::read_dir(directory.path().join("links")).unwrap().count(), 1);
}

/// A program that appends to a file keeps the old one open, so its later lines are lost: the report says so.
#[test]
#[cfg(target_os = "linux")]
fn an_edit_of_a_file_that_is_open_for_writing_says_so() {
    use std::io::Write;
    let files = support::Files::new(&[("log", "one\n"), ("other", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    let editor = support::editor_with(state.path());
    let mut log = fs::OpenOptions::new().append(true).open(files.path("log")).unwrap();
    let edits = [files.edit("log", "one", "ONE"), files.edit("other", "one", "ONE")];
    let reports = editor.applied(&edits);
    let note = |report: &Report| match report {
        Report::Success(success) => success.note.clone(),
        Report::Failure(failure) => panic!("{failure:?}"),
    };
    assert!(note(&reports[0]).is_some_and(|note| note.contains("open for writing")), "{reports:?}");
    assert_eq!(note(&reports[1]), None);
    log.write_all(b"lost\n").unwrap();
    let log = fs::OpenOptions::new().append(true).open(files.path("log")).unwrap();
    let undone = editor.workspace().undo().unwrap();
    drop(log);
    let note = undone.files[0].note.as_deref().unwrap_or_default();
    assert!(note.contains("open for writing"), "{undone:?}");
    assert_eq!((files.text("log"), &undone.files[1].note), ("one\n".to_owned(), &None));
}

//! Tests for Windows: files that other programs hold open, device names, several spellings of one file.

use std::fs::{self, File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

use fuzzy_safe_write::{Error, Root};

use crate::everywhere::{Files, owned};

/// Opens a file like an editor that lets others only read it.
fn held(path: &Path) -> File {
    const FILE_SHARE_READ: u32 = 1;
    OpenOptions::new().read(true).write(true).share_mode(FILE_SHARE_READ).open(path).unwrap()
}

#[test]
fn a_file_that_another_program_holds_is_busy() {
    let files = Files::new(&[("a", "old"), ("b", "old")]);
    let steps = [files.step("b", Some("old"), Some("new")), files.step("a", Some("old"), Some("new"))];
    let editor = held(&files.path("a"));
    let refused = files.write(&steps);
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
    drop(editor);
    assert_eq!(files.all(), owned(&[("a", "old"), ("b", "old")]));
    files.write(&steps).unwrap();
    assert_eq!(files.all(), owned(&[("a", "new"), ("b", "new")]));
}

#[test]
fn a_read_only_file_is_refused() {
    let files = Files::new(&[("a", "old")]);
    let mut permissions = fs::metadata(files.path("a")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(files.path("a"), permissions).unwrap();
    let refused = files.write(&[files.step("a", Some("old"), Some("new"))]);
    assert!(matches!(refused, Err(Error::Permission { .. })), "{refused:?}");
    assert_eq!(files.all(), owned(&[("a", "old")]));
}

#[test]
fn names_with_a_special_meaning_are_rejected() {
    let files = Files::new(&[("d/a", "text")]);
    for name in ["NUL", "con.txt", "d/aux", "a.", "d/b ", "x.txt:stream", "d/lpt1.log", "a?b"] {
        let refused = files.root.place(name.as_ref());
        assert!(matches!(refused, Err(Error::BadName { .. })), "{name}: {refused:?}");
    }
    for path in [r"\a", "c:a", r"\\.\pipe\x", r"\\?\GLOBALROOT\x"] {
        let refused = files.root.place(path.as_ref());
        assert!(matches!(refused, Err(Error::OutsideRoot { .. })), "{path}: {refused:?}");
    }
}

#[test]
fn all_spellings_of_a_name_are_one_file() {
    let files = Files::new(&[("Dir/File.txt", "text")]);
    let place = files.root.place("Dir/File.txt".as_ref()).unwrap();
    let plain = place.target().to_str().unwrap();
    assert!(!plain.starts_with(r"\\?\"), "{plain}");
    let everything = Root::everything().unwrap();
    let upper = plain.to_uppercase();
    let spellings = [
        files.root.place(r"dIR\fILE.TXT".as_ref()),
        files.root.place(upper.as_ref()),
        files.root.place(format!(r"\\?\{plain}").as_ref()),
        everything.place_of_named(upper.as_ref()),
        everything.place_of_named(upper.replace('\\', "/").as_ref()),
        everything.place_of_named(format!(r"\\?\{plain}").as_ref()),
    ];
    for spelled in spellings {
        assert_eq!(spelled.unwrap().target(), place.target());
    }
}

#[test]
fn a_replaced_hidden_file_remains_hidden() {
    use std::os::windows::fs::MetadataExt;
    const HIDDEN: u32 = 2;
    let files = Files::new(&[]);
    OpenOptions::new().write(true).create_new(true).attributes(HIDDEN).open(files.path("a")).unwrap();
    files.write(&[files.step("a", Some(""), Some("new"))]).unwrap();
    let after = fs::metadata(files.path("a")).unwrap();
    assert_eq!(after.file_attributes() & HIDDEN, HIDDEN);
}

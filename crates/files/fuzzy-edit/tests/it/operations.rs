//! Operations that create, remove and move files, together with edits, all or none.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};

use fuzzy_edit::{Code, FileEdit, Operation, Report, Root, Session, Status, keep_modes};

use crate::support::{self, Alone, Files};

fn run(files: &Files, operations: &[Operation]) -> Vec<Result<Status, Code>> {
    let editor = support::editor().within(Root::open(&files.path("")).unwrap());
    let code = |report| match report {
        Report::Success(success) => Ok(success.status),
        Report::Failure(failure) => Err(failure.code),
    };
    editor.applied(operations).into_iter().map(code).collect()
}

/// Adds every file below a directory with its text, and every empty directory without.
fn add(root: &Path, below: &Path, all: &mut Vec<(String, String)>) {
    let mut is_empty = true;
    for entry in fs::read_dir(root.join(below)).unwrap() {
        is_empty = false;
        let path = below.join(entry.unwrap().file_name());
        if root.join(&path).is_dir() {
            add(root, &path, all);
        } else {
            let name = path.to_str().unwrap().replace(MAIN_SEPARATOR, "/");
            all.push((name, fs::read_to_string(root.join(&path)).unwrap()));
        }
    }
    if is_empty {
        all.push((below.to_str().unwrap().replace(MAIN_SEPARATOR, "/"), String::new()));
    }
}

/// Checks that exactly these files with these texts exist.
#[track_caller]
fn assert_are(files: &Files, expected: &[(&str, &str)]) {
    let mut all = Vec::new();
    add(&files.path(""), Path::new(""), &mut all);
    all.sort();
    let expected: Vec<_> = expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    assert_eq!(all, expected);
}

fn edit(path: &str, old: &str, new: &str) -> Operation {
    FileEdit::new(Path::new(path), old, new).into()
}

fn create(path: &str, text: &str) -> Operation {
    Operation::Create { path: path.into(), text: text.to_owned(), executable: None }
}

fn delete(path: &str) -> Operation {
    Operation::Delete { path: path.into(), text: None }
}

fn rename(from: &str, to: &str) -> Operation {
    Operation::Move { from: from.into(), to: to.into() }
}

const DONE: Result<Status, Code> = Ok(Status::Applied);
const NOT_WRITTEN: Result<Status, Code> = Ok(Status::NotWritten);

#[test]
fn files_are_created_with_the_directories_above_them() {
    let files = Files::new(&[]);
    assert_eq!(run(&files, &[create("a/b/c", "one"), create("a/b/d", ""), create("e", "two")]), [DONE; 3]);
    assert_are(&files, &[("a/b/c", "one"), ("a/b/d", ""), ("e", "two")]);
    assert!(!support::can_run(&files.path("e")));
}

#[test]
fn a_created_file_can_be_edited_and_moved_in_the_same_batch() {
    let files = Files::new(&[]);
    assert_eq!(run(&files, &[create("a", "one"), edit("a", "one", "two"), rename("a", "b")]), [DONE; 3]);
    assert_are(&files, &[("b", "two")]);
}

#[test]
fn an_empty_old_text_writes_a_missing_or_an_empty_file_only() {
    let files = Files::new(&[("a", "one"), ("empty", "")]);
    assert_eq!(run(&files, &[edit("new", "", "text")]), [DONE]);
    assert_eq!(run(&files, &[edit("a", "", "text")]), [Err(Code::EmptyOld)]);
    assert_eq!(run(&files, &[edit("empty", "", "text")]), [DONE]);
    assert_eq!(run(&files, &[edit("pkg/__init__.py", "", "")]), [DONE]);
    assert_eq!(run(&files, &[edit("pkg/__init__.py", "", "")]), [Ok(Status::AlreadyApplied)]);
    assert_are(&files, &[("a", "one"), ("empty", "text"), ("new", "text"), ("pkg/__init__.py", "")]);
}

#[test]
#[cfg(unix)]
fn an_impossible_name_is_not_reported_as_changed() {
    let files = Files::new(&[]);
    for name in [format!("new/{}", "x".repeat(300)), "x\0y".to_owned()] {
        assert_eq!(run(&files, &[edit(&name, "", "text")]), [Err(Code::Io)], "{name:?}");
    }
    assert_are(&files, &[("", "")]);
}

#[test]
fn creating_and_moving_never_overwrite() {
    let files = Files::new(&[("a", "one"), ("b", "two")]);
    assert_eq!(run(&files, &[create("a", "three")]), [Err(Code::Exists)]);
    assert_eq!(run(&files, &[rename("a", "b")]), [Err(Code::Exists)]);
    assert_eq!(run(&files, &[rename("a", "a")]), [Err(Code::Exists)]);
    assert_eq!(run(&files, &[create("c", "x"), create("./c", "y")]), [NOT_WRITTEN, Err(Code::Exists)]);
    assert_are(&files, &[("a", "one"), ("b", "two")]);
}

#[test]
fn a_removed_file_can_be_created_again() {
    let files = Files::new(&[("a", "one")]);
    assert_eq!(run(&files, &[delete("a"), create("a", "two")]), [DONE, DONE]);
    assert_are(&files, &[("a", "two")]);
    assert_eq!(run(&files, &[delete("a"), edit("a", "two", "3")]), [NOT_WRITTEN, Err(Code::Missing)]);
    assert_eq!(run(&files, &[delete("a")]), [DONE]);
    assert_are(&files, &[("", "")]);
}

#[test]
fn files_change_places() {
    let files = Files::new(&[("a", "one"), ("b", "two")]);
    assert_eq!(run(&files, &[rename("a", "c"), rename("b", "a"), rename("c", "b")]), [DONE; 3]);
    assert_are(&files, &[("a", "two"), ("b", "one")]);
}

#[test]
#[cfg(unix)]
fn a_moved_file_keeps_its_mode_and_its_bytes() {
    let files = Files::new(&[]);
    let path = files.path("a");
    fs::write(&path, b"\0\xff\xfe binary").unwrap();
    support::set_mode(&path, 0o751);
    assert_eq!(run(&files, &[rename("a", "deep/b")]), [DONE]);
    let moved = files.path("deep/b");
    assert_eq!(fs::read(&moved).unwrap(), b"\0\xff\xfe binary");
    assert_eq!(support::mode(&moved), 0o751);
    assert!(!path.exists());
}

#[test]
#[cfg(unix)]
fn files_change_their_names_among_each_other() {
    let files = Files::new(&[("a", "one"), ("b", "two"), ("c", "three")]);
    support::set_mode(&files.path("a"), 0o755);
    let mode = |name: &str| support::mode(&files.path(name)) & 0o777;
    // Until a file is moved away, its name refers to it.
    let swap = [edit("a", "one", "1"), rename("a", "b"), edit("b", "two", "2"), rename("b", "a"), edit("b", "1", "I")];
    assert_eq!(run(&files, &swap), [DONE; 5]);
    assert_are(&files, &[("a", "2"), ("b", "I"), ("c", "three")]);
    assert_eq!([mode("a"), mode("b")], [0o644, 0o755]);
    let chain = [rename("a", "./b"), rename("b", "c"), rename("c", "new/d")];
    assert_eq!(run(&files, &chain), [DONE; 3]);
    assert_are(&files, &[("b", "2"), ("c", "I"), ("new/d", "three")]);
    assert_eq!([mode("b"), mode("c"), mode("new/d")], [0o644, 0o755, 0o644]);
    let cycle = [rename("b", "c"), rename("c", "new/d"), rename("new/d", "b")];
    assert_eq!(run(&files, &cycle), [DONE; 3]);
    assert_are(&files, &[("b", "three"), ("c", "2"), ("new/d", "I")]);
    // A new file may take the name of a moved one, but not its executable bit.
    assert_eq!(run(&files, &[create("new/d", "new"), edit("new/d", "I", "one"), rename("new/d", "e")]), [DONE; 3]);
    assert_are(&files, &[("b", "three"), ("c", "2"), ("e", "one"), ("new/d", "new")]);
    assert_eq!([mode("e"), mode("new/d")], [0o755, 0o644]);
}

#[test]
fn no_file_is_lost_where_two_want_one_name() {
    let files = Files::new(&[("a", "one"), ("b", "two"), ("c", "three")]);
    let swapped_twice = [rename("a", "b"), rename("c", "b"), rename("b", "d")];
    assert_eq!(run(&files, &swapped_twice), [NOT_WRITTEN, Err(Code::Exists), NOT_WRITTEN]);
    assert_eq!(run(&files, &[rename("a", "b"), delete("b")]), [Err(Code::Exists), NOT_WRITTEN]);
    let itself = [rename("a", "a"), rename("a", "d")];
    assert_eq!(run(&files, &itself), [Err(Code::Exists), NOT_WRITTEN]);
    // The file to move away was deleted before.
    let gone = [rename("a", "b"), delete("b"), rename("b", "d")];
    assert_eq!(run(&files, &gone), [NOT_WRITTEN, NOT_WRITTEN, Err(Code::Missing)]);
    assert_are(&files, &[("a", "one"), ("b", "two"), ("c", "three")]);
}

#[test]
#[cfg(unix)]
fn modes_are_changed_beside_everything_else() {
    let files = Files::new(&[("a", "one"), ("b", "two")]);
    let mode = |name: &str| support::mode(&files.path(name)) & 0o777;
    let can = |path: &str, executable| Operation::Mode { path: path.into(), executable };
    support::set_mode(&files.path("a"), 0o640);
    // Every reader may execute.
    assert_eq!(run(&files, &[can("a", true)]), [DONE]);
    assert_eq!(mode("a"), 0o750);
    assert_eq!(run(&files, &[can("a", true)]), [Ok(Status::AlreadyApplied)]);
    assert_eq!(run(&files, &[can("a", true), can("missing", true)]), [Ok(Status::AlreadyApplied), Err(Code::Missing)]);
    assert_eq!(run(&files, &[edit("a", "one", "1"), rename("a", "c"), can("c", false), can("b", true)]), [DONE; 4]);
    assert_eq!([mode("b"), mode("c")], [0o755, 0o640]);
    let new = Operation::Create { path: "d".into(), text: "new".to_owned(), executable: Some(true) };
    assert_eq!(run(&files, &[new]), [DONE]);
    assert_eq!(mode("d"), 0o755);
    // A file that is replaced without an explicit mode keeps its mode.
    assert_eq!(run(&files, &[delete("d"), create("d", "newer")]), [DONE; 2]);
    assert_eq!(mode("d"), 0o755);
    let new = Operation::Create { path: "d".into(), text: "newest".to_owned(), executable: Some(false) };
    assert_eq!(run(&files, &[delete("d"), new]), [DONE; 2]);
    assert_eq!(mode("d"), 0o644);
    assert_are(&files, &[("b", "two"), ("c", "1"), ("d", "newest")]);
}

#[test]
fn a_file_system_without_modes_is_no_failure() {
    let files = Files::new(&[("a", "one"), ("b", "two")]);
    // A state of its own, so that no other test evicts the batch before its undo.
    let state = tempfile::tempdir().unwrap();
    let editor = support::editor_with(state.path()).within(Root::open(&files.path("")).unwrap());
    let can = |path: &str| Operation::Mode { path: path.into(), executable: true };
    keep_modes(false);
    let reports = editor.applied(&[can("a"), edit("b", "two", "2"), can("b")]);
    keep_modes(true);
    for (report, changed) in reports.iter().zip([false, true, false]) {
        let success = support::success(report);
        assert_eq!((success.status, success.changed), (Status::Applied, changed));
        let says_so = success.note.as_deref().is_some_and(|note| note.contains("file system"));
        assert_eq!(says_so, !changed, "{success:?}");
    }
    assert_are(&files, &[("a", "one"), ("b", "2")]);
    assert!(!support::can_run(&files.path("a")));
    editor.workspace().undo().unwrap();
    assert_are(&files, &[("a", "one"), ("b", "two")]);
}

#[test]
fn one_failure_leaves_no_trace() {
    let files = Files::new(&[("a", "one"), ("b", "two")]);
    let operations = [create("new/file", "x"), delete("a"), rename("b", "c"), edit("missing", "x", "y")];
    let expected = [NOT_WRITTEN, NOT_WRITTEN, NOT_WRITTEN, Err(Code::Missing)];
    assert_eq!(run(&files, &operations), expected);
    assert_are(&files, &[("a", "one"), ("b", "two")]);
}

#[test]
fn a_file_that_appears_meanwhile_is_not_overwritten() {
    let files = Files::new(&[("a", "one")]);
    let editor = support::editor();
    let editor = editor.within(Root::open(&files.path("")).unwrap());
    let operations = [edit("a", "one", "two"), delete("a"), create("b/c", "x")];
    let plan = editor.plan(&Session::default(), &operations);
    fs::create_dir(files.path("b")).unwrap();
    fs::write(files.path("b/c"), "theirs").unwrap();
    let reports = plan.write(&mut Session::default());
    assert!(matches!(&reports[2], Report::Failure(failure) if failure.code == Code::Exists), "{reports:?}");
    assert_are(&files, &[("a", "one"), ("b/c", "theirs")]);
}

#[test]
fn an_expected_hash_guards_the_edit() {
    let files = Files::new(&[("a", "one")]);
    // The SHA-256 of `one`.
    let hash = "7692C3AD3540BB803C020B3AEE66CD8887123234EA0C6E7143C0ADD73FF431ED";
    let guarded =
        |hash: &str| FileEdit { expected_hash: Some(hash.to_owned()), ..FileEdit::new(Path::new("a"), "one", "two") };
    assert_eq!(run(&files, &[guarded(&"0".repeat(64)).into()]), [Err(Code::Stale)]);
    assert_eq!(run(&files, &[guarded("0000").into()]), [Err(Code::BadInput)]);
    assert_eq!(run(&files, &[guarded(hash).into()]), [DONE]);
    assert_eq!(run(&files, &[guarded(hash).into()]), [Err(Code::Stale)]);
    assert_are(&files, &[("a", "two")]);
}

//! Several writers of one file: no update is lost without an error.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use fuzzy_edit::{Code, Editor, FileEdit, Report, Session};

use crate::support::{self, Alone};

/// Number of edits per writer; the variable raises it for a long run.
fn rounds() -> usize {
    std::env::var("FUZZY_EDIT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(60)
}

fn editor(directory: &Path) -> Editor {
    support::editor_with(&directory.join("state"))
}

/// Plans an edit and writes it, without a lock in between.
fn written(editor: &Editor, edit: FileEdit) -> Vec<Report> {
    let session = &mut Session::default();
    editor.plan(session, &[edit.into()]).write(session)
}

/// Returns whether a concurrent writer can cause this code. Wine removes the old file before the new one has its name.
fn is_concurrent_write(code: Code) -> bool {
    matches!(code, Code::Stale | Code::Busy) || cfg!(windows) && code == Code::Missing
}

/// Adds each line to the file once; prints the number of applied edits and the number of rejections.
fn write(directory: &Path, name: &str, rounds: usize, is_locked: bool) -> (usize, usize) {
    let (editor, path) = (editor(directory), directory.join("file"));
    let (mut landed, mut rejected) = (0, 0);
    while landed < rounds {
        let edit = FileEdit::new(&path, "the end\n", format!("{name} {landed}\nthe end\n"));
        let reports = if is_locked { editor.applied(&[edit]) } else { written(&editor, edit) };
        match &reports[0] {
            Report::Success(_) => landed += 1,
            Report::Failure(failure) => {
                assert!(is_concurrent_write(failure.code), "{failure}");
                rejected += 1;
            }
        }
    }
    (landed, rejected)
}

/// Not a test: one of two processes.
#[test]
fn child() {
    let Ok(directory) = std::env::var("WRITER_IN") else { return };
    let name = std::env::var("WRITER_NAME").unwrap();
    let (landed, rejected) = write(Path::new(&directory), &name, rounds(), std::env::var_os("WRITER_LOCKS").is_some());
    println!("{name}: {landed} landed, {rejected} rejected");
}

fn two_processes(is_locked: bool) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), "the end\n").unwrap();
    let children = ["left", "right"].map(|name| {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "writers::child", "--nocapture"])
            .env("WRITER_IN", directory.path())
            .env("WRITER_NAME", name);
        if is_locked {
            child.env("WRITER_LOCKS", "1");
        }
        child.stdout(Stdio::piped()).spawn().unwrap()
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
    // Each line occurs once, in the order of its writer.
    let text = fs::read_to_string(directory.path().join("file")).unwrap();
    for name in ["left", "right"] {
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(name)).collect();
        let expected: Vec<String> = (0..rounds()).map(|round| format!("{name} {round}")).collect();
        assert_eq!(lines, expected);
    }
    assert_eq!(text.lines().count(), 2 * rounds() + 1);
}

#[test]
fn two_processes_that_lock_before_they_read_both_land() {
    two_processes(true);
}

#[test]
fn two_processes_that_lock_before_they_write_get_errors() {
    two_processes(false);
}

/// The numbers of processes, of files, and of edits per process; the variable sets them for a long run, as `20 10 50`.
fn crowd() -> [usize; 3] {
    let named = std::env::var("FUZZY_EDIT_CROWD").unwrap_or_default();
    let numbers: Vec<usize> = named.split(' ').filter_map(|number| number.parse().ok()).collect();
    numbers.try_into().unwrap_or([4, 2, 10])
}

/// Not a test: one of many processes.
#[test]
fn one_of_many() {
    let Ok(directory) = std::env::var("CROWD_IN") else { return };
    let (directory, name) = (Path::new(&directory), std::env::var("CROWD_NAME").unwrap());
    let ([_, files, edits], editor) = (crowd(), editor(directory));
    for edit in 0..edits {
        let path = directory.join(format!("file {}", edit % files));
        loop {
            let new = format!("{name}.{edit}\r\nthe end\r\n");
            match &editor.applied(&[FileEdit::new(&path, "the end\r\n", new)])[0] {
                Report::Success(_) => break,
                Report::Failure(failure) => assert!(is_concurrent_write(failure.code), "{failure}"),
            }
        }
    }
}

#[test]
fn many_processes_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let [processes, files, edits] = crowd();
    for file in 0..files {
        fs::write(directory.path().join(format!("file {file}")), b"caf\xc3\xa9\r\nthe end\r\n").unwrap();
    }
    let start = |number: usize| {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "writers::one_of_many", "--nocapture"]);
        child.env("CROWD_IN", directory.path()).env("CROWD_NAME", number.to_string());
        child.stdout(Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (0..processes).map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    for file in 0..files {
        let text = fs::read_to_string(directory.path().join(format!("file {file}"))).unwrap();
        let mut lines: Vec<&str> = text.strip_suffix("the end\r\n").unwrap().split_terminator("\r\n").collect();
        lines.sort_unstable();
        let all =
            (0..processes).flat_map(|name| (file..edits).step_by(files).map(move |edit| format!("{name}.{edit}")));
        let mut expected: Vec<String> = all.chain(["café".to_owned()]).collect();
        expected.sort_unstable();
        assert_eq!(lines, expected);
    }
    println!("{processes} processes made {} edits in {files} files", processes * edits);
}

#[test]
fn a_writer_without_locks_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, "one").unwrap();
    let editor = editor(directory.path());
    let edit = [FileEdit::new(&path, "one", "two").into()];
    let plan = editor.plan(&Session::default(), &edit);
    // The same length as before, so that only the bytes differ.
    fs::write(&path, "1ne").unwrap();
    assert!(matches!(&plan.write(&mut Session::default())[0], Report::Failure(failure) if failure.code == Code::Stale));
    assert_eq!(fs::read_to_string(&path).unwrap(), "1ne");
}

//! Damaged logs and journals: intact records are read correctly, and the damaged rest changes no file.

use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_edit::{Editor, FileEdit, Log, LogRecord, Report, Session};
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::{self, Alone, Files};

/// Damage to a file: at some position, a number of bytes is replaced by other bytes.
fn damage() -> impl Strategy<Value = (prop::sample::Index, usize, Vec<u8>)> {
    let part = prop_oneof![
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 1..4),
        prop::sample::select(&["0", "9", "null", "\"", "{", "[]", "\n", "/"][..])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    (any::<prop::sample::Index>(), prop_oneof![0..4_usize, Just(usize::MAX)], part)
}

fn harm(bytes: &mut Vec<u8>, (at, length, part): &(prop::sample::Index, usize, Vec<u8>)) {
    let at = at.index(bytes.len() + 1);
    let end = at.saturating_add(*length).min(bytes.len());
    bytes.splice(at..end, part.iter().copied());
}

/// Returns every file below a directory.
fn files_below(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// Writes two files as one batch, whose journal is then in `state`.
fn write(editor: &Editor, files: &Files) {
    let edits = ["a", "b"].map(|name| files.edit(name, "one", "another"));
    assert!(editor.applied(&edits).iter().all(|report| matches!(report, Report::Success(_))));
}

proptest! {
    #![proptest_config(texts::config_of(128))]

    #[test]
    fn a_log_returns_its_complete_lines(noise in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 1..5)) {
        let files = Files::new(&[("a", "one\n")]);
        let log = files.path("log");
        let mut session = Session::default().with_log(Log::open(&log, true).unwrap());
        let _ = support::editor().apply(&mut session, &[files.edit("a", "one", "two").into()]);
        let line = fs::read(&log).unwrap();
        let record: LogRecord = serde_json::from_slice(&line).unwrap();
        let mut bytes = Vec::new();
        for noise in &noise {
            bytes.extend(noise);
            bytes.push(b'\n');
            bytes.extend(&line);
        }
        fs::write(&log, bytes).unwrap();
        prop_assert_eq!(Log::read_back(&log).unwrap(), vec![record; noise.len()]);
    }

    /// The journal of a written batch or of a killed process is damaged. Expects that nothing of it is carried out.
    #[test]
    fn a_damaged_journal_harms_no_file(damages in prop::collection::vec(damage(), 1..4), is_pending in any::<bool>()) {
        let files = Files::new(&[("a", "one\n"), ("b", "one\n")]);
        let state = tempfile::tempdir().unwrap();
        let editor = support::editor_with(state.path());
        write(&editor, &files);
        let mut journals = Vec::new();
        files_below(&state.path().join("done"), &mut journals);
        prop_assert_eq!(journals.len(), 1);
        let mut bytes = fs::read(&journals[0]).unwrap();
        let whole = bytes.clone();
        for damage in &damages {
            harm(&mut bytes, damage);
        }
        let is_whole = bytes == whole;
        fs::write(&journals[0], bytes).unwrap();
        if is_pending {
            fs::rename(&journals[0], state.path().join("pending").join(journals[0].file_name().unwrap())).unwrap();
        }
        editor.workspace().recover();
        let expected = if is_whole { "one\n" } else { "another\n" };
        prop_assert_eq!(editor.workspace().undo().is_ok(), is_whole);
        prop_assert_eq!([files.text("a"), files.text("b")], [expected, expected]);
        let mut all = Vec::new();
        files_below(&files.path(""), &mut all);
        prop_assert_eq!(all.len(), 2, "{:?}", all);
        // The damaged journal does not block the next edit.
        let reports = editor.applied(&[FileEdit::new(&files.path("a"), "n", "N").everywhere(None)]);
        prop_assert!(matches!(reports[0], Report::Success(_)), "{:?}", reports);
    }
}

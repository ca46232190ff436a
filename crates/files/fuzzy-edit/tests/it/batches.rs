//! Random batches over several files: a dry run reports the same as applying, a failed step leaves nothing over, and
//! undo restores everything.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_edit::{
    Code, Fault, FileEdit, LineTransfer, NewPlace, Operation, Report, Root, Session, Status, inject, passed,
};
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::{self, Alone};

/// Number of batches; the variable raises it for a long run.
fn cases() -> u32 {
    std::env::var("FUZZY_EDIT_BATCHES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48)
}

const NAMES: &[&str] = &["a", "b", "c", "new/d", "new/deep/e", "f"];

fn name() -> impl Strategy<Value = PathBuf> {
    prop::sample::select(NAMES).prop_map(PathBuf::from)
}

fn operation() -> impl Strategy<Value = Operation> {
    let text = "[xyz\r\n\u{feff}é]{0,12}";
    prop_oneof![
        4 => (name(), "[xyz\r\n]{0,2}", text, any::<bool>()).prop_map(|(path, old, new, replace_all)| {
            FileEdit { replace_all, ..FileEdit::new(&path, old, new) }.into()
        }),
        2 => (name(), text).prop_map(|(path, text)| Operation::Create { path, text, executable: None }),
        1 => name().prop_map(|path| Operation::Delete { path, text: None }),
        2 => (name(), name()).prop_map(|(from, to)| Operation::Move { from, to }),
        3 => (name(), "[xyz]{1,2}", name(), prop::option::of("[xyz]{1,2}"), any::<bool>()).prop_map(
            |(path, lines, to, after, is_copy)| {
                let to = NewPlace { after, ..NewPlace::default() }.of_file(to);
                FileEdit::new(&path, lines, "").with_transfer(LineTransfer::new(to, is_copy)).into()
            },
        ),
    ]
}

/// Every file below a directory with its bytes, and every directory without.
///
/// Wine keeps the name of a removed directory while a process has it open, so its parent may remain.
fn tree(root: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut tree = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path.clone());
            }
            let bytes = path.is_file().then(|| fs::read(&path).unwrap());
            if bytes.is_some() || cfg!(not(windows)) {
                tree.insert(path, bytes);
            }
        }
    }
    tree
}

/// Returns reports without the members that only a write sets.
fn comparable(reports: Vec<Report>) -> Vec<String> {
    let text = |report| match report {
        Report::Success(mut success) => {
            success.file_hash = None;
            if matches!(success.status, Status::DryRun | Status::Applied) {
                success.status = Status::Applied;
            }
            format!("{success:?}")
        }
        Report::Failure(failure) => format!("{failure:?}"),
    };
    reports.into_iter().map(text).collect()
}

proptest! {
    #![proptest_config(texts::config_of(cases()))]

    #[test]
    fn all_or_nothing_and_back(
        files in prop::collection::vec("[xyz\r\n]{0,20}", 3),
        operations in prop::collection::vec(operation(), 1..9),
        fail_at in 0_usize..60,
        can_exchange in any::<bool>(),
        all_sound in prop::bool::weighted(0.8),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("root");
        fs::create_dir(&root).unwrap();
        for (name, text) in NAMES.iter().zip(&files) {
            fs::write(root.join(name), text).unwrap();
        }
        let before = tree(&root);
        let state = directory.path().join("state");
        let editor = support::editor_with(&state).within(Root::open(&root).unwrap());
        // Most random batches fail, so most cases drop the failing operations.
        let operations = operations.into_iter().fold(Vec::new(), |mut kept, operation| {
            kept.push(operation);
            if all_sound && !editor.plan(&Session::default(), &kept).is_sound() {
                kept.pop();
            }
            kept
        });
        let expected = comparable(editor.shown(&operations));
        prop_assert_eq!(&tree(&root), &before, "a dry run writes nothing");

        inject(Fault::FailAt(fail_at), can_exchange);
        let reports = editor.applied(&operations);
        let was_hit = passed() > fail_at;
        inject(Fault::None, can_exchange);
        let succeeded = reports.iter().all(|report| matches!(report, Report::Success(_)));
        if !succeeded {
            prop_assert_eq!(&tree(&root), &before, "a failure leaves nothing over");
        }
        let reports = if was_hit && !succeeded { editor.applied(&operations) } else { reports };
        let succeeded = reports.iter().all(|report| matches!(report, Report::Success(_)));
        prop_assert_eq!(comparable(reports), expected, "a dry run reports the same as applying");

        let after = tree(&root);
        if !succeeded {
            prop_assert_eq!(&after, &before);
        }
        prop_assert_eq!(editor.workspace().undo().is_ok(), after != before);
        prop_assert_eq!(&tree(&root), &before, "undo takes everything back");
        prop_assert!(fs::read_dir(state.join("pending")).map_or(true, |mut entries| entries.next().is_none()));
        prop_assert!(fs::read_dir(state.join("locks")).map_or(true, |mut entries| entries.next().is_none()));
        inject(Fault::None, true);
    }
}

/// Returns the journals of written batches in order.
fn journals(state: &Path) -> Vec<PathBuf> {
    let mut journals: Vec<_> = fs::read_dir(state.join("done")).unwrap().map(|file| file.unwrap().path()).collect();
    journals.sort();
    journals
}

#[test]
fn undo_takes_the_last_batch_after_the_clock_was_set_back() {
    let files = support::Files::new(&[("a", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    let editor = support::editor_with(state.path());
    let write = |old: &str, new: &str| {
        let edit = FileEdit::new(&files.path("a"), old, new);
        assert!(matches!(editor.applied(&[edit])[0], Report::Success(_)));
    };
    write("one", "two");
    // The journal of a batch from an hour later, by the clock at that time.
    let first = journals(state.path()).pop().unwrap();
    let name = first.file_name().unwrap().to_str().unwrap();
    let later = u128::from_str_radix(&name[..20], 16).unwrap() + 3_600_000_000_000;
    let renamed = first.with_file_name(format!("{later:020x}{}", &name[20..]));
    fs::rename(first, &renamed).unwrap();
    write("two", "three");
    write("three", "four");
    let batches = editor.workspace().batches().batches;
    let newest = batches[0].time_ms.unwrap();
    assert!(newest <= batches[2].time_ms.unwrap() + 3_600_000, "the time is that of the clock: {batches:?}");
    for text in ["three\n", "two\n", "one\n"] {
        editor.workspace().undo().unwrap();
        assert_eq!(files.text("a"), text);
    }
}

#[test]
fn a_journal_that_cannot_be_read_is_named_and_no_other_batch_is_undone() {
    let files = support::Files::new(&[("a", "one\n"), ("b", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    let editor = support::editor_with(state.path());
    for name in ["a", "b"] {
        let edit = FileEdit::new(&files.path(name), "one", "two");
        assert!(matches!(editor.applied(&[edit])[0], Report::Success(_)));
    }
    let [first, second] = &journals(state.path())[..] else { panic!("two journals") };
    let whole = fs::read(second).unwrap();
    let damaged: [Vec<u8>; 4] =
        [Vec::new(), whole[..whole.len() / 2].to_vec(), whole[1..].to_vec(), [&whole[..], b"more"].concat()];
    for bytes in damaged {
        fs::write(second, bytes).unwrap();
        let refused = editor.workspace().undo().unwrap_err();
        assert!(refused.message.contains(second.to_str().unwrap()), "{refused:?}");
        assert_eq!([files.text("a"), files.text("b")], ["two\n", "two\n"]);
        let listed = editor.workspace().batches();
        assert_eq!((listed.batches.len(), listed.unreadable), (1, vec![second.to_string_lossy().into_owned()]));
    }
    // A batch that is named is undone.
    let id = first.file_name().unwrap().to_str().unwrap();
    editor.workspace().undo_batch(Some(id), false).unwrap();
    assert_eq!([files.text("a"), files.text("b")], ["one\n", "two\n"]);
    let refused = editor.workspace().undo_batch(second.file_name().unwrap().to_str(), false).unwrap_err();
    assert!(refused.message.contains("damaged"), "{refused:?}");
    fs::write(second, whole).unwrap();
    editor.workspace().undo().unwrap();
    assert_eq!([files.text("a"), files.text("b")], ["one\n", "one\n"]);
}

#[test]
fn a_damaged_journal_of_an_unfinished_batch_is_named_and_no_other_batch_is_undone() {
    let files = support::Files::new(&[("a", "one\n"), ("b", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    let editor = support::editor_with(state.path());
    for name in ["a", "b"] {
        let edit = FileEdit::new(&files.path(name), "one", "two");
        assert!(matches!(editor.applied(&[edit])[0], Report::Success(_)));
    }
    let [first, second] = &journals(state.path())[..] else { panic!("two journals") };
    // As if the second process had been killed after its only write.
    let pending = state.path().join("pending").join(second.file_name().unwrap());
    let mut damaged = fs::read(second).unwrap();
    damaged[10] ^= 1;
    fs::rename(second, &pending).unwrap();
    fs::write(&pending, damaged).unwrap();
    let workspace = editor.workspace();
    assert_eq!((workspace.recover(), workspace.unreadable_journals()), (Vec::new(), vec![pending.clone()]));
    let refused = workspace.undo().unwrap_err();
    assert!(refused.message.contains(pending.to_str().unwrap()), "{refused:?}");
    let listed = workspace.batches();
    assert_eq!((listed.batches.len(), listed.unreadable), (1, vec![pending.to_string_lossy().into_owned()]));
    // A batch that is newer than the damaged one, or named, is undone.
    assert!(matches!(editor.applied(&[FileEdit::new(&files.path("b"), "two", "three")])[0], Report::Success(_)));
    workspace.undo().unwrap();
    assert_eq!([files.text("a"), files.text("b")], ["two\n", "two\n"]);
    workspace.undo().unwrap_err();
    workspace.undo_batch(first.file_name().unwrap().to_str(), false).unwrap();
    assert_eq!([files.text("a"), files.text("b")], ["one\n", "two\n"]);
    fs::remove_file(&pending).unwrap();
    assert_eq!((workspace.unreadable_journals(), workspace.undo().unwrap_err().code), (Vec::new(), Code::Missing));
}

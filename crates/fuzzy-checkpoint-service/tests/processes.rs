//! How many times git is started.

mod support;

use std::fs;

use fuzzy_checkpoint_service::CreateOptions;
use fuzzy_checkpoint_store::{RestoreOptions, Trim};
use support::Place;

/// What a whole restore may start, its safety capture included.
const MOST: usize = 8;

#[test]
fn a_restore_of_a_few_files_starts_few_processes() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let log = place.0.join("calls");
    let service = place.service_that(&format!("echo \"$*\" >>'{}'", log.display()));
    let calls = || -> Vec<String> {
        let text = fs::read_to_string(&log).unwrap_or_default();
        let _ = fs::remove_file(&log);
        text.lines().map(str::to_owned).collect()
    };
    let fill = |text: &str| (0..5).for_each(|number| place.write(&format!("dir/file{number}"), text));
    fill("then");
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    let then = place.files();
    fill("now");
    let now = place.files();
    calls();
    let options = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let done = service.restore(&session, &target, options, None).expect("restored");
    let (started, restored) = (calls(), place.files());
    service.undo(&done.restore_id.as_str().into(), None).expect("undone");
    let undone = calls();
    assert_eq!((restored, place.files()), (then, now));
    assert!(started.len() <= MOST, "a restore started {}: {started:#?}", started.len());
    assert!(undone.len() <= MOST, "an undo started {}: {undone:#?}", undone.len());
}

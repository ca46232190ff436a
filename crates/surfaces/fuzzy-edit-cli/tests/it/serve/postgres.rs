//! The main flow and a killed server on a Postgres database.

use std::fs;
use std::thread;

use fuzzy_testkit::postgres::Schema;

use super::support::DATABASE;
use super::{crashes, flow};
use crate::place::Place;

/// Runs a test in a place whose records are in a schema of its own.
fn on_postgres(work: impl FnOnce(&Place)) {
    let Some(schema) = Schema::new() else { return };
    let place = Place::new();
    fs::write(place.dir.join(DATABASE), schema.url()).unwrap();
    work(&place);
    assert!(!place.dir.join("state/fuzzy-edit/state.db").exists(), "nothing is anywhere else");
}

#[test]
fn the_flow() {
    for work in [flow::restore_and_undo, flow::one_key, flow::running_agent, flow::two_servers] {
        on_postgres(work);
    }
}

#[test]
fn a_killed_server_leaves_no_partial_restore() {
    thread::scope(|scope| {
        for (stop, resets) in [("begun", &[][..]), ("safe", &[]), ("files", &[]), ("index", &[]), ("reset", &["1"])] {
            scope.spawn(move || on_postgres(|place| crashes::killed_at(place, stop, resets)));
        }
    });
}

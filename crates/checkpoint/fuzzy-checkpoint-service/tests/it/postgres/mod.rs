//! The same flows and kills on a Postgres server, and its own cases: several processes on one database, and broken
//! connections.

#![allow(clippy::duplicate_mod, reason = "the same tests run here on another database")]

#[path = "../flow.rs"]
mod flow;
#[path = "../kill.rs"]
mod kill;
mod lost;
#[path = "../turns.rs"]
mod turns;

use std::path::Path;

use fuzzy_testkit::postgres::{Schema, VARIABLE};

use crate::support::Place;

/// Creates a place whose database is a schema of the server.
fn new_place(dir: &Path) -> Place {
    let schema = Schema::new().unwrap_or_else(|| panic!("{VARIABLE} is not set: `cargo xtask test postgres` sets it"));
    Place::new(dir).with_database(&schema.url(), schema)
}

//! The service on real worktrees, with databases in files and, with the feature `postgres`, on a server.

mod agreed;
mod bounds;
mod changes;
mod failures;
mod flow;
mod kill;
mod local;
#[cfg(feature = "postgres")]
mod postgres;
mod processes;
mod rough;
mod savers;
mod sequences;
mod stack;
mod support;
mod take_back;
mod turn_page;
mod turns;

use std::path::Path;

use support::Place;

/// Creates a place whose database is a file.
fn new_place(dir: &Path) -> Place {
    Place::new(dir)
}

//! The server as other programs use it: `fuzzy-edit serve` on a real repository, killed, disconnected, overloaded and
//! out of space.
//!
//! Every test is run on `SQLite`, and on Postgres if there is a server for tests.

mod database;
mod ends;
mod full;
mod kill;
mod pair;
mod points;
mod scene;
mod server;

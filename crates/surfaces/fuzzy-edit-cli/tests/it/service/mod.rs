//! The server as other programs know it: `fuzzy-edit serve` on a real repository, killed, cut off, crowded and starved.
//!
//! Every test is run on `SQLite`, and on Postgres where there is a server for tests.

mod database;
mod ends;
mod full;
mod kill;
mod pair;
mod points;
mod scene;
mod server;

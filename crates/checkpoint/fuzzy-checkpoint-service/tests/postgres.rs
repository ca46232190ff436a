//! The same flows and kills on a Postgres server, and what only happens there: several processes on one database, and
//! connections that break.

#![allow(clippy::duplicate_mod, reason = "every file of tests brings its own support along")]

#[path = "flow.rs"]
mod postgres_flow;
#[path = "kill.rs"]
mod postgres_kill;
mod postgres_lost;
#[path = "turns.rs"]
mod postgres_turns;

//! Serves sessions, their checkpoints and restores over HTTP: a JSON API for programs beneath `/api`, and a page for
//! people.
//!
//! It is a thin layer over [`Checkpointer`](fuzzy_checkpoint_service::Checkpointer), and several servers may use one
//! database at once. [`serve`] accepts only requests for its own names and, if a token is set, with that token; see
//! [`Settings`].

mod api;
mod app;
mod bodies;
mod connection_limit;
mod guard;
mod housekeeping;
mod page;
mod recovery;
mod rejection;
mod restores;
mod schema;
mod server;

pub use recovery::recover;
pub use schema::schema;
pub use server::{Settings, serve};

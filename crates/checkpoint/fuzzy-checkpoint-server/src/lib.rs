//! Serves sessions, their checkpoints and restores over HTTP: a JSON API for programs beneath `/api`, and a page for
//! people.
//!
//! Everything is thin over [`Checkpointer`](fuzzy_checkpoint_service::Checkpointer), which may be asked by several
//! servers on one database at once. [`serve`] hears only requests that are meant for it and, where a token is set, that
//! show it; see [`Settings`].

mod api;
mod app;
mod bodies;
mod guard;
mod housekeeping;
mod newcomers;
mod page;
mod recovery;
mod rejection;
mod restores;
mod schema;
mod server;

pub use recovery::recover;
pub use schema::schema;
pub use server::{Settings, serve};

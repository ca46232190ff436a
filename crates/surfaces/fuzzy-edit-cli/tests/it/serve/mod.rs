//! `fuzzy-edit serve`, end to end: the built command, a real git, real requests over HTTP.

mod changes;
mod crashes;
mod docs;
mod doors;
mod flow;
mod forms;
mod inputs;
mod messages;
mod pipes;
mod postgres;
mod refusals;
mod stuck;
pub(crate) mod support;
mod worktrees;

//! `fuzzy-edit serve`, end to end: the built command, a real git, real requests over HTTP.

mod changes;
mod crashes;
mod docs;
mod doors;
mod flow;
mod forms;
mod inputs;
mod pipes;
mod postgres;
mod refusals;
mod said;
mod stuck;
pub(crate) mod support;

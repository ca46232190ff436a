//! `fuzzy-edit checkpoint`, end to end: the built command, a real git, real repositories.

mod docs;
mod edits;
mod interrupted;
mod names;
#[path = "../page/mod.rs"]
mod page;
mod places;
mod refusals;
mod sidecar;
mod support;
mod terminal;
mod upkeep;
mod verbs;

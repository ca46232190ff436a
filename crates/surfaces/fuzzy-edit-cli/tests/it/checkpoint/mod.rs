//! `fuzzy-edit checkpoint`, end to end: the built command, a real git, real repositories.

mod docs;
mod edits;
mod fixed;
mod interrupted;
mod names;
mod places;
#[cfg(target_os = "linux")]
mod power_failures;
mod private;
mod processes;
mod refusals;
mod said;
mod sidecar;
pub(crate) mod terminal;
mod upkeep;
mod verbs;

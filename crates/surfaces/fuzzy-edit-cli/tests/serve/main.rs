//! `fuzzy-edit serve`, end to end: the built command, a real git, real requests over HTTP.

mod changes;
mod crashes;
mod docs;
mod doors;
mod flow;
mod forms;
mod inputs;
#[path = "../page/mod.rs"]
#[allow(dead_code, reason = "the tests of other pages use the rest")]
mod page;
#[path = "../checkpoint/support.rs"]
#[allow(dead_code, reason = "the tests of the other surface use the rest")]
mod place;
mod postgres;
mod refusals;
mod support;

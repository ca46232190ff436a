//! `fuzzy-edit turns` and the hooks that record turns, end to end: the built command, a real git, detached processes.

mod ask;
mod base;
mod bisect;
#[cfg(target_os = "linux")]
mod by_hooks;
mod commands;
mod events;
pub(crate) mod forget;
mod hung;
mod ignored;
mod late;
mod losses;
mod many;
mod one_answer;
mod one_undo;
mod places;
mod run;
pub(crate) mod scene;
mod sessions;
mod slow;
mod steps;
mod submodules;
mod take_back;
mod troubles;
mod undo;

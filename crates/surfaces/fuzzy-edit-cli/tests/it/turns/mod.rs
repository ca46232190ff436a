//! `fuzzy-edit turns` and the hooks that record turns, end to end: the built command, a real git, detached processes.

mod events;
mod late;
mod many;
mod scene;
mod slow;
mod troubles;
mod undo;

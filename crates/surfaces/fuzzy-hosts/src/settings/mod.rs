//! Adds our hooks to the settings of hosts, and removes them.

mod change;
mod changes;
mod check;
mod edited;
mod json;
mod kind;
mod own;
mod record;
mod toml;
mod write;

pub use change::{FileChange, SettingsError};
pub use changes::{Changes, Installed};
pub use check::Checked;
pub use record::Records;

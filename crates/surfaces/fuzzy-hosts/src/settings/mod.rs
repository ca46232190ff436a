//! Puts our hooks into the settings of hosts, and takes them out again.

mod change;
mod changes;
mod check;
mod json;
mod kind;
mod record;
mod toml;
mod write;

pub use change::{FileChange, SettingsError};
pub use changes::{Changes, Installed};
pub use check::Checked;
pub use record::Records;

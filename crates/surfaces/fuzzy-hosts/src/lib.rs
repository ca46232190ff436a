//! Hooks for coding agents.
//!
//! The edit tool of a host keeps its place: before it runs, [`Host::repair`] replaces the arguments of an edit whose old
//! text is not in the file as it is. The host's own plain replacement then writes what the engine would write. After a
//! failure, [`Host::explain`] tells the model what the file has.
//!
//! A host is described in one file of `hosts`: the places of what its events tell, the names of its tools, and the shape
//! of its answers.
//!
//! ```
//! use fuzzy_hosts::Host;
//!
//! let directory = tempfile::tempdir()?;
//! std::fs::write(directory.path().join("a.py"), "def f():\n\ttotal = 1\n")?;
//! let event = serde_json::json!({
//!     "cwd": directory.path(),
//!     "tool_name": "replace",
//!     "tool_input": { "file_path": "a.py", "old_string": "    total = 1", "new_string": "    total = 2" },
//! });
//! let gemini = Host::named("gemini").expect("a host");
//! let answer: serde_json::Value = serde_json::from_str(&gemini.repair(&event.to_string()).output)?;
//! let input = &answer["hookSpecificOutput"]["tool_input"];
//! assert_eq!((&input["old_string"], &input["new_string"]), (&"\ttotal = 1".into(), &"\ttotal = 2".into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counts;
mod event;
mod help;
mod hook;
mod host;
mod hosts;
mod item;
mod moment;
mod present;
mod record;
mod repair;
mod settings;
mod turn;

pub use counts::{Count, Counts, Sums};
pub use hook::Answer;
pub use host::Host;
pub use item::{Parts, Site};
pub use moment::Moment;
pub use present::on_path;
pub use record::HookRecord;
pub use repair::Outcome;
pub use settings::{Changes, Checked, FileChange, Installed, Records, SettingsError};
pub use turn::TurnEvent;

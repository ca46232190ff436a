//! Hooks for coding agents.
//!
//! The host's own edit tool stays in use. Before it runs, [`Host::repair`] replaces the arguments of an edit whose old
//! text is not exactly in the file, so that the host's plain replacement writes the text of the engine. After a
//! failure, [`Host::explain`] reports the contents of the file to the model.
//!
//! A host is described in one file of `hosts`: the places of the data in its events, the names of its tools, and the
//! format of its answers.
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

mod conversation;
mod counts;
mod event;
mod help;
mod hook;
mod hooks;
mod host;
mod hosts;
mod inside;
mod item;
mod lenient;
mod moment;
mod note_views;
mod present;
mod record;
mod repair;
mod settings;
mod shell;
mod shown;
mod stop;
mod tool_event;
mod turn;
mod view;

pub use conversation::{HostTurn, WayBack};
pub use counts::{Count, Counts, Sums};
pub use hook::Answer;
pub use host::Host;
pub use inside::{RUN_VARIABLE, hosts_around};
pub use item::{Parts, Site};
pub use moment::Moment;
pub use present::on_path;
pub use record::HookRecord;
pub use repair::{Base, Outcome, RepairOptions};
pub use settings::{Changes, Checked, FileChange, Installed, Records, SettingsError};
pub use shell::{Named, Script};
pub use tool_event::{ShellCommand, ToolEvent, ToolKind, When};
pub use turn::{TurnError, TurnEvent};
pub use view::Views;

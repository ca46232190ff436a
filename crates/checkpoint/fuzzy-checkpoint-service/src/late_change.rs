//! Changes after the last action of an interrupted turn: the agent or the user may have made them.

use fuzzy_checkpoint::words;
use fuzzy_checkpoint_store::LateFile;
use serde::Serialize;

words! {
    /// Whose the changes after the last action of an interrupted turn are.
    LateChoice {
        /// They are the turn's, and taken back with it.
        Take = "take",
        /// They are the user's, and stay.
        Keep = "keep",
    }
}

/// A file of a request that changed after the last action of an interrupted turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LateChange {
    /// The number of the turn.
    pub turn: i64,
    /// The file, and its last change.
    #[serde(flatten)]
    pub file: LateFile,
}

/// Returns the message about late changes of some turns.
pub(crate) fn late(changes: &[LateChange]) -> String {
    let mut turns: Vec<i64> = changes.iter().map(|change| change.turn).collect();
    turns.dedup();
    let turns: Vec<String> = turns.iter().map(|number| format!("turn {number}")).collect();
    let was = if turns.len() == 1 { "was interrupted" } else { "were interrupted" };
    let [files, its] = match (changes.len(), turns.len()) {
        (1, _) => ["1 file".to_owned(), "its".to_owned()],
        (count, 1) => [format!("{count} files"), "its".to_owned()],
        (count, _) => [format!("{count} files"), "their".to_owned()],
    };
    format!("{} {was}; {files} changed after {its} last action", turns.join(", "))
}

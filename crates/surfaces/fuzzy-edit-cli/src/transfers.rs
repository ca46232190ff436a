//! Options that move or copy the lines of an edit instead of replacing them.

use std::path::PathBuf;

use clap::Args;
use fuzzy_edit::{Failure, LineTransfer, NewPlace};

use crate::options::Search;

/// The new place of lines.
#[derive(Args)]
pub(crate) struct Transfers {
    /// Instead of --new: move the lines below this line; @FILE or - as for --old
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, conflicts_with_all = OTHERS)]
    move_after: Option<String>,
    /// Instead of --new: move the lines above this line
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, conflicts_with_all = OTHERS)]
    #[arg(conflicts_with = "move_after")]
    move_before: Option<String>,
    /// The file of --move-after or --move-before; without them a file that does not exist or is empty
    #[arg(long, value_name = "FILE", conflicts_with_all = OTHERS)]
    move_to: Option<PathBuf>,
    /// Instead of --new: copy the lines below this line
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, conflicts_with_all = MOVES)]
    copy_after: Option<String>,
    /// Instead of --new: copy the lines above this line
    #[arg(long, value_name = "TEXT|@FILE|-", allow_hyphen_values = true, conflicts_with_all = MOVES)]
    #[arg(conflicts_with = "copy_after")]
    copy_before: Option<String>,
    /// The file of --copy-after or --copy-before; without them a file that does not exist or is empty
    #[arg(long, value_name = "FILE", conflicts_with_all = MOVES)]
    copy_to: Option<PathBuf>,
}

/// The options that contradict a move.
const OTHERS: [&str; 5] = ["copy_after", "copy_before", "copy_to", "new", "all"];

/// The options that contradict a copy.
const MOVES: [&str; 5] = ["move_after", "move_before", "move_to", "new", "all"];

/// Every option of this group.
pub(crate) const NAMES: [&str; 6] = ["move_after", "move_before", "move_to", "copy_after", "copy_before", "copy_to"];

impl Transfers {
    /// Returns the transfer, if there is one.
    pub(crate) fn read(&self, search: &Search) -> Result<Option<LineTransfer>, Box<Failure>> {
        let text =
            |option: &str, text: &Option<String>| text.as_deref().map(|text| search.text(option, text)).transpose();
        let moved = NewPlace {
            file_path: self.move_to.clone(),
            after: text("--move-after", &self.move_after)?,
            before: text("--move-before", &self.move_before)?,
        };
        let copied = NewPlace {
            file_path: self.copy_to.clone(),
            after: text("--copy-after", &self.copy_after)?,
            before: text("--copy-before", &self.copy_before)?,
        };
        let transfers = [LineTransfer::new(moved, false), LineTransfer::new(copied, true)];
        Ok(transfers.into_iter().find(|transfer| transfer.to != NewPlace::default()))
    }
}

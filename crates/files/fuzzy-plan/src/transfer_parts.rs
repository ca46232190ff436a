//! Parts of the plan of a transfer that edits of one file use, too.

use fuzzy_core::{LineRange, Replaced, Span, TransferKind};
use fuzzy_report::{Code, Failure, LineTransfer};

/// Returns the kind of a transfer.
pub(crate) const fn kind(transfer: &LineTransfer) -> TransferKind {
    if transfer.is_copy { TransferKind::Copy } else { TransferKind::Move }
}

/// Returns the span of the lines that a transfer wrote, without the blank lines around them.
pub(crate) fn written_lines(output: &str, replaced: &[Replaced]) -> Option<LineRange> {
    let after = replaced.iter().map(|place| place.after).find(|after| !after.is_empty())?;
    let text = after.text(output);
    let start = after.start() + text.len() - text.trim_start_matches(['\r', '\n']).len();
    let end = after.start() + text.trim_end_matches(['\r', '\n']).len();
    Some(LineRange::of(output, Span::new(start, end.max(start))))
}

/// Makes the failure of a transfer without a place, to a file with lines.
pub(crate) fn no_place(transfer: &LineTransfer) -> Failure {
    let name = transfer.name();
    Failure::new(
        Code::Exists,
        format!("the file of `{name}` has lines"),
        format!("Say which line of it the new place is beside: `after` or `before` in `{name}`."),
    )
}

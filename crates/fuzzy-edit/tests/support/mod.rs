//! What several test programs share.

use std::path::Path;

use fuzzy_edit::{Editor, Limits, State};
use fuzzy_pipeline::{Pipeline, ladder};

#[allow(dead_code, reason = "not every test program needs both")]
/// Makes an editor whose locks and journals are not those of the user who runs the tests.
pub(crate) fn editor() -> Editor {
    editor_with(Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/fuzzy-edit-state")))
}

/// Makes an editor that keeps its locks and journals in `state`.
pub(crate) fn editor_with(state: &Path) -> Editor {
    let pipeline = Pipeline::new(ladder::conservative().unwrap());
    Editor::new(pipeline, Limits::default()).with_state(State::at(state))
}

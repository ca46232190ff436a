//! Reads the texts of an edit without a slip, whatever the place.

mod edge_quotes;
mod outer_elisions;
mod wide_spaces;

use crate::mechanisms::{EDGE_QUOTES, Mechanism, OUTER_ELISIONS, WIDE_SPACES};

/// Returns the old and the new text for a document without a slip; none if they do not have it.
type Reading = fn(&str, &str, &str) -> Option<[String; 2]>;

/// The readings, each with the slip that it undoes.
pub(crate) const READINGS: [(&Mechanism, Reading); 3] =
    [(&EDGE_QUOTES, edge_quotes::read), (&OUTER_ELISIONS, outer_elisions::read), (&WIDE_SPACES, wide_spaces::read)];

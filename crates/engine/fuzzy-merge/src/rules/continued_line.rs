//! New text continues a line after unknown words.
//!
//! The result is a line that neither author wrote.
//!
//! Example: file `#include "table.h"`, old `#include <table.h>`, new `#include <tree.h>`.

use crate::hunks::{Change, Hunk};
use crate::merge::Merge;

pub(super) fn check(merge: &Merge<'_, '_>, hunk: &Hunk) -> bool {
    let Change::Replace { file, new, .. } = &hunk.change else { return false };
    file.start > hunk.file.start && !merge.texts.new.breaks_before(new[0])
}

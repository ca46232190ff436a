//! A strategy that panics, for tests of what becomes of that.

use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// Panics at an old text that asks for it.
#[derive(Debug)]
pub(crate) struct Panics;

impl Strategy for Panics {
    fn name(&self) -> &'static str {
        "panics"
    }

    fn candidates(&self, query: &Query<'_>, _: &mut Found<'_>) -> ControlFlow<()> {
        assert!(!query.needle().contains("please panic"), "as asked");
        ControlFlow::Continue(())
    }
}

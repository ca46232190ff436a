//! A strategy that panics, for tests of what becomes of that.

use std::env;
use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// The environment variable that arms it.
const ARMED: &str = "FUZZY_EDIT_PANICS";

/// Panics at an old text that asks for it, while it is armed.
#[derive(Debug)]
pub(crate) struct Panics;

impl Strategy for Panics {
    fn name(&self) -> &'static str {
        "panics"
    }

    fn candidates(&self, query: &Query<'_>, _: &mut Found<'_>) -> ControlFlow<()> {
        assert!(!query.needle().contains("please panic") || env::var_os(ARMED).is_none(), "as asked");
        ControlFlow::Continue(())
    }
}

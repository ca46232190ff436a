//! A strategy that panics, for tests of how panics are reported.

use std::env;
use std::ops::ControlFlow;

use fuzzy_core::{Found, Query, Strategy};

/// The environment variable that enables the panic.
const ARMED: &str = "FUZZY_EDIT_PANICS";

/// A strategy that panics if the old text contains `please panic` and the variable is set.
#[derive(Debug)]
pub(crate) struct Panics;

impl Strategy for Panics {
    fn name(&self) -> &'static str {
        "panics"
    }

    fn candidates(&self, query: &Query<'_>, _: &mut Found<'_>) -> ControlFlow<()> {
        assert!(!query.old().contains("please panic") || env::var_os(ARMED).is_none(), "as asked");
        ControlFlow::Continue(())
    }
}

//! The laws, one a file.

mod delta;
mod depth;
mod duplicates;
mod ends;
mod shape;
mod words;

use crate::case::{Case, Landing};
use crate::law::{Broken, Law};

/// Checks one law.
pub(crate) fn check(law: Law, case: &Case<'_>, landing: &Landing<'_>) -> Result<(), Broken> {
    match law {
        Law::Words => words::check(case),
        Law::Duplicates => duplicates::check(case),
        Law::Delta => delta::check(case),
        Law::Shape => shape::check(case),
        Law::Depth => depth::check(case),
        Law::Ends => ends::check(case, landing),
    }
}

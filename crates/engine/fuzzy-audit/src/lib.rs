//! Checks what an edit is about to write against laws that every right merge keeps.
//!
//! A text that was fitted to a place that is not the needle byte for byte is made by rules, and rules err.
//! This crate looks at the outcome alone: the place, the needle, the new text, and what would be written. It shares no
//! code with what made it, so that both seldom err in the same way. A broken law says that the text is wrong; that all
//! are kept does not say that it is right.
//!
//! Pure: text in, verdict out.

mod align;
mod case;
mod depth;
mod duplicates;
mod equivalences;
mod law;
mod laws;
mod misspellings;
mod text;

pub use case::Landing;
pub use equivalences::Equivalences;
pub use law::{Broken, Law};

use case::Case;

/// Checks a landing against every law.
///
/// # Examples
///
/// ```
/// use fuzzy_audit::{Equivalences, Landing, Law, audit};
///
/// let landing =
///     Landing { place: "a: 1,\n", needle: "a: 1", new: "a: 2,", result: "a: 2,,\n", ..Landing::default() };
/// assert_eq!(audit(&landing, Equivalences::default()).unwrap_err().law, Law::Words);
/// let landing = Landing { result: "a: 2,\n", ..landing };
/// assert_eq!(audit(&landing, Equivalences::default()), Ok(()));
/// ```
///
/// # Complexity
///
/// Close to linear in the texts: what would cost more is left out beyond a bound, and then less is found.
///
/// # Errors
///
/// [`Broken`]: the first law that is broken.
pub fn audit(landing: &Landing<'_>, equivalences: Equivalences) -> Result<(), Broken> {
    let case = Case::new(landing, equivalences);
    laws::words(&case)?;
    duplicates::duplicates(&case)?;
    laws::delta(&case)?;
    laws::shared_lines(&case)?;
    laws::shape(&case)?;
    depth::depth(&case)?;
    laws::ends(&case)?;
    laws::last_break(landing)
}

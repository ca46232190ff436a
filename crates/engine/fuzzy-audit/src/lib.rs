//! Checks the text that an edit would write against laws that every right merge keeps.
//!
//! If a place differs from the needle, rules merge the new text with it, and rules err. This crate checks the result
//! alone: the place, the needle, the new text, and the text to write. It shares no code with the merge, so both seldom
//! err in the same way. A broken law proves the text wrong; kept laws do not prove it right.
//!
//! Pure: text in, verdict out.

mod align;
mod case;
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
/// Close to linear in the texts. Beyond a bound, costlier comparisons are left out, and the audit finds less.
///
/// # Errors
///
/// Returns the first broken law as [`Broken`].
pub fn audit(landing: &Landing<'_>, equivalences: Equivalences) -> Result<(), Broken> {
    broken(landing, equivalences).next().map_or(Ok(()), Err)
}

/// Checks a landing against one law after another, as they are asked for, and returns the broken ones.
pub fn broken<'l>(landing: &'l Landing<'_>, equivalences: Equivalences) -> impl Iterator<Item = Broken> + 'l {
    let case = Case::new(landing, equivalences);
    Law::ALL.iter().filter_map(move |&law| laws::check(law, &case))
}

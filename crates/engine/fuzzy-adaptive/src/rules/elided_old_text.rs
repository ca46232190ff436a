//! The old text leaves lines out, and the new text does not leave out as many.
//!
//! The edit would replace lines that its author does not quote. The ends of a range say so without a guess: `first` and
//! `last`. Dots glued to a name, such as `...props`, leave nothing out, and neither does a line that the file has.
//!
//! Example: file `f() {  a()  b()  }`, old `f() {  ...  }`, new `f() {  c()  }`.

use fuzzy_locate::Needle;
use fuzzy_merge::{Kind, Rule, is_elision};

pub(crate) static RULE: Rule = Rule {
    name: "elided-old-text",
    kind: Kind::Guess,
    why: "the old text leaves lines out that the new text does not leave out",
};

/// Returns the first elision of the needle, if the replacement has fewer.
pub(crate) fn check<'n>(needle: &'n Needle<'_>, replacement: &str) -> Option<&'n str> {
    let mut elided = needle.lines.iter().filter(|line| line.elision).map(|line| line.text);
    let kept = replacement.lines().filter(|line| is_elision(line)).count();
    let count = elided.clone().count();
    elided.next().filter(|_| kept < count)
}

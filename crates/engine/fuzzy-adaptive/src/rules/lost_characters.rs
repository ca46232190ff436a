//! The edit was copied from a terminal in a wrong code page, and a word of the new text cannot be restored.
//!
//! It would be written with the marks that stand for its lost characters.
//!
//! Example: file `"Sesión iniciada"`, old `"Sesi?n iniciada"`, new `"Sesi?n a?adida"`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "lost-characters",
    kind: Kind::Guess,
    why: "the new text has characters that a terminal showed in a wrong code page, and lost",
};

//! The new text has a placeholder such as `// ... rest unchanged` that the old text lacks.
//!
//! The placeholder would be written into the file.
//!
//! Example: file `a()  b()  c()`, old `a( )  b()  c()`, new `a( )  // ... rest unchanged`.

use fuzzy_merge::{Kind, Rule};

pub(crate) static RULE: Rule =
    Rule { name: "placeholder", kind: Kind::Guess, why: "the new text has a placeholder that the old text lacks" };

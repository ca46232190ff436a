//! The mechanisms of the decision.

use fuzzy_merge::Mechanism;

fuzzy_merge::mechanisms! {
    LOST_INDENTATION "lost-indentation" Repair "lost indentation";
    BASE "base" Place "the place is that of the old text in an earlier text of the file";
    MAIN_PART "main-part" Place "lines far from the rest of the place are left out";
    LAST_BREAK "last-break" Merge "the line break that ends an exact old text is kept";
    REST_OF_LINE "rest-of-line-once" Merge "the rest of a line that the new text repeats is written once";
    TOKEN_EQUAL "token-equal" Place "the needle is found by its tokens, whatever the blanks between them";
}

/// Returns every mechanism that changes texts or chooses a place: those of search, decision and merge.
pub fn mechanisms() -> impl Iterator<Item = &'static Mechanism> {
    fuzzy_locate::MECHANISMS.iter().chain(MECHANISMS).chain(fuzzy_merge::MECHANISMS)
}

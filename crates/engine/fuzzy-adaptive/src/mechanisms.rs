//! The mechanisms of the decision.

use fuzzy_merge::Mechanism;

fuzzy_merge::mechanisms! {
    LOST_INDENTATION "lost-indentation" Repair "lost indentation";
    BASE "base" Place "the place is that of the old text in an earlier text of the file";
    MAIN_PART "main-part" Place "lines far from the rest of the place are left out";
    PARTIAL "partial" Place "a part of a word or line that the edit takes for the whole is searched again";
    PIECE "piece" Place "a piece of a line on a line of its own is replaced inside its line";
    STRICTER_PLACE "stricter-place" Place "of equal places, the one with a stricter equality is the best";
}

/// Returns every mechanism that changes texts or chooses a place: those of search, decision and merge.
pub fn mechanisms() -> impl Iterator<Item = &'static Mechanism> {
    fuzzy_search::MECHANISMS.iter().chain(MECHANISMS).chain(fuzzy_merge::MECHANISMS)
}

//! Mechanisms that change texts or choose a place.
//!
//! Each has a name, under which a measurement leaves it out: see [`LeftOut`](crate::LeftOut). The code that uses a
//! mechanism names its constant.

/// A mechanism that changes texts or chooses a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanism {
    /// The name; that of a slip is also the name of the folder with its cases.
    pub name: &'static str,
    /// The step in which it acts.
    pub phase: Phase,
    /// For a slip, the words for people after "undone:"; otherwise what the mechanism does.
    pub what: &'static str,
}

/// The step in which a mechanism acts. In the first three it undoes a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before any place: both texts are read without the slip. The file decides which reading is right.
    Reading,
    /// After a place: both texts get lines of the file, and are searched again.
    Repair,
    /// While the merge writes: new text gets the style of the file.
    Style,
    /// The place is found, chosen or extended.
    Place,
    /// Tokens are paired, and their changes and gaps are merged.
    Merge,
}

impl Phase {
    /// Returns whether the mechanisms of this phase undo slips.
    #[must_use]
    pub const fn undoes_slips(self) -> bool {
        matches!(self, Self::Reading | Self::Repair | Self::Style)
    }
}

/// Makes a table of mechanisms: constant, name, phase, and what it does.
#[macro_export]
#[doc(hidden)]
macro_rules! mechanisms {
    ($($constant:ident $name:literal $phase:ident $what:literal;)*) => {
        $(pub(crate) const $constant: $crate::Mechanism =
            $crate::Mechanism { name: $name, phase: $crate::Phase::$phase, what: $what };)*
        /// The mechanisms of this crate.
        pub const MECHANISMS: &[$crate::Mechanism] = &[$($constant),*];
    };
}

mechanisms! {
    JOINTS "joints" Merge "marks that join a new line to the line before it are written, although the file lacks them";
    HEAD_MARK "head-mark" Merge "a statement that becomes the head of a block loses the mark that ends it";
    REST_OF_LINES "rest-of-lines" Merge "the rest of a line is deleted with all of its known tokens";
    BESIDE_BLANK_LINE "beside-blank-line" Merge "blank lines of the old text determine the place of an insertion";
    EDGE_QUOTES "edge-quotes" Reading "quotes around the texts";
    OUTER_ELISIONS "outer-elisions" Reading "elisions at the ends";
    WIDE_SPACES "wide-spaces" Reading "wide spaces";
    SHARED_ENDS "shared-ends" Merge "forgotten tokens at the ends of a change are shared by file and new text";
    OWN_LINE "own-line" Merge "a token that only the file and the new text have is shared at the same end of its line alone";
    WIDEN "widen" Place "the place is extended by forgotten lines at its ends";
    CROSSED_ANCHORS "crossed-anchors" Merge "tokens of lines that both file and edit change are no anchors";
    SLIDE "slide" Merge "equally good alignments keep long runs together";
    SLIDE_END "slide-end" Merge "the last run of pairs slides to the end of both texts";
    ELISIONS "unpaired-elisions" Merge "an elision is paired with the same line alone";
    FORGOTTEN_LINES "forgotten-lines" Merge "a new line that is a forgotten one is no changed line of the old text";
    RESPELT_MARKS "respelt-marks" Merge "a mark that the file writes otherwise is not paired with one of another meaning";
    REPLACED_INDENT "replaced-indent" Merge "a new line has the indentation of the line that it replaces";
    LAST_INDENT "last-indent" Merge "the last new line of a list is as deep as the line before it";
    FIRST_INDENT "first-indent" Merge "a quote of one line without its indentation gets that of its place, if all later new lines have it";
    INDENTATION_STEP "indentation-step" Style "another step of indentation";
    MARKS "marks" Style "marks beside words";
    LINE_BREAKS "line-breaks" Style "line breaks of a text on one line";
    LINE_END "line-end" Style "the end of the last line";
    SPELLING "spelling" Style "spelling of words";
    QUOTES "quotes" Style "kind of quotes";
    TYPOGRAPHIC_MARKS "typographic-marks" Style "typographic marks";
}

//! The ladders: named lists of strategies, each with its policy.
//!
//! Constructors fail only if a strategy of the list is linked twice under one name, or not at all.

use fuzzy_core::{Ladder, LadderError, Policy};

use crate::registry;

/// A ladder's constructor.
type Constructor = fn() -> Result<Ladder, LadderError>;

/// The linked ladders by name, in the order in which they are shown.
const LADDERS: &[(&str, Constructor)] = &[
    #[cfg(feature = "conservative")]
    ("conservative", conservative),
    #[cfg(feature = "opencode")]
    ("opencode", opencode),
    #[cfg(feature = "full")]
    ("full", full),
    #[cfg(feature = "full")]
    ("full-guarded", full_guarded),
    #[cfg(feature = "boocode")]
    ("boocode", boocode),
    #[cfg(feature = "reference")]
    ("reference", reference),
    #[cfg(feature = "adaptive")]
    ("adaptive", adaptive),
    ("registered", registered),
];

/// Returns the names of the linked ladders.
pub fn names() -> impl Iterator<Item = &'static str> {
    LADDERS.iter().map(|(name, _)| *name)
}

/// Makes the ladder called `name`.
///
/// # Errors
///
/// [`LadderError::UnknownLadder`] if it is not linked; else as its constructor.
pub fn named(name: &str) -> Result<Ladder, LadderError> {
    let known = LADDERS.iter().find(|(known, _)| *known == name);
    let (_, constructor) = known.ok_or_else(|| LadderError::UnknownLadder {
        name: name.to_owned(),
        known: names().collect::<Vec<_>>().join(", "),
    })?;
    constructor()
}

/// Four strict rungs, each of which must find exactly one place.
///
/// # Errors
///
/// Names a strategy that is missing or linked twice.
#[cfg(feature = "conservative")]
pub fn conservative() -> Result<Ladder, LadderError> {
    Ladder::of_names(
        "conservative",
        &Policy::UniquePerStrategy,
        registry(),
        &["exact", "whitespace-normalized/inline", "indentation-flexible/stripped", "trimmed-boundary/text"],
    )
}

/// Three rungs; several places at any of them end the search.
///
/// # Errors
///
/// Names a strategy that is missing or linked twice.
#[cfg(feature = "opencode")]
pub fn opencode() -> Result<Ladder, LadderError> {
    Ladder::of_names("opencode", &Policy::Refuse, registry(), &["exact", "line-trimmed", "block-anchor/whole"])
}

/// Nine rungs; the first candidate whose text occurs once is taken.
///
/// # Errors
///
/// Names a strategy that is missing or linked twice.
#[cfg(feature = "full")]
pub fn full() -> Result<Ladder, LadderError> {
    nine("full", &Policy::UniqueText, "block-anchor")
}

/// [`full`] with a stricter block anchor and a guard against places much larger than the needle.
///
/// # Errors
///
/// Names a strategy that is missing or linked twice.
#[cfg(feature = "full")]
pub fn full_guarded() -> Result<Ladder, LadderError> {
    nine("full-guarded", &Policy::UniqueTextGuarded, "block-anchor/guarded")
}

#[cfg(feature = "full")]
fn nine(
    name: &'static str,
    policy: &'static dyn fuzzy_core::Decider,
    block_anchor: &str,
) -> Result<Ladder, LadderError> {
    Ladder::of_names(
        name,
        policy,
        registry(),
        &[
            "exact",
            "line-trimmed",
            block_anchor,
            "whitespace-normalized",
            "indentation-flexible",
            "escape-normalized",
            "trimmed-boundary",
            "context-aware",
            "multi-occurrence",
        ],
    )
}

/// Four rungs, the last of which keeps the window that is most alike.
///
/// # Errors
///
/// Names a strategy that is missing or linked twice.
#[cfg(feature = "boocode")]
pub fn boocode() -> Result<Ladder, LadderError> {
    Ladder::of_names(
        "boocode",
        &Policy::Refuse,
        registry(),
        &["exact", "line-trimmed/ends", "line-trimmed/unicode", "best-window/boocode"],
    )
}

/// Nine rungs from exact to the best window, each of which must find exactly one place.
///
/// # Errors
///
/// Names a strategy that is missing or linked twice.
#[cfg(feature = "reference")]
pub fn reference() -> Result<Ladder, LadderError> {
    Ladder::of_names(
        "reference",
        &Policy::UniquePerStrategy,
        registry(),
        &[
            "exact",
            "trimmed-boundary/text",
            "whitespace-normalized/collapsed",
            "line-trimmed",
            "block-aligned",
            "indentation-flexible/stripped",
            "levenshtein",
            "subsequence",
            "best-window",
        ],
    )
}

/// Exact where exact is safe, else the best alignment, accepted with margin and merged to the file's own text.
///
/// # Errors
///
/// Names a strategy that is missing or linked twice.
#[cfg(feature = "adaptive")]
pub fn adaptive() -> Result<Ladder, LadderError> {
    let linked = default();
    // The strategies are known; asking the registry keeps the promise that a duplicate name is an error.
    let names: Vec<_> = linked.strategies().iter().map(|strategy| strategy.name()).collect();
    Ladder::of_names(linked.name(), linked.decider(), registry(), &names)
}

/// The ladder `adaptive` from the strategies themselves, which cannot fail.
#[cfg(feature = "adaptive")]
pub(crate) fn default() -> Ladder {
    Ladder::new("adaptive", &fuzzy_adaptive::Adaptive, vec![&fuzzy_exact::Exact, &fuzzy_alignment::Alignment])
}

/// Every linked strategy, plug-ins included, strict to loose; several places at any of them end the search.
///
/// # Errors
///
/// Names a strategy that is linked twice.
pub fn registered() -> Result<Ladder, LadderError> {
    Ladder::of_all("registered", &Policy::Refuse, registry())
}

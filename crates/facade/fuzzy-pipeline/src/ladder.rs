//! The ladders: named lists of strategies, each with its policy.
//!
//! A ladder's cargo feature links its strategies, so its constructor cannot fail. [`named`] and [`registered`] read the
//! registry, and fail if two strategies have one name.

use fuzzy_core::{Ladder, LadderError, Policy};

use crate::link::registry;

/// Makes a ladder for a caller that names it.
type Constructor = fn() -> Result<Ladder, LadderError>;

/// The linked ladders by name, in the order in which they are shown.
const LADDERS: &[(&str, Constructor)] = &[
    #[cfg(feature = "conservative")]
    ("conservative", || Ok(conservative())),
    #[cfg(feature = "opencode")]
    ("opencode", || Ok(opencode())),
    #[cfg(feature = "full")]
    ("full", || Ok(full())),
    #[cfg(feature = "full")]
    ("full-guarded", || Ok(full_guarded())),
    #[cfg(feature = "boocode")]
    ("boocode", || Ok(boocode())),
    #[cfg(feature = "reference")]
    ("reference", || Ok(reference())),
    #[cfg(feature = "adaptive")]
    ("adaptive", || Ok(adaptive())),
    ("registered", registered),
];

/// Makes the example of a constructor.
#[allow(unused_macros, reason = "without a ladder nothing uses it")]
macro_rules! example {
    ($name:literal) => {
        concat!(
            "# Examples\n\n```\nuse fuzzy_pipeline::{Document, Edit, Pipeline, ladder};\n\n",
            "let pipeline = Pipeline::new(ladder::",
            $name,
            "());\nlet file = Document::new(\"a = 1\\nb = 2\\n\");\n",
            "let applied = Edit::new(\"b = 2\", \"b = 3\").run(&pipeline, &file).unwrap();\n",
            "assert_eq!(applied.output, \"a = 1\\nb = 3\\n\");\n```"
        )
    };
}

/// Returns the names of the linked ladders.
///
/// # Examples
///
/// ```
/// let all: Vec<_> = fuzzy_pipeline::ladder::names().collect();
/// assert_eq!(all.last(), Some(&"registered"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    LADDERS.iter().map(|(name, _)| *name)
}

/// Makes the ladder called `name`.
///
/// # Errors
///
/// [`LadderError::UnknownLadder`] if it is not linked, [`LadderError::Duplicate`] if another linked strategy has the name
/// of one of its strategies: reports name a strategy by that alone.
///
/// # Examples
///
/// ```
/// use fuzzy_pipeline::ladder;
///
/// let error = ladder::named("lenient").unwrap_err();
/// assert!(error.to_string().contains("registered"));
/// ```
pub fn named(name: &str) -> Result<Ladder, LadderError> {
    let known = LADDERS.iter().find(|(known, _)| *known == name);
    let (_, constructor) = known.ok_or_else(|| LadderError::UnknownLadder {
        name: name.to_owned(),
        known: names().collect::<Vec<_>>().join(", "),
    })?;
    let ladder = constructor()?;
    for strategy in ladder.strategies() {
        registry().find(strategy.name())?;
    }
    Ok(ladder)
}

/// Four strict rungs, each of which must find exactly one place.
///
#[doc = example!("conservative")]
#[cfg(feature = "conservative")]
#[must_use]
pub fn conservative() -> Ladder {
    Ladder::new(
        "conservative",
        &Policy::UniquePerStrategy,
        vec![
            &fuzzy_exact::Exact,
            &fuzzy_whitespace_normalized::Inline,
            &fuzzy_indentation_flexible::Stripped,
            &fuzzy_trimmed_boundary::Text,
        ],
    )
}

/// Three rungs; several places at any of them end the search.
///
#[doc = example!("opencode")]
#[cfg(feature = "opencode")]
#[must_use]
pub fn opencode() -> Ladder {
    Ladder::new(
        "opencode",
        &Policy::Refuse,
        vec![&fuzzy_exact::Exact, &fuzzy_line_trimmed::LineTrimmed, &fuzzy_block_anchor::Whole],
    )
}

/// Nine rungs; the first candidate whose text occurs once is taken.
///
#[doc = example!("full")]
#[cfg(feature = "full")]
#[must_use]
pub fn full() -> Ladder {
    Ladder::new("full", &Policy::UniqueText, nine(&fuzzy_block_anchor::BlockAnchor::PLAIN))
}

/// [`full`] with a stricter block anchor and a guard against places much larger than the old text.
///
#[doc = example!("full_guarded")]
#[cfg(feature = "full")]
#[must_use]
pub fn full_guarded() -> Ladder {
    Ladder::new("full-guarded", &Policy::UniqueTextGuarded, nine(&fuzzy_block_anchor::BlockAnchor::GUARDED))
}

/// Returns the rungs of `full` with one of the block anchors.
#[cfg(feature = "full")]
fn nine(block_anchor: &'static fuzzy_block_anchor::BlockAnchor) -> Vec<&'static dyn fuzzy_core::Strategy> {
    vec![
        &fuzzy_exact::Exact,
        &fuzzy_line_trimmed::LineTrimmed,
        block_anchor,
        &fuzzy_whitespace_normalized::WhitespaceNormalized,
        &fuzzy_indentation_flexible::IndentationFlexible,
        &fuzzy_escape_normalized::EscapeNormalized,
        &fuzzy_trimmed_boundary::TrimmedBoundary,
        &fuzzy_context_aware::ContextAware,
        &fuzzy_multi_occurrence::MultiOccurrence,
    ]
}

/// Four rungs, the last of which keeps the window that is most alike.
///
#[doc = example!("boocode")]
#[cfg(feature = "boocode")]
#[must_use]
pub fn boocode() -> Ladder {
    Ladder::new(
        "boocode",
        &Policy::Refuse,
        vec![&fuzzy_exact::Exact, &fuzzy_line_trimmed::Ends, &fuzzy_line_trimmed::Unicode, &fuzzy_best_window::Boocode],
    )
}

/// Nine rungs from exact to the best window, each of which must find exactly one place.
///
#[doc = example!("reference")]
#[cfg(feature = "reference")]
#[must_use]
pub fn reference() -> Ladder {
    Ladder::new(
        "reference",
        &Policy::UniquePerStrategy,
        vec![
            &fuzzy_exact::Exact,
            &fuzzy_trimmed_boundary::Text,
            &fuzzy_whitespace_normalized::Collapsed,
            &fuzzy_line_trimmed::LineTrimmed,
            &fuzzy_block_aligned::BlockAligned,
            &fuzzy_indentation_flexible::Stripped,
            &fuzzy_levenshtein::Levenshtein,
            &fuzzy_subsequence::Subsequence,
            &fuzzy_best_window::BestWindow,
        ],
    )
}

/// Exact where exact is safe, else the best alignment, accepted if it is probably right, and merged with the file's own
/// text.
///
#[doc = example!("adaptive")]
#[cfg(feature = "adaptive")]
#[must_use]
pub fn adaptive() -> Ladder {
    Ladder::new("adaptive", &fuzzy_adaptive::Adaptive, vec![&fuzzy_exact::Exact, &fuzzy_alignment::Alignment])
}

/// Every linked strategy, plug-ins included, strict to loose; several places at any of them end the search.
///
/// # Errors
///
/// Names a strategy that is linked twice.
///
/// # Examples
///
/// ```
/// let strategies = fuzzy_pipeline::ladder::registered()?.strategies().len();
/// # let _ = strategies;
/// # Ok::<(), fuzzy_pipeline::LadderError>(())
/// ```
pub fn registered() -> Result<Ladder, LadderError> {
    Ladder::of_all("registered", &Policy::Refuse, registry())
}

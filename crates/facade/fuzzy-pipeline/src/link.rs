//! Keeps the chosen strategy crates in the program.

use fuzzy_core::Registry;

/// Calls every chosen crate's anchor. Naming a crate is enough on native targets, but on wasm the object that holds a
/// registration stays in its archive until a function beside it is called.
fn link() {
    #[cfg(feature = "exact")]
    fuzzy_exact::link();
    #[cfg(feature = "line-trimmed")]
    fuzzy_line_trimmed::link();
    #[cfg(feature = "block-anchor")]
    fuzzy_block_anchor::link();
    #[cfg(feature = "whitespace-normalized")]
    fuzzy_whitespace_normalized::link();
    #[cfg(feature = "indentation-flexible")]
    fuzzy_indentation_flexible::link();
    #[cfg(feature = "escape-normalized")]
    fuzzy_escape_normalized::link();
    #[cfg(feature = "trimmed-boundary")]
    fuzzy_trimmed_boundary::link();
    #[cfg(feature = "context-aware")]
    fuzzy_context_aware::link();
    #[cfg(feature = "multi-occurrence")]
    fuzzy_multi_occurrence::link();
    #[cfg(feature = "block-aligned")]
    fuzzy_block_aligned::link();
    #[cfg(feature = "levenshtein")]
    fuzzy_levenshtein::link();
    #[cfg(feature = "subsequence")]
    fuzzy_subsequence::link();
    #[cfg(feature = "best-window")]
    fuzzy_best_window::link();
    #[cfg(feature = "alignment")]
    fuzzy_alignment::link();
}

/// Returns every strategy that is linked, plug-ins included, strict to loose.
///
/// Read the registry here rather than from the core: this function keeps the chosen strategies in the program.
///
/// # Examples
///
/// ```
/// let names: Vec<_> = fuzzy_pipeline::registry().entries().iter().map(|entry| entry.strategy().name()).collect();
/// assert!(names.iter().all(|name| !name.is_empty()));
/// ```
#[must_use]
pub fn registry() -> &'static Registry {
    link();
    Registry::linked()
}

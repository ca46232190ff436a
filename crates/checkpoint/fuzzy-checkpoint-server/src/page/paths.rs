//! Lists of paths, of which the first are shown.

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::text::quoted;
use maud::{Markup, html};

/// The largest number of paths, or of messages, in a list.
pub(super) const SHOWN: usize = 200;

/// Renders the first paths.
pub(super) fn paths(all: &[RepoPath]) -> Markup {
    html! {
        ul.paths { @for path in all.iter().take(SHOWN) { li { code { bdi { (quoted(path)) } } } } }
        (rest(all.len(), SHOWN))
    }
}

/// Renders the number of items that are not shown.
pub(super) fn rest(all: usize, shown: usize) -> Markup {
    html! { @if all > shown { p.note { "and " (all - shown) " more" } } }
}

/// Renders a section about paths; nothing without paths.
pub(super) fn section(id: &str, heading: &str, says: &str, all: &[RepoPath]) -> Markup {
    html! {
        @if !all.is_empty() {
            section aria-labelledby=(id) { h2 id=(id) { (heading) } p.soft { (says) } (paths(all)) }
        }
    }
}

//! Reads texts without a Markdown fence around them.

use std::borrow::Cow;

use fuzzy_core::blank::{is_blank, is_blank_text};

use crate::mechanisms::FENCE;
use crate::variant::Variant;

/// Returns the variant without the fence around both texts, or its half that was copied.
pub(super) fn read<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let is_open = |text: &str| text.lines().filter(|line| fence_of(line).is_some()).count() % 2 == 1;
    // A whole block has its own fences, both or none of which are undone.
    let half = |text: &'t str| beside_fence(text).filter(|_| is_open(text));
    let Some(old) = inside_fence(needle).or_else(|| half(needle)) else { return Vec::new() };
    let new = inside_fence(replacement).or_else(|| half(replacement)).unwrap_or(replacement);
    vec![Variant::new(Cow::Borrowed(old), Some(Cow::Borrowed(new)), replacement, &FENCE)]
}

/// Returns the language after a fence; none if the line is no fence.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_matches(is_blank);
    let language = line.strip_prefix("```").or_else(|| line.strip_prefix("~~~"))?.trim_matches(is_blank);
    (!language.contains([' ', '`'])).then_some(language)
}

/// Returns a text inside a fence.
fn inside_fence(text: &str) -> Option<&str> {
    let body = text.trim_matches(is_blank);
    let fence = if body.starts_with("```") { "```" } else { "~~~" };
    let (first, rest) = body.split_once('\n')?;
    if !first.starts_with(fence) {
        return None;
    }
    fence_of(first)?;
    let inner = rest.strip_suffix(fence)?;
    if inner.is_empty() {
        return Some(inner);
    }
    let inner = inner.strip_suffix('\n')?;
    Some(inner.strip_suffix('\r').unwrap_or(inner))
}

/// Returns the lines before a closing fence at the end of a text, or after an opening one at its start.
fn beside_fence(text: &str) -> Option<&str> {
    let body = text.trim_end_matches(is_blank);
    let before = body.rsplit_once('\n').filter(|(_, last)| fence_of(last) == Some("")).map(|(before, _)| before);
    let after = || text.split_once('\n').filter(|(first, _)| fence_of(first).is_some()).map(|(_, after)| after);
    before.or_else(after).filter(|inner| !is_blank_text(inner))
}

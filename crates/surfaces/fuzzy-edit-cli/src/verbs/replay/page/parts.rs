//! Bars, columns and numbers of the page. A chart repeats numbers of a table, so screen readers skip it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::verbs::replay::tally::Group;
use crate::verbs::replay::times::shown;

/// A part of a bar: its class and its number.
pub(super) type Segment = (&'static str, u64);

/// Returns a bar whose whole length is `all`.
pub(super) fn bar(segments: &[Segment], all: u64) -> Markup {
    html! {
        div.bar aria-hidden="true" {
            @for (class, count) in segments.iter().filter(|(_, count)| *count > 0) {
                i.(class) style={ "width:" (share(*count, all)) "%" } {}
            }
        }
    }
}

/// Returns a column for each doubling of the time in which there is a decision, and the times at both ends.
pub(super) fn columns(doublings: &[u64]) -> Markup {
    let is_used = |count: &u64| *count > 0;
    let (Some(first), Some(last)) = (doublings.iter().position(is_used), doublings.iter().rposition(is_used)) else {
        return html! {};
    };
    let used = &doublings[first..=last];
    let most = used.iter().copied().max().unwrap_or(0);
    let us = |doubling: usize| 2.0_f64.powi(i32::try_from(doubling).unwrap_or(0)) / 1_000.0;
    html! {
        div.columns aria-hidden="true" {
            @for count in used { i style={ "height:" (share(*count, most)) "%" } {} }
        }
        p.ends { span { (shown(us(first))) } span { (shown(us(last + 1))) } }
    }
}

/// Returns the values of a column with the most edits, and the number of edits.
pub(super) fn most_frequent(values: &BTreeMap<String, Group>, count: usize) -> Vec<(&String, u64)> {
    let mut all: Vec<_> = values.iter().map(|(value, group)| (value, group.edits)).collect();
    all.sort_by_key(|(value, edits)| (Reverse(*edits), *value));
    all.truncate(count);
    all
}

/// Returns a part in percent with two decimals, for a style.
fn share(count: u64, all: u64) -> String {
    format!("{:.2}", count as f64 * 100.0 / all.max(1) as f64)
}

/// Returns a part in percent for people.
pub(super) fn percent(count: u64, all: u64) -> String {
    format!("{:.1} %", count as f64 * 100.0 / all.max(1) as f64)
}

/// Returns a number with separated thousands.
pub(super) fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

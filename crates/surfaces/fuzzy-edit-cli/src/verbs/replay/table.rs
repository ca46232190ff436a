//! Formats the report as tables for people.

use std::cmp::Reverse;
use std::fmt::Write;

use super::report::{Disagreement, Replayed};
use super::tally::{Group, Judged, OfLadder, Tier};
use super::times::shown;
use crate::verbs::hook;

/// The most disagreements to print.
const MAX_DISAGREEMENTS: usize = 20;

/// Renders the whole report.
pub(super) fn render(replayed: &Replayed) -> String {
    let mut text = format!("{} edits, {} of them labelled", replayed.edits, replayed.labelled);
    for (count, what) in [(replayed.without_texts, "without texts"), (replayed.unreadable.count, "unreadable")] {
        if count > 0 {
            let _ = write!(text, ", {count} more lines {what}");
        }
    }
    text.push('\n');
    for (why, count) in &replayed.left_out {
        let _ = writeln!(text, "{count} left out: {why}");
    }
    if !replayed.hosts.is_empty() {
        let _ = write!(text, "\n{}", hook::table(&replayed.hosts));
    }
    for ladder in &replayed.ladders {
        of_ladder(&mut text, ladder, replayed.labelled > 0);
    }
    drifts(&mut text, &replayed.ladders);
    groups(&mut text, &replayed.ladders, replayed.labelled > 0);
    if replayed.ladders.len() > 1 {
        let _ = writeln!(text, "\n{} disagreements", replayed.disagreements.count);
        for Disagreement { id, source, line, answers, only_whitespace } in
            replayed.disagreements.first.iter().take(MAX_DISAGREEMENTS)
        {
            let id = id.as_str().map_or_else(|| id.to_string(), |id| id.escape_debug().to_string());
            let answer = answers.iter().map(|answer| {
                let worth = answer.worth.map_or_else(String::new, |worth| format!(" ({})", worth.word()));
                format!("{} {}{worth}", answer.ladder, answer.answer)
            });
            let alike = if *only_whitespace { " (only whitespace differs)" } else { "" };
            let answers = answer.collect::<Vec<_>>().join("; ");
            let _ = writeln!(text, "  {id}, line {line} of `{source}`: {answers}{alike}");
        }
        let more = replayed.disagreements.count.saturating_sub(MAX_DISAGREEMENTS as u64);
        if more > 0 {
            let _ = writeln!(text, "  and {more} more; --json lists the first thousand");
        }
    }
    text
}

fn of_ladder(text: &mut String, ladder: &OfLadder, is_labelled: bool) {
    let us = &ladder.us;
    let _ = writeln!(
        text,
        "\n{}: p50 {}, p90 {}, p99 {}, max {}",
        ladder.ladder,
        shown(us.p50),
        shown(us.p90),
        shown(us.p99),
        shown(us.max)
    );
    let verdicts = if is_labelled {
        format!(" {:>7} {:>10} {:>7} {:>7}", "right", "whitespace", "WRONG", "missed")
    } else {
        String::new()
    };
    let _ = writeln!(text, "  {:<30} {:>9} {:>9}{verdicts}", "", "matched", "ambiguous");
    let ambiguous = ladder.codes.get("ambiguous").copied().unwrap_or(0);
    let all = Tier { matched: ladder.matched, ambiguous, instead: 0, judged: ladder.judged };
    for (name, tier) in ladder.tiers.iter().map(|(name, tier)| (*name, tier)).chain([("all", &all)]) {
        let Tier { matched, ambiguous, judged: Judged { right, whitespace, wrong, missed }, .. } = tier;
        let verdicts =
            if is_labelled { format!(" {right:>7} {whitespace:>10} {wrong:>7} {missed:>7}") } else { String::new() };
        let _ = writeln!(text, "  {name:<30} {matched:>9} {ambiguous:>9}{verdicts}");
    }
    for (what, counts) in [("", &ladder.codes), ("by rule: ", &ladder.rules)] {
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(**count));
        let counts: Vec<_> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        if !counts.is_empty() {
            let _ = writeln!(text, "  {what}{}", counts.join(", "));
        }
    }
}

/// Renders a table per column of `--group-by`, with a row per value.
fn groups(text: &mut String, ladders: &[OfLadder], is_labelled: bool) {
    let Some(first) = ladders.first() else { return };
    for (column, values) in &first.groups {
        let title = if is_labelled { "edits, right/whitespace/WRONG/missed" } else { "edits, matched/refused" };
        let _ = write!(text, "\n{:<40}", format!("{title} by {}", column.escape_debug()));
        for ladder in ladders {
            let _ = write!(text, " {:>20}", ladder.ladder);
        }
        text.push('\n');
        let mut values: Vec<_> = values.iter().collect();
        values.sort_by_key(|(_, group)| Reverse(group.edits));
        for (value, Group { edits, .. }) in values {
            let _ = write!(text, "  {:<29} {edits:>8}", value.escape_debug().to_string());
            for ladder in ladders {
                let group = ladder.groups.get(column).and_then(|values| values.get(value));
                let Group { matched, refused, judged, .. } = group.copied().unwrap_or_default();
                let counts = if is_labelled { judged.to_string() } else { format!("{matched}/{refused}") };
                let _ = write!(text, " {counts:>20}");
            }
            text.push('\n');
        }
    }
}

/// Renders a row per kind of drift, with the verdicts on each ladder.
fn drifts(text: &mut String, ladders: &[OfLadder]) {
    let kinds: std::collections::BTreeSet<_> = ladders.iter().flat_map(|ladder| ladder.drifts.keys()).collect();
    if kinds.is_empty() {
        return;
    }
    let _ = write!(text, "\n{:<32}", "right/whitespace/WRONG/missed");
    for ladder in ladders {
        let _ = write!(text, " {:>18}", ladder.ladder);
    }
    text.push('\n');
    for kind in kinds {
        let _ = write!(text, "  {:<30}", kind.escape_debug().to_string());
        for ladder in ladders {
            let judged = ladder.drifts.get(kind).copied().unwrap_or_default();
            let _ = write!(text, " {:>18}", judged.to_string());
        }
        text.push('\n');
    }
}

//! The report as one page of HTML, without scripts and without other files.

mod parts;

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::parts::{Segment, bar, columns, number, percent};
use super::report::Replayed;
use super::sides::Row;
use super::tally::{Group, Judged, OfLadder, Tier};
use super::times::shown;
use super::worst::{Badness, Shown};

const STYLE: &str = include_str!("style.css");

/// The page may use its own styles; it loads and sends nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The most bytes of all worst answers together, so that the page is smaller than 2 MB.
const WORST: usize = 1_600_000;

/// The most rows of a table.
const ROWS: usize = 50;

/// Renders the page.
pub(super) fn render(replayed: &Replayed, worst: &[Shown]) -> String {
    let ladders = &replayed.ladders;
    let is_labelled = replayed.labelled > 0;
    let title = format!("Replay of {} edits", number(replayed.edits));
    let sections = [
        ("outcomes", "Outcomes by ladder", outcomes(ladders, replayed)),
        ("rules", "Refusals by rule", refusals(ladders)),
        ("groups", "By kind, model and host", groups(ladders, is_labelled)),
        ("tiers", "What each tier would have landed", tiers(ladders, is_labelled)),
        ("times", "Time of a decision", times(ladders)),
        ("worst", "The worst answers", self::worst(worst)),
    ];
    let sections = sections.into_iter().filter(|(.., markup)| !markup.0.is_empty()).collect::<Vec<_>>();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p.soft { (summary(replayed)) }
                    @for (why, count) in &replayed.left_out { p.soft { (number(*count)) " left out: " (why) } }
                    nav aria-label="Sections" {
                        ul { @for (id, name, _) in &sections { li { a href={ "#" (id) } { (name) } } } }
                    }
                }
                main {
                    @for (id, name, markup) in &sections {
                        section id=(id) aria-labelledby={ (id) "-title" } {
                            h2 id={ (id) "-title" } { (name) }
                            (markup)
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

fn summary(replayed: &Replayed) -> String {
    let counts = [
        (replayed.labelled, "labelled"),
        (replayed.without_texts, "more lines without texts"),
        (replayed.unreadable.count, "more lines unreadable"),
        (if replayed.ladders.len() > 1 { replayed.disagreements.count } else { 0 }, "disagreements of ladders"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, what)| format!("{} {what}", number(count))).collect();
    if counts.is_empty() { "no edit is labelled".to_owned() } else { counts.join(", ") }
}

/// A bar for each ladder with its outcomes, and one with the verdicts.
fn outcomes(ladders: &[OfLadder], replayed: &Replayed) -> Markup {
    let is_labelled = replayed.labelled > 0;
    html! {
        div.wide tabindex="0" role="group" aria-label="Outcomes" {
            table {
                thead {
                    tr {
                        th scope="col" { "ladder" } th.text scope="col" { "outcomes" }
                        @for name in ["landed", "already applied", "ambiguous", "not found", "other refusals"] {
                            th scope="col" { (name) }
                        }
                    }
                }
                tbody {
                    @for ladder in ladders {
                        @let segments = of_codes(ladder);
                        tr {
                            th scope="row" { (ladder.ladder) }
                            td.chart { (bar(&segments, replayed.edits)) }
                            @for (_, count) in segments { td { (number(count)) } }
                        }
                    }
                }
            }
        }
        (key(&[("matched", "landed"), ("already", "already applied"), ("ambiguous", "ambiguous"), ("missing", "not found"), ("other", "other refusals")]))
        @if is_labelled {
            h3 { "Verdicts on the " (number(replayed.labelled)) " labelled edits" }
            div.wide tabindex="0" role="group" aria-label="Verdicts" {
                table {
                    thead {
                        tr {
                            th scope="col" { "ladder" } th.text scope="col" { "verdicts" }
                            @for name in ["right", "WRONG", "whitespace", "missed"] { th scope="col" { (name) } }
                        }
                    }
                    tbody {
                        @for ladder in ladders {
                            @let segments = of_verdicts(ladder.judged);
                            tr {
                                th scope="row" { (ladder.ladder) }
                                td.chart { (bar(&segments, replayed.labelled)) }
                                @for (_, count) in segments { td { (number(count)) } }
                            }
                        }
                    }
                }
            }
            (key(&[("right-one", "right"), ("wrong-one", "WRONG"), ("whitespace", "right but for whitespace"), ("missed", "missed")]))
        }
    }
}

/// Returns the outcomes of a ladder.
fn of_codes(ladder: &OfLadder) -> [Segment; 5] {
    let count = |code: &str| ladder.codes.get(code).copied().unwrap_or(0);
    let known = ["already_applied", "ambiguous", "not_found"].map(count);
    let all: u64 = ladder.codes.values().sum();
    let [already, ambiguous, missing] = known;
    [
        ("matched", ladder.matched),
        ("already", already),
        ("ambiguous", ambiguous),
        ("missing", missing),
        ("other", all - known.iter().sum::<u64>()),
    ]
}

fn of_verdicts(Judged { right, whitespace, wrong, missed }: Judged) -> [Segment; 4] {
    // A narrow window shows the first two numbers.
    [("right-one", right), ("wrong-one", wrong), ("whitespace", whitespace), ("missed", missed)]
}

/// The meaning of the colours.
fn key(entries: &[(&str, &str)]) -> Markup {
    html! { ul.key { @for (class, name) in entries { li { i.(class) {} (name) } } } }
}

/// The refusals of each ladder by rule, or by code if it has no rules.
fn refusals(ladders: &[OfLadder]) -> Markup {
    let counted = ladders.iter().map(|ladder| (ladder, counts_of_refusals(ladder)));
    let counted: Vec<_> = counted.filter(|(_, counts)| !counts.is_empty()).collect();
    html! {
        @for (ladder, counts) in counted {
            @let most = counts.first().map_or(0, |(_, count)| *count);
            h3 { (ladder.ladder) }
            div.wide tabindex="0" role="group" aria-label={ "Refusals of " (ladder.ladder) } {
                table {
                    thead { tr { th scope="col" { "rule or code" } th.text scope="col" { "refusals" } th scope="col" { "edits" } } }
                    tbody {
                        @for (name, count) in counts.iter().take(ROWS) {
                            tr {
                                th scope="row" { (name) }
                                td.chart { (bar(&[("missing", *count)], most)) }
                                td { (number(*count)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the refusals of a ladder by rule, and those without a rule by code, the most frequent first.
fn counts_of_refusals(ladder: &OfLadder) -> Vec<(&'static str, u64)> {
    let counts = if ladder.rules.is_empty() { &ladder.codes } else { &ladder.rules };
    let counts = counts.iter().map(|(name, count)| (*name, *count)).filter(|(name, _)| *name != "already_applied");
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    counts
}

/// A table for each column, with a row for each value and a bar for each ladder.
fn groups(ladders: &[OfLadder], is_labelled: bool) -> Markup {
    let Some(first) = ladders.first() else { return html! {} };
    html! {
        p.soft { "Below each bar: " @if is_labelled { "right / WRONG / right but for whitespace / missed." } @else { "the share that landed." } }
        @for (column, values) in &first.groups {
            h3 { "By " (column) }
            div.wide tabindex="0" role="group" aria-label={ "By " (column) } {
                table {
                    @if values.len() > ROWS { caption { "The " (ROWS) " most frequent of " (values.len()) " values" } }
                    thead {
                        tr {
                            th scope="col" { (column) } th scope="col" { "edits" }
                            @for ladder in ladders { th.text scope="col" { (ladder.ladder) } }
                        }
                    }
                    tbody {
                        @for (value, edits) in parts::most_frequent(values, ROWS) {
                            tr {
                                th scope="row" { (value) }
                                td { (number(edits)) }
                                @for ladder in ladders {
                                    @let group = ladder.groups.get(column).and_then(|values| values.get(value)).copied().unwrap_or_default();
                                    (of_group(group, is_labelled))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn of_group(group: Group, is_labelled: bool) -> Markup {
    let Group { edits, matched, refused, judged } = group;
    let Judged { right, whitespace, wrong, missed } = judged;
    html! {
        td.counted {
            @if is_labelled {
                (bar(&of_verdicts(judged), right + whitespace + wrong + missed))
                (number(right)) " / " span.bad[wrong > 0] { (number(wrong)) } " / " (number(whitespace)) " / " (number(missed))
            } @else {
                (bar(&[("matched", matched), ("already", edits - matched - refused), ("missing", refused)], edits))
                (percent(matched, edits))
            }
        }
    }
}

/// A row for each tier, with the edits that it lands in each ladder.
fn tiers(ladders: &[OfLadder], is_labelled: bool) -> Markup {
    let names: BTreeSet<&str> = ladders.iter().flat_map(|ladder| ladder.tiers.keys().copied()).collect();
    let sum =
        |name: &str| ladders.iter().filter_map(|ladder| ladder.tiers.get(name)).map(|tier| tier.matched).sum::<u64>();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_key(|name| (std::cmp::Reverse(sum(name)), *name));
    if names.is_empty() {
        return html! {};
    }
    html! {
        @if let [first, _, ..] = ladders {
            p.soft { "In brackets: edits among them that " (first.ladder) " refuses" @if is_labelled { ", and WRONG ones" } "." }
        }
        div.wide tabindex="0" role="group" aria-label="Tiers" {
            table {
                thead { tr { th scope="col" { "tier" } @for ladder in ladders { th scope="col" { (ladder.ladder) } } } }
                tbody {
                    @for name in names {
                        tr {
                            th scope="row" { (name) }
                            @for (index, ladder) in ladders.iter().enumerate() {
                                td { (of_tier(ladder.tiers.get(name), index > 0)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn of_tier(tier: Option<&Tier>, is_compared: bool) -> Markup {
    let Some(Tier { matched, instead, judged, .. }) = tier else { return html! { "–" } };
    let mut notes = Vec::new();
    if is_compared && *instead > 0 {
        notes.push(format!("{} instead", number(*instead)));
    }
    if judged.wrong > 0 {
        notes.push(format!("{} WRONG", number(judged.wrong)));
    }
    html! { (number(*matched)) @if !notes.is_empty() { " (" (notes.join(", ")) ")" } }
}

/// The percentiles of the times, and their distribution.
fn times(ladders: &[OfLadder]) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Times" {
            table {
                thead { tr { th scope="col" { "ladder" } @for name in ["half", "9 of 10", "99 of 100", "longest"] { th scope="col" { (name) } } } }
                tbody {
                    @for OfLadder { ladder, us, .. } in ladders {
                        tr {
                            th scope="row" { (ladder) }
                            @for time in [us.p50, us.p90, us.p99, us.max] { td { (shown(time)) } }
                        }
                    }
                }
            }
        }
        @for ladder in ladders { h3 { (ladder.ladder) } (columns(&ladder.doublings)) }
    }
}

/// The worst answers, folded.
fn worst(worst: &[Shown]) -> Markup {
    if worst.is_empty() {
        return html! {};
    }
    let mut bytes = 0;
    let fits = |shown: &Markup| {
        bytes += shown.0.len();
        bytes <= WORST
    };
    let fitting: Vec<Markup> = worst.iter().map(one).take_while(fits).collect();
    html! {
        @for shown in &fitting { (shown) }
        @if fitting.len() < worst.len() {
            p.soft { (worst.len() - fitting.len()) " more are left out, because the page would be too large." }
        }
    }
}

fn one(shown: &Shown) -> Markup {
    let what = match shown.badness {
        Badness::Wrong => "WRONG",
        Badness::Missed => "missed",
        Badness::Refused => "refused",
        Badness::RefusedByAll => "refused by all",
        Badness::WrongElsewhere => "WRONG in another ladder",
    };
    html! {
        details {
            summary {
                b { (what) } " " (shown.name) " "
                @if let Some(rule) = shown.rule { span.tag { (rule) } }
            }
            p.soft { "line " (shown.line) " of " (shown.source) }
            p {
                @for (index, (ladder, answer, worth)) in shown.answers.iter().enumerate() {
                    @if index > 0 { "; " }
                    (ladder) ": " (answer)
                    @if let Some(worth) = worth { " (" (worth.word()) ")" }
                }
            }
            @if let Some(message) = &shown.message { p { (message) } }
            @if !shown.rows.is_empty() { (sides(shown)) }
        }
    }
}

fn sides(shown: &Shown) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label={ "Texts of " (shown.name) } {
            table.sides {
                thead { tr { th scope="col" { (shown.titles.0) } th scope="col" { (shown.titles.1) } } }
                tbody {
                    @for row in &shown.rows {
                        @match row {
                            Some(Row { left, right, differs }) => tr.d[*differs] {
                                td { (left.as_deref().unwrap_or_default()) } td { (right.as_deref().unwrap_or_default()) }
                            },
                            None => tr { td { "…" } td { "…" } },
                        }
                    }
                }
            }
        }
    }
}

//! Renders a table per question.

use std::fmt::Write as _;

use fuzzy_tools::table::{Table, bytes, number, or_dash, time};

use super::figures::{Figure, Figures, exponent};

/// The heading of each question's table, in the order of the tables.
const QUESTIONS: &[(&str, &str)] = &[
    ("ladders", "Ladders: a needle of 10 lines"),
    ("growth", "Growth with the haystack: a needle of 10 lines, in multiples of M"),
    ("needle", "Growth with the needle: 50,000 lines, in multiples of M"),
    ("adversarial", "Texts made to be slow"),
    ("unicode", "Text outside ASCII"),
    ("edits", "Many edits on one document of 10,000 lines"),
    ("refusals", "Refused edits: the decision with every report, and alone"),
    ("document", "Documents"),
    ("strategies", "Rungs alone, all candidates: 10,000 lines, a needle of 10"),
    ("distance", "Distances of two texts, and of all windows of a file"),
];

/// Renders the tables of all measured questions, each under a heading.
pub(crate) fn all(figures: &Figures) -> String {
    let mut text = String::new();
    for (question, title) in QUESTIONS {
        if figures.of(question).next().is_none() {
            continue;
        }
        let table = match *question {
            "growth" => growth(figures),
            "needle" => needle(figures),
            "edits" => edits(figures),
            "refusals" => refusals(figures),
            "distance" => distance(figures),
            _ => details(figures, question),
        };
        let _ = writeln!(text, "\n## {title}\n\n{}", table.render());
    }
    text
}

/// Renders one row per scenario.
fn details(figures: &Figures, question: &str) -> Table {
    let header =
        ["who", "case", "class", "answer", "lines", "time", "bytes/s", "M", "naive", "allocations", "peak", "exponent"];
    let mut table = Table::new(4, &header);
    for group in figures.by_size(question) {
        for figure in &group {
            let is_last = figure.lines == group[group.len() - 1].lines;
            table.row(vec![
                figure.subject.clone(),
                figure.case.clone(),
                figure.class.clone(),
                figure.answer.split(' ').next().unwrap_or_default().to_owned(),
                figure.lines.to_string(),
                time(figure.ns),
                format!("{}/s", bytes(figure.bytes as f64 / figure.ns * 1e9)),
                number(figure.passes()),
                naive(figure),
                figure.allocations.to_string(),
                bytes(figure.peak_bytes as f64),
                if is_last { or_dash(exponent(&group, |figure| figure.ns), number) } else { String::new() },
            ]);
        }
    }
    table
}

/// Renders the ratio of the naive implementation's time to the scenario's.
fn naive(figure: &Figure) -> String {
    or_dash(figure.naive_ns, |ns| format!("{} ×", number(ns / figure.ns)))
}

fn growth(figures: &Figures) -> Table {
    let sizes = [1_000, 10_000, 50_000, 200_000];
    let header = [
        "ladder",
        "case",
        "class",
        "1k",
        "10k",
        "50k",
        "200k",
        "time 50k",
        "bytes/s 50k",
        "exponent",
        "M's exponent",
        "naive",
        "allocations",
        "peak 200k",
    ];
    let mut table = Table::new(3, &header);
    for group in figures.by_size("growth") {
        let measured = sizes.map(|lines| group.iter().find(|figure| figure.lines == lines));
        let [_, _, of_50k, of_200k] = measured;
        let mut row = vec![group[0].subject.clone(), group[0].case.clone(), group[0].class.clone()];
        row.extend(measured.map(|figure| or_dash(figure, |figure| number(figure.passes()))));
        row.push(or_dash(of_50k, |figure| time(figure.ns)));
        row.push(or_dash(of_50k, |figure| format!("{}/s", bytes(figure.bytes as f64 / figure.ns * 1e9))));
        row.push(or_dash(exponent(&group, |figure| figure.ns), number));
        row.push(or_dash(exponent(&group, |figure| figure.pass_ns), number));
        row.push(or_dash(group.iter().rev().find(|figure| figure.naive_ns.is_some()), |figure| naive(figure)));
        let counts = group.iter().map(|figure| figure.allocations);
        row.push(match (counts.clone().min(), counts.max()) {
            (Some(least), Some(most)) if least < most => format!("{least}–{most}"),
            (least, _) => or_dash(least, |count| count.to_string()),
        });
        row.push(or_dash(of_200k, |figure| bytes(figure.peak_bytes as f64)));
        table.row(row);
    }
    table
}

fn needle(figures: &Figures) -> Table {
    let sizes = [1_usize, 10, 100, 1_000];
    let header = ["ladder", "case", "class", "1", "10", "100", "1000", "time 100", "allocations 100", "peak 1000"];
    let mut table = Table::new(3, &header);
    let mut cases: Vec<(&str, &str)> = Vec::new();
    for figure in figures.of("needle") {
        let plain = figure.case.split_once(' ').map_or(figure.case.as_str(), |(_, plain)| plain);
        let case = (figure.subject.as_str(), plain);
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    cases.sort_by_key(|(subject, _)| figures.of("needle").position(|figure| figure.subject == *subject));
    for (subject, case) in cases {
        let measured = sizes.map(|lines| {
            let name = format!("{lines} {case}");
            figures.of("needle").find(|figure| figure.subject == subject && figure.case == name)
        });
        let [_, _, of_100, of_1000] = measured;
        let class = measured.iter().flatten().next().map_or("", |figure| &figure.class);
        let mut row = vec![subject.to_owned(), case.to_owned(), class.to_owned()];
        row.extend(measured.map(|figure| {
            or_dash(figure, |figure| match figure.answer.as_str() {
                "refused" => format!("refused at {}", number(figure.passes())),
                _ => number(figure.passes()),
            })
        }));
        row.push(or_dash(of_100, |figure| time(figure.ns)));
        row.push(or_dash(of_100, |figure| figure.allocations.to_string()));
        row.push(or_dash(of_1000, |figure| bytes(figure.peak_bytes as f64)));
        table.row(row);
    }
    table
}

fn edits(figures: &Figures) -> Table {
    let header = ["ladder", "edits", "time", "copy and splices alone", "searching, M an edit", "allocations", "peak"];
    let mut table = Table::new(2, &header);
    for figure in figures.of("edits") {
        let count: f64 = figure.case.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(1.0);
        let search = figure.yardstick_ns.map(|splices| (figure.ns - splices) / count / figure.pass_ns);
        table.row(vec![
            figure.subject.clone(),
            figure.case.clone(),
            time(figure.ns),
            or_dash(figure.yardstick_ns, time),
            or_dash(search, number),
            figure.allocations.to_string(),
            bytes(figure.peak_bytes as f64),
        ]);
    }
    table
}

fn refusals(figures: &Figures) -> Table {
    let mut table = Table::new(2, &["case", "lines", "answer", "with reports", "decision alone", "times", "peak"]);
    for figure in figures.of("refusals") {
        table.row(vec![
            figure.case.clone(),
            figure.lines.to_string(),
            figure.answer.clone(),
            time(figure.ns),
            or_dash(figure.yardstick_ns, time),
            or_dash(figure.yardstick_ns, |alone| number(figure.ns / alone)),
            bytes(figure.peak_bytes as f64),
        ]);
    }
    table
}

fn distance(figures: &Figures) -> Table {
    let mut table = Table::new(2, &["texts", "function", "time", "levenshtein takes", "allocations", "peak"]);
    let mut rows: Vec<&Figure> = figures.of("distance").collect();
    rows.sort_by_key(|figure| rows_before(figures, figure));
    for figure in rows {
        table.row(vec![
            figure.case.clone(),
            figure.subject.clone(),
            time(figure.ns),
            naive(figure),
            figure.allocations.to_string(),
            bytes(figure.peak_bytes as f64),
        ]);
    }
    table
}

fn rows_before(figures: &Figures, figure: &Figure) -> Option<usize> {
    figures.of("distance").position(|other| other.case == figure.case)
}

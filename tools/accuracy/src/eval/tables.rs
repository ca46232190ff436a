//! The figures as tables.

use fuzzy_report::Verdict;
use fuzzy_tools::table::Table;

use crate::eval::report::{EDGES, Part, Report};

/// Formats a row per group, and on request per kind.
pub(crate) fn kinds(report: &Report, by_drift: bool) -> String {
    let header: Vec<&str> = ["kind", "number", "right, %"].into_iter().chain(Verdict::ALL.map(Verdict::name)).collect();
    let mut table = Table::new(1, &header);
    for (kind, counts) in report.kinds.iter().filter(|(kind, _)| by_drift || kind.starts_with('~')) {
        let mut row = vec![kind.clone(), counts.all().to_string(), format!("{:.2}", counts.share(Verdict::Right))];
        row.extend(Verdict::ALL.map(|verdict| counts.of(verdict).to_string()));
        table.row(row);
    }
    table.render()
}

/// Names the rated cases, never their content.
pub(crate) fn provenance<'r>(reports: impl Iterator<Item = &'r Report>) -> String {
    let mut table = Table::new(2, &["cases", "SHA-256 of the file", "number"]);
    let mut names = Vec::new();
    for Report { set, sha256, cases, is_of_patches, .. } in reports {
        let of = if *is_of_patches { " patches" } else { "" };
        table.row(vec![set.clone(), sha256.clone(), format!("{cases}{of}")]);
        names.push(set.as_str());
    }
    format!("`cargo xtask eval {} --write`\n\n{}", names.join(" "), table.render())
}

/// Formats a row per report, with the groups as columns.
pub(crate) fn adaptive(reports: &[&Report]) -> String {
    let header = ["cases", "drifted"].into_iter().chain(Verdict::ALL.map(Verdict::name));
    let groups = [
        ("negatives changed", "~negatives", Verdict::Wrong),
        ("exact right", "~control_exact", Verdict::Right),
        ("substring right", "~control_substring", Verdict::Right),
        ("policy right", "~policy", Verdict::Right),
    ];
    let again = ["insertions changed again", "others changed again"];
    let header: Vec<&str> = header.chain(groups.map(|(name, ..)| name)).chain(again).collect();
    let mut table = Table::new(1, &header);
    for report in reports {
        let drifted = report.of("~drifted");
        let mut row = vec![name(report), drifted.all().to_string()];
        row.extend(Verdict::ALL.map(|verdict| drifted.of(verdict).to_string()));
        for (_, group, verdict) in groups {
            let counts = report.of(group);
            row.push(of_all(Part { all: counts.all(), part: counts.of(verdict) }));
        }
        row.extend(report.again.map(of_all));
        table.row(row);
    }
    table.render()
}

/// Returns the names of the ladders, each once.
pub(crate) fn names<'r>(reports: &[&'r Report]) -> Vec<&'r str> {
    let mut names: Vec<&str> = Vec::new();
    for report in reports {
        if !names.contains(&report.ladder.as_str()) {
            names.push(&report.ladder);
        }
    }
    names
}

/// Returns the name of the set without the ending of its file.
fn name(report: &Report) -> String {
    report.set.split('.').next().unwrap_or_default().to_owned()
}

/// Formats a part and its total, if there is any.
fn of_all(Part { all, part }: Part) -> String {
    if all > 0 { format!("{part} of {all}") } else { "–".to_owned() }
}

/// Formats the share of right edits per bin of confidence, and the sets in which it is too small; a bin without edits has
/// no row.
pub(crate) fn reliability(reports: &[&Report]) -> String {
    let share = |Part { all, part }: Part| part as f64 / all as f64;
    let mut table = Table::new(1, &["confidence", "edits", "right", "share", "at least", "not in"]);
    for (bin, least) in EDGES.into_iter().enumerate() {
        let of_bin = reports.iter().map(|report| (report, report.confidence[bin])).filter(|(_, part)| part.all > 0);
        let parts: Vec<(String, Part)> = of_bin.map(|(report, part)| (name(report), part)).collect();
        let sum = parts
            .iter()
            .fold(Part::default(), |sum, (_, part)| Part { all: sum.all + part.all, part: sum.part + part.part });
        if sum.all == 0 {
            continue;
        }
        let low = parts.iter().filter(|(_, part)| share(*part) < least);
        let low: Vec<String> = low.map(|(set, part)| format!("{set} ({:.3})", share(*part))).collect();
        let mut row = vec![format!("{least} to {}", EDGES.get(bin + 1).unwrap_or(&1.0))];
        row.extend([sum.all.to_string(), sum.part.to_string(), format!("{:.3}", share(sum)), least.to_string()]);
        row.push(if low.is_empty() { "–".to_owned() } else { low.join(", ") });
        table.row(row);
    }
    table.render()
}

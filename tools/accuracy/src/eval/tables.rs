//! The figures as tables.

use fuzzy_report::Verdict;
use fuzzy_tools::table::{Table, yes_or_no};

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
pub(crate) fn ladders(reports: &[&Report]) -> String {
    let header = ["cases", "ladder", "drifted"].into_iter().chain(Verdict::ALL.map(Verdict::name));
    let groups = [
        ("negatives changed", "~negatives", Verdict::Wrong),
        ("exact right", "~control_exact", Verdict::Right),
        ("substring right", "~control_substring", Verdict::Right),
        ("policy right", "~policy", Verdict::Right),
    ];
    let again = ["insertions changed again", "others changed again"];
    let header: Vec<&str> = header.chain(groups.map(|(name, ..)| name)).chain(again).collect();
    let mut table = Table::new(2, &header);
    for report in reports {
        let drifted = report.of("~drifted");
        let mut row = vec![report.set.clone(), report.ladder.clone(), drifted.all().to_string()];
        row.extend(Verdict::ALL.map(|verdict| format!("{:.2} %", drifted.share(verdict))));
        for (_, group, verdict) in groups {
            let counts = report.of(group);
            row.push(of_all(Part { all: counts.all(), part: counts.of(verdict) }));
        }
        row.extend(report.again.map(of_all));
        table.row(row);
    }
    table.render()
}

/// Formats a part and its total, if there is any.
fn of_all(Part { all, part }: Part) -> String {
    if all > 0 { format!("{part} of {all}") } else { "–".to_owned() }
}

/// Formats the share of right edits per bin of confidence; a bin without edits has no row.
pub(crate) fn reliability(reports: &[&Report]) -> String {
    let mut table = Table::new(3, &["cases", "ladder", "confidence", "edits", "right", "share", "at least", "holds"]);
    for report in reports {
        for (bin, Part { all, part }) in report.confidence.iter().enumerate().filter(|(_, part)| part.all > 0) {
            let (least, end) = (EDGES[bin], EDGES.get(bin + 1).unwrap_or(&1.0));
            let share = *part as f64 / *all as f64;
            let mut row = vec![report.set.clone(), report.ladder.clone(), format!("{least} to {end}")];
            row.extend([all.to_string(), part.to_string(), format!("{share:.3}"), least.to_string()]);
            row.push(yes_or_no(share >= least));
            table.row(row);
        }
    }
    table.render()
}

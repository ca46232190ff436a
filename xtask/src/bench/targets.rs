//! The performance targets of the engine, and whether it reaches them.

use fuzzy_tools::table::{Table, number, yes_or_no};

use super::figures::{Figure, Figures, exponent};

/// The deadline of a search in the adversarial scenarios, in nanoseconds.
const DEADLINE: f64 = 2e6;

/// A limit for a figure, and the scenarios that it applies to.
struct Target {
    what: &'static str,
    unit: &'static str,
    at_most: f64,
    /// The value to compare with the limit; `None` if the target does not apply to the figure.
    value: fn(&Figures, &Figure) -> Option<f64>,
}

const TARGETS: &[Target] = &[
    Target {
        what: "exact search in 1 MB and more, relative to a count of all occurrences with memmem",
        unit: "×",
        at_most: 1.15,
        value: |_, figure| (is_full(figure) && figure.bytes >= 1_000_000).then_some(figure.ns / figure.yardstick_ns?),
    },
    Target {
        what: "a word of the first or last line is absent, 1 to 100 lines",
        unit: "M",
        at_most: 10.0,
        value: |_, figure| {
            (is_full(figure) && figure.class == "absent" && figure.needle_lines <= 100).then(|| figure.passes())
        },
    },
    Target {
        what: "near miss: all words and lines occur, or only a middle line does not",
        unit: "M",
        at_most: 60.0,
        value: |_, figure| (is_full(figure) && figure.class == "near miss").then(|| figure.passes()),
    },
    Target {
        what: "only the indentation differs, 10 lines",
        unit: "M",
        at_most: 6.0,
        value: |_, figure| {
            (is_full(figure) && figure.case.ends_with("indent") && figure.needle_lines == 10).then(|| figure.passes())
        },
    },
    Target {
        what: "50,000 equal lines, last needle line absent",
        unit: "M",
        at_most: 400.0,
        value: |_, figure| (is_adversarial(figure) && figure.case == "equal lines").then(|| figure.passes()),
    },
    Target {
        what: "other adversarial texts",
        unit: "M",
        at_most: 400.0,
        value: |_, figure| (is_adversarial(figure) && figure.case != "equal lines").then(|| figure.passes()),
    },
    Target {
        what: "boocode and reference, 50,000 lines, absent",
        unit: "M",
        at_most: 2_000.0,
        value: |_, figure| {
            let measured = ["boocode", "reference"].contains(&figure.subject.as_str()) && figure.class == "absent";
            (measured && figure.question == "growth" && figure.lines == 50_000).then(|| figure.passes())
        },
    },
    Target {
        what: "growth from 10,000 to 200,000 lines, relative to M",
        unit: "exponent",
        at_most: 1.05,
        value: |figures, figure| {
            let group: Vec<&Figure> = figures
                .of(&figure.question)
                .filter(|other| (&other.subject, &other.case) == (&figure.subject, &figure.case))
                .collect();
            let searches = figure.question == "growth" || figure.question == "adversarial";
            // A longer text lies in a slower cache, which slows a single pass and a search equally.
            if searches { exponent(&group, Figure::passes).map(|beyond| 1.0 + beyond) } else { None }
        },
    },
    Target {
        what: "100 edits of one document, minus one edit and the splices",
        unit: "M an edit",
        at_most: 2.0,
        value: |figures, figure| {
            if figure.question != "edits" || figure.subject != "full" || figure.case != "100 exact" {
                return None;
            }
            let one = figures.of("edits").find(|one| one.subject == "full" && one.case == "1 exact")?;
            Some((figure.ns - one.ns - figure.yardstick_ns?) / 100.0 / figure.pass_ns)
        },
    },
    Target {
        what: "a refused edit with every report, relative to the decision alone",
        unit: "×",
        at_most: 1.3,
        value: |_, figure| (figure.question == "refusals").then_some(figure.ns / figure.yardstick_ns?),
    },
    Target {
        what: "heap of a search in 200,000 lines",
        unit: "bytes a line",
        at_most: 64.0,
        value: |_, figure| {
            (figure.question == "growth" && figure.lines == 200_000)
                .then_some(figure.peak_bytes as f64 / figure.lines as f64)
        },
    },
    Target {
        what: "allocations of a search in 200,000 lines, minus those in 10,000",
        unit: "",
        at_most: 0.0,
        value: |figures, figure| {
            let small = figures
                .of("growth")
                .find(|small| (&small.subject, &small.case, small.lines) == (&figure.subject, &figure.case, 10_000))?;
            (figure.question == "growth" && figure.lines == 200_000)
                .then_some(figure.allocations as f64 - small.allocations as f64)
        },
    },
    Target {
        what: "an edit and its reports in 200,000 lines of few kinds, relative to the time limit",
        unit: "×",
        at_most: 1.2,
        value: |_, figure| figure.case.starts_with("within 50 ms").then_some(figure.ns / 50e6),
    },
    Target {
        what: "overrun of a deadline",
        unit: "ms",
        at_most: 5.0,
        value: |_, figure| figure.case.starts_with("deadline").then_some((figure.ns - DEADLINE).max(0.0) / 1e6),
    },
];

fn is_full(figure: &Figure) -> bool {
    figure.subject == "full" && ["ladders", "growth", "needle", "unicode"].contains(&figure.question.as_str())
}

fn is_adversarial(figure: &Figure) -> bool {
    figure.question == "adversarial"
        && figure.subject == "full"
        && !figure.case.starts_with("deadline")
        && !figure.case.starts_with("within")
        && figure.lines != 10_000
}

/// Renders each target with its worst scenario.
pub(crate) fn table(figures: &Figures) -> String {
    let mut table = Table::new(3, &["target", "worst", "holds", "at most", "measured"]);
    for target in TARGETS {
        let values = figures.all.iter().filter_map(|figure| Some((figure, (target.value)(figures, figure)?)));
        let worst = values.max_by(|a, b| a.1.total_cmp(&b.1));
        let (worst, holds, value) = match worst {
            None => (String::new(), "not measured".to_owned(), "–".to_owned()),
            Some((figure, value)) => {
                (figure.id(), yes_or_no(value <= target.at_most), format!("{} {}", number(value), target.unit))
            }
        };
        let at_most = format!("{} {}", number(target.at_most), target.unit);
        table.row(vec![target.what.to_owned(), worst, holds, at_most, value]);
    }
    table.render()
}

//! Reliability, drawn.

use std::fmt::Write as _;

use fuzzy_tools::plot::Axis;

use crate::eval::reliability::{BINS, bins, edge};
use crate::eval::run::Run;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 352.0;
/// Room on the left, above, on the right and below: for the axis labels, the title and the legend.
const MARGIN: (f64, f64, f64, f64) = (56.0, 40.0, 16.0, 88.0);
const COLOURS: &[&str] = &["#1b6ca8", "#c8553d", "#588157", "#7b2d8b", "#d4a017", "#5f6b7a"];

/// Draws the share of each bin that is right as a bar, and the share that has to be as a dashed line.
pub(crate) fn draw(runs: &[Run<'_>]) -> String {
    let (left, top, right, bottom) = MARGIN;
    let x = Axis { values: (0.0, 1.0), places: (left, WIDTH - right) };
    let y = Axis { values: (0.0, 1.0), places: (HEIGHT - bottom, top) };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"22\" font-size=\"15\">Edits that are right, by confidence</text>\n"
    );
    for tick in 0..=BINS {
        let (at, from, to) = (y.at(edge(tick)), x.at(0.0), x.at(1.0));
        let _ = writeln!(
            svg,
            "<line x1=\"{from:.1}\" y1=\"{at:.1}\" x2=\"{to:.1}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0} %</text>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.1}</text>",
            from - 8.0,
            at + 4.0,
            edge(tick) * 100.0,
            x.at(edge(tick)),
            y.at(0.0) + 18.0,
            edge(tick),
        );
    }
    // Bars stand side by side in the middle eight tenths of their bin.
    let width = 0.8 * (x.at(edge(1)) - x.at(0.0)) / runs.len().max(1) as f64;
    for (series, (run, colour)) in runs.iter().zip(COLOURS.iter().cycle()).enumerate() {
        for (index, bin) in bins(&run.outcomes).into_iter().enumerate() {
            let start = x.at(edge(index)) + 0.1 * (x.at(edge(1)) - x.at(0.0)) + width * series as f64;
            let share = bin.share().unwrap_or(0.0);
            let middle = start + width / 2.0;
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>\n\
                 <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"8\">{}</text>",
                start + 1.0,
                y.at(share),
                width - 2.0,
                y.at(0.0) - y.at(share),
                y.at(share) - 4.0,
                bin.edits,
            );
        }
        // Two rows of names.
        let (at, from) = (HEIGHT - 30.0 + 16.0 * (series / 4) as f64, left + 124.0 * (series % 4) as f64);
        let _ = writeln!(
            svg,
            "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\n\
             <text x=\"{:.1}\" y=\"{at:.1}\">{}</text>",
            at - 10.0,
            from + 18.0,
            run.file.name.trim_end_matches(".gz").trim_end_matches(".jsonl"),
        );
    }
    let steps: Vec<String> = (0..BINS)
        .flat_map(|bin| [edge(bin), edge(bin + 1)].map(|end| format!("{:.1},{:.1}", x.at(end), y.at(edge(bin)))))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#222222\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>\n\
         <text x=\"{left}\" y=\"{:.1}\">bars: share that is right, with the number of edits; dashed: at least</text>",
        steps.join(" "),
        HEIGHT - 46.0,
    );
    svg.push_str("</svg>\n");
    svg
}

//! Plots time against size.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use fuzzy_tools::plot::Axis;
use fuzzy_tools::table::{bytes, time};

use super::figures::{Figure, Figures};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
/// Space for the axis labels on the left, above, on the right (the legend) and below.
const MARGIN: (f64, f64, f64, f64) = (80.0, 40.0, 170.0, 50.0);
const COLOURS: &[&str] = &["#1b6ca8", "#c8553d", "#588157", "#7b2d8b", "#b8860b", "#2a9d8f", "#6c584c"];

/// A named line through points of size and time, both as powers of ten.
type Series<'f> = (String, Vec<(f64, f64)>, &'f str);

/// Plots one SVG per ladder: both axes are logarithmic, M is a dashed line.
pub(crate) fn write(figures: &Figures, folder: &Path) -> Result<()> {
    let groups = figures.by_size("growth");
    let mut ladders: Vec<&str> = groups.iter().map(|group| group[0].subject.as_str()).collect();
    ladders.dedup();
    for ladder in ladders {
        let groups: Vec<&Vec<&Figure>> = groups.iter().filter(|group| group[0].subject == ladder).collect();
        let mut series: Vec<Series<'_>> = groups
            .iter()
            .zip(COLOURS.iter().cycle())
            .map(|(group, colour)| (group[0].case.clone(), points(group, |figure| figure.ns), *colour))
            .collect();
        series.push(("M".to_owned(), points(groups[0], |figure| figure.pass_ns), "#888888"));
        let path = folder.join(format!("{ladder}.svg"));
        fs::write(&path, draw(ladder, &series)).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

fn points(group: &[&Figure], value: impl Fn(&Figure) -> f64) -> Vec<(f64, f64)> {
    group.iter().map(|figure| ((figure.bytes as f64).log10(), value(figure).log10())).collect()
}

/// Returns the whole powers of ten that enclose the values of an axis.
fn decades(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = values.clone().fold(f64::INFINITY, f64::min).floor();
    (least, values.fold(0.0, f64::max).ceil().max(least + 1.0))
}

/// Returns the exponents of the powers of ten on an axis.
fn powers(axis: &Axis) -> impl Iterator<Item = f64> {
    let (from, to) = axis.values;
    std::iter::successors(Some(from), move |power| (power + 1.0 <= to).then_some(power + 1.0))
}

/// Returns the time at the last point of a line.
fn end(series: &Series<'_>) -> f64 {
    series.1.last().map_or(0.0, |point| point.1)
}

fn draw(title: &str, series: &[Series<'_>]) -> String {
    let all = series.iter().flat_map(|(_, points, _)| points);
    let (left, top, right, bottom) = MARGIN;
    let x = Axis { values: decades(all.clone().map(|point| point.0)), places: (left, WIDTH - right) };
    let y = Axis { values: decades(all.map(|point| point.1)), places: (HEIGHT - bottom, top) };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"24\" font-size=\"16\">{title}: time against size, needle of 10 lines</text>\n"
    );
    let upright = powers(&x).map(|power| (x.at(power), top, x.at(power), HEIGHT - bottom));
    let level = powers(&y).map(|power| (left, y.at(power), WIDTH - right, y.at(power)));
    for (x1, y1, x2, y2) in upright.chain(level) {
        let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#dddddd\"/>");
    }
    for power in powers(&x) {
        let (at, below, size) = (x.at(power), HEIGHT - bottom + 18.0, bytes(10_f64.powf(power)));
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{size}</text>");
    }
    for power in powers(&y) {
        let (before, at, time) = (left - 8.0, y.at(power) + 4.0, time(10_f64.powf(power)));
        let _ = writeln!(svg, "<text x=\"{before:.1}\" y=\"{at:.1}\" text-anchor=\"end\">{time}</text>");
    }
    // The legend has the order of the lines at the right edge.
    let mut order: Vec<&Series<'_>> = series.iter().collect();
    order.sort_by(|a, b| end(b).total_cmp(&end(a)));
    for (row, (name, points, colour)) in order.into_iter().enumerate() {
        let places: Vec<_> = points.iter().map(|point| (x.at(point.0), y.at(point.1))).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dash = if name == "M" { " stroke-dasharray=\"5 4\"" } else { "" };
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
            path.join(" ")
        );
        for (x, y) in places {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let at = top + 20.0 * row as f64 + 10.0;
        let from = WIDTH - right + 15.0;
        let (to, text, base) = (from + 24.0, from + 32.0, at + 4.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{from}\" y1=\"{at}\" x2=\"{to}\" y2=\"{at}\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>\n\
             <text x=\"{text}\" y=\"{base}\">{name}</text>"
        );
    }
    svg.push_str("</svg>\n");
    svg
}

//! Time against size, drawn.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use fuzzy_tools::table::{bytes, time};

use super::figures::{Figure, Figures};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
/// Room for the axis labels on the left, above, on the right (the legend) and below.
const MARGIN: (f64, f64, f64, f64) = (80.0, 40.0, 170.0, 50.0);
const COLOURS: &[&str] = &["#1b6ca8", "#c8553d", "#588157", "#7b2d8b", "#b8860b", "#2a9d8f", "#6c584c"];

/// A named line through points of size and time.
type Series<'f> = (String, Vec<(f64, f64)>, &'f str);

/// Draws one SVG per ladder, both axes logarithmic, M as a dashed line.
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
    group.iter().map(|figure| (figure.bytes as f64, value(figure))).collect()
}

/// The powers of ten around all values of one axis.
fn decades(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
    (least, values.fold(1.0, f64::max).log10().ceil().max(least + 1.0))
}

/// Returns the time at the last point of a line.
fn end(series: &Series<'_>) -> f64 {
    series.1.last().map_or(0.0, |point| point.1)
}

fn draw(title: &str, series: &[Series<'_>]) -> String {
    let all = series.iter().flat_map(|(_, points, _)| points);
    let (left, top, right, bottom) = MARGIN;
    let (x_from, x_to) = decades(all.clone().map(|point| point.0));
    let (y_from, y_to) = decades(all.map(|point| point.1));
    let x = |value: f64| left + (value.log10() - x_from) / (x_to - x_from) * (WIDTH - left - right);
    let y = |value: f64| HEIGHT - bottom - (value.log10() - y_from) / (y_to - y_from) * (HEIGHT - top - bottom);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"24\" font-size=\"16\">{title}: time against size, needle of 10 lines</text>\n"
    );
    let mut grid = |x1: f64, y1: f64, x2: f64, y2: f64| {
        let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#dddddd\"/>");
    };
    let powers =
        |from: f64, to: f64| std::iter::successors(Some(from), move |power| (power + 1.0 <= to).then_some(power + 1.0));
    for power in powers(x_from, x_to).map(|power| 10_f64.powf(power)) {
        grid(x(power), top, x(power), HEIGHT - bottom);
    }
    for power in powers(y_from, y_to).map(|power| 10_f64.powf(power)) {
        grid(left, y(power), WIDTH - right, y(power));
    }
    for power in powers(x_from, x_to).map(|power| 10_f64.powf(power)) {
        let (at, below) = (x(power), HEIGHT - bottom + 18.0);
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{}</text>", bytes(power));
    }
    for power in powers(y_from, y_to).map(|power| 10_f64.powf(power)) {
        let (before, at) = (left - 8.0, y(power) + 4.0);
        let _ = writeln!(svg, "<text x=\"{before:.1}\" y=\"{at:.1}\" text-anchor=\"end\">{}</text>", time(power));
    }
    // The legend occurs in the order in which the lines end, so that the two can be matched at a glance.
    let mut order: Vec<&Series<'_>> = series.iter().collect();
    order.sort_by(|a, b| end(b).total_cmp(&end(a)));
    for (row, (name, points, colour)) in order.into_iter().enumerate() {
        let path: Vec<String> = points.iter().map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1))).collect();
        let dash = if name == "M" { " stroke-dasharray=\"5 4\"" } else { "" };
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
            path.join(" ")
        );
        for point in points {
            let _ =
                writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(point.0), y(point.1));
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

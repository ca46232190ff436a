//! Writes all figures of a run as comma-separated values.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::figures::{Figure, Figures};

const HEADER: &str = "question,subject,case,class,lines,haystack_bytes,needle_lines,answer,time_ns,memmem_pass_ns,\
    yardstick_ns,naive_ns,allocations,peak_bytes\n";

/// Writes `figures.csv` into a folder, and prints its path.
pub(crate) fn write(figures: &Figures, folder: &Path) -> Result<()> {
    let path = folder.join("figures.csv");
    fs::write(&path, render(figures)).with_context(|| format!("cannot write {}", path.display()))?;
    println!("\nall figures: {}", path.display());
    Ok(())
}

/// Renders a header and one row per scenario.
fn render(figures: &Figures) -> String {
    figures.all.iter().fold(HEADER.to_owned(), |text, figure| text + &row(figure).join(",") + "\n")
}

/// Returns the cells of a scenario; the cell of a time that was not measured is empty.
fn row(figure: &Figure) -> [String; 14] {
    let measured = |ns: Option<f64>| ns.map_or_else(String::new, |ns| ns.to_string());
    [
        cell(&figure.question),
        cell(&figure.subject),
        cell(&figure.case),
        cell(&figure.class),
        figure.lines.to_string(),
        figure.bytes.to_string(),
        figure.needle_lines.to_string(),
        cell(&figure.answer),
        figure.ns.to_string(),
        figure.pass_ns.to_string(),
        measured(figure.yardstick_ns),
        measured(figure.naive_ns),
        figure.allocations.to_string(),
        figure.peak_bytes.to_string(),
    ]
}

/// Quotes a text that contains a separator, a quote or a line break.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: &str = concat!(
        r#"{"question":"growth","subject":"full","case":"exact","class":"hit","lines":1000,"bytes":40000,"#,
        r#""needle_lines":10,"answer":"found","ns":1500.5,"pass_ns":1000.0,"yardstick_ns":1200.0,"naive_ns":null,"#,
        r#""allocations":0,"peak_bytes":0}"#,
        "\n",
        r#"{"question":"distance","subject":"of \"two\"","case":"10 lines, 20 %","class":"","lines":10,"bytes":400,"#,
        r#""needle_lines":10,"answer":"","ns":7.0,"pass_ns":1.0,"yardstick_ns":null,"naive_ns":70.25,"#,
        r#""allocations":3,"peak_bytes":640}"#,
    );

    #[test]
    fn a_scenario_is_a_row_below_the_header() {
        let text = render(&Figures::parse(FIGURES).unwrap());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].split(',').count(), 14);
        assert_eq!(lines[1], "growth,full,exact,hit,1000,40000,10,found,1500.5,1000,1200,,0,0");
        assert_eq!(lines[2], r#"distance,"of ""two""","10 lines, 20 %",,10,400,10,,7,1,,70.25,3,640"#);
        assert_eq!(lines.len(), 3);
    }
}

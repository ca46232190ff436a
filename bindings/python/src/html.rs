//! An explanation for notebooks: one block of HTML without scripts, in colours that suit light and dark pages.

use std::fmt::{self, Write as _};

use fuzzy_pipeline::report::{NumberedLine, Origin, Row, ScoreBreakdown, SideBySide, Verdict};
use fuzzy_report::{Ending, Explained, visible_blanks};

/// The number of candidates of a strategy in the table.
const SHOWN: usize = 5;

const STYLE: &str = "\
.fuzzy-edit{font:13px/1.5 system-ui,sans-serif;max-width:100%;overflow-x:auto}\
.fuzzy-edit table{font:inherit;border-collapse:collapse;margin:.6em 0}\
.fuzzy-edit th,.fuzzy-edit td{padding:1px 10px 1px 0;text-align:left;vertical-align:top;background:none}\
.fuzzy-edit th{font-weight:600;opacity:.7}\
.fuzzy-edit pre{margin:0;font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap}\
.fuzzy-edit .n{text-align:right;opacity:.6;font-variant-numeric:tabular-nums}\
.fuzzy-edit .good{background:rgba(40,160,80,.22)}\
.fuzzy-edit .bad{background:rgba(220,60,50,.22)}\
.fuzzy-edit .odd{background:rgba(220,160,20,.22)}\
.fuzzy-edit .head{padding:3px 8px;border-radius:4px}";

/// Renders an explanation.
pub(crate) fn of(explained: &Explained) -> String {
    let mut html = format!("<div class=\"fuzzy-edit\"><style>{STYLE}</style>");
    // Writing to a string never fails.
    let _ = write(&mut html, explained);
    html + "</div>"
}

fn write(html: &mut String, explained: &Explained) -> fmt::Result {
    match &explained.outcome {
        Ending::Found { strategy, confidence, place, .. } => {
            head(html, "good", &format!("found: {} by {strategy}, confidence {confidence:.3}", place.lines))?;
        }
        Ending::AlreadyApplied { place, .. } => {
            head(html, "good", &format!("already applied: the new text is on {}", place.lines))?;
        }
        Ending::Failed(failure) => {
            head(html, "bad", &failure.to_string())?;
            failure.details.rule.map_or(Ok(()), |rule| write!(html, "<div>rule: {}</div>", escaped(rule)))?;
        }
    }
    if let Some(alignment) = &explained.alignment {
        beside(html, alignment)?;
    }
    strategies(html, explained)?;
    explained.weighed.as_ref().map_or(Ok(()), |weighed| weights(html, weighed))
}

fn head(html: &mut String, class: &str, text: &str) -> fmt::Result {
    write!(html, "<div class=\"head {class}\">{}</div>", escaped(text))
}

/// Writes the old text beside the file, and the lines of the result.
fn beside(html: &mut String, alignment: &SideBySide) -> fmt::Result {
    if !alignment.undone.is_empty() {
        write!(html, "<div>undone in the old text: {}</div>", escaped(&alignment.undone.join(", ")))?;
    }
    html.write_str("<table><tr><th></th><th>old text</th><th></th><th></th><th>file</th><th>evidence</th></tr>")?;
    for row in &alignment.rows {
        let sign = row.sign();
        let class = match sign {
            '=' => "",
            '~' => "odd",
            '-' => "bad",
            _ => "good",
        };
        let (old, file) = shown(row);
        write!(
            html,
            "<tr class=\"{class}\"><td class=\"n\">{}</td><td><pre>{old}</pre></td><td>{sign}</td><td class=\"n\">{}</td>\
             <td><pre>{file}</pre></td><td class=\"n\">{:.3}</td></tr>",
            numbers(&row.old),
            numbers(&row.file),
            row.evidence
        )?;
    }
    html.write_str("</table>")?;
    if alignment.lands.is_empty() {
        return Ok(());
    }
    html.write_str("<table><tr><th>origin</th><th>file</th><th>new</th><th>text that lands</th></tr>")?;
    for line in &alignment.lands {
        let class = match line.origin {
            Origin::New => "good",
            Origin::Merged => "odd",
            Origin::File => "",
        };
        let [file, new] =
            [line.file_line, line.new_line].map(|line| line.map_or_else(String::new, |line| line.to_string()));
        write!(
            html,
            "<tr class=\"{class}\"><td>{}</td><td class=\"n\">{file}</td><td class=\"n\">{new}</td><td><pre>{}</pre></td></tr>",
            line.origin.as_str(),
            escaped(&line.text)
        )?;
    }
    html.write_str("</table>")
}

/// Returns both sides of a row; in a pair of lines, whitespace that differs is visible.
fn shown(row: &Row) -> (String, String) {
    if let ([old], [file]) = (&row.old[..], &row.file[..]) {
        let (old, file) = visible_blanks(&old.text, &file.text);
        return (escaped(&old), escaped(&file));
    }
    (joined(&row.old), joined(&row.file))
}

/// Returns lines in HTML, with the kinds of whitespace visible that always are.
fn joined(lines: &[NumberedLine]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| visible_blanks(&line.text, &line.text).0).collect();
    escaped(&lines.join("\n"))
}

fn numbers(lines: &[NumberedLine]) -> String {
    let numbers: Vec<String> = lines.iter().map(|line| line.number.to_string()).collect();
    numbers.join("<br>")
}

fn strategies(html: &mut String, explained: &Explained) -> fmt::Result {
    write!(
        html,
        "<table><tr><th>ladder {}</th><th>verdict</th><th>why</th><th>candidates</th></tr>",
        escaped(explained.ladder)
    )?;
    for tried in &explained.strategies {
        let places = tried.candidates.iter().take(SHOWN);
        let mut places: Vec<String> =
            places.map(|candidate| format!("{} ({:.3})", candidate.place.lines, candidate.similarity.get())).collect();
        if tried.more || tried.candidates.len() > SHOWN {
            places.push("…".to_owned());
        }
        let class = if matches!(tried.verdict, Verdict::Taken(_)) { "good" } else { "" };
        write!(
            html,
            "<tr class=\"{class}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(tried.strategy),
            tried.verdict.as_str(),
            escaped(&tried.why),
            escaped(&places.join(", "))
        )?;
    }
    html.write_str("</table>")
}

fn weights(html: &mut String, weighed: &ScoreBreakdown) -> fmt::Result {
    write!(
        html,
        "<div>the place is the one that is meant with probability {:.3}; {:.3} is enough</div>\
         <table><tr><th>feature</th><th>value</th><th>adds</th><th></th></tr>\
         <tr><td></td><td></td><td class=\"n\">{:.2}</td><td>what a place without a flaw has</td></tr>",
        weighed.probability, weighed.accepted, weighed.perfect
    )?;
    for feature in &weighed.features {
        let class = if feature.adds < -0.5 { "odd" } else { "" };
        write!(
            html,
            "<tr class=\"{class}\"><td>{}</td><td class=\"n\">{:.3}</td><td class=\"n\">{:.2}</td><td>{}</td></tr>",
            escaped(feature.name),
            feature.value,
            feature.adds,
            escaped(feature.meaning)
        )?;
    }
    html.write_str("</table>")?;
    let ruled_out = weighed.ruled_out.map(|why| format!("ruled out, however likely the place is: {why}"));
    ruled_out.map_or(Ok(()), |why| head(html, "bad", &why))
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
    html
}

//! The old text side by side with the lines of the file, in fixed columns for people.

use std::fmt::{self, Write as _};

use fuzzy_core::report::{Row, SideBySide};

use crate::{common_start, excerpt, visible_blanks};

/// Width of a text column, in characters.
const WIDTH: usize = 42;

/// Equal rows printed at each end of a run of equal rows; the rows between are omitted.
const KEPT: usize = 3;

/// Displays the old text side by side with the file, in fixed columns.
pub(crate) struct Columns<'s>(pub(crate) &'s SideBySide);

impl fmt::Display for Columns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SideBySide { undone, rows, lands } = self.0;
        if !undone.is_empty() {
            writeln!(f, "undone: {}\n", undone.join(", "))?;
        }
        writeln!(f, "{:>5}  {:<WIDTH$}    {:>5}  {:<WIDTH$}  evidence  alike", "", "old text", "", "file")?;
        for run in rows.chunk_by(|a, b| a.sign() == '=' && b.sign() == '=') {
            let left_out = if run.len() > 2 * KEPT + 1 { KEPT..run.len() - KEPT } else { 0..0 };
            for (at, row) in run.iter().enumerate() {
                if !left_out.contains(&at) {
                    write_row(row, f)?;
                } else if at == left_out.start {
                    writeln!(f, "{:>5}  and {} more equal lines", "", left_out.len())?;
                }
            }
        }
        if !lands.is_empty() {
            writeln!(f, "\norigin  file    new  text that lands")?;
        }
        for line in lands {
            let (file_line, new_line) = (number(line.file_line), number(line.new_line));
            let text = excerpt(&visible_blanks(&line.text, &line.text).0.replace('\t', "→"), 0, 2 * WIDTH);
            let row = format!("{:<6} {file_line:>5}  {new_line:>5}  {text}", line.origin.as_str());
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

fn number(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| line.to_string())
}

/// Writes one output line per line of the longer side.
fn write_row(row: &Row, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for at in 0..row.old.len().max(row.file.len()) {
        let (ours, theirs) = (row.old.get(at), row.file.get(at));
        let (left, right) = match (ours, theirs) {
            (Some(ours), Some(theirs)) => visible_blanks(&ours.text, &theirs.text),
            (Some(line), None) => (visible_blanks(&line.text, &line.text).0, String::new()),
            (None, Some(line)) => (String::new(), visible_blanks(&line.text, &line.text).0),
            (None, None) => continue,
        };
        let both = ours.is_some() && theirs.is_some();
        let from = if both && left != right { common_start(&left, &right) } else { 0 };
        let [left, right] = [left, right].map(|text| excerpt(&text.replace('\t', "→"), from, WIDTH));
        let [ours, theirs] = [ours, theirs].map(|line| number(line.map(|line| line.number)));
        let sign = if at == 0 { row.sign() } else { ' ' };
        let mut text = format!("{ours:>5}  {left:<WIDTH$}  {sign} {theirs:>5}  {right:<WIDTH$}");
        if at == 0 && !row.old.is_empty() {
            let _ = write!(text, "  {:>8.3}", row.evidence);
            if let Some(similarity) = row.similarity {
                let _ = write!(text, "  {:>5.3}", similarity.get());
            }
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    Ok(())
}

//! A needle beside the lines of the file, in fixed columns for people and in JSON.

use std::fmt::{self, Write as _};

use fuzzy_edit::{common_start, excerpt, visible_blanks};
use fuzzy_pipeline::{LandedLine, NumberedLine, Origin, Row, SideBySide};
use schemars::JsonSchema;
use serde::Serialize;

/// Characters of a line that fit a column.
const WIDTH: usize = 42;

/// Equal rows in a run that are shown before and behind those that are left out.
const KEPT: usize = 3;

/// The needle beside the file, and where each line that lands comes from.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Alignment {
    /// What was undone in the needle before it was read.
    undone: Vec<&'static str>,
    rows: Vec<Beside>,
    /// The lines that are written, or would be.
    lands: Vec<Landed>,
}

/// Lines of the needle and those of the file that they stand for.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Beside {
    needle: Vec<Numbered>,
    file: Vec<Numbered>,
    evidence: f64,
    similarity: Option<f64>,
}

#[derive(JsonSchema, Serialize)]
pub(crate) struct Numbered {
    line: usize,
    text: String,
}

/// A line that lands.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Landed {
    text: String,
    from: &'static str,
    file_line: Option<usize>,
    new_line: Option<usize>,
}

impl From<SideBySide> for Alignment {
    fn from(sides: SideBySide) -> Self {
        let numbered = |lines: Vec<NumberedLine>| {
            lines.into_iter().map(|NumberedLine { number, text }| Numbered { line: number, text }).collect()
        };
        let beside = |row: Row| Beside {
            needle: numbered(row.needle),
            file: numbered(row.file),
            evidence: row.evidence,
            similarity: row.similarity.map(fuzzy_pipeline::Similarity::get),
        };
        let landed = |line: LandedLine| Landed {
            from: match line.origin {
                Origin::File => "file",
                Origin::New => "new",
                Origin::Merged => "merged",
            },
            text: line.text,
            file_line: line.file_line,
            new_line: line.new_line,
        };
        Self {
            undone: sides.undone,
            rows: sides.rows.into_iter().map(beside).collect(),
            lands: sides.lands.into_iter().map(landed).collect(),
        }
    }
}

impl Beside {
    /// Says in one character how the sides compare.
    fn sign(&self) -> char {
        match (&self.needle[..], &self.file[..]) {
            (_, []) => '-',
            ([], _) => '+',
            ([ours], [theirs]) if ours.text == theirs.text => '=',
            _ => '~',
        }
    }
}

impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.undone.is_empty() {
            writeln!(f, "undone in the needle: {}\n", self.undone.join(", "))?;
        }
        writeln!(f, "{:>5}  {:<WIDTH$}    {:>5}  {:<WIDTH$}  evidence  alike", "", "needle", "", "file")?;
        for run in self.rows.chunk_by(|a, b| a.sign() == '=' && b.sign() == '=') {
            let left_out = if run.len() > 2 * KEPT + 1 { KEPT..run.len() - KEPT } else { 0..0 };
            for (at, row) in run.iter().enumerate() {
                if !left_out.contains(&at) {
                    row.write(f)?;
                } else if at == left_out.start {
                    writeln!(f, "{:>5}  and {} more equal lines", "", left_out.len())?;
                }
            }
        }
        if !self.lands.is_empty() {
            writeln!(f, "\nfrom    file    new  text that lands")?;
        }
        for line in &self.lands {
            let number = |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
            let text = excerpt(&visible_blanks(&line.text, &line.text).0.replace('\t', "→"), 0, 2 * WIDTH);
            let row = format!("{:<6} {:>5}  {:>5}  {text}", line.from, number(line.file_line), number(line.new_line));
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

impl Beside {
    /// Writes as many lines as the longer side has.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for at in 0..self.needle.len().max(self.file.len()) {
            let (ours, theirs) = (self.needle.get(at), self.file.get(at));
            let (left, right) = match (ours, theirs) {
                (Some(ours), Some(theirs)) => visible_blanks(&ours.text, &theirs.text),
                (Some(line), None) => (visible_blanks(&line.text, &line.text).0, String::new()),
                (None, Some(line)) => (String::new(), visible_blanks(&line.text, &line.text).0),
                (None, None) => continue,
            };
            let both = ours.is_some() && theirs.is_some();
            let from = if both && left != right { common_start(&left, &right) } else { 0 };
            let cut = |text: &str| excerpt(&text.replace('\t', "→"), from, WIDTH);
            let number = |line: Option<&Numbered>| line.map_or_else(String::new, |line| line.line.to_string());
            let sign = if at == 0 { self.sign() } else { ' ' };
            let mut row = format!(
                "{:>5}  {:<WIDTH$}  {sign} {:>5}  {:<WIDTH$}",
                number(ours),
                cut(&left),
                number(theirs),
                cut(&right)
            );
            if at == 0 && !self.needle.is_empty() {
                let _ = write!(row, "  {:>8.3}", self.evidence);
                if let Some(similarity) = self.similarity {
                    let _ = write!(row, "  {similarity:>5.3}");
                }
            }
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

//! The old text side by side with the lines of the file: in fixed columns for people, and as JSON.

use std::fmt::{self, Write as _};

use fuzzy_core::Similarity;
use fuzzy_core::report::{LandedLine, NumberedLine, Origin, Row, SideBySide};
use serde::Serialize;

use crate::{common_start, excerpt, visible_blanks};

/// Width of a text column, in characters.
const WIDTH: usize = 42;

/// Equal rows printed at each end of a run of equal rows; the rows between are omitted.
const KEPT: usize = 3;

/// The old text side by side with the file, and the origin of each line that the edit writes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Alignment {
    /// The changes that were undone in the old text before it was compared, such as escapes.
    pub undone: Vec<&'static str>,
    /// The lines of both sides, in the order of the file.
    pub rows: Vec<Beside>,
    /// The lines that the edit writes or would write.
    pub lands: Vec<Landed>,
}

/// Lines of the old text and the lines of the file that correspond to them; one side may be empty.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Beside {
    /// The old text's lines, after the changes in `undone`.
    #[serde(rename = "needle")]
    pub old: Vec<Numbered>,
    /// The file's lines.
    pub file: Vec<Numbered>,
    /// The weight of the old text's lines as evidence, 0 to 1 per line.
    pub evidence: f64,
    /// The similarity of both sides without blanks, 0 to 1; none if one side is empty.
    pub similarity: Option<f64>,
}

/// A line with its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Numbered {
    /// The line's number in its text, counted from 1.
    pub line: usize,
    /// The line without its line break.
    pub text: String,
}

/// A line that the edit writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Landed {
    /// The line without its line break.
    pub text: String,
    /// The origin of the text: `file`, `new`, or `merged` from both.
    pub from: &'static str,
    /// The file's line that it is or was made from, counted from 1.
    pub file_line: Option<usize>,
    /// The new text's line that it is or was made from, counted from 1.
    pub new_line: Option<usize>,
}

impl From<SideBySide> for Alignment {
    fn from(sides: SideBySide) -> Self {
        Self {
            undone: sides.undone,
            rows: sides.rows.into_iter().map(Beside::from).collect(),
            lands: sides.lands.into_iter().map(Landed::from).collect(),
        }
    }
}

impl From<Row> for Beside {
    fn from(row: Row) -> Self {
        Self {
            old: row.old.into_iter().map(Numbered::from).collect(),
            file: row.file.into_iter().map(Numbered::from).collect(),
            evidence: row.evidence,
            similarity: row.similarity.map(Similarity::get),
        }
    }
}

impl From<NumberedLine> for Numbered {
    fn from(line: NumberedLine) -> Self {
        Self { line: line.number, text: line.text }
    }
}

impl From<LandedLine> for Landed {
    fn from(line: LandedLine) -> Self {
        let from = match line.origin {
            Origin::File => "file",
            Origin::New => "new",
            Origin::Merged => "merged",
        };
        Self { text: line.text, from, file_line: line.file_line, new_line: line.new_line }
    }
}

impl Beside {
    /// Returns one character that compares the sides: `=` for equal lines, `~` for lines that differ, `-` for lines
    /// that only the old text has, `+` for lines that only the file has.
    #[must_use]
    pub fn sign(&self) -> char {
        match (&self.old[..], &self.file[..]) {
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
            let (file_line, new_line) = (number(line.file_line), number(line.new_line));
            let text = excerpt(&visible_blanks(&line.text, &line.text).0.replace('\t', "→"), 0, 2 * WIDTH);
            let row = format!("{:<6} {file_line:>5}  {new_line:>5}  {text}", line.from);
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

fn number(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| line.to_string())
}

impl Beside {
    /// Writes one output line per line of the longer side.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for at in 0..self.old.len().max(self.file.len()) {
            let (ours, theirs) = (self.old.get(at), self.file.get(at));
            let (left, right) = match (ours, theirs) {
                (Some(ours), Some(theirs)) => visible_blanks(&ours.text, &theirs.text),
                (Some(line), None) => (visible_blanks(&line.text, &line.text).0, String::new()),
                (None, Some(line)) => (String::new(), visible_blanks(&line.text, &line.text).0),
                (None, None) => continue,
            };
            let both = ours.is_some() && theirs.is_some();
            let from = if both && left != right { common_start(&left, &right) } else { 0 };
            let [left, right] = [left, right].map(|text| excerpt(&text.replace('\t', "→"), from, WIDTH));
            let [ours, theirs] = [ours, theirs].map(|line| number(line.map(|line| line.line)));
            let sign = if at == 0 { self.sign() } else { ' ' };
            let mut row = format!("{ours:>5}  {left:<WIDTH$}  {sign} {theirs:>5}  {right:<WIDTH$}");
            if at == 0 && !self.old.is_empty() {
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

//! A needle beside the lines of the file, in fixed columns for people and in JSON.

use std::fmt::{self, Write as _};

use fuzzy_core::Similarity;
use fuzzy_core::report::{LandedLine, NumberedLine, Origin, Row, SideBySide};
use serde::Serialize;

use crate::{common_start, excerpt, visible_blanks};

/// Characters of a line that fit a column.
const WIDTH: usize = 42;

/// Equal rows in a run that are shown before and after those that are left out.
const KEPT: usize = 3;

/// The needle beside the file, and where each line that lands comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Alignment {
    /// What was undone in the needle before it was read.
    pub undone: Vec<&'static str>,
    /// The lines of both, in the order of the file.
    pub rows: Vec<Beside>,
    /// The lines that are written, or would be.
    pub lands: Vec<Landed>,
}

/// Lines of the needle and those of the file that they mean; one side may have none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Beside {
    /// The old text's lines, as it was read.
    #[serde(rename = "needle")]
    pub old: Vec<Numbered>,
    /// The file's lines.
    pub file: Vec<Numbered>,
    /// How much the old text's lines prove, 0 to 1 for each.
    pub evidence: f64,
    /// How alike the sides are but for blanks; none where one side is empty.
    pub similarity: Option<f64>,
}

/// A line and its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Numbered {
    /// Its number in its text, counted from 1.
    pub line: usize,
    /// The line without its line break.
    pub text: String,
}

/// A line that lands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Landed {
    /// The line without its line break.
    pub text: String,
    /// Whose text it is: `file`, `new`, or `merged` of both.
    pub from: &'static str,
    /// The file's line that it is or was made of, counted from 1.
    pub file_line: Option<usize>,
    /// The new text's line that it is or was made of, counted from 1.
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
    /// Says in one character how the sides compare: `=` for equal lines, `~` for lines that differ, `-` for lines that
    /// only the needle has, `+` for lines that only the file has.
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
    /// Writes as many lines as the longer side has.
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

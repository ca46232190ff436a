//! Differences between a needle and the text that it was taken from.

use crate::scenario::Class;

/// A difference between a needle and the block that it was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drift {
    /// No difference.
    Exact,
    /// Two more spaces before every non-empty line, like an editor does it.
    Indent,
    /// Two spaces for each one inside the lines.
    Spaced,
    /// Escaped quotes and backslashes, line breaks written as `\n`.
    Escaped,
    /// Blank lines before and after.
    Wrapped,
    /// Another line in the middle.
    Middle,
    /// Another letter in every second line.
    Typos,
    /// A missing line in the middle.
    Gap,
    /// Straight quotes and dashes instead of typographic ones.
    Typewriter,
    /// A word in the first line that the haystack lacks.
    AbsentFirst,
    /// A word in the last line that the haystack lacks.
    AbsentLast,
    /// Only words that the haystack lacks.
    AbsentAll,
    /// The lines in reverse order, or the words of a single line: each occurs in the haystack, but not together.
    Reversed,
}

impl Drift {
    /// Returns the name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Indent => "indent",
            Self::Spaced => "spaced",
            Self::Escaped => "escaped",
            Self::Wrapped => "wrapped",
            Self::Middle => "middle",
            Self::Typos => "typos",
            Self::Gap => "gap",
            Self::Typewriter => "typewriter",
            Self::AbsentFirst => "absent-first",
            Self::AbsentLast => "absent-last",
            Self::AbsentAll => "absent-all",
            Self::Reversed => "reversed",
        }
    }

    /// Returns whether a search for such a needle is a hit, a near miss or a miss.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::AbsentFirst | Self::AbsentLast | Self::AbsentAll => Class::Absent,
            Self::Reversed => Class::NearMiss,
            _ => Class::Hit,
        }
    }

    /// Makes the needle from the block.
    #[must_use]
    pub fn apply(self, block: &str) -> String {
        let mut lines: Vec<String> = block.split('\n').map(str::to_owned).collect();
        let last = lines.len() - 1;
        match self {
            Self::Exact => {}
            Self::Indent => lines.iter_mut().filter(|line| !line.is_empty()).for_each(|line| line.insert_str(0, "  ")),
            Self::Spaced => lines.iter_mut().for_each(|line| *line = spaced(line)),
            Self::Escaped => {
                return block.replace('\\', "\\\\").replace('"', "\\\"").replace('\'', "\\'").replace('\n', "\\n");
            }
            Self::Wrapped => return format!("\n  \n{block}\n\n"),
            Self::Middle => "entirely_other(words, here)".clone_into(&mut lines[last / 2]),
            Self::Typos => lines.iter_mut().step_by(2).for_each(|line| *line = line.replacen('e', "o", 1)),
            Self::Gap => drop(lines.remove(last / 2)),
            Self::Typewriter => {
                for line in &mut lines {
                    *line = line.replace(['“', '”'], "\"").replace('’', "'");
                }
            }
            Self::AbsentFirst => "zz_first(absent_1);".clone_into(&mut lines[0]),
            Self::AbsentLast => "zz_last(absent_2);".clone_into(&mut lines[last]),
            Self::AbsentAll => {
                for (at, line) in lines.iter_mut().enumerate() {
                    *line = format!("    qu{at}ux <- WALTZ[\"{at}\"] ^ JUMBO ?? {{}}");
                }
            }
            Self::Reversed if last == 0 => {
                return block.split_whitespace().rev().collect::<Vec<_>>().join(" ");
            }
            Self::Reversed => lines.reverse(),
        }
        lines.join("\n")
    }
}

/// Doubles the spaces after the line's indentation.
fn spaced(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    format!("{}{}", &line[..indent], line[indent..].replace(' ', "  "))
}

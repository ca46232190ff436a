//! Needles: how what is looked for differs from what occurs in the haystack.

use crate::scenario::Class;

/// One way in which a needle differs from the block it was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drift {
    /// The block itself.
    Exact,
    /// Two more spaces before every line that is not empty, as an editor does it.
    Indent,
    /// Two spaces for one inside the lines.
    Spaced,
    /// Quotes and backslashes escaped, line breaks written as `\n`.
    Escaped,
    /// Blank lines before and behind.
    Wrapped,
    /// A line in the middle is another one.
    Middle,
    /// One letter in every second line is another one.
    Typos,
    /// A line in the middle is missing.
    Gap,
    /// Curly quotes and long dashes are straight ones.
    Typewriter,
    /// The first line holds a word that the haystack lacks.
    AbsentFirst,
    /// The last line holds a word that the haystack lacks.
    AbsentLast,
    /// Every word is one that the haystack lacks.
    AbsentAll,
    /// The lines in reverse order, of a single line its words: each occurs in the haystack, together they do not.
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

/// Doubles the spaces after the line's first word.
fn spaced(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    format!("{}{}", &line[..indent], line[indent..].replace(' ', "  "))
}

//! Counts flaws of indentation and blocks that no text has on purpose.

/// Words that open a block at the start of a line.
const OPENING: &[&str] = &[
    "begin", "case", "class", "def", "describe", "do", "elif", "else", "elsif", "except", "finally", "for", "fn",
    "func", "function", "if", "impl", "it", "loop", "match", "module", "rescue", "should", "switch", "try", "unless",
    "until", "when", "while", "with",
];

/// Counts the lines that are deeper than the one above although that opens nothing, the lines that are not deeper
/// although it does, the lines that close an empty block, and the empty lines below an empty one.
///
/// Empty lines do not count if the new text has such itself (`doubles`). The count only compares different orders of
/// the same lines.
pub(crate) fn flaws(lines: &[&str], doubles: bool) -> usize {
    let empty = lines.windows(2).filter(|pair| !doubles && pair.iter().all(|line| line.trim().is_empty())).count();
    let solid: Vec<&str> = lines.iter().filter(|line| !line.trim().is_empty()).copied().collect();
    empty + solid.windows(2).filter(|pair| is_flaw(pair[0], pair[1])).count()
}

/// Returns whether the depths of two non-empty lines contradict each other.
fn is_flaw(above: &str, below: &str) -> bool {
    let (high, low) = (depth(above), depth(below));
    match (opens(above), closes(below)) {
        (true, false) => low <= high,
        (false, true) => low >= high,
        _ => low > high,
    }
}

/// Returns the depth of a line, in columns.
pub(crate) fn depth(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 8 } else { 1 }).sum()
}

/// Returns whether a line opens a block.
fn opens(line: &str) -> bool {
    let line = line.trim();
    let word = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    line.ends_with(['{', '(', '[', ':', '|'])
        || line.ends_with(" do")
        || (OPENING.contains(&word) && !line.ends_with([';', '}', ',']))
}

/// Returns whether a line closes a block.
fn closes(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(['}', ')', ']']) || line == "end" || line.starts_with("end ") || line.starts_with("</")
}

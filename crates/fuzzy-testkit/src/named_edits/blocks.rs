//! Natural blocks of texts: a line, and the lines below it that belong to it by their indentation.

/// A block of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first line, counted from 0.
    pub start: usize,
    /// The line after the last one.
    pub end: usize,
}

/// Returns the blocks of a text with at least `least` lines and at most `most`: a line, the deeper lines below it, and the
/// line at its depth that begins with a closing bracket or the word `end`.
#[must_use]
pub fn blocks(text: &str, least: usize, most: usize) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut all = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let is_inside = |at: &usize| lines[*at].trim().is_empty() || depth(lines[*at]) > depth(line);
        let mut end = (start + 1..lines.len()).take_while(is_inside).last().map_or(start + 1, |last| last + 1);
        let closes = |line: &str| line.trim_start().starts_with(['}', ')', ']']) || line.trim() == "end";
        if end > start + 1 && end < lines.len() && depth(lines[end]) == depth(line) && closes(lines[end]) {
            end += 1;
        }
        while lines[end - 1].trim().is_empty() {
            end -= 1;
        }
        if (least..=most).contains(&(end - start)) {
            all.push(Block { start, end });
        }
    }
    all
}

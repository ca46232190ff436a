//! Drawings of the changes of a file, for review by a person.

use similar::TextDiff;

/// Draws a line after a margin; tabs, carriage returns and blanks at its end are visible.
#[must_use]
pub fn line(margin: &str, line: &str) -> String {
    let body = line.trim_end_matches('\n');
    let text = body.trim_end();
    let blanks = body[text.len()..].replace(' ', "·").replace('\t', "→").replace('\r', "␍");
    format!("{margin} {}{blanks}", text.replace('\t', "→   ")).trim_end().to_owned() + "\n"
}

/// Draws the deleted (`-`) and the added lines (`+`), with one line of the file around them.
#[must_use]
pub fn changes(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut out = String::new();
    for change in diff.grouped_ops(1).iter().flatten().flat_map(|op| diff.iter_changes(op)) {
        out.push_str(&line(&format!("{} |", change.tag()), change.value()));
        if change.missing_newline() {
            out.push_str("    no line break at the end\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn changes_have_one_line_around_them() {
        assert_eq!(changes("a\nb\nc\n", "a\nb\nd"), "  | b\n- | c\n+ | d\n    no line break at the end\n");
    }
}

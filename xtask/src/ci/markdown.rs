//! Separates prose from code in Markdown, line by line.

/// The fence that is open while the lines of a text are read in turn.
#[derive(Default)]
pub(super) struct Fences<'t> {
    open: Option<&'t str>,
}

impl<'t> Fences<'t> {
    /// Returns whether the next line is in a fence, or begins or ends one.
    pub(super) fn covers(&mut self, line: &'t str) -> bool {
        let mark = fence_of(line);
        let Some(open) = self.open else {
            self.open = mark;
            return mark.is_some();
        };
        if mark.is_some_and(|mark| mark.starts_with(open) && line.trim() == mark) {
            self.open = None;
        }
        true
    }
}

/// Returns the backticks or tildes of a line that begins or ends a fence.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let first = line.chars().next().filter(|first| "`~".contains(*first))?;
    let mark = &line[..line.len() - line.trim_start_matches(first).len()];
    // A line with more backticks is inline code.
    (mark.len() >= 3 && !line[mark.len()..].contains('`')).then_some(mark)
}

/// Separates a text into its prose and the texts between its backticks.
pub(super) fn apart(text: &str) -> (String, Vec<&str>) {
    let (mut prose, mut codes, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, after)) = rest.split_once('`') {
        let ticks = 1 + after.len() - after.trim_start_matches('`').len();
        let (mark, after) = ("`".repeat(ticks), &after[ticks - 1..]);
        prose.push_str(before);
        rest = after;
        if let Some((code, after)) = after.split_once(&mark) {
            codes.push(code);
            rest = after;
        }
    }
    prose.push_str(rest);
    (prose, codes)
}

//! Diffs for people: without the indentation that all lines share.

use fuzzy_pipeline::blank;

/// Removes the least common indentation of the `+`, `-` and space lines of a unified diff; headers stay.
///
/// Indentation counts blanks, whatever their width; lines of nothing but blanks do not count, and lose at most as
/// many. The result hides mistakes in indentation: show it to people, never to a program.
///
/// # Examples
///
/// ```
/// assert_eq!(fuzzy_edit::trim_diff("@@ -1 +1 @@\n-    old\n+      new"), "@@ -1 +1 @@\n-old\n+  new");
/// ```
#[must_use]
pub fn trim_diff(diff: &str) -> String {
    let content = |line: &str| -> bool {
        line.starts_with(['+', '-', ' ']) && !line.starts_with("---") && !line.starts_with("+++")
    };
    let indent = |text: &str| text.chars().take_while(|c| blank::is_blank(*c)).count();
    let common = diff
        .split('\n')
        .filter(|line| content(line) && !blank::is_blank_text(&line[1..]))
        .map(|line| indent(&line[1..]))
        .min()
        .unwrap_or(0);
    let trimmed = diff.split('\n').map(|line| {
        if !content(line) {
            return (line, "");
        }
        let (sign, text) = line.split_at(1);
        let cut = text.char_indices().nth(common).map_or(text.len(), |(at, _)| at);
        (sign, &text[cut..])
    });
    let mut output = String::with_capacity(diff.len());
    for (index, (sign, text)) in trimmed.enumerate() {
        if index > 0 {
            output.push('\n');
        }
        output.push_str(sign);
        output.push_str(text);
    }
    output
}

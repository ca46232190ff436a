//! Diffs for people, without the indentation that all lines share.

use fuzzy_core::blank;

/// Removes the common indentation of the `+`, `-` and space lines of a unified diff; headers are unchanged.
///
/// Indentation counts blanks of any width. Blank lines do not count, and lose at most as many blanks. The result hides
/// mistakes in indentation: show it to people, never to a program.
///
/// # Examples
///
/// ```
/// assert_eq!(fuzzy_edit::trim_diff("@@ -1 +1 @@\n-    old\n+      new"), "@@ -1 +1 @@\n-old\n+  new");
/// ```
#[must_use]
pub fn trim_diff(diff: &str) -> String {
    let texts = diff.split('\n').filter(|line| has_text(line)).map(|line| &line[1..]);
    let indented = texts.filter(|text| !blank::is_blank_text(text));
    let common = indented.map(|text| text.chars().take_while(|c| blank::is_blank(*c)).count()).min().unwrap_or(0);
    let mut output = String::with_capacity(diff.len());
    for (index, line) in diff.split('\n').enumerate() {
        if index > 0 {
            output.push('\n');
        }
        if has_text(line) {
            let (sign, text) = line.split_at(1);
            output.push_str(sign);
            output.extend(text.chars().skip(common));
        } else {
            output.push_str(line);
        }
    }
    output
}

fn has_text(line: &str) -> bool {
    line.starts_with(['+', '-', ' ']) && !line.starts_with("---") && !line.starts_with("+++")
}

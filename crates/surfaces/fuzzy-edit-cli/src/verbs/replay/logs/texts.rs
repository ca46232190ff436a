//! The texts of files while a log is read.

use std::collections::HashMap;

use fuzzy_patch::{Change, Edit, Mark};
use fuzzy_plan::is_unique;

/// The texts of files, as far as the log has them. A change whose result is unknown makes a file unknown.
#[derive(Debug, Default)]
pub(super) struct Texts(HashMap<String, String>);

impl Texts {
    pub(super) fn put(&mut self, path: &str, text: impl Into<String>) {
        self.0.insert(path.to_owned(), text.into());
    }

    pub(super) fn get(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }

    pub(super) fn forget(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// Replaces a text as a host does that searches for it literally.
    pub(super) fn replaced(&mut self, path: &str, old: &str, new: &str, all: bool) {
        let Some(text) = self.get(path) else { return };
        match () {
            () if old.is_empty() => self.forget(path),
            () if all && text.contains(old) => self.put(path, text.replace(old, new)),
            () if is_unique(&text, old) => self.put(path, text.replacen(old, new, 1)),
            () => self.forget(path),
        }
    }

    /// Applies the diff that a host shows for its change.
    pub(super) fn changed(&mut self, path: &str, diff: &str) {
        let Some(text) = self.get(path) else { return };
        match with_diff(&text, diff) {
            Some(text) => self.put(path, text),
            None => self.forget(path),
        }
    }
}

/// Returns the lines that a host shows as a text. It does not show whether the last one ends in a line break; most files do.
pub(super) fn with_line_break(lines: &str) -> String {
    format!("{lines}\n")
}

/// Applies a diff whose lines must be exactly those of the text at its line numbers. A host may have removed the
/// indentation that all lines of the diff share. Returns `None` if a line differs.
fn with_diff(text: &str, diff: &str) -> Option<String> {
    // The name is needed for a diff that has hunks alone.
    let patch = fuzzy_patch::parse(diff, Some("file")).ok()?;
    let [part] = &patch.files[..] else { return None };
    let Change::Update { edits, .. } = &part.change else { return None };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut output, mut next) = (String::new(), 0);
    let indent = edits.iter().find_map(|edit| indentation(edit, &lines))?;
    for edit in edits {
        let start = edit.hint.line?.checked_sub(usize::from(!edit.old.is_empty()))?;
        output.extend(lines.get(next..start)?.iter().copied());
        next = start;
        let [mut old, mut new] = [&edit.old, &edit.new].map(|text| text.split_inclusive('\n'));
        for mark in &edit.marks {
            if *mark == Mark::Add {
                output += &indented(new.next()?, &indent);
                continue;
            }
            let shown = old.next()?;
            if next == lines.len() && *mark == Mark::Keep && shown.trim().is_empty() {
                // Copilot shows the end of a file as an empty line.
                new.next()?;
                continue;
            }
            let line = *lines.get(next)?;
            if !is_same(line, shown, &indent) {
                return None;
            }
            if *mark == Mark::Keep {
                output.push_str(line);
                new.next()?;
            }
            next += 1;
        }
    }
    output.extend(lines.get(next..)?.iter().copied());
    Some(output)
}

/// Returns the indentation that the diff lacks, by the first old line that is not blank.
fn indentation(edit: &Edit, lines: &[&str]) -> Option<String> {
    let start = edit.hint.line?.checked_sub(1)?;
    let (at, line) = edit.old.split_inclusive('\n').enumerate().find(|(_, line)| !line.trim().is_empty())?;
    let indent = lines.get(start + at)?.trim_end().strip_suffix(line.trim_end())?;
    indent.chars().all(char::is_whitespace).then(|| indent.to_owned())
}

fn is_same(line: &str, shown: &str, indent: &str) -> bool {
    let (line, shown) = (line.trim_end_matches(['\r', '\n']), shown.trim_end_matches(['\r', '\n']));
    line.strip_prefix(indent) == Some(shown) || (line.trim().is_empty() && shown.trim().is_empty())
}

fn indented(line: &str, indent: &str) -> String {
    if line.trim().is_empty() { line.to_owned() } else { format!("{indent}{line}") }
}

#[cfg(test)]
mod tests {
    use super::{Texts, with_diff};

    const TEXT: &str = "class A:\n\tdef f():\n\t\treturn 1\n\n\tdef g():\n\t\treturn 2\n";

    #[test]
    fn a_diff_is_applied_at_its_lines_and_nowhere_else() {
        let changed = TEXT.replace("return 2", "return 3");
        let whole = "@@ -4,3 +4,3 @@\n \n \tdef g():\n-\t\treturn 2\n+\t\treturn 3\n";
        assert_eq!(with_diff(TEXT, whole).as_deref(), Some(&*changed));
        let trimmed = "--- a.py\n+++ a.py\n@@ -4,3 +4,3 @@\n \n def g():\n-\treturn 2\n+\treturn 3\n";
        assert_eq!(with_diff(TEXT, trimmed).as_deref(), Some(&*changed));
        let with_end = whole.replace("-4,3 +4,3", "-4,4 +4,4") + " \n";
        assert_eq!(with_diff(TEXT, &with_end).as_deref(), Some(&*changed));
        for wrong in [whole.replace("-4,3 +4,3", "-3,3 +3,3"), whole.replace("return 2", "return 4"), String::new()] {
            assert_eq!(with_diff(TEXT, &wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_change_with_an_unknown_result_makes_the_text_unknown() {
        let mut texts = Texts::default();
        texts.put("a", TEXT);
        texts.replaced("a", "return 1", "return 0", false);
        assert_eq!(texts.get("a"), Some(TEXT.replace("return 1", "return 0")));
        texts.replaced("a", "return", "yield", true);
        assert_eq!(texts.get("a").unwrap().matches("yield").count(), 2);
        texts.replaced("a", "def", "x", false);
        assert_eq!(texts.get("a"), None);
        texts.put("a", TEXT);
        texts.changed("a", "no diff");
        assert_eq!(texts.get("a"), None);
    }
}

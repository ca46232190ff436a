//! Edits that add items after the last one of a list, which ends without a separator.

use fastrand::Rng;

use super::super::case::{Case, edit};
use super::super::texts::Text;
use super::super::words::{indentation, lengthened, words};

/// The style of a list: file extensions, the separator, and whether a bracket closes the list.
struct Style {
    extensions: &'static [&'static str],
    separator: &'static str,
    is_closed: bool,
}

const STYLES: [Style; 2] = [
    Style {
        extensions: &[
            "py", "rs", "js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx", "json", "c", "h", "cc", "cpp", "hpp",
            "java", "kt", "swift", "scala", "cs", "php", "rb", "pl", "pm", "lua", "tcl", "toml", "sql",
        ],
        separator: ",",
        is_closed: true,
    },
    Style { extensions: &["sh", "bash", "mk", "am"], separator: " \\", is_closed: false },
];

/// Marks that may begin a comment, and starts of items that must be the last one.
const COMMENTS: [&str; 6] = ["//", "/*", "*/", "#", "--", ";"];
const LAST_ALONE: [&str; 3] = ["..", "*", "&"];

/// Returns whether a line is a complete item: it has a word, and its brackets and quotes are closed.
fn is_item(line: &str) -> bool {
    let pairs = [('(', ')'), ('[', ']'), ('{', '}')];
    let count = |mark: char| line.matches(mark).count();
    let is_closed = pairs.iter().all(|(open, close)| count(*open) == count(*close));
    let is_quoted = ['"', '\'', '`'].iter().all(|quote| count(*quote) % 2 == 0);
    let item = line.trim();
    let is_comment = COMMENTS.iter().any(|mark| item.contains(mark));
    let is_last = LAST_ALONE.iter().any(|mark| item.starts_with(mark));
    is_closed
        && is_quoted
        && !is_comment
        && !is_last
        && !words(item).is_empty()
        && !line.ends_with([',', '\\', ' ', '\t'])
}

/// The old text ends the last item with the separator, and the new text adds one or two items after it.
pub(super) fn separator(text: &Text, rng: &mut Rng) -> Option<Case> {
    let Style { separator, is_closed, .. } =
        STYLES.iter().find(|style| style.extensions.contains(&text.extension.as_str()))?;
    let lines = text.lines();
    let places: Vec<usize> = (1..lines.len() - 1)
        .filter(|at| {
            let (before, item, after) = (lines[at - 1], lines[*at], lines[at + 1]);
            let before = before.strip_suffix(separator).filter(|before| is_item(before));
            let ends = match is_closed {
                true => after.trim_start().starts_with([')', ']', '}']),
                false => after.trim().is_empty(),
            };
            let is_sibling = before.is_some_and(|before| before[..indentation(before)] == item[..indentation(item)]);
            // A declaration without a value, such as `int a,` and `b`, has no bracket of its own.
            ends && is_sibling && is_item(item) && indentation(after) < indentation(item).max(1)
        })
        .collect();
    let at = rng.choice(places)?;
    let item = lines[at];
    let word = words(item).into_iter().next()?;
    let added = ["_next", "_more"].map(|suffix| lengthened(item, &word, suffix));
    let added = &added[..rng.usize(1..=2)];
    // A line that differs only in its end could be the right one.
    let is_item = |line: &&&str| line.trim().trim_end_matches([',', '\\', ' ']) == item.trim();
    if lines.iter().filter(is_item).count() != 1 || added.iter().any(|line| text.text.contains(line.trim())) {
        return None;
    }
    let first = at - rng.usize(1..=2).min(at);
    let quoted = lines[first..at].join("\n");
    let close = if rng.bool() { format!("\n{}", lines[at + 1]) } else { String::new() };
    let old = format!("{quoted}\n{item}{separator}{close}");
    // The new text may end its last item with or without the separator.
    let end = if rng.bool() { *separator } else { "" };
    let joined = added.join(&format!("{separator}\n"));
    let new = format!("{quoted}\n{item}{separator}\n{joined}{end}{close}");
    let before = lines[..at].iter().fold(String::new(), |before, line| before + line + "\n");
    let expected = format!("{before}{item}{separator}\n{joined}{}", &text.text[before.len() + item.len()..]);
    (!text.text.contains(&old)).then(|| edit(text, old, new, Some(expected)))
}

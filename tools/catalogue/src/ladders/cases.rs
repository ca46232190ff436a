//! Prints the worked cases of every strategy family.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use fuzzy_testkit::cases::{self, Case};
use fuzzy_tools::run::root;

/// Prints one table for each strategy that has worked cases, in the order of `strategies`.
pub(super) fn tables<'s>(strategies: impl Iterator<Item = &'s str>) -> Result<String> {
    let mut out = String::new();
    for strategy in strategies {
        let family = strategy.split('/').next().unwrap_or(strategy);
        let name = format!("crates/strategies/{family}/tests/cases.toml");
        let path = root().join(&name);
        if !path.exists() {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        let mut cases = cases::read(&text);
        cases.retain(|case| case.strategy == strategy);
        if cases.is_empty() {
            continue;
        }
        write!(out, "### {strategy}\n\n| case | needle | file | found |\n|---|---|---|---|\n")?;
        out.extend(cases.iter().map(row));
        out.push('\n');
    }
    Ok(out)
}

fn row(case: &Case) -> String {
    let found = if case.spans.is_empty() {
        "refused".to_owned()
    } else {
        let places = case.spans.iter().map(|(start, end)| {
            let text = case.haystack.get(*start..*end).unwrap_or_default();
            format!("{} at {start}..{end}", code(text))
        });
        places.collect::<Vec<_>>().join(", ")
    };
    let note = case.note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    format!("| {}{note} | {} | {} | {found} |\n", case.name, code(&case.needle), code(&case.haystack))
}

/// Shows a text in a cell of a table, whatever it holds; what cannot be seen is escaped.
fn code(text: &str) -> String {
    let shown: String = text.chars().map(visible).collect::<String>().replace('|', "\\|");
    // More backticks around it than are together inside.
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Markdown takes one space off both ends where there is one at both.
    if shown.is_empty() { "(empty)".to_owned() } else { format!("{fence} {shown} {fence}") }
}

/// Shows a character as the snapshots do, but names the other blanks.
fn visible(c: char) -> String {
    match c {
        ' ' => "·".to_owned(),
        '\t' => "→".to_owned(),
        '\n' => "⏎".to_owned(),
        '\r' => "␍".to_owned(),
        '\\' | '"' | '\'' => c.to_string(),
        c if c.is_whitespace() => c.escape_unicode().to_string(),
        c => c.escape_debug().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use fuzzy_testkit::cases;

    use super::{code, row};

    #[test]
    fn a_cell_shows_what_cannot_be_seen() {
        assert_eq!(code("a b\t|\n"), "` a·b→\\|⏎ `");
        assert_eq!(code("\u{a0}\u{feff}é\u{200b}"), "` \\u{a0}\\u{feff}é\\u{200b} `");
        assert_eq!(code("a`\"b'"), "`` a`\"b' ``");
        assert_eq!(code(""), "(empty)");
    }

    #[test]
    fn a_row_shows_what_was_found_or_that_nothing_was() {
        let cases = cases::read(
            "[[case]]\nstrategy = \"s\"\nname = \"n\"\nhaystack = \"ab\"\nneedle = \"b\"\nspans = [[1, 2]]\n\
             [[case]]\nstrategy = \"s\"\nname = \"m\"\nhaystack = \"ab\"\nneedle = \"c\"\nspans = []\nnote = \"why\"\n",
        );
        assert_eq!(row(&cases[0]), "| n | ` b ` | ` ab ` | ` b ` at 1..2 |\n");
        assert_eq!(row(&cases[1]), "| m (why) | ` c ` | ` ab ` | refused |\n");
    }
}

//! Distinguishes placeholder lines from ordinary lines.

/// The words of placeholders without an ellipsis: a line with any other word is an ordinary line.
const WORDS: &str = "\
    above all and are as be before below block body brevity cases change changed changes clarity class \
    code component content contents continue continues else etc everything exactly existing fields file \
    for from function functions go goes handlers here identical implementation import imports in is it \
    keep kept leave left lines logic method methods module more my no not of omitted original other \
    others previous properties props remain remainder remaining remains rest routes same section snip \
    snipped stay stays stuff styles tests that the this to truncated unchanged unmodified untouched with \
    your";

/// Phrases that mark a line as a placeholder; blanks at the ends make them match whole words.
const PHRASES: &[&str] = &[
    " as before ",
    " existing ",
    " identical ",
    " no changes ",
    " not changed ",
    " omitted ",
    " original code ",
    " other code ",
    " other methods ",
    " previous code ",
    " remainder ",
    " remaining ",
    " rest of ",
    " rest is ",
    " rest remains ",
    " rest stays ",
    " rest goes ",
    " same as ",
    " snip ",
    " snipped ",
    " the rest ",
    " the same ",
    " truncated ",
    " unchanged ",
    " unmodified ",
    " untouched ",
];

/// Placeholders of one word.
const ALONE: &[&str] = &["omitted", "snip", "snipped", "truncated", "unchanged"];

/// Words after an ellipsis, at most. A longer line is an ordinary comment.
const MAX_WORDS: usize = 14;

/// Openers that also begin other things than comments.
const WEAK: &[&str] = &["*", "[", "(", "<", "{", "' "];

/// Openers of comments and asides in common languages, the longest first.
const OPENERS: &[&str] = &[
    "{{/*", "<!--", "{/*", "{#", "<%#", "///", "//!", "/**", "//", "/*", "(*", "--[[", "--", "##", "#", ";;", ";",
    "%%", "%", "\"\"\"", "'''", "' ", "REM ", "rem ", "*", "[", "(", "<", "{",
];

/// The form of a placeholder line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Only three dots, a statement in some languages.
    Ellipsis,
    /// A comment.
    Remark,
}

impl Kind {
    pub(super) fn of(line: &str) -> Option<Self> {
        let line = line.trim();
        if line.is_empty() || line.len() > 120 {
            return None;
        }
        if is_dots(line) {
            return Some(Self::Ellipsis);
        }
        let opener = OPENERS.iter().find(|opener| line.starts_with(**opener));
        let inner =
            line[opener.map_or(0, |opener| opener.len())..].trim_start_matches(['/', '*', '-', '#', ';', '%', '!']);
        let inner = inner.trim_end_matches(['/', '*', '-', '>', '}', '#', ')', ']', '%', '"', '\'']).trim();
        let inner = inner.trim_start_matches(['[', '(', '<']).trim();
        let is_comment = opener.is_some_and(|opener| !WEAK.contains(opener));
        let dots = inner.len() - inner.trim_start_matches(['.', '…']).len();
        let leads = dots > 0 && is_dots(&inner[..dots]);
        let said = if leads { &inner[dots..] } else { inner };
        // Code is never a placeholder.
        if opener.is_none() && !leads {
            return None;
        }
        let words: Vec<String> =
            said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        if words.is_empty() {
            // `{ ... }` and `[...]` are code in some languages; in a comment they have no other meaning.
            return (leads && is_comment).then_some(Self::Remark);
        }
        // `...existing,` and `{...rest}` spread a value.
        if leads && !is_comment && !said.starts_with([' ', '\t', ':', '-', '(', '[']) && words.len() < 3 {
            return None;
        }
        let phrase = format!(" {} ", words.join(" "));
        let says = PHRASES.iter().any(|known| phrase.contains(known));
        let holds = if leads {
            words.len() <= MAX_WORDS && says && !said.contains(['=', ';'])
        } else if words.len() == 1 {
            is_comment && ALONE.contains(&words[0].as_str())
        } else {
            opener.is_some_and(|opener| *opener != "*")
                && says
                && words.iter().all(|word| WORDS.split(' ').any(|known| known == word))
        };
        holds.then_some(Self::Remark)
    }
}

/// Returns whether a text is only an ellipsis, of either form.
pub(super) fn is_dots(text: &str) -> bool {
    matches!(text, "..." | "…" | "....") || matches!(text, ". . ." | "[...]" | "[…]" | "(...)" | "(…)" | "<...>")
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn placeholders_of_models_are_recognized() {
        for line in [
            "// ... rest of code unchanged",
            "// ...existing code...",
            "    // rest of the function remains the same",
            "# existing code",
            "# ... (existing code) ...",
            "# ... rest of the `parse_args` method unchanged ...",
            "/* ... existing styles ... */",
            "{/* ... rest of the component ... */}",
            "{/* existing code omitted */}",
            "<!-- rest of the file stays the same -->",
            "-- ... remaining columns",
            "; ... unchanged",
            "// ...",
            "# …",
            "/* ... */",
            "<!-- ... -->",
            "... rest of code ...",
            "[... rest of the file unchanged ...]",
            "// [unchanged]",
            "// keep existing code",
            "// same as before",
            "# no changes here",
            "% ... the rest is the same",
            "// code omitted for brevity",
            "...",
            "…",
            "\"\"\" ... existing docstring ... \"\"\"",
        ] {
            assert!(Kind::of(line).is_some(), "{line}");
        }
    }

    #[test]
    fn ordinary_lines_are_no_placeholders() {
        for line in [
            "...rest,",
            "...existing",
            "{...remainingProps}",
            "...(systemDefaults.general || {}),",
            "return { ...state };",
            "// existing users keep their address",
            "// Reuse the existing connection if there is one...",
            "# Loading remaining pages...",
            "# ... to here",
            "// No next version found, use the rest of the file",
            "# unchanged since 2019",
            "def f(): ...",
            "- existing installations are migrated",
            "rest of the code",
            "'unchanged',",
            "// `assertThat(...).contains(...)`",
            "existing = load()",
            "print(\"...\")",
            "* @param rest the rest of the arguments",
            "#include <existing.h>",
            "{ ... }",
            "[...]: ",
        ] {
            assert!(Kind::of(line).is_none(), "{line}");
        }
    }
}

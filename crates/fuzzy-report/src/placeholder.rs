//! New text that only holds a place for old text: `// ... rest of code unchanged`.
//!
//! A model that is loath to copy out what stays writes such a line instead. Pasted as it is, it takes the place of lines
//! that no one meant to remove.

use std::collections::{HashMap, HashSet};

use fuzzy_core::{Applied, LineRange, Span, line_end, line_start};

use crate::{Code, Failure, Lines, excerpt};

/// Words that a placeholder without an ellipsis is made of, all of them; any other word says something of its own.
const WORDS: &[&str] = &[
    "above",
    "all",
    "and",
    "are",
    "as",
    "be",
    "before",
    "below",
    "block",
    "body",
    "brevity",
    "cases",
    "change",
    "changed",
    "changes",
    "clarity",
    "class",
    "code",
    "component",
    "content",
    "contents",
    "continue",
    "continues",
    "else",
    "etc",
    "everything",
    "exactly",
    "existing",
    "fields",
    "file",
    "for",
    "from",
    "function",
    "functions",
    "go",
    "goes",
    "handlers",
    "here",
    "identical",
    "implementation",
    "import",
    "imports",
    "in",
    "is",
    "it",
    "keep",
    "kept",
    "leave",
    "left",
    "lines",
    "logic",
    "method",
    "methods",
    "module",
    "more",
    "my",
    "no",
    "not",
    "of",
    "omitted",
    "original",
    "other",
    "others",
    "previous",
    "properties",
    "props",
    "remain",
    "remainder",
    "remaining",
    "remains",
    "rest",
    "routes",
    "same",
    "section",
    "snip",
    "snipped",
    "stay",
    "stays",
    "stuff",
    "styles",
    "tests",
    "that",
    "the",
    "this",
    "to",
    "truncated",
    "unchanged",
    "unmodified",
    "untouched",
    "with",
    "your",
];

/// Phrases one of which says that something is left out; between blanks, so that they are whole words.
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

/// Words behind an ellipsis at the most. More is a remark.
const MOST_WORDS: usize = 14;

/// Statements that do nothing, so that `...` may take their place.
const NOTHING: &[&str] = &["pass", "raise NotImplementedError", "raise NotImplementedError()", "return NotImplemented"];

/// Openers that begin other things, too.
const WEAK: &[&str] = &["*", "[", "(", "<", "{", "' "];

/// What begins a comment or an aside in the languages that people edit, the longest first.
const OPENERS: &[&str] = &[
    "{{/*", "<!--", "{/*", "{#", "<%#", "///", "//!", "/**", "//", "/*", "(*", "--[[", "--", "##", "#", ";;", ";",
    "%%", "%", "\"\"\"", "'''", "' ", "REM ", "rem ", "*", "[", "(", "<", "{",
];

/// A line of new text that holds the place of old lines, which would be lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The line, without the blanks at its ends.
    pub line: String,
    /// The old lines that would be lost, from the first to the last.
    pub lost: Span,
}

impl Placeholder {
    /// Finds the first one in what an edit of `text` made, if there is one.
    ///
    /// None is found where the needle, or the file, has such a line itself, or where nothing would be lost: then the
    /// line is meant as it is written.
    ///
    /// # Complexity
    ///
    /// One pass over the new text; over the file only if there is such a line.
    #[must_use]
    pub fn find(text: &str, needle: &str, applied: &Applied) -> Option<Self> {
        let place = applied.replaced.first()?;
        let new = lines_around(&applied.output, place.after).text(&applied.output);
        let held: Vec<usize> = positions(new, |line| Kind::of(line).is_some());
        if held.is_empty() || needle.lines().any(|line| Kind::of(line).is_some()) {
            return None;
        }
        let span = lines_around(text, place.before);
        let (old, new): (Vec<&str>, Vec<&str>) = (span.text(text).lines().collect(), new.lines().collect());
        held.into_iter().find_map(|at| {
            let line = new[at].trim();
            let gone = lost(&old, &new, at);
            let is_meant = || match Kind::of(line) {
                Some(Kind::Ellipsis) => has_ellipsis(text) || gone.iter().all(|at| NOTHING.contains(&old[*at].trim())),
                _ => text.lines().any(|other| other.trim() == line),
            };
            let (first, end) = (*gone.first()?, *gone.last()?);
            (!is_meant()).then(|| Self { line: line.to_owned(), lost: lines_of(text, span, first, end) })
        })
    }

    /// Reports it; `text` is the file's.
    #[must_use]
    pub fn failure(&self, text: &str) -> Failure {
        let lines: Lines = LineRange::of(text, self.lost).into();
        let line = excerpt(&self.line, 0, 60);
        let message = format!("the new text has `{line}` in the place of {lines}, which would be lost");
        let next_step = format!("Write {lines} out in the new text, or leave them out of both texts.");
        let mut failure = Failure::new(Code::Placeholder, message, next_step).at(vec![lines], 1);
        failure.details.lost = Some(self.lost.text(text).to_owned());
        failure
    }
}

/// What a line that holds a place looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Three dots and nothing else, which some languages have as a statement.
    Ellipsis,
    /// A remark.
    Remark,
}

impl Kind {
    fn of(line: &str) -> Option<Self> {
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
        // Of code nothing more has to be known.
        if opener.is_none() && !leads {
            return None;
        }
        let words: Vec<String> =
            said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        if words.is_empty() {
            // `{ ... }` and `[...]` are code in some languages; a comment says nothing else.
            return (leads && is_comment).then_some(Self::Remark);
        }
        // `...existing,` and `{...rest}` spread a value.
        if leads && !is_comment && !said.starts_with([' ', '\t', ':', '-', '(', '[']) && words.len() < 3 {
            return None;
        }
        let phrase = format!(" {} ", words.join(" "));
        let says = PHRASES.iter().any(|known| phrase.contains(known));
        let is_known = || words.iter().all(|word| WORDS.contains(&word.as_str()));
        let holds = if leads {
            words.len() <= MOST_WORDS && says && !said.contains(['=', ';'])
        } else if words.len() == 1 {
            is_comment && ALONE.contains(&words[0].as_str())
        } else {
            opener.is_some_and(|opener| *opener != "*") && says && is_known()
        };
        holds.then_some(Self::Remark)
    }
}

/// Returns whether a text is an ellipsis, of either kind.
fn is_dots(text: &str) -> bool {
    matches!(text, "..." | "…" | "....") || matches!(text, ". . ." | "[...]" | "[…]" | "(...)" | "(…)" | "<...>")
}

/// Returns whether a file has an ellipsis as a statement or a paragraph of its own.
fn has_ellipsis(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| is_dots(line) || line.ends_with(": ..."))
}

/// Returns the lines for which `is` holds, by number.
fn positions(text: &str, is: impl Fn(&str) -> bool) -> Vec<usize> {
    text.lines().enumerate().filter(|(_, line)| is(line)).map(|(at, _)| at).collect()
}

/// Returns which lines of `old` the line `at` of `new` stands in for: those between what is kept above it and what is
/// kept below it that are in the new text neither as they are nor rewritten.
fn lost(old: &[&str], new: &[&str], at: usize) -> Vec<usize> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, line) in old.iter().enumerate() {
        places.entry(line.trim()).or_default().push(number);
    }
    let tells = |line: &&&str| line.contains(char::is_alphanumeric);
    let above = new[..at].iter().rev().filter(tells).find_map(|line| places.get(line.trim())?.first().copied());
    let from = above.map_or(0, |number| number + 1);
    let mut below = new[at + 1..].iter().filter(tells).filter_map(|line| places.get(line.trim()));
    let to = below.find_map(|numbers| numbers.iter().copied().find(|number| *number >= from)).unwrap_or(old.len());
    let kept: HashSet<&str> = new.iter().map(|line| line.trim()).collect();
    let brought: Vec<&str> = new
        .iter()
        .map(|line| line.trim())
        .filter(|line| !places.contains_key(line) && Kind::of(line).is_none())
        .collect();
    let is_rewritten = |line: &str| brought.iter().any(|new| is_alike(line, new));
    let gone = |number: &usize| {
        let line = old[*number].trim();
        line.contains(char::is_alphanumeric) && !kept.contains(line) && !is_rewritten(line)
    };
    (from..to).filter(gone).collect()
}

/// Returns whether a line is another one rewritten: they share half of their words.
fn is_alike(one: &str, other: &str) -> bool {
    let words = |line: &'_ str| -> Vec<String> {
        line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (one, mut other) = (words(one), words(other));
    let longest = one.len().max(other.len());
    let shared = one.iter().filter(|word| {
        let at = other.iter().position(|theirs| theirs == *word);
        at.map(|at| other.swap_remove(at)).is_some()
    });
    shared.count() * 2 >= longest
}

/// Widens a span to whole lines, without the break after the last one.
fn lines_around(text: &str, span: Span) -> Span {
    let start = line_start(text, span.start());
    let last = if span.end() > start && text[..span.end()].ends_with('\n') { span.end() - 1 } else { span.end() };
    Span::new(start, line_end(text, last.max(start)))
}

/// Returns the span of some lines of a part of the text.
fn lines_of(text: &str, part: Span, first: usize, last: usize) -> Span {
    let mut starts = vec![part.start()];
    starts.extend(memchr::memchr_iter(b'\n', part.text(text).as_bytes()).map(|at| part.start() + at + 1));
    Span::new(starts[first], line_end(text, starts[last]))
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn what_models_write_instead_of_old_lines_is_seen() {
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
    fn what_says_something_of_its_own_is_none() {
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

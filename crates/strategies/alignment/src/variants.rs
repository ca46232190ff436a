//! Lists the variants of an edit: its texts without a distortion.
//!
//! A needle from a tool's output may have line numbers, a Markdown fence, or line breaks written as `\n`. A variant
//! undoes one plausible distortion in the needle, and in the replacement if it has it, too. The file decides which
//! variant is right.
//!
//! Cost: one pass over needle and replacement for each variant.

use std::borrow::Cow;

use fuzzy_core::blank::is_blank;

use crate::escape::undo_shared;

/// An edit without one distortion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant<'t> {
    /// The needle.
    pub needle: Cow<'t, str>,
    /// The replacement.
    pub replacement: Cow<'t, str>,
    /// The name of the undone distortion; empty for the literal variant.
    pub undone: &'static str,
}

/// Name of the distortion of a needle inside a fence.
const FENCE: &str = "fence";

impl<'t> Variant<'t> {
    /// Returns whether the needle lost a fence.
    pub(crate) fn has_removed_fence(&self) -> bool {
        self.undone == FENCE
    }

    /// Makes the variant of an edit without a distortion.
    #[must_use]
    pub fn literal(needle: &'t str, replacement: &'t str) -> Self {
        Self { needle: Cow::Borrowed(needle), replacement: Cow::Borrowed(replacement), undone: "" }
    }
}

/// Returns the variants of an edit, the literal one first.
pub fn variants_of<'t>(needle: &'t str, replacement: &'t str) -> Vec<Variant<'t>> {
    let mut variants = vec![Variant::literal(needle, replacement)];
    if let Some((needle, replacement)) = without_fence(needle, replacement) {
        variants.push(Variant {
            needle: Cow::Borrowed(needle),
            replacement: Cow::Borrowed(replacement),
            undone: FENCE,
        });
    }
    variants.extend(without_numbers(needle, replacement));
    if let Some(variant) = without_separators(needle, replacement) {
        variants.push(variant);
    }
    // A needle that was escaped as a whole has few real line breaks.
    if needle.contains("\\n") && needle.trim_matches(is_blank).matches('\n').count() <= 1 {
        for (undone, all) in [("newlines", false), ("escapes", true)] {
            let read = unescape_breaks(needle, all);
            let unescape = |text: &str| unescape_breaks(text, all);
            let new = undo_shared(&read, needle, replacement, unescape).unwrap_or_else(|| unescape(replacement));
            let variant = Variant { needle: Cow::Owned(read), replacement: Cow::Owned(new), undone };
            if variants.iter().all(|other| other.needle != variant.needle) {
                variants.push(variant);
            }
        }
    }
    variants
}

fn unescape_breaks(text: &str, all: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let put = match chars.peek() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(&other @ ('"' | '\'' | '`' | '\\')) if all => other,
            Some('\\') => {
                // An escaped backslash stays escaped, so the letter after it is not part of an escape.
                out.push_str("\\\\");
                chars.next();
                continue;
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push(put);
        chars.next();
    }
    out
}

fn without_fence<'t>(needle: &'t str, replacement: &'t str) -> Option<(&'t str, &'t str)> {
    let needle = inside_fence(needle)?;
    Some((needle, inside_fence(replacement).unwrap_or(replacement)))
}

fn inside_fence(text: &str) -> Option<&str> {
    let body = text.trim_matches(is_blank);
    let fence = if body.starts_with("```") { "```" } else { "~~~" };
    let (first, rest) = body.split_once('\n')?;
    let language = first.strip_prefix(fence)?;
    if language.trim_matches(is_blank).contains([' ', '`']) {
        return None;
    }
    let inner = rest.strip_suffix(fence)?;
    if inner.is_empty() {
        return Some(inner);
    }
    let inner = inner.strip_suffix('\n')?;
    Some(inner.strip_suffix('\r').unwrap_or(inner))
}

/// Separators that tools print between a line number and the line, longest first.
const SEPARATORS: [&str; 10] = [" | ", " |", "| ", "|", ": ", ":", "→", "\t", " ", ")"];

/// Splits a line into its number, without the hash that some tools print after it, and the rest.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let (number, rest) = counted(line)?;
    Some((number, &rest[hash(rest)..]))
}

/// Returns the length of the hash at the start of `rest`: `:ab` of `12:ab|`, or `#ab` of `12#ab:`.
fn hash(rest: &str) -> usize {
    let Some(letters) = rest.strip_prefix([':', '#']) else { return 0 };
    let length = letters.len() - letters.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
    let ends = if rest.starts_with(':') { &['|'][..] } else { &[':', '|'][..] };
    if (2..=8).contains(&length) && letters[length..].starts_with(ends) { length + 1 } else { 0 }
}

/// Splits a line into its number and the rest.
fn counted(line: &str) -> Option<(u32, &str)> {
    let body = line.trim_start_matches(' ');
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 || digits > 6 {
        return None;
    }
    Some((body[..digits].parse().ok()?, &body[digits..]))
}

/// Finds the separators that follow the numbers of nearly all lines; the first line may lack one. A text of one line
/// may continue in an `other` text with the same first number.
fn separators(text: &str, other: &str) -> Vec<&'static str> {
    let lines: Vec<&str> =
        text.trim_end_matches(is_blank).split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let numbers: Vec<Option<(u32, &str)>> = lines.iter().map(|line| numbered(line)).collect();
    let found: Vec<(u32, &str)> = numbers.iter().flatten().copied().collect();
    let needed = lines.iter().skip(1).filter(|line| !line.trim_matches(is_blank).is_empty()).count();
    let behind_first = numbers.iter().skip(1).flatten().count();
    if found.is_empty() || behind_first < needed {
        return Vec::new();
    }
    let goes_on = other.contains('\n') && numbered(other).is_some_and(|(number, _)| number == found[0].0);
    let counts = found.len() > 1 || (goes_on && !separators(other, "").is_empty());
    let has_hash = lines.iter().any(|line| counted(line).is_some_and(|(_, rest)| hash(rest) > 0));
    let rising = found.windows(2).filter(|pair| pair[1].0 == pair[0].0 + 1).count();
    if found.windows(2).any(|pair| pair[1].0 < pair[0].0) || rising * 5 < (found.len() - 1) * 3 {
        return Vec::new();
    }
    let fits = SEPARATORS.into_iter().filter(|separator| {
        let blank = separator.trim_end_matches(is_blank);
        found
            .iter()
            .all(|(_, rest)| rest.starts_with(separator) || (rest == &blank))
            && found.iter().any(|(_, rest)| rest.starts_with(separator))
            // A number before a space or bracket may be part of the text; one with a hash is not.
            && (!matches!(*separator, " " | ")" | ":" | ": ") || counts || has_hash)
    });
    fits.collect()
}

/// Returns the variants without line numbers: with and without the blank after the separator, which may be part of the
/// line.
fn without_numbers<'t>(needle: &str, replacement: &'t str) -> Vec<Variant<'t>> {
    let theirs = separators(replacement, "");
    separators(needle, replacement)
        .into_iter()
        .map(|mark| Variant {
            needle: Cow::Owned(strip_numbers(needle, mark)),
            // New lines may lack a number that kept ones have.
            replacement: match theirs.first() {
                Some(first) if !theirs.contains(&mark) => Cow::Owned(strip_numbers(replacement, first)),
                _ => Cow::Owned(strip_numbers(replacement, mark)),
            },
            undone: "line numbers",
        })
        .collect()
}

fn strip_numbers(text: &str, separator: &str) -> String {
    let blank = separator.trim_end_matches(is_blank);
    let stripped: Vec<&str> = text
        .split('\n')
        .map(|line| match numbered(line) {
            Some((_, rest)) => rest.strip_prefix(separator).or_else(|| (rest == blank).then_some("")).unwrap_or(line),
            None => line,
        })
        .collect();
    stripped.join("\n")
}

/// Returns the variant without the separators that remain after removed numbers: every line except the first starts
/// with the same one. A tab may remain: it counts as indentation.
fn without_separators<'t>(needle: &str, replacement: &str) -> Option<Variant<'t>> {
    let marks = ["| ", "|", ": ", ":", "→"];
    let full: Vec<&str> = needle.split('\n').skip(1).filter(|line| !line.trim_matches(is_blank).is_empty()).collect();
    let mut marks = marks.into_iter().filter(|_| !full.is_empty());
    let common = marks.find(|mark| full.iter().all(|line| without_mark(line, mark).is_some()));
    let mark = common.filter(|mark| !needle.starts_with(mark))?;
    let [needle, replacement] = [needle, replacement].map(|text| {
        let lines: Vec<&str> = text.split('\n').map(|line| without_mark(line, mark).unwrap_or(line)).collect();
        Cow::Owned(lines.join("\n"))
    });
    Some(Variant { needle, replacement, undone: "separators" })
}

/// Returns a line without the mark at its start; a blank line may have lost its blanks.
fn without_mark<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    line.strip_prefix(mark)
        .or_else(|| (line.trim_end_matches(is_blank) == mark.trim_end_matches(is_blank)).then_some(""))
}

#[cfg(test)]
mod tests {
    use super::variants_of;

    fn needles(needle: &str) -> Vec<(String, &'static str)> {
        variants_of(needle, "").into_iter().map(|variant| (variant.needle.into_owned(), variant.undone)).collect()
    }

    #[test]
    fn the_literal_variant_is_first() {
        assert_eq!(needles("a\nb"), [("a\nb".to_owned(), "")]);
    }

    #[test]
    fn line_numbers_are_removed() {
        for text in ["1\ta\n2\tb", "  9→a\n 10→b", "08| a\n09| b", "7: a\n8: b", "a\n12 | b\n13 | c"] {
            assert!(needles(text).iter().any(|(_, undone)| *undone == "line numbers"), "{text:?}");
        }
        // The numbers are part of the text.
        for text in ["1 apple\n5 pears\n2 plums", "10\n20", "404: not found\n200: fine"] {
            assert!(needles(text).iter().all(|(_, undone)| *undone != "line numbers"), "{text:?}");
        }
    }

    #[test]
    fn one_line_has_a_number_where_the_new_text_counts_on() {
        for (new, has_number) in [("  6 a =\n  7   1", true), ("  6 a =\n      1", false), ("  7 a =\n  8   1", false)]
        {
            let read = variants_of("  6 a = 1", new);
            assert_eq!(read.iter().any(|variant| variant.replacement == "a =\n  1"), has_number, "{new:?}");
        }
    }

    #[test]
    fn numbers_with_hashes_are_removed() {
        for text in
            ["12:ab|a\n13:0f|b", "12#ab:a\n13#0f:b", "  9#XK|a\n 10#ZQ|b", "12:ab| a\n13:cd| b", "7#1f: a", "7:1f|a"]
        {
            let read = needles(text);
            let numbers: Vec<_> = read.iter().filter(|(_, undone)| *undone == "line numbers").collect();
            assert!(!numbers.is_empty(), "{text:?}");
            assert!(numbers.iter().all(|(read, _)| read.lines().all(|line| line.trim().len() == 1)), "{numbers:?}");
        }
        for text in ["1#a\n2#b", "12:ab", "10:30|tea\n99:45|cake"] {
            assert!(needles(text).iter().all(|(_, undone)| *undone != "line numbers"), "{text:?}");
        }
    }

    #[test]
    fn the_replacement_loses_its_own_numbers_only() {
        let variant = &variants_of("1| a\n2| b", "1| a\n2| c\n3| d")[1];
        assert_eq!((&*variant.needle, &*variant.replacement), ("a\nb", "a\nc\nd"));
        let variant = &variants_of("1| a\n2| b", "a\nc")[1];
        assert_eq!(&*variant.replacement, "a\nc");
    }

    #[test]
    fn a_fence_is_removed_whole() {
        assert!(needles("```rust\na\nb\n```").contains(&("a\nb".to_owned(), "fence")));
        assert_eq!(needles("```rust\na\nb").len(), 1);
    }

    #[test]
    fn written_line_breaks_are_expanded_where_there_are_no_others() {
        assert!(needles("a {\\n\\tb\\n}").contains(&("a {\n\tb\n}".to_owned(), "newlines")));
        assert_eq!(needles("print(\"a\\n\")\nb\nc").len(), 1);
    }
}

//! Lists of characters and words that several files use.

/// The marks that begin a comment, in any language.
pub(crate) const COMMENT_MARKS: &[&str] = &["#", "//", "--", "/*", "<!--"];

/// Returns the mark of the comment that a text begins with. Two hyphens right before a word are an operator or an option.
#[must_use]
pub fn comment_mark(text: &str) -> Option<&'static str> {
    let mark = COMMENT_MARKS.iter().find(|mark| text.starts_with(**mark))?;
    let is_alone = *mark != "--" || text[mark.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    is_alone.then_some(mark)
}

/// The words that end a block, in languages without brackets for it.
pub const END_WORDS: &[&str] = &["end", "fi", "done", "esac"];

/// The characters of operators, some of which have other uses, too.
const SIGNS: &str = "<>=!+*%^~&|-/@";

/// The words that are operators.
pub(crate) const BINARY_WORDS: &[&str] = &["and", "or", "not", "AND", "OR", "NOT"];

/// Returns whether a token is an operator, or may be one.
pub(crate) fn is_sign(token: &str) -> bool {
    token.chars().all(|c| SIGNS.contains(c))
}

/// Typographic marks with their plain ones.
const TYPOGRAPHIC: &[(&str, &str)] = &[
    ("\u{2018}", "'"),
    ("\u{2019}", "'"),
    ("\u{201a}", "'"),
    ("\u{201c}", "\""),
    ("\u{201d}", "\""),
    ("\u{201e}", "\""),
    ("\u{2013}", "-"),
    ("\u{2014}", "-"),
];

pub(crate) fn typographic() -> impl Iterator<Item = &'static str> {
    TYPOGRAPHIC.iter().map(|(mark, _)| *mark)
}

/// Returns the plain mark for a typographic one.
pub(crate) fn plain(mark: &str) -> Option<&'static str> {
    TYPOGRAPHIC.iter().find(|(typographic, _)| *typographic == mark).map(|(_, plain)| *plain)
}

/// Returns whether a token is a plain quote.
pub(crate) fn is_plain_quote(token: &str) -> bool {
    matches!(token, "\"" | "'" | "`")
}

/// Returns whether a token is a quote, plain or typographic.
pub(crate) fn is_quote(token: &str) -> bool {
    is_plain_quote(plain(token).unwrap_or(token))
}

/// Returns whether a character is any typographic quote or prime.
pub(crate) fn is_typographic_quote(c: char) -> bool {
    "‘’‚‛′“”„‟″".contains(c)
}

/// Returns whether a character is any typographic dash or minus.
pub(crate) fn is_typographic_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Returns whether a token begins a line of comment, in any language, without being a comment mark.
pub(crate) fn begins_comment_line(token: &str) -> bool {
    matches!(token, "*" | "<" | ";" | "%")
}

/// The characters that an elision may begin with.
pub(crate) const ELISION_STARTS: &[char] = &['#', '/', '*', '-', '<', ';', '%', '.', '…', '(', '[', '{'];

/// Returns whether a character may surround an elision: a mark of comments or a bracket.
pub(crate) fn surrounds_elision(c: char) -> bool {
    "#/*-<>!;%()[]{}".contains(c)
}

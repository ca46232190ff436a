//! Lists of characters and words, each here once.

/// The marks that begin a comment, in any language.
pub(crate) const COMMENT_MARKS: &[&str] = &["#", "//", "--", "/*"];

/// The words that end a block, in languages without brackets for it.
pub(crate) const END_WORDS: &[&str] = &["end", "fi", "done", "esac"];

/// The characters of operators that compare and compute.
const OPERATORS: &str = "<>=!+*%^~";

/// Further characters of operators, which also have other uses.
const SIGNS: &str = "&|-/@";

/// Returns whether a token is an operator, or a part of one.
pub(crate) fn is_operator(token: &str) -> bool {
    token.chars().all(|c| OPERATORS.contains(c))
}

/// Returns whether a token is an operator, or may be one.
pub(crate) fn is_sign(token: &str) -> bool {
    token.chars().all(|c| OPERATORS.contains(c) || SIGNS.contains(c))
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

/// Returns whether a token is a quote, plain or typographic.
pub(crate) fn is_quote(token: &str) -> bool {
    matches!(plain(token).unwrap_or(token), "\"" | "'" | "`")
}

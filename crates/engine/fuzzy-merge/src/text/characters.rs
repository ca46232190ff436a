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

/// Typographic quotes, primes, dashes and minuses with their plain ones.
const TYPOGRAPHIC: [(&str, &str); 3] = [("‘’‚‛′", "'"), ("“”„‟″", "\""), ("‐‑‒–—―−", "-")];

/// Returns the plain mark for a typographic one.
pub(crate) fn plain_char(c: char) -> Option<&'static str> {
    TYPOGRAPHIC.iter().find(|(marks, _)| marks.contains(c)).map(|(_, plain)| *plain)
}

/// Returns the plain mark for a token that is a typographic one.
pub(crate) fn plain(token: &str) -> Option<&'static str> {
    let mark = token.chars().next()?;
    plain_char(mark).filter(|_| mark.len_utf8() == token.len())
}

/// Returns the character of ASCII for a typographic mark or a full-width character.
pub(crate) fn ascii(c: char) -> Option<u8> {
    let full_width = || u32::from(c).checked_sub(0xfee0).filter(|code| (0x21..0x7f).contains(code));
    plain_char(c).map(|mark| mark.as_bytes()[0]).or_else(|| full_width().and_then(|code| u8::try_from(code).ok()))
}

/// Returns whether a token is a plain quote.
pub(crate) fn is_plain_quote(token: &str) -> bool {
    matches!(token, "\"" | "'" | "`")
}

/// Returns whether a token is a quote, plain or typographic.
pub(crate) fn is_quote(token: &str) -> bool {
    is_plain_quote(plain(token).unwrap_or(token))
}

/// The characters that an elision may begin with.
pub(crate) const ELISION_STARTS: &[char] = &['#', '/', '*', '-', '<', ';', '%', '.', '…', '(', '[', '{'];

/// Returns whether a character may surround an elision: a mark of comments or a bracket.
pub(crate) fn surrounds_elision(c: char) -> bool {
    "#/*-<>!;%()[]{}".contains(c)
}

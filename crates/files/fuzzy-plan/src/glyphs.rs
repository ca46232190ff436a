//! Characters that look alike: dashes, quotes and blanks, which models write in their ASCII forms.

/// Returns the ASCII character that looks like `c`, or `c` itself.
const fn plain(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '″' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        _ => c,
    }
}

/// Returns a text with these ASCII forms.
pub(crate) fn in_plain(text: &str) -> String {
    text.chars().map(plain).collect()
}

/// Returns whether two texts are equal, or differ only in characters that look alike.
pub(crate) fn alike(one: &str, other: &str) -> bool {
    // Only characters beyond ASCII look like others.
    let is_ascii = || one.is_ascii() && other.is_ascii();
    one == other || (!is_ascii() && one.chars().map(plain).eq(other.chars().map(plain)))
}

//! Moves indentation from the depth of a quoted line to the depth of its line in the file.

use std::cmp::Ordering;

use super::lines::width;

/// The indentation of a quoted line, and that of its line in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depths<'t> {
    pub(crate) quoted: &'t str,
    pub(crate) there: &'t str,
}

impl Depths<'_> {
    /// Returns whether the quote has the indentation of the file.
    pub(super) fn are_equal(&self) -> bool {
        self.quoted == self.there
    }

    /// Returns an indentation of the quoted text as the file has it: as much deeper or less deep as it is there. Returns
    /// none if that is not known.
    pub(crate) fn moved(&self, lead: &str) -> Option<String> {
        let (from, to) = (self.quoted, self.there);
        if from == to {
            return Some(lead.to_owned());
        }
        let (style_from, style_to) = match (Style::of(from), Style::of(to)) {
            (Style::Mixed, _) | (_, Style::Mixed) => return None,
            (Style::Only(from), Style::Only(to)) if from != to => (from, to),
            // With one style, or without indentation, no step has to be known.
            _ => return Self::shifted(lead, from, to),
        };
        if !matches!(Style::of(lead), Style::None) && Style::of(lead) != Style::Only(style_from) {
            return None;
        }
        let (few, many) = if style_from == '\t' { (from.len(), to.len()) } else { (to.len(), from.len()) };
        let step = many / few;
        if step * few != many {
            return None;
        }
        let count = if style_from == '\t' { Some(lead.len() * step) } else { divided(lead.len(), step) };
        Some(style_to.to_string().repeat(count?))
    }

    /// Moves an indentation between depths of one style.
    fn shifted(lead: &str, from: &str, to: &str) -> Option<String> {
        if let Some(deeper) = lead.strip_prefix(from) {
            return Style::can_follow(to, deeper).then(|| format!("{to}{deeper}"));
        }
        let less = from.strip_prefix(lead)?.len();
        Some(to[..to.len().checked_sub(less)?].to_owned())
    }

    /// Returns whether a line of the file with the indentation `there` is where the quote says by its own: as much deeper
    /// than the first quoted line. A quote without indentation has the depth of that line, unless that line is quoted less
    /// deep than it is, and has some.
    pub(super) fn is_at(&self, quoted: &str, there: &str) -> bool {
        if quoted.is_empty() && (self.are_equal() || self.quoted.is_empty()) {
            return width(there) == width(self.there);
        }
        // The quoted first line may have lost its indentation alone.
        if quoted == there && !self.are_equal() {
            return true;
        }
        self.is_as_deep(quoted, there)
    }

    /// Returns whether an indentation of the file is as much deeper as that of the quote.
    pub(super) fn is_as_deep(&self, quoted: &str, there: &str) -> bool {
        match self.moved(quoted) {
            Some(moved) if moved == there => true,
            Some(moved) if has_style_of(&moved, there) => width(&moved) == width(there),
            // Steps of another style cannot be compared.
            _ => self.direction(quoted) == width(there).cmp(&width(self.there)),
        }
    }

    fn direction(&self, quoted: &str) -> Ordering {
        width(quoted).cmp(&width(self.quoted))
    }
}

/// The characters of an indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    None,
    Only(char),
    Mixed,
}

impl Style {
    fn of(lead: &str) -> Self {
        let mut all = lead.chars();
        match all.next() {
            None => Self::None,
            Some(first) if all.all(|c| c == first) => Self::Only(first),
            Some(_) => Self::Mixed,
        }
    }

    /// Returns whether two parts are one indentation of one style.
    fn can_follow(lead: &str, deeper: &str) -> bool {
        match (Self::of(lead), Self::of(deeper)) {
            (Self::Mixed, _) | (_, Self::Mixed) => false,
            (Self::Only(one), Self::Only(other)) => one == other,
            _ => true,
        }
    }
}

/// Returns whether two indentations can be compared by their widths.
fn has_style_of(one: &str, other: &str) -> bool {
    !matches!((Style::of(one), Style::of(other)), (Style::Only(one), Style::Only(other)) if one != other)
}

const fn divided(count: usize, by: usize) -> Option<usize> {
    if count.is_multiple_of(by) { Some(count / by) } else { None }
}

#[cfg(test)]
mod tests {
    use super::Depths;

    #[test]
    fn indentation_moves_as_far_as_the_quoted_line() {
        let cases: [(&str, &str, &str, Option<&str>); 11] = [
            ("", "", "  ", Some("  ")),
            ("", "    ", "  ", Some("      ")),
            ("  ", "    ", "", Some("  ")),
            ("    ", "  ", "    ", Some("  ")),
            ("    ", "  ", "", None),
            ("    ", "\t", "        ", Some("\t\t")),
            ("    ", "\t", "  ", None),
            ("\t", "  ", "\t\t", Some("    ")),
            ("", "\t", "    ", None),
            ("", "\t", "\t", Some("\t\t")),
            ("\t ", "  ", "\t  ", None),
        ];
        for (quoted, there, lead, expected) in cases {
            assert_eq!(Depths { quoted, there }.moved(lead).as_deref(), expected, "{quoted:?} {there:?} {lead:?}");
        }
    }

    #[test]
    fn a_quote_is_where_its_own_indentation_says() {
        let cases = [
            ("", "", "", "", true),
            ("", "", "  ", "  ", true),
            ("", "", "  ", "    ", false),
            ("  ", "  ", "", "  ", true),
            ("  ", "  ", "", "", false),
            ("", "    ", "  ", "      ", true),
            // The first line alone lost its indentation.
            ("", "    ", "    ", "    ", true),
            ("", "", "    ", "\t", true),
            ("", "", "    ", "", false),
            // All lines lost as much.
            ("    ", "        ", "", "    ", true),
            ("    ", "        ", "", "        ", false),
        ];
        for (quoted, there, lead, other, expected) in cases {
            assert_eq!(
                Depths { quoted, there }.is_at(lead, other),
                expected,
                "{quoted:?} {there:?} {lead:?} {other:?}"
            );
        }
    }
}
